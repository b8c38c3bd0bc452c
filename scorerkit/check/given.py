"""The value that somebody gives a param: as the schema takes it, or why it cannot be."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from scorerkit.check.words import kinds_word
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
        raise ScorerkitError(message, code="bad-param", fix=_as_list(name, schema, value))
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
        wanted = [kinds] if isinstance(kinds, str) else kinds
        as_json = ", as JSON" if {"array", "object"} & {*wanted} else ""
        message = f"the param '{name}' cannot be '{text}': {kinds_word(wanted)} is wanted{as_json}"
        raise ScorerkitError(message, code="bad-param", fix=_as_list(name, schema, text)) from None


def _as_list(name: str, schema: dict[str, Json], value: Json) -> str | None:
    """How one text is given to a param that takes a list of texts."""
    kinds, items = schema.get("type"), schema.get("items") or {}
    takes_a_list = kinds == "array" or (isinstance(kinds, list) and "array" in kinds)
    if not isinstance(value, str) or not takes_a_list or items.get("type", "string") != "string":
        return None
    return f"-p {name}={shlex.quote(json.dumps([value], ensure_ascii=False))}"


def _no_constant(word: str) -> Json:
    message = f"{word} is not JSON"
    raise ValueError(message)
