"""Experiments: what was executed, on what, and how far it came."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from scorerkit.model.json import Json
    from scorerkit.store.database import Database

RUNNING, FINISHED, INTERRUPTED, STOPPED = "running", "finished", "interrupted", "stopped"


@dataclass(frozen=True, slots=True)
class Kept:
    """An experiment as the store has it.

    Attributes:
        status: ``running``, ``finished``, ``interrupted`` (also where its process died) or ``stopped`` (a limit).
        data: ``{source, digest, …}``; equal where the same records were selected.
        scorers: for each its identity, params, judge digest and what its summary needs.
        summary: as ``--report`` writes it; None before the end.
    """

    number: int
    id: str
    status: str
    started_at: str
    ended_at: str | None
    tool: str
    git_commit: str | None
    data: dict[str, Json]
    scorers: list[dict[str, Json]]
    summary: dict[str, Json] | None


def begin(database: Database, experiment_id: str, facts: dict[str, Any]) -> int:
    """Note that an experiment begins; returns its number. ``facts``: ``tool, git_commit, data, scorers``."""
    from sqlalchemy import insert

    from scorerkit.store.tables import EXPERIMENTS

    row = {
        **facts,
        "id": experiment_id,
        "status": RUNNING,
        "started_at": _now(),
        "data": json.dumps(facts["data"]),
        "scorers": json.dumps(facts["scorers"]),
    }
    with database.told(), database.engine.begin() as connection:
        number = connection.execute(insert(EXPERIMENTS).values(row)).inserted_primary_key
    assert number is not None
    return int(number[0])


def proceed(database: Database, number: int) -> None:
    """Note that an experiment is taken up again."""
    _update(database, number, status=RUNNING, ended_at=None)


def note_scorers(database: Database, number: int, cards: list[dict[str, Json]]) -> None:
    """Note the scorers of an experiment that did not know them when it began."""
    _update(database, number, scorers=json.dumps(cards))


def end(database: Database, number: int, status: str, summary: dict[str, Json] | None) -> None:
    """Note how an experiment ended."""
    _update(database, number, status=status, ended_at=_now(), summary=json.dumps(summary) if summary else None)


def _update(database: Database, number: int, **values: Any) -> None:
    from sqlalchemy import update

    from scorerkit.store.tables import EXPERIMENTS

    with database.told(), database.engine.begin() as connection:
        connection.execute(update(EXPERIMENTS).where(EXPERIMENTS.c.number == number).values(values))


def latest_first(database: Database) -> Iterator[Kept]:
    """All experiments, the latest first."""
    from sqlalchemy import select

    from scorerkit.store.tables import EXPERIMENTS

    with database.told(), database.engine.connect() as connection:
        rows = connection.execute(select(EXPERIMENTS).order_by(EXPERIMENTS.c.number.desc()))
        for row in rows:
            yield _experiment(row._asdict(), database)


def find(database: Database, words: str) -> Kept:
    """The experiment of an id, or of the beginning of one; ``latest`` is the latest.

    Raises:
        ScorerkitError: there is none, or more than one.
    """
    from sqlalchemy import select

    from scorerkit.store.tables import EXPERIMENTS

    statement = select(EXPERIMENTS).order_by(EXPERIMENTS.c.number.desc())
    if words != "latest":
        statement = statement.where(EXPERIMENTS.c.id.startswith(words, autoescape=True))
    with database.told(), database.engine.connect() as connection:
        rows = connection.execute(statement.limit(2)).all()
    exact = [row for row in rows if row.id == words]
    if words != "latest" and not exact and len(rows) > 1:
        message = f"'{words}' is the beginning of several experiments: {', '.join(row.id for row in rows)}, …"
        raise ScorerkitError(message, fix="write more of the id")
    if not rows:
        message = "there is no experiment in the store" if words == "latest" else f"there is no experiment '{words}'"
        raise ScorerkitError(message, code="unknown-experiment", fix="scorerkit experiments lists them")
    return _experiment((exact or rows)[0]._asdict(), database)


def forget(database: Database, number: int) -> None:
    """Delete an experiment with all it kept."""
    from sqlalchemy import delete

    from scorerkit.store.tables import EXPERIMENTS, RESULTS, STEPS

    with database.told(), database.engine.begin() as connection:
        connection.execute(delete(STEPS).where(STEPS.c.experiment == number))
        connection.execute(delete(RESULTS).where(RESULTS.c.experiment == number))
        connection.execute(delete(EXPERIMENTS).where(EXPERIMENTS.c.number == number))


def hold(database: Database, number: int) -> AbstractContextManager[Any] | None:
    """Hold an experiment for as long as this process works on it; None where another one does."""
    with database.told():
        return database.backend.hold(number)


def _experiment(row: dict[str, Any], database: Database) -> Kept:
    status = row["status"]
    if status == RUNNING:
        held = hold(database, row["number"])
        if held is not None:  # nobody works on it: its process died
            with held:
                status = INTERRUPTED
    loaded = {name: json.loads(row[name]) for name in ("data", "scorers")}
    summary = json.loads(row["summary"]) if row["summary"] else None
    return Kept(**{**row, **loaded, "status": status, "summary": summary})


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
