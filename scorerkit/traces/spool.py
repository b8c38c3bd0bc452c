"""Spans put in order by trace on disk, for data in which they are not."""

from __future__ import annotations

import json
import sqlite3
import weakref
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import orjson

from scorerkit.errors import RecordError
from scorerkit.traces.span import Raw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_BATCH = 500
_TABLES = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -16384;
    CREATE TABLE trace (number INTEGER PRIMARY KEY, id TEXT UNIQUE, line INTEGER, error TEXT);
    CREATE TABLE span (trace INTEGER, raw BLOB);
    CREATE TABLE session (number INTEGER PRIMARY KEY, id TEXT UNIQUE);
    CREATE TABLE turn (session INTEGER, trace INTEGER);
"""
_ALL = """
    SELECT trace.number, trace.id, trace.line, trace.error, span.raw
    FROM trace LEFT JOIN span ON span.trace = trace.number ORDER BY trace.number, span.rowid
"""
_BY_SESSION = """
    SELECT trace.number, trace.id, trace.line, trace.error, span.raw, turn.session
    FROM turn JOIN trace ON trace.number = turn.trace LEFT JOIN span ON span.trace = trace.number
    ORDER BY turn.session, trace.number, span.rowid
"""


class Group(NamedTuple):
    """The spans of a trace and where the first one stands; or why a value holds none."""

    raws: list[Raw]
    line: int
    error: RecordError | None = None


class Spool:
    """A temporary database, which SQLite keeps in a cache of 16 MiB and behind it in a file without a name."""

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self._base.close)
        self._base.executescript(_TABLES)
        self._base.execute("BEGIN")
        self._waiting: list[tuple[int, bytes]] = []
        self._last: tuple[str, int] = ("", 0)
        self._open = True

    def add(self, raw: Raw, line: int) -> None:
        """Keep a span."""
        if raw.trace != self._last[0]:
            self._last = (raw.trace, self._number(raw.trace, line))
        self._waiting.append((self._last[1], _packed(raw)))
        if len(self._waiting) >= _BATCH:
            self._flush()

    def fail(self, error: RecordError, line: int) -> None:
        """Keep, in its place, why a value holds no span."""
        said = orjson.dumps((error.code, error.message, error.why, error.fix)).decode()
        self._base.execute("INSERT INTO trace (line, error) VALUES (?, ?)", (line, said))

    def close_input(self) -> None:
        """Say that every span is here."""
        if self._open:
            self._open = False
            self._flush()
            self._base.execute("CREATE INDEX span_trace ON span (trace)")
            self._base.execute("COMMIT")

    def count(self) -> int:
        """How many groups there are."""
        return int(self._base.execute("SELECT count(*) FROM trace").fetchone()[0])

    def groups(self) -> Iterator[Group]:
        """The groups in the order in which their first spans came."""
        self.close_input()
        for _, rows in groupby(self._base.execute(_ALL), key=itemgetter(0)):
            yield _group(list(rows))

    def sessions(self) -> Iterator[list[Group]]:
        """The groups of each session, after :meth:`assign`; what belongs to none stands alone."""
        for _, rows in groupby(self._base.execute(_BY_SESSION), key=itemgetter(5)):
            yield [_group([row[:5] for row in of_trace]) for _, of_trace in groupby(rows, key=itemgetter(0))]

    def assign(self, session_of: Callable[[Group], str | None]) -> int:
        """Find the session of every group; returns how many lists :meth:`sessions` will give."""
        execute = self._base.execute
        execute("DELETE FROM turn")
        execute("DELETE FROM session")
        for number, group in enumerate(self.groups(), 1):  # the numbers of traces count from 1, without gaps
            session = session_of(group)
            execute("INSERT INTO session (id) VALUES (?) ON CONFLICT DO NOTHING", (session,))
            where = "id = ?" if session is not None else "number = last_insert_rowid() AND id IS ?"
            execute(f"INSERT INTO turn SELECT number, {number} FROM session WHERE {where}", (session,))  # noqa: S608
        execute("CREATE INDEX IF NOT EXISTS turn_session ON turn (session, trace)")
        return int(execute("SELECT count(*) FROM session").fetchone()[0])

    def _number(self, trace: str, line: int) -> int:
        found = self._base.execute("SELECT number FROM trace WHERE id = ?", (trace,)).fetchone()
        if found is None:
            made = self._base.execute("INSERT INTO trace (id, line) VALUES (?, ?)", (trace, line))
            return int(made.lastrowid or 0)
        return int(found[0])

    def _flush(self) -> None:
        self._base.executemany("INSERT INTO span VALUES (?, ?)", self._waiting)
        self._waiting.clear()


def _group(rows: list[tuple[int, str, int, str | None, bytes]]) -> Group:
    _, trace, line, error, _ = rows[0]
    if error is not None:
        code, message, why, fix = orjson.loads(error)
        return Group([], line, RecordError(code, message, why=why, fix=fix))
    return Group([_unpacked(trace, raw) for *_, raw in rows], line)


def _packed(raw: Raw) -> bytes:
    """As JSON; the decimals of a streamed document become numbers on the way."""
    try:
        return orjson.dumps((raw.id, raw.parent, raw.value), default=float)
    except TypeError:  # whole numbers of more than 64 bits, as some SDKs print ids
        return json.dumps((raw.id, raw.parent, raw.value), default=float).encode()


def _unpacked(trace: str, packed: bytes) -> Raw:
    own, parent, value = orjson.loads(packed)
    return Raw(trace, own, parent, value)
