"""Files that have their name only when they are whole."""

from __future__ import annotations

import contextlib
import os
import pathlib
import stat
from typing import TYPE_CHECKING, BinaryIO

from scorerkit.errors import ScorerkitError
from scorerkit.results.blocks import Blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIX = ".partial"


class PartialFile(Blocks):
    """Written as ``PATH.partial``; :meth:`finish` gives it its name, :meth:`abort` leaves what there is as it is.

    A pipe or device that exists under the name is written to as it is: then it is ``direct``.

    Raises:
        ScorerkitError: the file cannot be made, or another process is writing it.
    """

    def __init__(self, target: str) -> None:
        with _said(target):
            self.path = pathlib.Path(os.path.realpath(target))
            self.direct = _is_special(self.path)
            self.partial = self.path if self.direct else self.path.with_name(self.path.name + SUFFIX)
            stream = self.partial.open("wb", buffering=0) if self.direct else _locked(self.partial, self.path, target)
        super().__init__(stream, f"'{target}'")

    def finish(self) -> None:
        """Write the rest and name the file.

        Raises:
            Inconclusive: it could not be written; it keeps the name ``PATH.partial``.
        """
        self.flush()
        try:
            if not self.direct:
                os.fsync(self._stream.fileno())
                self.partial.replace(self.path)
            self._stream.close()
        except OSError as error:
            self.broken = True
            raise self.failure(error) from None

    def abort(self) -> None:
        """Keep what was written under ``PATH.partial``, if anything was. Never raises."""
        with contextlib.suppress(Exception):
            self.flush()
        with contextlib.suppress(OSError):
            self._stream.close()
            if not self.direct and not self.written:
                self.partial.unlink()

    def discard(self) -> None:
        """Close and remove it: what it held stands elsewhere."""
        self._stream.close()
        self.partial.unlink(missing_ok=True)


def _is_special(path: pathlib.Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _locked(partial: pathlib.Path, path: pathlib.Path, target: str) -> BinaryIO:
    """The file, emptied, and held against other processes where the system can do that."""
    if path.is_dir():
        message = f"'{target}' is a folder"
        raise ScorerkitError(message, fix="name a file in it")
    stream = os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "r+b", buffering=0)
    try:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except OSError:
        stream.close()
        message = f"'{target}' is being written already"
        raise ScorerkitError(message, fix="give each output a name of its own") from None
    stream.truncate(0)
    return stream


@contextlib.contextmanager
def _said(target: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        message = f"there is no folder '{pathlib.Path(target).parent}' to write '{target}' into"
        raise ScorerkitError(message, fix="make the folder first") from None
    except (OSError, ValueError) as error:
        message = f"'{target}' cannot be written: {getattr(error, 'strerror', None) or error}"
        raise ScorerkitError(message) from None
