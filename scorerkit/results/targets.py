"""Files that one call writes: each by itself, and none of those that it reads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from collections.abc import Iterable

STREAM = "-"


def check_targets(written: Iterable[tuple[str, str]], read: Iterable[tuple[str, str]] = ()) -> None:
    """Refuse to write one file twice, or over a file that is read. Pairs are (what it is, path); ``-`` is a stream.

    Raises:
        ScorerkitError: naming the file and both of its uses.
    """
    taken = {_identity(path): (what, path) for what, path in read if path != STREAM}
    for what, path in written:
        identity = path if path == STREAM else _identity(path)
        if identity in taken:
            other, name = taken[identity]
            message = f"'{path}' is named twice: as {other}{f' ({name})' if name != path else ''} and as {what}"
            raise ScorerkitError(message, fix="give each file a name of its own")
        if path == STREAM or not _is_special(path):
            taken[identity] = what, path


def _identity(path: str) -> object:
    """The same for all names of a file, links of both kinds included."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def _is_special(path: str) -> bool:
    """A device or a pipe takes what any number of writers give it."""
    return Path(path).exists() and not Path(path).is_file()
