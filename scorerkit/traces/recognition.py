"""Which format a file of traces has, from its beginning."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import orjson

from scorerkit.traces.formats import FORMATS

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.traces.formats import TraceFormat

Frame: TypeAlias = Literal["lines", "document", "table", "archive"]
"""How values stand in a file: one a line, inside one JSON document, as rows of Parquet, as files of an archive."""

HEAD = 256 * 1024
"""Bytes that are looked at."""

_TURNS = {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}
_DEEPEST = 500
_BOM = b"\xef\xbb\xbf"
_MAGIC: dict[bytes, Frame] = {b"PAR1": "table", b"PK\x03\x04": "archive"}


class Recognised(NamedTuple):
    """What a file is: its format, how values stand in it, and where in a document."""

    name: str
    form: TraceFormat
    frame: Frame
    prefix: str


def recognise(head: bytes, wanted: str | None = None, columns: list[str] | None = None) -> Recognised | None:
    """The format of what begins like this; None if it is no file of traces, or not of the ``wanted`` format.

    ``columns`` are those of a table.
    """
    frame = frame_of(head)
    if frame == "table":
        return _of_value(dict.fromkeys(columns or ()), wanted, frame)
    if frame == "archive":
        named = wanted in {None, "inspect"} and b"samples/" in head
        return Recognised("inspect", FORMATS["inspect"], frame, "") if named or wanted == "inspect" else None
    return _of_value(_begun(head, frame), wanted, frame)


def frame_of(head: bytes) -> Frame:
    """How values stand: lines where the first line is a value of its own and another one follows."""
    for magic, frame in _MAGIC.items():
        if head.startswith(magic):
            return frame
    first, ended, rest = head.removeprefix(_BOM).lstrip().partition(b"\n")
    if not ended or not rest.strip():
        return "document"
    try:
        orjson.loads(first)
    except orjson.JSONDecodeError:
        return "document"
    return "lines"


def _of_value(value: Json, wanted: str | None, frame: Frame) -> Recognised | None:
    for name, form in FORMATS.items():
        if wanted is None or name == wanted or (wanted, name) == ("openinference", "otlp"):
            prefix = form.prefix(value)
            if prefix is not None:
                return Recognised(wanted or name, form, frame, prefix)
    return None


def _begun(head: bytes, frame: Frame) -> Json:
    """The value that begins here, as far as it goes."""
    text = head.removeprefix(_BOM).lstrip()
    if frame == "lines":
        return orjson.loads(text.partition(b"\n")[0])
    import ijson

    builder, depth = ijson.ObjectBuilder(), 0
    try:
        for event, value in ijson.basic_parse(io.BytesIO(text)):
            depth += _TURNS.get(event, 0)
            if depth > _DEEPEST:
                return None
            builder.event(event, value)
    except ijson.JSONError:
        pass  # the end of the head, or of what is JSON: what came before it tells
    return getattr(builder, "value", None)
