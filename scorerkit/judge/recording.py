"""Recordings: JSONL with a header, one answered request per line, made to be kept in git.

Stable order and stable keys, no secrets, no times. With ``match: request`` (what ``--record`` writes) an answer is
found by the digest of its request; with ``match: record`` (answers from elsewhere) by record, step and sample.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from scorerkit.errors import ScorerkitError
from scorerkit.judge.transport import Recorded, Reply
from scorerkit.model.stage import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from scorerkit.judge.transport import Request
    from scorerkit.model.json import Json

VERSION = 1
_MATCHES = ("request", "record")

Line = dict[str, Any]
Who = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: how answers are found, and for those from elsewhere, where they come from."""

    match: str = "request"
    source: str | None = None
    note: str | None = None

    def to_json(self) -> dict[str, Json]:
        told = {name: value for name, value in (("source", self.source), ("note", self.note)) if value}
        return {"scorerkit": "recordings", "version": VERSION, "match": self.match, **told}


class _Found(NamedTuple):
    line: Line
    header: Header
    where: str


class Recordings:
    """Answers that were recorded, from any number of files."""

    def __init__(self) -> None:
        self._by_request: dict[str, _Found] = {}
        self._by_request_and_record: dict[tuple[str, Who], _Found] = {}
        self._by_record: dict[Who, _Found] = {}

    @classmethod
    def load(cls, paths: Iterable[Path]) -> Recordings:
        """Read all files; earlier ones win.

        Raises:
            ScorerkitError: a file or line that cannot be used, as ``path:line``.
        """
        recordings = cls()
        for path in paths:
            header, lines = read(path)
            for number, line in lines:
                recordings._add(_Found(line, header, f"{path}:{number}"))
        return recordings

    def find(self, request: Request, digest: str) -> Reply | None:
        """The reply to a request: by its digest and record, by its digest, or by its record alone."""
        who = (str(request.run_id), request.step, request.sample)
        found = (
            self._by_request_and_record.get((digest, who)) or self._by_request.get(digest) or self._by_record.get(who)
        )
        return _reply(found) if found else None

    def _add(self, found: _Found) -> None:
        who = _who(found.line)
        if found.header.match == "request":
            self._by_request.setdefault(found.line["request"], found)
            self._by_request_and_record.setdefault((found.line["request"], who), found)
            return
        known = self._by_record.setdefault(who, found)
        if known.line["answer"] != found.line["answer"]:
            run_id, step, sample = who
            msg = f"{found.where}: a second, different answer for record '{run_id}', {step}, sample {sample}"
            raise ScorerkitError(msg, code="bad-record", why=f"the first is at {known.where}")


def read(path: Path) -> tuple[Header, list[tuple[int, Line]]]:
    """Header and numbered lines of a recording.

    Raises:
        ScorerkitError: unreadable, no header, or a broken line; the message names path and line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"the recording {path} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise ScorerkitError(msg, code="unreadable-file") from None
    numbered = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    first = _parsed(path, *numbered[0]) if numbered else {}
    header = _header(path, first)
    return header, [(number, _checked(path, number, line, header)) for number, line in numbered[1:]]


def line_of(request: Request, reply: Reply, digest: str) -> Line:
    """One answered request, its keys in the order of the file."""
    line: Line = {
        "request": digest,
        "model": reply.model or request.target.name,
        "runId": request.run_id,
        "step": request.step,
        "sample": request.sample,
        "messages": [{"role": role, "content": content} for role, content in request.messages],
        "answer": reply.text,
        "finishReason": reply.finish_reason,
    }
    if reply.refusal:
        line["refusal"] = reply.refusal
    return {**line, "usage": dict(reply.usage or {})}


def order(line: Line) -> tuple[Any, ...]:
    """Record, step, sample, then the course of the conversation."""
    step = line["step"]
    place = STEPS.index(step) if step in STEPS else len(STEPS)
    return str(line.get("runId") or ""), place, step, line.get("sample", 0), len(line["messages"]), line["request"]


def _header(path: Path, first: Mapping[str, Json]) -> Header:
    if first.get("scorerkit") != "recordings":
        said = f"{path}:1: the header of a recording is missing"
        raise ScorerkitError(
            said,
            code="unreadable-file",
            fix=f"put {json.dumps(Header().to_json())} on the first line",
        )
    if first.get("version") != VERSION or first.get("match") not in _MATCHES:
        held = f"version {first.get('version')!r} and match {first.get('match')!r}"
        said = f"{path}:1: a recording with {held} cannot be used"
        raise ScorerkitError(
            said,
            code="unsupported-version",
            fix="this release reads version 1 with match 'request' or 'record'",
        )
    return Header(first["match"], first.get("source"), first.get("note"))


def _checked(path: Path, number: int, text: str, header: Header) -> Line:
    line = _parsed(path, number, text)
    needed = ("request", "step", "answer") if header.match == "request" else ("runId", "step", "answer")
    missing = [key for key in needed if line.get(key) is None]
    if missing:
        msg = f"{path}:{number}: this recorded answer has no '{missing[0]}'"
        raise ScorerkitError(msg, code="bad-record")
    return line


def _parsed(path: Path, number: int, text: str) -> Line:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        line = None
    if not isinstance(line, dict):
        msg = f"{path}:{number}: this line of the recording is not a JSON object"
        raise ScorerkitError(msg, code="bad-record")
    return line


def _who(line: Line) -> Who:
    return str(line.get("runId")), str(line["step"]), int(line.get("sample") or 0)


def _reply(found: _Found) -> Reply:
    line, answer = found.line, found.line["answer"]
    recorded: Recorded = "replay" if found.header.match == "request" else "external"
    return Reply(
        answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False),
        line.get("finishReason"),
        line.get("refusal"),
        line.get("usage"),
        line.get("model"),
        recorded=recorded,
        source=found.header.source or found.header.note,
    )


def lines_in_order(lines: Iterable[Line]) -> Iterator[str]:
    """The text of each line, sorted."""
    return (json.dumps(line, ensure_ascii=False) for line in sorted(lines, key=order))
