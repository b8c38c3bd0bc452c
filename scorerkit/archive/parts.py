"""What a word of ``merge`` and ``diff`` means: an experiment of this or another store, or a file of results."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from scorerkit.archive.lines import Line, read_line
from scorerkit.archive.opening import exists, open_reader
from scorerkit.errors import ScorerkitError
from scorerkit.store import open_database
from scorerkit.store.database import StoreUnusableError
from scorerkit.store.reading import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.settings import Settings
    from scorerkit.store.experiments import Kept

RESULTS = (".jsonl", ".ndjson")
OTHER_FORMATS = (".csv", ".json", ".parquet", ".tsv")
STORE = re.compile(r"(.+\.(?:db|sqlite3?))(?::(.*))?", re.DOTALL)


def is_id(word: str) -> bool:
    """Whether a word can only be the id of an experiment of this project's store."""
    return not word.lower().endswith((*RESULTS, *OTHER_FORMATS)) and STORE.fullmatch(word) is None


class Part(Protocol):
    """Results to be read, any number of times.

    Attributes:
        shown: how messages name it.
        kept: the experiment that it is; None of a file.
        file: the file that is read.
    """

    shown: str
    kept: Kept | None
    file: str

    def lines(self) -> Iterator[Line]:
        """The results, in the order of the data or of the file.

        Raises:
            ScorerkitError: one is not whole, or none of this release.
        """
        ...


class KeptPart:
    """An experiment of a store."""

    def __init__(self, reader: Reader, kept: Kept, file: str) -> None:
        self.kept: Kept | None = kept
        self.shown = f"the experiment {kept.id}"
        self.file = file
        self._rows = reader.rows
        self._number = kept.number

    def lines(self) -> Iterator[Line]:
        for row in self._rows(self._number):
            place = f"{self.shown}, record {row.position + 1}"
            yield read_line(row.row.encode(), row.position, place)


class FilePart:
    """A file of results as JSON lines."""

    kept: Kept | None = None

    def __init__(self, path: str) -> None:
        self.shown = self.file = path
        if not Path(path).is_file():
            message = f"there is no file '{path}'"
            raise ScorerkitError(message, code="unreadable-file", fix="name a file that 'run --output' wrote")

    def lines(self) -> Iterator[Line]:
        try:
            with Path(self.file).open("rb") as stream:
                for number, text in enumerate(stream, 1):
                    if text.strip():
                        whole = text if text.endswith(b"\n") else text + b"\n"
                        yield read_line(whole, None, f"{self.file}:{number}")
        except OSError as error:
            message = f"'{self.file}' cannot be read: {error.strerror}"
            raise ScorerkitError(message, code="unreadable-file") from error


class Parts:
    """Opens parts, each store once, and closes the stores with itself."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._readers: dict[str, Reader] = {}

    def open(self, word: str) -> Part:
        """The part that a word means.

        Raises:
            ScorerkitError: there is no such experiment or file, or its form is another.
        """
        if word.lower().endswith(RESULTS):
            return FilePart(word)
        if found := STORE.fullmatch(word):
            path, words = found[1], found[2] or "latest"
            reader = self._of(path)
        elif word.lower().endswith(OTHER_FORMATS):
            message = f"'{word}' cannot be read back: results are read as JSON lines"
            raise ScorerkitError(message, code="unknown-format", fix="scorerkit run … --output results.jsonl")
        else:
            path, words = self._settings.store, word
            reader = self._own()
        return KeptPart(reader, reader.find(words), path)

    def _own(self) -> Reader:
        address = self._settings.store
        if address not in self._readers:
            self._readers[address] = open_reader(self._settings)
        return self._readers[address]

    def _of(self, path: str) -> Reader:
        if not exists(path):
            message = f"there is no store '{path}'"
            raise ScorerkitError(message, code="unreadable-file", fix="name the file that 'store' of the project means")
        if path not in self._readers:
            try:
                self._readers[path] = Reader(open_database(path))
            except StoreUnusableError as error:  # a part that cannot be read is a mistake of the call
                raise ScorerkitError(error.message, code=error.code, fix="name the file of a store") from error
        return self._readers[path]

    def close(self) -> None:
        """Close the stores."""
        for reader in self._readers.values():
            reader.close()
