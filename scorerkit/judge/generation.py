"""One generation: a question is asked until it has a usable answer, within one budget of requests."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any

from scorerkit.errors import ScorerkitError
from scorerkit.judge import outcomes
from scorerkit.judge.conversation import asked_again, opening, with_schema
from scorerkit.judge.digest import digest
from scorerkit.judge.execution import Execution
from scorerkit.judge.failure import normalise
from scorerkit.judge.misfit import Misfit
from scorerkit.judge.modes import native_for
from scorerkit.judge.processors.protocol import Refuse
from scorerkit.judge.reading import Unreadable
from scorerkit.judge.transport import Reply, Request
from scorerkit.model.judge import Answer, JudgeError

if TYPE_CHECKING:
    from scorerkit.judge.cache import Cache
    from scorerkit.judge.secrets import Redactor
    from scorerkit.judge.transport import Transport
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Message, Question

_OVERFLOW_MARGIN = 1.2
_BYTES_PER_TOKEN = 4
_SCRUBBED = 4000
"""Characters of an answer that messages begin from: more than they show, so that no secret is cut and missed."""
_MAX_HOLD_MS = 30_000.0


class Generation:
    """Asks one question. Requests ≤ 1 + min(processors' retries, ``max_processor_retries``) + ``format_retries``."""

    __slots__ = ("_cache", "_config", "_execution", "_hold", "_key", "_question", "_redactor", "_retries", "_transport")

    def __init__(self, question: Question, transport: Transport, redactor: Redactor, cache: Cache | None) -> None:
        self._question = question
        self._config = question.config
        self._transport = transport
        self._redactor = redactor
        self._cache = cache
        self._execution = Execution(question.config.target, question.prompt)
        self._retries = 0
        self._key = ""
        self._hold = max(
            (p.max_retry_after_ms for p in self._config.error_processors if hasattr(p, "max_retry_after_ms")),
            default=_MAX_HOLD_MS,
        )

    async def run(self) -> Answer:
        """The answer, or :class:`JudgeError` with the record of the attempts, if any was made."""
        try:
            messages = await self._prepared()
            value = await self._answered(messages)
        except JudgeError as error:
            if error.execution is None and self._execution.attempts:
                error.execution = self._execution.failed(error)
            raise
        return Answer(value, self._execution.succeeded(value))

    async def _prepared(self) -> tuple[Message, ...]:
        messages: Any = opening(self._question)
        for processor in self._config.input_processors:
            messages = await self._processed(processor.process_input, messages)
        self._execution.prompt = next((m.content for m in reversed(messages) if m.role == "user"), "")
        window = self._config.target.context_window
        if window:
            estimate = sum(len(m.content.encode(errors="replace")) for m in messages) // _BYTES_PER_TOKEN
            if estimate > window * _OVERFLOW_MARGIN:
                raise outcomes.overflow_before_sending(self._question.step, estimate, window)
        return tuple(messages)

    async def _answered(self, messages: tuple[Message, ...]) -> Json:
        form, injection = self._question.format, self._config.injection
        native = form is not None and native_for(self._config.target, injection)
        if form is not None and not native:
            messages = with_schema(messages, form, "system" if injection == "system" else "inline")
        left = self._config.format_retries
        while True:
            request = self._request(messages, native=native)
            reply = await self._replied(request)
            try:
                value = await self._read(reply, native=native)
            except (Misfit, Unreadable) as fault:
                if left <= 0 or reply.recorded == "external":
                    said = self._redactor.scrub(reply.text[:_SCRUBBED])
                    raise outcomes.of_unusable(fault, self._question.step, self._execution.attempts, said) from None
                left -= 1
                messages = asked_again(messages, reply.text, str(fault), form)
                if native and form is not None:
                    messages, native = with_schema(messages, form, "system"), False
                continue
            await self._keep(request, reply)
            return value

    def _request(self, messages: tuple[Message, ...], *, native: bool) -> Request:
        question, config = self._question, self._config
        return Request(
            config.target,
            messages,
            question.format,
            native,
            config.settings,
            question.run_id,
            question.step,
            question.sample,
            self._hold,
        )

    async def _replied(self, request: Request) -> Reply:
        """A reply that may be read; failed requests are sent again as the error processors say."""
        reply = await self._kept(request)
        while reply is None:
            self._execution.attempts += 1
            try:
                reply = await self._transport.send(request)
            except (JudgeError, ScorerkitError):
                self._execution.attempts -= 1  # nothing was sent: not recorded, no key, no package
                raise
            except Exception as error:
                await self._wait_or_give_up(error)
        hide = self._redactor.hide
        reply = reply._replace(text=hide(reply.text), refusal=reply.refusal and hide(reply.refusal))
        self._execution.add(reply)
        if final := outcomes.of_reply(reply, self._question.step):
            raise final
        return reply

    async def _wait_or_give_up(self, error: Exception) -> None:
        failure = normalise(error, self._redactor.scrub)
        if self._retries < self._config.max_processor_retries:
            for processor in self._config.error_processors:
                decision = await self._processed(processor.process_api_error, failure, self._retries)
                if decision is not None:
                    self._retries += 1
                    await asyncio.sleep(decision.delay_ms / 1000)
                    return
        raise outcomes.of_failure(failure, self._question.step, self._execution.attempts) from None

    async def _read(self, reply: Reply, *, native: bool) -> Json:
        answer: Json = reply.text
        for processor in self._config.output_processors:
            answer = await self._processed(processor.process_output, answer)
        form = self._question.format
        if form is None:
            return _plain(answer)
        return form.read(answer, native=native) if isinstance(answer, str) else form.accept(answer)

    async def _processed(self, call: Any, *arguments: Any) -> Any:
        """What a processor returns; its failure is the record's."""
        try:
            result = call(*arguments)
            return await result if inspect.isawaitable(result) else result
        except (Misfit, Unreadable):
            raise
        except Refuse as refusal:
            raise outcomes.of_refusing_processor(self._question.step, refusal.reason) from refusal
        except Exception as error:
            told = self._redactor.scrub(f"{type(error).__name__}: {error}")
            raise outcomes.of_failing_processor(self._question.step, told) from error

    async def _kept(self, request: Request) -> Reply | None:
        if self._cache is None:
            return None
        self._key = digest(request, address=True)
        kept = await self._cache.get(self._key)
        self._execution.cached = kept is not None
        return Reply(**kept) if kept is not None else None

    async def _keep(self, request: Request, reply: Reply) -> None:
        if self._cache is not None and not self._execution.cached and reply.recorded is None:
            await self._cache.put(self._key, request.target.model, reply._asdict())


def _plain(answer: Json) -> str:
    text = answer.strip() if isinstance(answer, str) else ""
    if not text:
        faults = ["the answer was empty" if isinstance(answer, str) else "text was wanted"]
        raise Misfit(faults)
    return text
