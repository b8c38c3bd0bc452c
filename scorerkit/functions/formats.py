"""Whether a text is in a format."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import orjson

from scorerkit.functions.arguments import as_text

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_FENCE = re.compile(r"\s*```(?:json)?[ \t]*\n(.*?)\n?[ \t]*```\s*", re.DOTALL | re.IGNORECASE)
_MOST = 10


def json_check(text: str, schema: Json = None, fence: bool = False) -> dict[str, Json]:
    """Whether a text is one JSON value, and fits a JSON Schema: ``{valid, problems}``, at most ten problems.

    JSON is that of RFC 8259: no NaN, no comments. With ``fence`` one Markdown fence around it is fine. ``$ref`` reaches
    inside the schema only, and patterns are those of a linear-time engine: no look-around, no back-references.

    Raises:
        ValueError: it is not text, or the schema is none, or has another pattern.
    """
    whole = as_text("json_check", text)
    inside = _FENCE.fullmatch(whole) if fence else None
    try:
        value = orjson.loads(inside.group(1) if inside else whole)
    except orjson.JSONDecodeError as error:
        return {"valid": False, "problems": [f"it is not JSON: {error}"]}
    problems = [] if schema is None else _misfits(value, schema)
    return {"valid": not problems, "problems": problems}


def _misfits(value: Json, schema: Json) -> list[str]:
    validator = _validator(orjson.dumps(schema))
    found = []
    for error in validator.iter_errors(value):
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path)
        found.append(f"{place.lstrip('.')}: {error.message}" if place else str(error.message))
        if len(found) == _MOST:
            break
    return found


@lru_cache(maxsize=64)
def _validator(schema: bytes) -> Any:
    """A schema is compiled once for all records."""
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(
        orjson.loads(schema),
        validate_formats=True,
        retriever=_no_remote,
        pattern_options=jsonschema_rs.RegexOptions(),  # linear in the text; the default takes look-around, and hours
    )


def _no_remote(uri: str) -> Any:
    message = f"{uri} is not in the schema, and nothing is fetched"
    raise ValueError(message)
