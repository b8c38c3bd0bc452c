"""The value that somebody gives a param: as the schema takes it, or why it cannot be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scorerkit.conversion import describe, to_json
from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from scorerkit.model.json import Json


def given_value(name: str, schema: dict[str, Json], value: Any, validator: Any) -> Json:
    """The value; a text stays text where the schema allows text, and is read as JSON otherwise.

    Raises:
        ScorerkitError: ``bad-param``, where it does not fit.
    """
    if isinstance(value, str) and not validator.is_valid(value):
        value = _read(name, schema, value)
    try:
        value = to_json(value)
    except (TypeError, ValueError) as unusable:
        message = f"the param '{name}' cannot be used: {unusable}"
        raise ScorerkitError(message, code="bad-param") from unusable
    for error in validator.iter_errors(value):
        message = f"the param '{name}' cannot be {describe(value)}: {error.message}"
        raise ScorerkitError(message, code="bad-param")
    return value


def _read(name: str, schema: dict[str, Json], text: str) -> Json:
    kinds = schema.get("type", "string")
    if "string" in ([kinds] if isinstance(kinds, str) else kinds) and "enum" not in schema:
        return text
    try:
        return json.loads(text, parse_constant=_no_constant)
    except ValueError:
        if "enum" in schema:
            return text
        message = f"the param '{name}' cannot be '{text}': it is read as JSON"
        raise ScorerkitError(message, code="bad-param") from None


def _no_constant(word: str) -> Json:
    message = f"{word} is not JSON"
    raise ValueError(message)
