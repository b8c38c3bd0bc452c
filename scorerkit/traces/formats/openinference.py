"""Phoenix exports: spans as its clients print them, and rows of its tables (``context.trace_id``, ``attributes.…``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.traces.formats import otlp
from scorerkit.traces.formats.otlp import identity_of, more
from scorerkit.traces.values import flat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.model.json import Json
    from scorerkit.traces.span import Identity, Raw, Span

__all__ = ["STRICT", "identity", "more", "prefix", "raws", "span"]

STRICT = False
_ATTRIBUTES = "attributes."
_CONTEXT = "context."


def prefix(head: Json) -> str | None:
    first = head[0] if isinstance(head, list) and head else head
    if not isinstance(first, dict):
        return None
    if isinstance(first.get("data"), list) and first["data"] and _is_own(first["data"][0]):
        return "data.item"
    return ("item" if isinstance(head, list) else "") if _is_own(first) else None


def raws(value: Json) -> Iterator[Raw]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict) and f"{_CONTEXT}trace_id" in item:
            yield otlp.printed(_nested(item))
        else:
            yield from otlp.raws(item)


def identity(raw: Raw) -> Identity:
    given = raw.value.get("attributes")
    if isinstance(given, dict):
        return identity_of(flat(given))
    return otlp.identity(raw)


def span(raw: Raw) -> Span:
    """As its attributes say, or the column that Phoenix keeps beside them."""
    given, kind = raw.value.get("attributes"), raw.value.get("span_kind")
    if isinstance(given, dict) and isinstance(kind, str):
        attributes = {"openinference.span.kind": kind, **flat(given)}
        return otlp.span(raw._replace(value={**raw.value, "attributes": attributes}))
    return otlp.span(raw)


def _is_own(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    return f"{_CONTEXT}trace_id" in value or (otlp.is_printed(value) and "span_kind" in value)


def _nested(row: dict[str, Json]) -> dict[str, Json]:
    """A row of a table as a span; empty cells are no attributes."""
    left = {key: value for key, value in row.items() if not key.startswith((_ATTRIBUTES, _CONTEXT))}
    attributes = {key.removeprefix(_ATTRIBUTES): row[key] for key in row if key.startswith(_ATTRIBUTES)}
    context = {key.removeprefix(_CONTEXT): row[key] for key in row if key.startswith(_CONTEXT)}
    known = {key: value for key, value in attributes.items() if value is not None}
    return {**left, "context": context, "attributes": known}
