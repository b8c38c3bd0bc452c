"""Results of two sides, paired by run id: in a table of a temporary file, so that memory stays flat."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from scorerkit.errors import Inconclusive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorerkit.archive.lines import Line

CACHE_KB = 16 * 1024
DECIMALS = 12
"""Differences of scores are rounded so far: 0.3 - 0.2 and 0.2 - 0.1 are one size."""

_TABLES = """
CREATE TABLE results (side INTEGER, scorer TEXT, run TEXT, status TEXT, score REAL, passed INTEGER, code TEXT,
    PRIMARY KEY (side, scorer, run)) WITHOUT ROWID;
CREATE TABLE pairs (scorer TEXT, run TEXT, a REAL, b REAL, change REAL, size REAL, passed_a INTEGER, passed_b INTEGER);
"""
_FILL = f"""
INSERT INTO pairs
SELECT scorer, run, a.score, b.score, round(b.score - a.score, {DECIMALS}),
    abs(round(b.score - a.score, {DECIMALS})), a.passed, b.passed
FROM results a JOIN results b USING (scorer, run)
WHERE a.side = 0 AND b.side = 1 AND a.status = 'scored' AND b.status = 'scored'
ORDER BY scorer, run
"""  # noqa: S608 - a number of our own
_BOTH = "FROM results a JOIN results b USING (scorer, run) WHERE a.side = 0 AND b.side = 1 AND scorer = ?"


class Pairing:
    """Two sides, side 0 and side 1; to be used in a ``with``."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)  # a file without a name, gone when it is closed
        self._database.execute("PRAGMA journal_mode=OFF")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.execute(f"PRAGMA cache_size=-{CACHE_KB}")
        self._database.executescript(_TABLES)

    def __enter__(self) -> Pairing:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def fill(self, side: int, lines: Iterable[Line]) -> None:
        """Take the results of a side; of a run id that is there twice, the first one.

        Raises:
            Inconclusive: there is no room for them.
        """
        rows = ((side, *_cells(line.row)) for line in lines if line.row["runId"] is not None)
        statement = "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)"
        try:
            self._database.execute("BEGIN")
            self._database.executemany(statement, rows)
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            message = f"the results cannot be paired: {error}"
            raise Inconclusive(
                message, fix="make room in the folder for temporary files, or name another in TMPDIR"
            ) from error

    def pair(self) -> None:
        """Find the pairs, when both sides are there."""
        self._database.execute(_FILL)

    def _rows(self, statement: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        with closing(self._database.execute(statement, values)) as cursor:
            yield from cursor

    def counts(self, scorer: str) -> dict[str, int]:
        """How many of its runs are on one side only, on both, and on both without being scored twice."""
        alone = "SELECT count(*) FROM results x WHERE side = ? AND scorer = ? AND NOT EXISTS (SELECT 1 FROM results y"
        alone += " WHERE y.side = ? AND y.scorer = x.scorer AND y.run = x.run)"
        neither = "a.status = 'notScorable' AND b.status = 'notScorable'"
        return {
            "onlyInA": self._one(alone, 0, scorer, 1),
            "onlyInB": self._one(alone, 1, scorer, 0),
            "paired": self._one("SELECT count(*) FROM pairs WHERE scorer = ?", scorer),
            "notScorableInBoth": self._one(f"SELECT count(*) {_BOTH} AND {neither}", scorer),
            "scoredInOne": self._one(
                f"SELECT count(*) {_BOTH} AND (a.status = 'scored') + (b.status = 'scored') < 2 AND NOT ({neither})",
                scorer,
            ),
        }

    def _one(self, statement: str, *values: Any) -> int:
        return int(next(self._rows(statement, *values))[0])

    def changes(self, scorer: str) -> Iterator[tuple[float, float, float]]:
        """(a, b, change) of every pair."""
        return self._rows("SELECT a, b, change FROM pairs WHERE scorer = ?", scorer)

    def sizes(self, scorer: str) -> Iterator[tuple[float, bool]]:
        """(size, whether it went up) of every pair that differs, the smallest first."""
        statement = "SELECT size, change > 0 FROM pairs WHERE scorer = ? AND change <> 0 ORDER BY size"
        return self._rows(statement, scorer)

    def largest(self, scorer: str, most: int) -> list[tuple[Any, ...]]:
        """(run, a, b, change) of the pairs that changed most."""
        statement = (
            "SELECT run, a, b, change FROM pairs WHERE scorer = ? AND change <> 0 ORDER BY size DESC, run LIMIT ?"
        )
        return list(self._rows(statement, scorer, most))

    def flipped(self, scorer: str, *, passes: bool, most: int) -> tuple[int, list[tuple[Any, ...]]]:
        """Pairs that crossed the threshold: how many, and (run, a, b) of the first ones."""
        where = "FROM pairs WHERE scorer = ? AND passed_a = ? AND passed_b = ?"
        values = scorer, int(not passes), int(passes)
        count = self._one(f"SELECT count(*) {where}", *values)
        return count, list(self._rows(f"SELECT run, a, b {where} ORDER BY run LIMIT ?", *values, most))

    def comparable_passes(self, scorer: str) -> int:
        """Pairs of which both sides have a threshold."""
        where = "FROM pairs WHERE scorer = ? AND passed_a IS NOT NULL AND passed_b IS NOT NULL"
        return self._one(f"SELECT count(*) {where}", scorer)

    def failures(self, scorer: str, *, new: bool, most: int) -> tuple[int, list[tuple[Any, ...]]]:
        """Runs of both sides that failed on one: how many, and (run, code) of the first ones."""
        failed, other = ("b", "a") if new else ("a", "b")
        where = f"{_BOTH} AND {failed}.status = 'failed' AND {other}.status <> 'failed'"
        count = self._one(f"SELECT count(*) {where}", scorer)
        return count, list(self._rows(f"SELECT run, {failed}.code {where} ORDER BY run LIMIT ?", scorer, most))


def _cells(row: dict[str, Any]) -> tuple[Any, ...]:
    score, passed = row["score"], row["passed"]
    return (
        row["scorer"]["id"],
        row["runId"],
        row["status"],
        None if score is None else float(score),
        None if passed is None else int(passed),
        (row["error"] or {}).get("code"),
    )
