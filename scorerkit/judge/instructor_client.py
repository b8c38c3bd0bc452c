"""The live transport: requests through instructor, one client per connection, paced per model."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from scorerkit.judge.clients import build_client, close_client
from scorerkit.judge.completion import reply_of
from scorerkit.judge.dialects import BARE, put_schema, spoken
from scorerkit.judge.failure import normalise
from scorerkit.judge.keys import NO_KEY, Access, access_to
from scorerkit.judge.modes import provider_of
from scorerkit.judge.pace import Pacer
from scorerkit.judge.settings import arguments_for

if TYPE_CHECKING:
    from scorerkit.judge.format import AnswerFormat
    from scorerkit.judge.secrets import Redactor
    from scorerkit.judge.transport import Reply, Request
    from scorerkit.model.judge import Target

_RATE_LIMITED = 429
_BYTES_PER_TOKEN = 4


class _Call:
    """The request that a task is waiting for: instructor's exceptions do not always carry the completion."""

    __slots__ = ("arguments", "completion", "form")

    def __init__(self, form: AnswerFormat | None, arguments: dict[str, Any]) -> None:
        self.completion: Any = None
        self.form = form
        self.arguments = arguments


_current: ContextVar[_Call | None] = ContextVar("scorerkit_call", default=None)


class InstructorTransport:
    """Builds a client at the first request of a connection, and sends each request exactly once.

    Its connections belong to the event loop of the first request, and end with :meth:`close`.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._clients: dict[tuple[Any, ...], Any] = {}
        self._by_target: dict[int, tuple[Target, Any, Pacer]] = {}
        self._pacers: dict[tuple[str, str, str | None], Pacer] = {}
        self._models: dict[tuple[AnswerFormat, bool], type] = {}

    def prepare(self, target: Target) -> None:
        """Build the client of a target now: finds a missing key or package before the first request.

        Raises:
            MissingKey, ScorerkitError: the variable or package that is missing.
        """
        self._connection(target)

    async def send(self, request: Request) -> Reply:
        client, pacer = self._connection(request.target)
        async with pacer.turn(_prompt_tokens(request) if pacer.counts_tokens else 0) as turn:
            try:
                reply = await self._ask_in_time(client, request)
            except Exception as error:
                pacer.spend(0, turn)
                failure = normalise(error)
                if failure.status == _RATE_LIMITED and failure.retry_after_ms:
                    pacer.hold(min(failure.retry_after_ms, request.max_hold_ms), turn)
                raise
        pacer.spend((reply.usage or {}).get("totalTokens", turn.reserved), turn)
        pacer.answered()
        return reply

    async def close(self) -> None:
        clients, self._clients = list(self._clients.values()), {}
        self._by_target.clear()
        for client in clients:
            await close_client(client)

    async def _ask_in_time(self, client: Any, request: Request) -> Reply:
        """The SDKs' own time-outs start anew with every byte; this one bounds the whole request."""
        try:
            async with asyncio.timeout(request.timeout_s):
                return await self._ask(client, request)
        except TimeoutError:
            msg = f"no answer within {request.timeout_s * 1000:g} ms"
            raise TimeoutError(msg) from None

    async def _ask(self, client: Any, request: Request) -> Reply:
        """One call of instructor. What it cannot parse is still an answer: the raw completion decides."""
        target, family = request.target, provider_of(request.target).family
        settings = arguments_for(target, family, request.settings, request.timeout_s)
        arguments = spoken(family, request.messages, settings)
        form = request.format if request.native else None
        call = _Call(form, arguments)
        token = _current.set(call)
        try:
            completion = await client.create(
                model=target.name,
                response_model=self._model(form, bare=family in BARE) if form else None,
                max_retries=0,
                **arguments,
            )
        except Exception:
            if call.completion is None:
                raise
        finally:
            _current.reset(token)
        return reply_of(completion if call.completion is None else call.completion)

    def _connection(self, target: Target) -> tuple[Any, Pacer]:
        known = self._by_target.get(id(target))
        if known is None:
            key = (target.provider, target.name, target.base_url)
            pacer = self._pacers.get(key) or self._pacers.setdefault(key, Pacer(target))
            known = self._by_target.setdefault(id(target), (target, self._client(target), pacer))
        return known[1], known[2]

    def _client(self, target: Target) -> Any:
        access = access_to(target)
        self._redactor.learn(None if access.key == NO_KEY else access.key, *access.headers.values())
        self._redactor.learn_address(target.base_url)
        key = _connection_key(target, access)
        if key not in self._clients:
            client = build_client(target, access)
            self._redactor.learn(*getattr(client, "secrets", ()))
            client.on("completion:response", _capture)
            client.on("completion:kwargs", _complete)
            self._clients[key] = client
        return self._clients[key]

    def _model(self, form: AnswerFormat, *, bare: bool) -> type:
        from scorerkit.judge.response_model import response_model

        key = form, bare
        if key not in self._models:
            self._models[key] = response_model(form, bare=bare)
        return self._models[key]


def _prompt_tokens(request: Request) -> float:
    """An estimate; what was really used corrects it."""
    return sum(len(content.encode(errors="replace")) for _, content in request.messages) / _BYTES_PER_TOKEN


def _connection_key(target: Target, access: Access) -> tuple[Any, ...]:
    """Clients that instructor builds itself hold one model; all others serve every model of their address."""
    name = target.name if provider_of(target).family == "other" else None
    return target.provider, name, target.base_url, access.key, tuple(sorted(access.headers.items()))


def _capture(completion: Any) -> None:
    call = _current.get()
    if call is not None:
        call.completion = completion


def _complete(*_: Any, **arguments: Any) -> None:
    """The hook of instructor that sees the live request, just before it is sent."""
    call = _current.get()
    if call is not None and call.form is not None:
        put_schema(call.form, call.arguments, arguments)
