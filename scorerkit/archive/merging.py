"""Parts of one experiment, scored elsewhere, as one."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any, NamedTuple

from scorerkit import __version__
from scorerkit.archive.shards import SHARD, missing, one_whole
from scorerkit.errors import ScorerkitError
from scorerkit.experiment import new_id
from scorerkit.model.judge import JudgeConfig, Target
from scorerkit.model.plan import Plan
from scorerkit.model.result import ScorerResult
from scorerkit.report.card import plan_of
from scorerkit.report.summary import Experiment, summarise
from scorerkit.report.tally import Tally
from scorerkit.results.row import serialise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scorerkit.archive.agreement import Agreement
    from scorerkit.archive.lines import Line
    from scorerkit.archive.parts import Part
    from scorerkit.model.json import Json
    from scorerkit.store.experiments import Kept


class Placed(NamedTuple):
    """A line in the whole: its place, its scorer's number, and the line."""

    position: int
    scorer: int
    line: Line


class Merging:
    """Walks through parts as one experiment, counting on the way.

    Attributes:
        kept: the experiments that the parts are; empty as soon as one is a file.
        missing: parts of the whole that are not there; None where that cannot be known.
        in_order: whether the lines come in the order of the data, or part after part.
    """

    def __init__(self, parts: Sequence[Part], agreement: Agreement, directions: dict[str, str]) -> None:
        self.id = new_id()
        self._parts = parts
        experiments = [part.kept for part in parts if part.kept is not None]
        self.kept: list[Kept] = experiments if len(experiments) == len(parts) else []
        self.missing = missing(self.kept) if self.kept else None
        self.in_order = bool(self.kept) and one_whole(self.kept)
        cards = {card["id"]: card for kept in reversed(experiments) for card in reversed(kept.scorers)}
        names = list(dict.fromkeys([*_names(experiments), *agreement.first]))
        self._cards = cards
        self._numbers = {name: number for number, name in enumerate(names)}
        self.tallies = tuple(
            Tally(plan_of(cards[name]) if name in cards else _plan(agreement.first[name], directions.get(name)))
            for name in names
        )
        self._records = 0

    def facts(self) -> dict[str, Any]:
        """What the store notes of the whole, where all parts are experiments."""
        first = self.kept[0]
        data = {"source": first.data["source"], "digest": None, "selection": first.data["selection"]}
        if self.in_order:
            selection = {key: value for key, value in first.data["selection"].items() if key != SHARD}
            data |= {"digest": first.data["digest"], "selection": selection}
        data["merged"] = [kept.id for kept in self.kept]
        commits = {kept.git_commit for kept in self.kept}
        return {
            "tool": __version__,
            "git_commit": commits.pop() if len(commits) == 1 else None,
            "data": data,
            "scorers": [self._cards[name] for name in self._numbers],
        }

    def lines(self, keep: Callable[[int, int, ScorerResult, bytes], None] | None = None) -> Iterator[bytes]:
        """All lines. With ``keep`` they are those of a new experiment, which is given each; else as they were."""
        last = -1
        for position, scorer, line in self._placed():
            text = line.text
            result = ScorerResult.from_dict(line.row)
            self.tallies[scorer].add(result)
            self._records += position != last
            last = position
            if keep is not None:
                text = serialise({**line.row, "experimentId": self.id})
                keep(position, scorer, result, text)
            yield text

    def _placed(self) -> Iterator[Placed]:
        if not self.in_order:
            yield from self._one_after_another()
            return
        last: tuple[int, int] | None = None
        for placed in heapq.merge(*map(self._of, self._parts), key=lambda one: one[:2]):
            if placed[:2] == last:
                message = f"record {placed.position + 1} of the data stands in two parts"
                raise ScorerkitError(message, code="duplicate-run-id", fix="give each part once")
            last = placed[:2]
            yield placed

    def _one_after_another(self) -> Iterator[Placed]:
        """The places of a part begin after those of the one before it; of files, a change of the run id is a place."""
        begin = 0
        for part in self._parts:
            place, before = begin - 1, None
            for line in part.lines():
                if line.position is not None:
                    place = begin + line.position
                elif line.row["runId"] is None or line.row["runId"] != before:
                    place, before = place + 1, line.row["runId"]
                yield Placed(place, self._numbers[line.row["scorer"]["id"]], line)
            begin = place + 1

    def _of(self, part: Part) -> Iterator[Placed]:
        for line in part.lines():
            assert line.position is not None
            yield Placed(line.position, self._numbers[line.row["scorer"]["id"]], line)

    def summary(self, outputs: Sequence[str]) -> dict[str, Json]:
        """The numbers of the whole, after :meth:`lines` came to its end."""
        noted = [kept.summary for kept in self.kept if kept.summary is not None]
        known = len(noted) == len(self._parts) and self.missing == []
        experiment = Experiment(
            id=self.id,
            tallies=self.tallies,
            data=", ".join(
                dict.fromkeys(kept.data["source"] for kept in self.kept) or [part.shown for part in self._parts]
            ),
            started=min((kept.started_at for kept in self.kept), default=""),
            wall_ms=sum(summary["wallMs"] for summary in noted),
            total=_total(noted) if known else None,
            read=self._records,
            stopped=self.stopped,
            replaced_surrogates=sum(summary["data"].get("replacedSurrogates", 0) for summary in noted),
            outputs=tuple(outputs),
        )
        summary = summarise(experiment, __version__)
        if not experiment.started:
            del summary["startedAt"], summary["wallMs"]
        return summary

    @property
    def stopped(self) -> str | None:
        """Why the whole is none."""
        if self.missing:
            return f"parts are missing: {', '.join(self.missing)}"
        unfinished = [kept.id for kept in self.kept if kept.status != "finished"]
        return f"parts did not come to their end: {', '.join(unfinished)}" if unfinished else None


def _names(experiments: Sequence[Kept]) -> Iterator[str]:
    for kept in experiments:
        yield from (card["id"] for card in kept.scorers)


def _total(summaries: Sequence[dict[str, Json]]) -> int | None:
    totals = [summary["data"]["records"] for summary in summaries]
    return None if None in totals else sum(totals)


def _plan(line: Line, direction: str | None) -> Plan:
    """What a line says of its scorer: neither threshold nor gate."""
    row = line.row
    scorer = row["scorer"]
    models = {
        f"{one.get('judgeProvider')}/{one.get('judgeModelId')}": Target(
            str(one.get("judgeProvider")), str(one.get("judgeModelId"))
        )
        for step in (row.get("judge") or {}).values()
        for one in step["executions"]
    }
    return Plan(
        id=scorer["id"],
        steps=(),
        name=scorer.get("name") or "",
        version=scorer.get("version"),
        digest=scorer["digest"],
        params=row["params"],
        judge_digest=row["judgeDigest"],
        configs={name: JudgeConfig(target) for name, target in models.items()},
        direction=direction or "maximize",
    )
