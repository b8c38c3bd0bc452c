"""One side of a comparison: who scored, and how many results of which kind there are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scorerkit.report.card import plan_of
from scorerkit.report.summary import bounds_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.archive.lines import Line
    from scorerkit.archive.parts import Part
    from scorerkit.model.json import Json

FACTS = (
    ("version", "version"),
    ("digest", "digest"),
    ("params", "params"),
    ("judgeDigest", "judge digest"),
    ("threshold", "threshold"),
    ("direction", "direction"),
)
"""What of a scorer may differ between two sides."""


class Side:
    """Walks through a part, and remembers what it says of scorers. A file says neither threshold nor direction."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.scorers: dict[str, dict[str, Json]] = {}
        self.counts: Counter[tuple[str, str]] = Counter()
        self.unnamed: Counter[str] = Counter()
        self.mixed: set[str] = set()
        for card in part.kept.scorers if part.kept else ():
            bounds = plan_of(card).threshold
            self.scorers[card["id"]] = {
                "version": card["version"],
                "digest": card["digest"],
                "params": card["params"],
                "judgeDigest": card["judgeDigest"],
                "threshold": bounds and bounds_json(bounds),
                "direction": card["direction"],
            }

    def lines(self) -> Iterator[Line]:
        """The results of the part, counted."""
        for line in self.part.lines():
            row = line.row
            name = row["scorer"]["id"]
            known = self.scorers.get(name)
            if known is None:
                self.scorers[name] = known = {
                    "version": row["scorer"].get("version"),
                    "digest": row["scorer"]["digest"],
                    "params": row["params"],
                    "judgeDigest": row["judgeDigest"],
                }
            elif known["digest"] != row["scorer"]["digest"]:
                self.mixed.add(name)
            self.counts[name, row["status"]] += 1
            self.unnamed[name] += row["runId"] is None
            yield line

    def facts(self, name: str) -> dict[str, Json]:
        """The scorer as this side knows it, with the counts of its results."""
        statuses = ("scored", "notScorable", "failed")
        counts = {status: self.counts[name, status] for status in statuses}
        return {**self.scorers[name], "n": sum(counts.values()), **counts, "withoutId": self.unnamed[name]}

    def described(self) -> dict[str, Json]:
        """What the side is."""
        kept = self.part.kept
        if kept is None:
            return {"file": self.part.file}
        return {
            "experimentId": kept.id, "status": kept.status, "startedAt": kept.started_at, "gitCommit": kept.git_commit,
            "data": kept.data,
        }  # fmt: skip
