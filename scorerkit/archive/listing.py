"""The experiments of a store as a list."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from scorerkit.errors import ScorerkitError
from scorerkit.report.as_text import number
from scorerkit.report.problems.as_text import one_line
from scorerkit.store import experiments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorerkit.model.json import Json
    from scorerkit.store.experiments import Kept
    from scorerkit.store.reading import Reader

KEY_OF = {"scored": "scored", "notScorable": "notScorable", "failed": "failed"}


def listed(reader: Reader, limit: int | None = None, scorer: str | None = None) -> list[dict[str, Json]]:
    """The latest experiments, as plain data. ``scorer``: only those in which it took part."""
    found = (
        kept for kept in reader.latest_first() if scorer is None or scorer in [card["id"] for card in kept.scorers]
    )
    return [_entry(kept, reader) for kept in islice(found, limit)]


def _entry(kept: Kept, reader: Reader) -> dict[str, Json]:
    return {
        "id": kept.id,
        "status": kept.status,
        "startedAt": kept.started_at,
        "endedAt": kept.ended_at,
        "scorerkit": kept.tool,
        "gitCommit": kept.git_commit,
        "data": kept.data,
        "scorers": list(_scorers(kept, reader)),
    }


def _scorers(kept: Kept, reader: Reader) -> Iterator[dict[str, Json]]:
    """The numbers of its summary; of one that has none, what its results come to."""
    numbers: list[dict[str, Json]] = [
        {"mean": None, "scored": 0, "notScorable": 0, "failed": 0, "notReached": None} for _ in kept.scorers
    ]
    if kept.summary is not None and kept.status != "running":
        numbers = [{key: scorer[key] for key in numbers[0]} for scorer in kept.summary["scorers"]]
        if kept.summary["data"]["records"] is None and kept.status != experiments.FINISHED:
            for counted in numbers:
                counted["notReached"] = None  # of a stream, or of a whole with parts missing, nobody knows
    else:
        for found in reader.counts(kept.number):
            if found.scorer < len(numbers):
                numbers[found.scorer][KEY_OF[found.status]] = found.results
                if found.status == "scored":
                    numbers[found.scorer]["mean"] = found.mean
    for card, counted in zip(kept.scorers, numbers, strict=True):
        yield {"id": card["id"], "version": card["version"], "digest": card["digest"], **counted}


def forget_all(reader: Reader, words: Sequence[str]) -> list[str]:
    """Delete experiments; all of them, or none. Returns their ids.

    Raises:
        ScorerkitError: one is not there, or is being run.
    """
    found = {kept.number: kept for kept in map(reader.find, words)}
    for kept in found.values():
        if kept.status == "running":
            message = f"the experiment {kept.id} is being run by another process"
            raise ScorerkitError(message, code="already-running", fix="wait for it, or end that process")
    for number_ in found:
        experiments.forget(reader.database, number_)
    return [kept.id for kept in found.values()]


def render(entries: Sequence[dict[str, Json]]) -> str:
    """A line per experiment, and one below it per scorer."""
    return "".join(f"{one_line(line)}\n" for entry in entries for line in _lines(entry, entries))


def _lines(entry: dict[str, Json], entries: Sequence[dict[str, Json]]) -> Iterator[str]:
    data = entry["data"]
    shard = data["selection"].get("shard")
    source = f"{data['source']} (part {shard})" if shard else data["source"]
    yield f"{entry['id']}  {entry['status']:<11}  {entry['startedAt'][:19].replace('T', ' ')} UTC  {source}"
    width = max((len(scorer["id"]) for each in entries for scorer in each["scorers"]), default=0)
    for scorer in entry["scorers"]:
        reached = "" if scorer["notReached"] is None else f", {scorer['notReached']} not reached"
        counts = f"{scorer['scored']} scored, {scorer['notScorable']} not scorable, {scorer['failed']} failed{reached}"
        yield f"  {scorer['id']:<{width}}  mean {number(scorer['mean']):<8}  {counts}"
