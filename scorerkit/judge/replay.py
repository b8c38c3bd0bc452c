"""Transports around recordings: one answers from them, one writes them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from scorerkit.errors import ScorerkitError
from scorerkit.judge.digest import digest
from scorerkit.judge.recording import Header, Line, line_of, lines_in_order, read
from scorerkit.model.judge import JudgeError

if TYPE_CHECKING:
    from pathlib import Path

    from scorerkit.judge.recording import Recordings
    from scorerkit.judge.secrets import Redactor
    from scorerkit.judge.transport import Reply, Request, Transport

_SHOWN = 2000


class ReplayTransport:
    """Answers from recordings; what is in none of them goes to ``live``, or fails as ``not-recorded``."""

    def __init__(self, recordings: Recordings, live: Transport | None = None) -> None:
        self._recordings = recordings
        self._live = live

    async def send(self, request: Request) -> Reply:
        reply = self._recordings.find(request, digest(request))
        if reply is not None:
            return reply
        if self._live is None:
            raise _not_recorded(request)
        return await self._live.send(request)

    async def close(self) -> None:
        if self._live is not None:
            await self._live.close()


class RecordingTransport:
    """Keeps every reply of another transport and writes them at the end, together with what the file already held."""

    def __init__(self, inner: Transport, path: Path, redactor: Redactor) -> None:
        """Reads an existing file.

        Raises:
            ScorerkitError: the file is no recording that can be added to, or its folder does not exist.
        """
        self._inner = inner
        self._path = path
        self._redactor = redactor
        self._header, self._lines = _existing(path)

    async def send(self, request: Request) -> Reply:
        reply = await self._inner.send(request)
        if reply.recorded != "external":  # those are no answers to these messages
            line = line_of(request, reply, digest(request))
            self._lines[_identity(line)] = line
        return reply

    async def close(self) -> None:
        try:
            self._write()
        finally:
            await self._inner.close()

    def _write(self) -> None:
        """Complete or not at all: a half-written recording would replay as something else."""
        partial = self._path.with_name(f"{self._path.name}.partial")
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(self._header.to_json(), ensure_ascii=False) + "\n")
            file.writelines(f"{self._redactor.hide(text)}\n" for text in lines_in_order(self._lines.values()))
        os.replace(partial, self._path)  # noqa: PTH105 - the atomic one


def _existing(path: Path) -> tuple[Header, dict[tuple[object, ...], Line]]:
    if not path.exists():
        if not path.parent.is_dir():
            msg = f"the folder {path.parent} for the recording does not exist"
            raise ScorerkitError(msg, code="unreadable-file")
        return Header(), {}
    header, lines = read(path)
    if header.match != "request":
        msg = f"{path} holds answers from elsewhere (match: {header.match}); recorded answers cannot be added"
        raise ScorerkitError(msg, code="unreadable-file", fix="record into another file")
    return header, {_identity(line): line for _, line in lines}


def _identity(line: Line) -> tuple[object, ...]:
    return line["request"], line.get("runId"), line["step"], line.get("sample", 0)


def _not_recorded(request: Request) -> JudgeError:
    asked = next((message.content for message in reversed(request.messages) if message.role == "user"), "")
    shown = asked if len(asked) <= _SHOWN else f"{asked[:_SHOWN]}… ({len(asked)} characters)"
    return JudgeError(
        "not-recorded",
        f"no recording answers {request.step} of record '{request.run_id}'",
        why=f"the prompt was:\n{shown}",
        fix="record it with --record FILE, or ask the judge with --replay-missing live",
    )
