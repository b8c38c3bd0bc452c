"""Answers of the judge, kept by the digest of the request."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json
    from scorerkit.store.database import Database


class Statistics(NamedTuple):
    """What is kept: answers, bytes, and answers by model."""

    answers: int
    size: int
    models: dict[str, int]


class AnswerCache:
    """Satisfies the judge's ``Cache``. Answers that arrive together are committed together.

    ``refresh`` gives nothing back, so that everything is asked and kept anew.
    """

    def __init__(self, database: Database, *, refresh: bool = False) -> None:
        self._database = database
        self._refresh = refresh
        with database.told():
            self._connection = database.driver_connection()
        self._waiting: list[tuple[str, str, bytes, int]] = []
        self._commit: asyncio.Task[None] | None = None

    async def get(self, digest: str) -> Mapping[str, Json] | None:
        """The kept reply, or None."""
        if self._refresh:
            return None
        with self._database.told():
            cursor = self._connection.cursor()
            row = cursor.execute("SELECT reply FROM answers WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else orjson.loads(row[0])

    async def put(self, digest: str, model: str, reply: Mapping[str, Json]) -> None:
        """Keep a reply; it is committed when this returns."""
        self._waiting.append((digest, model, orjson.dumps(reply), int(time.time())))
        if self._commit is None:
            self._commit = asyncio.create_task(self._write())
        # Shielded: an answer that was paid for is kept also when its record is cancelled.
        await asyncio.shield(self._commit)

    async def _write(self) -> None:
        """Commit all answers that have arrived in this turn of the loop."""
        await asyncio.sleep(0)
        rows, self._waiting, self._commit = self._waiting, [], None
        self._keep(rows)

    def _keep(self, rows: list[Any]) -> None:
        with self._database.told():
            self._connection.cursor().executemany(
                "INSERT OR REPLACE INTO answers (digest, model, reply, kept_at) VALUES (?, ?, ?, ?)", rows
            )
            self._connection.commit()

    def close(self) -> None:
        """Write what waits, and give the connection back."""
        if self._waiting:
            self._keep(self._waiting)
        self._connection.close()
        self._database.close()


def statistics(database: Database) -> Statistics:
    """What is kept."""
    from sqlalchemy import func, select

    from scorerkit.store.tables import ANSWERS

    with database.told(), database.engine.connect() as connection:
        size = connection.execute(select(func.coalesce(func.sum(func.length(ANSWERS.c.reply)), 0))).scalar_one()
        rows = connection.execute(select(ANSWERS.c.model, func.count()).group_by(ANSWERS.c.model))
        models = dict(sorted((str(model), int(count)) for model, count in rows))
    return Statistics(sum(models.values()), int(size), models)


def clear(database: Database) -> int:
    """Forget all answers; returns how many there were."""
    from sqlalchemy import delete

    from scorerkit.store.tables import ANSWERS

    with database.told(), database.engine.begin() as connection:
        return connection.execute(delete(ANSWERS)).rowcount
