"""A project as it was at a revision: `git archive` streamed into a folder. Nothing of it is executed."""

from __future__ import annotations

import os
import subprocess
import tarfile
from typing import TYPE_CHECKING

from scorerkit.errors import ScorerkitError

if TYPE_CHECKING:
    from pathlib import Path

CODE = "unknown-revision"
SECONDS = 120


def take_out(root: Path, revision: str, into: Path) -> str:
    """Write the folder ``root``, as it was at ``revision``, to ``into``; returns the commit.

    Raises:
        ScorerkitError: there is no git, no repository, no such revision, or nothing of the folder in it.
    """
    if not hasattr(tarfile, "data_filter"):
        message = "taking a revision out of git needs Python 3.11.4 or later"
        raise ScorerkitError(message, code=CODE, why="earlier ones cannot unpack safely", fix="compare two files")
    commit = _commit(root, revision)
    command = ["git", *_without_filters(root), "archive", "--format=tar", commit, "--", "."]
    with subprocess.Popen(command, cwd=root, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as git:  # noqa: S603
        assert git.stdout is not None
        assert git.stderr is not None
        try:
            with tarfile.open(fileobj=git.stdout, mode="r|") as archive:
                _extract(archive, into)
            failure = ""
        except (tarfile.TarError, OSError) as error:
            failure = str(error)
        git.stdout.close()
        words = git.stderr.read().decode("utf-8", "replace")
    if git.returncode or failure:
        message = f"the project at '{revision}' cannot be taken out of git: {_last(words) or failure}"
        raise ScorerkitError(message, code=CODE)
    return commit


def _extract(archive: tarfile.TarFile, into: Path) -> None:
    for member in archive:
        try:
            archive.extract(member, into, set_attrs=False, filter="data")
        except tarfile.FilterError:  # a link that leads out of the project: no scorer may read through it
            continue


def _commit(root: Path, revision: str) -> str:
    """The commit that a revision means; what begins like an option is never taken for one."""
    if revision.startswith("-"):
        message = f"'{revision}' is no revision: none begins with '-'"
        raise ScorerkitError(message, code=CODE, fix="name a commit, a branch or a tag")
    inside = _run(root, "rev-parse", "--is-inside-work-tree")
    words = inside.stderr.decode("utf-8", "replace")
    if inside.returncode and "not a git repository" not in words:
        message = f"git does not open '{root}': {_last(words)}"
        raise ScorerkitError(message, code=CODE)
    if inside.returncode:
        message = f"'{root}' lies in no git repository, so that there is no revision '{revision}'"
        raise ScorerkitError(message, code=CODE, fix="leave '@REVISION' out to compare two files")
    done = _run(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = done.stdout.decode("ascii", "replace").strip()
    if done.returncode or not commit.isalnum():
        message = f"git knows no revision '{revision}'"
        raise ScorerkitError(message, code=CODE, fix="name a commit, a branch or a tag; 'git log --oneline' lists them")
    return commit


def _without_filters(root: Path) -> list[str]:
    """Options that switch off programs through which git would pipe files (``filter.NAME.smudge``)."""
    done = _run(root, "config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(smudge|process|required)$")
    keys = {key for key in done.stdout.decode("utf-8", "replace").split("\0") if key}
    options: list[str] = []
    for key in sorted(keys):
        options += ["-c", f"{key}={'false' if key.endswith('.required') else ''}"]
    return options


def _run(root: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603 - words of our own, and a revision that cannot be an option
            ["git", *words],  # noqa: S607 - the git of the user
            cwd=root, env=_environment(), capture_output=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    except FileNotFoundError as error:
        message = "there is no git here to take a revision from"
        raise ScorerkitError(message, code=CODE, fix="install git, or compare two files") from error
    except subprocess.TimeoutExpired as error:
        message = f"git did not answer within {SECONDS} s"
        raise ScorerkitError(message, code=CODE) from error


def _environment() -> dict[str, str]:
    """Git in English, without questions, and without fetching what a partial clone left out."""
    more = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
    return {**os.environ, **more}


def _last(words: str) -> str:
    """What git complains of: its first line with ``fatal:``, else its last line."""
    lines = words.strip().splitlines() or [""]
    return next((line for line in lines if line.startswith("fatal: ")), lines[-1]).removeprefix("fatal: ")
