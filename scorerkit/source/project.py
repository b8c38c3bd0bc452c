"""The project around the working directory, and what a scorer file may read of it."""

from __future__ import annotations

import os
import pathlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorerkit.model.problem import Place, Problem
from scorerkit.source import read_document
from scorerkit.source.page import Page

if TYPE_CHECKING:
    from scorerkit.source.document import Document

CONFIG = "scorerkit.toml"
_PYPROJECT = "pyproject.toml"
_MARKS = (CONFIG, _PYPROJECT, ".git")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_MOST_LINKS = 40


@dataclass(frozen=True, slots=True)
class Project:
    """``config``'s value is ``scorerkit.toml``, or the table ``tool.scorerkit`` of ``pyproject.toml``.

    Both ``config`` and ``config_file`` are None where there is no configuration or an empty one.
    """

    root: pathlib.Path
    config_file: pathlib.Path | None = None
    config: Document | None = None


def find_project(cwd: pathlib.Path, explicit: pathlib.Path | None = None) -> Project | list[Problem]:
    """The project of ``cwd``: its nearest ancestor that is marked as a root, else itself; or ``explicit``."""
    if explicit is None:
        cwd = cwd.resolve()
        root = next((folder for folder in (cwd, *cwd.parents) if _is_root(folder)), cwd)
        return _configured(root, cwd)
    root = explicit if explicit.is_absolute() else cwd / explicit
    if not root.is_dir():
        message = f"there is no folder '{explicit}'"
        return [Page(str(explicit), "").problem("unreadable-file", Place(), message, fix="name the project's folder")]
    return _configured(root.resolve(), cwd)


def _is_root(folder: pathlib.Path) -> bool:
    try:
        return any((folder / mark).exists() for mark in _MARKS)
    except OSError:  # a folder that may not be looked into cannot be the project
        return False


def _configured(root: pathlib.Path, cwd: pathlib.Path) -> Project | list[Problem]:
    for name, base in ((CONFIG, ()), (_PYPROJECT, ("tool", "scorerkit"))):
        file = root / name
        if not file.exists():
            continue
        document = read_document(file, os.path.relpath(file, cwd), what="the project's configuration", base=base)
        if isinstance(document, list):
            if [problem.code for problem in document] != ["empty-file"]:
                return document
        elif document.value:
            return Project(root, file, document)
    return Project(root)


class Territory:
    """What the paths written in one scorer file may name.

    That is the project, if the file really lies in it (``trusted``), else the folder that the file lies in.
    """

    def __init__(self, project_root: pathlib.Path, scorer_file: pathlib.Path) -> None:
        home = pathlib.Path(os.path.realpath(scorer_file)).parent
        project = pathlib.Path(os.path.realpath(project_root))
        self.trusted = home.is_relative_to(project)
        self.root = project if self.trusted else home
        self._home = home
        self._project = project

    def of(self, file: pathlib.Path) -> Territory:
        """What another scorer file of the same project may read, such as the one that this one extends."""
        return Territory(self._project, file)

    def resolve(self, base_dir: pathlib.Path, written: str) -> pathlib.Path | str:
        """The real path that ``written`` means in a file of ``base_dir``, or the reason why it is refused.

        Links are followed here, one at a time, so that nothing outside is touched. The path need not exist.
        """
        reason = _unusable(written)
        if reason:
            return reason
        base = os.path.realpath(base_dir)
        outside = "it leaves the project" if self.trusted else "it leaves the folder of the scorer file"
        lexical = pathlib.Path(os.path.normpath(os.path.join(base, written)))  # noqa: PTH118 - pathlib keeps '..'
        if not lexical.is_relative_to(self.root):
            return outside
        try:
            real = self._followed(pathlib.Path(base), written)
        except OSError as error:
            return f"it cannot be looked up: {error.strerror}"
        if real is None:
            return f"{outside} through a link"
        hidden = self._hidden(real)
        return f"a link leads to '{hidden}', which begins with a dot" if hidden else real

    def _followed(self, folder: pathlib.Path, written: str) -> pathlib.Path | None:
        parts, links = written.split("/")[::-1], 0
        while parts:
            part = parts.pop()
            step = folder.parent if part == ".." else folder / part
            if not step.is_relative_to(self.root):
                return None
            if part in {"", ".", ".."} or not step.is_symlink():
                folder = step
                continue
            target, links = pathlib.Path(os.readlink(step)), links + 1  # noqa: PTH115 - pathlib's twin returns the same
            if links > _MOST_LINKS or (target.is_absolute() and not target.is_relative_to(self.root)):
                return None
            folder = self.root if target.is_absolute() else folder
            parts.extend(reversed(target.relative_to(self.root).parts if target.is_absolute() else target.parts))
        return folder

    def _hidden(self, real: pathlib.Path) -> str | None:
        """The first part that begins with a dot, those of the folders around the scorer file excepted."""
        beyond = real
        for folder in (self._home, *self._home.parents):
            if real.is_relative_to(folder):
                beyond = real.relative_to(folder)
                break
        return next((part for part in beyond.parts if part.startswith(".")), None)


def _unusable(written: str) -> str | None:
    """What is wrong with the path as it is written, before any folder is looked into."""
    if not written.strip():
        return "it is empty"
    if "\0" in written or "\n" in written:
        return "it holds a character that no path has"
    if "\\" in written:
        return "it has a '\\'; write '/' between folders"
    if _ADDRESS.match(written):
        return "it is an address or names a drive; nothing is fetched"
    if written.startswith(("/", "~")):
        return "it is absolute; write it relative to this file"
    hidden = next((part for part in written.split("/") if part.startswith(".") and part not in {".", ".."}), None)
    return f"'{hidden}' begins with a dot" if hidden else None
