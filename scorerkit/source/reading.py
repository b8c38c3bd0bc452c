"""From a file to its text: bounded, UTF-8 only, and never waiting for a pipe or a device."""

from __future__ import annotations

import codecs
import stat
from typing import TYPE_CHECKING

from scorerkit.model.problem import Place
from scorerkit.source.page import Page

if TYPE_CHECKING:
    import pathlib

    from scorerkit.model.problem import Problem

LARGEST = 1024 * 1024
"""Bytes of one definition or prompt file."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_SAVE = "save the file as UTF-8"


def read_page(file: pathlib.Path, shown: str) -> Page | Problem:
    """The text of ``file`` without byte order mark, line ends made line feeds, or why it cannot be had."""
    try:
        mode = file.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
            return _unreadable(shown, f"'{shown}' is {what}", fix="name a file")
        with file.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except FileNotFoundError:
        return _unreadable(shown, f"there is no file '{shown}'")
    except PermissionError:
        return _unreadable(shown, f"'{shown}' may not be read", fix="change the permissions of the file")
    except (OSError, ValueError) as error:
        return _unreadable(
            shown, f"'{shown}' cannot be read: {getattr(error, 'strerror', None) or 'not a usable path'}"
        )
    if len(raw) > LARGEST:
        return _unreadable(shown, f"'{shown}' is larger than 1 MiB", fix="split it, or move data out of it")
    return _decoded(raw, shown)


def _decoded(raw: bytes, shown: str) -> Page | Problem:
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return _unreadable(shown, f"'{shown}' is {name}, not UTF-8: byte 0, line 1", fix=_SAVE)
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        page = Page(shown, _unix(raw[: error.start].decode()))
        place = page.place_at(len(page.text))
        what = f"'{shown}' is not UTF-8: byte {error.start} (0x{raw[error.start]:02x}), line {place.line}"
        return _unreadable(shown, what, place, fix=_SAVE)
    page = Page(shown, _unix(text))
    if "\0" in text:
        place = page.place_at(page.text.index("\0"))
        return _unreadable(shown, f"'{shown}' is not a text file: a NUL character, line {place.line}", place)
    return page


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def _unreadable(shown: str, message: str, place: Place | None = None, fix: str | None = None) -> Problem:
    return Page(shown, "").problem("unreadable-file", place or Place(), message, fix=fix)
