"""Whether parts can be joined: one definition per scorer, and no record twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.dataset.compact import Numbers
from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.archive.lines import Line
    from scorerkit.archive.parts import Part
    from scorerkit.model.json import Json

CODE = "parts-differ"
COMPARED = (("digest", "the definition"), ("params", "the params"), ("judgeDigest", "the judge"))
TWICE = "duplicate-run-id"


class Agreement:
    """Looks at every line before anything is written.

    Attributes:
        unknown: ids of scorers whose digest says nothing, because code outside of files takes part.
        first: by scorer, the first of its lines.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._facts: dict[str, tuple[dict[str, Json], str]] = {}
        self._numbers = Numbers()
        self.unknown: set[str] = set()
        self.first: dict[str, Line] = {}

    def check(self) -> int:
        """How many results there are.

        Raises:
            ScorerkitError: parts differ, overlap, or hold what is no whole result.
        """
        for part in self._parts:
            for card in part.kept.scorers if part.kept else ():
                self._same(card["id"], {key: card[key] for key, _ in COMPARED}, part.shown)
        count = 0
        for number, part in enumerate(self._parts, 1):
            for line in part.lines():
                self._look_at(line, part, number)
                count += 1
        return count

    def _look_at(self, line: Line, part: Part, number: int) -> None:
        row = line.row
        name = row["scorer"]["id"]
        facts = {"digest": row["scorer"]["digest"], "params": row["params"], "judgeDigest": row["judgeDigest"]}
        self._same(name, facts, part.shown)
        self.first.setdefault(name, line)
        run_id = row["runId"]
        if run_id is None or (row["error"] or {}).get("code") == TWICE:
            return
        key = f"{name}\0{run_id}"
        other = self._numbers.get(key)
        if other and (other != number or part.kept is None):
            where = (
                f"twice in {part.shown}" if other == number else f"in {self._parts[other - 1].shown} and {part.shown}"
            )
            message = f"the run '{run_id}' of '{name}' stands {where}"
            why = "a record that counts twice moves the mean"
            raise ScorerkitError(message, code=TWICE, why=why, fix="give each part once")
        self._numbers.set(key, number)

    def _same(self, name: str, facts: dict[str, Json], shown: str) -> None:
        known = self._facts.get(name)
        if known is None:
            self._facts[name] = facts, shown
            if facts["digest"] is None:
                self.unknown.add(name)
            return
        differing = [words for key, words in COMPARED if known[0][key] != facts[key]]
        if differing:
            message = f"{' and '.join(differing)} of '{name}' differ between {known[1]} and {shown}"
            why = "scores of different scorers have no common mean"
            fix = "score all parts with one definition; scorerkit diff compares two"
            raise ScorerkitError(message, code=CODE, why=why, fix=fix)
