"""Answers of the judge, kept by the digest of the request."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json
    from scorerkit.store.database import Database
    from scorerkit.store.writer import Writer

_REPLY = "SELECT reply FROM answers WHERE digest = ?"


class Statistics(NamedTuple):
    """What is kept: answers, bytes, and answers by model."""

    answers: int
    size: int
    models: dict[str, int]


class AnswerCache:
    """Satisfies the judge's ``Cache``. Answers that arrive together are committed together.

    Args:
        refresh: give nothing back, so that everything is asked and kept anew.
        deferred: leave the commit to the journal of steps, which commits the answer together with its step.
    """

    def __init__(self, writer: Writer, *, refresh: bool = False, deferred: bool = False) -> None:
        self._writer = writer
        self._refresh = refresh
        self._deferred = deferred

    async def get(self, digest: str) -> Mapping[str, Json] | None:
        """The kept reply, or None."""
        if self._refresh:
            return None
        if self._writer.database.backend.remote:
            rows = await asyncio.to_thread(self._writer.rows, _REPLY, (digest,))
        else:
            rows = self._writer.rows(_REPLY, (digest,))
        return orjson.loads(rows[0][0]) if rows else None

    async def put(self, digest: str, model: str, reply: Mapping[str, Json]) -> None:
        """Keep a reply; it is committed when this returns, unless that is ``deferred``."""
        self._writer.answer((digest, model, orjson.dumps(reply), int(time.time())))
        if not self._deferred:
            await self._writer.committed()


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
