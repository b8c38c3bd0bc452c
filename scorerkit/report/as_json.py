from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.model.json import Json


def render(summary: dict[str, Json]) -> str:
    """The summary itself (``schemas/summary.schema.json``)."""
    return json.dumps(summary, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
