"""The judge over any transport: what scorers ask, whether their answers are live, recorded or both."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from scorerkit.judge.clients import require_ready
from scorerkit.judge.generation import Generation
from scorerkit.judge.keys import access_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.judge.cache import Cache
    from scorerkit.judge.instructor_client import InstructorTransport
    from scorerkit.judge.secrets import Redactor
    from scorerkit.judge.transport import Transport
    from scorerkit.model.judge import Answer, JudgeConfig, Question


class ModelJudge:
    """Satisfies :class:`scorerkit.model.judge.Judge`. ``live`` is the part that needs keys, None if all is replayed."""

    def __init__(
        self, transport: Transport, redactor: Redactor, live: InstructorTransport | None, cache: Cache | None = None
    ) -> None:
        self._transport = transport
        self._redactor = redactor
        self._live = live
        self._cache = cache

    async def ask(self, question: Question) -> Answer:
        return await Generation(question, self._transport, self._redactor, self._cache).run()

    async def close(self) -> None:
        await self._transport.close()

    def require_keys(self, configs: Iterable[JudgeConfig]) -> None:
        """Look all packages and keys up before the first record, each target once.

        Raises:
            MissingKey: the first variable that is not set. Never when answers are replayed.
            ScorerkitError: a provider's package is not installed, or it is not told where to ask.
        """
        if self._live is not None:
            for target in {id(config.target): config.target for config in configs}.values():
                require_ready(target)
                access_to(target)

    async def prepare(self, configs: Iterable[JudgeConfig]) -> None:
        """Build the clients that will be needed; the slow imports run in a thread meanwhile.

        Raises:
            MissingKey, ScorerkitError: a key or a package is missing.
        """
        wanted = list(configs)
        self.require_keys(wanted)
        if self._live is not None and wanted:
            await asyncio.to_thread(_import_libraries)
            for config in wanted:
                self._live.prepare(config.target)

    def hide(self, text: str) -> str:
        """The text without the secrets of this judge, for logs."""
        return self._redactor.scrub(text)


def _import_libraries() -> None:
    import instructor  # noqa: F401
    import openai  # noqa: F401
