from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A JSON value: None, bool, int, finite float, str, list or dict with text keys."""

Path: TypeAlias = tuple[str | int, ...]
"""Where a value stands inside a JSON value: keys and list indexes from the root."""
