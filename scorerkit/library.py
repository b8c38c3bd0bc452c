"""Where scorers are: a path, a folder, a glob, or an id that is looked up in the project before the library."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorerkit import shipped
from scorerkit.errors import InvalidScorer, ScorerkitError
from scorerkit.model.problem import Place, Problem
from scorerkit.source import read_document
from scorerkit.suggest import closest, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorerkit.settings import Settings

SUFFIXES = (".yaml", ".yml", ".toml")
NOT_SCORERS = ("scorerkit.toml", "pyproject.toml")
LOOKS_LIKE_SCORER = re.compile(rb"""(?:^|[{,])\s*["']?(?:id|steps|extends)["']?\s*[:=]|^\s*\[steps\b""", re.MULTILINE)


class Found(NamedTuple):
    """A scorer file: where it is, how problems name it, and how it was found: path, project or library."""

    file: Path
    shown: str
    origin: str = "path"


def find_scorers(written: Sequence[str], settings: Settings) -> list[Found]:
    """The files that the words of a command line mean, each once.

    Raises:
        ScorerkitError: a word is no path and no id, or selects nothing.
    """
    found: dict[Path, Found] = {}
    for word in written:
        for one in _matching(word) or [_by_id(word, settings)]:
            found.setdefault(one.file.absolute(), one)
    return list(found.values())


def _matching(word: str) -> list[Found]:
    path = Path(word)
    try:
        path.stat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        message = f"'{word[:80]}' cannot be looked up: {getattr(error, 'strerror', None) or error}"
        raise ScorerkitError(message, code="unreadable-file") from error
    if path.is_dir():
        inside = list(scorers_in(path))
        if not inside:
            message = f"the folder '{word}' holds no scorer file"
            raise ScorerkitError(message, code="unreadable-file")
        return inside
    if not path.exists() and any(character in word for character in "*?["):
        names = sorted(glob.glob(word, recursive=True))  # noqa: PTH207 - the pattern may be absolute
        found = [Found(Path(name), name) for name in names if Path(name).suffix.lower() in SUFFIXES]
        if not found:
            message = f"no scorer file matches '{word}'"
            raise ScorerkitError(message, code="unreadable-file")
        return found
    return [Found(path, word)] if path.exists() or path.suffix.lower() in SUFFIXES else []


def scorers_in(folder: Path) -> Iterator[Found]:
    """The scorer files below a folder, in order of their names; other YAML and TOML files are passed over."""
    for file in sorted(_files_in(folder)):
        if file.suffix.lower() not in SUFFIXES or file.name in NOT_SCORERS or not file.is_file():
            continue
        if _looks_like_scorer(file):
            yield Found(file, shown(file))


def _files_in(folder: Path) -> Iterator[Path]:
    """Files that are not hidden; folders that may not be looked into are passed over."""
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(root, name) for name in names if not name.startswith("."))


def _looks_like_scorer(file: Path) -> bool:
    """By its beginning; what cannot be read is taken for one, so that somebody says why."""
    try:
        with file.open("rb") as opened:
            return LOOKS_LIKE_SCORER.search(opened.read(2**16)) is not None
    except OSError:
        return True


def shown(file: Path) -> str:
    """As seen from the working directory, where it lies below that."""
    here = Path.cwd()
    return str(file.relative_to(here)) if file.is_relative_to(here) else str(file)


def libraries(settings: Settings) -> list[tuple[Path, str]]:
    """The folders in which ids are looked up: the project's before the library that ships."""
    named = settings.config.get("library") or ["scorers"]
    folders = [(settings.root / name, "project") for name in named]
    return [
        (folder, origin) for folder, origin in [*folders, (shipped.folder("scorers"), "library")] if folder.is_dir()
    ]


def known(settings: Settings) -> list[tuple[str, Found]]:
    """Every scorer that has an id: (id, file), the project's first."""
    pairs: list[tuple[str, Found]] = []
    seen: set[Path] = set()
    for folder, origin in libraries(settings):
        for found in scorers_in(folder):
            if found.file.resolve() not in seen:
                seen.add(found.file.resolve())
                pairs += [(name, found._replace(origin=origin)) for name in _id_of(found)]
    return pairs


def _id_of(found: Found) -> list[str]:
    document = read_document(found.file, found.shown)
    name = None if isinstance(document, list) else document.value.get("id")
    return [name] if isinstance(name, str) else []


def find_id(name: str, settings: Settings) -> Path | None:
    """The file of the scorer with this id; None where there is none."""
    return next((found.file for known_id, found in known(settings) if known_id == name), None)


def find_parent(name: str, settings: Settings) -> Path | str:
    """The file of the scorer with this id; where there is none, what to write instead."""
    pairs = known(settings)
    found = next((found.file for known_id, found in pairs if known_id == name), None)
    close = closest(name, [known_id for known_id, _ in pairs])
    return found or (f"did you mean '{close}'?" if close else "")


def _by_id(word: str, settings: Settings) -> Found:
    pairs = known(settings)
    same = [found for name, found in pairs if name == word]
    if not same:
        names = [name for name, _ in pairs]
        fix = suggestion(word, names) if names else "give the path of a scorer file"
        message = f"'{word}' is neither a file nor the id of a scorer"
        raise ScorerkitError(message, code="unreadable-file", fix=fix)
    rivals = [found for found in same if found.origin == same[0].origin]
    if len(rivals) > 1:
        places = ", ".join(found.shown for found in rivals)
        message = f"the id '{word}' stands in {places}"
        raise InvalidScorer([Problem("duplicate-id", rivals[1].shown, Place(), message, fix="name one by its path")])
    return same[0]
