"""The store's part in a ``run``: what is kept, and what an earlier execution left to be taken up again."""

from __future__ import annotations

import contextlib
import hashlib
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorerkit import __version__
from scorerkit.commands.words import tell
from scorerkit.errors import ScorerkitError
from scorerkit.experiment import new_id
from scorerkit.report.card import card_of
from scorerkit.report.summary import summarise

if TYPE_CHECKING:
    from scorerkit.model.plan import Plan
    from scorerkit.report.summary import Experiment
    from scorerkit.settings import Settings
    from scorerkit.store import AnswerCache, ExperimentLog
    from scorerkit.store.experiments import Kept

LATEST = "latest"
COMPARED = (("digest", "its definition"), ("params", "its params"), ("judgeDigest", "its judge"))


class Keeping:
    """An open store, and this run's experiment in it."""

    def __init__(self, settings: Settings) -> None:
        from scorerkit.store import Writer, open_database

        self.database = open_database(settings.store)
        try:
            self.writer = Writer(self.database)
        except BaseException:
            self.database.close()
            raise
        self.log: ExperimentLog | None = None
        self.id = new_id()
        self._root = settings.root
        self._before: Kept | None = None
        self._abandoned = False
        self._status = "interrupted"
        self._summary: dict[str, Any] | None = None
        self._held = contextlib.ExitStack()

    def cache(self, *, refresh: bool) -> AnswerCache:
        """Answers of the judge; each is committed together with the step that it finishes."""
        from scorerkit.store import AnswerCache

        return AnswerCache(self.writer, refresh=refresh, deferred=True)

    def begin(self, plans: tuple[Plan, ...], data: dict[str, Any], resume: str | None) -> None:
        """Note the experiment, or take up the one that ``resume`` means.

        Raises:
            ScorerkitError: there is nothing to take up, and what differs.
        """
        from scorerkit.store import ExperimentLog
        from scorerkit.store import experiments as kept

        cards = [card_of(plan) for plan in plans]
        if resume is None:
            facts = {"tool": __version__, "git_commit": _commit(self._root), "data": data, "scorers": cards}
            number = kept.begin(self.database, self.id, facts)
        else:
            found = self._before = self._to_resume(resume, cards, data)
            number, self.id = found.number, found.id
        hold = kept.hold(self.database, number)
        if hold is None:
            raise _held(self.id)
        self._held.enter_context(hold)
        if resume is not None:
            kept.proceed(self.database, number)
        self.log = ExperimentLog(self.writer, number, resumed=resume is not None)

    def _to_resume(self, words: str, cards: list[dict[str, Any]], data: dict[str, Any]) -> Kept:
        from scorerkit.store import experiments as kept

        if data["digest"] is None:
            message = "an experiment on standard input cannot be taken up again: its data is gone"
            raise ScorerkitError(message, fix="save the data to a file")
        if words != LATEST:
            found = kept.find(self.database, words)
            if differing := differences(found, cards, data):
                message = f"the experiment {found.id} cannot be taken up: {', '.join(differing)} differ"
                raise ScorerkitError(message, code="nothing-to-resume", fix="run it with what it was begun with")
            return found
        nearest: list[str] = []
        for found in kept.latest_first(self.database):
            differing = differences(found, cards, data)
            if not differing and found.status == "running":
                raise _held(found.id)
            if not differing and _is_open(found):
                return found
            if not differing:
                nearest = nearest or [f"the experiment {found.id} is complete"]
            elif _is_open(found) and found.status != "running":
                nearest = nearest or [f"of the experiment {found.id}, {', '.join(differing)} differ"]
        message = f"there is nothing to resume{': ' if nearest else ''}{''.join(nearest)}"
        raise ScorerkitError(message, code="nothing-to-resume", fix="leave --resume out to score everything")

    def end(self, experiment: Experiment) -> None:
        """Note how it ended; written when the store is closed."""
        code = experiment.stop_code
        self._status = "finished" if code is None else "interrupted" if code == "interrupted" else "stopped"
        self._summary = summarise(experiment, __version__)

    def abandon(self) -> None:
        """Leave the store as it was before :meth:`begin`, once it is closed: no record was looked at."""
        self._abandoned = True

    def close(self) -> None:
        """Write what waits and let go.

        Raises:
            StoreUnusableError: not everything could be written.
        """
        from scorerkit.store import experiments as kept

        try:
            self.writer.close()
            if self.log is not None and self._abandoned and self._before is None:
                kept.forget(self.database, self.log.number)
            elif self.log is not None:
                if self._abandoned and self._before is not None:
                    self._status, self._summary = self._before.status, self._before.summary
                kept.end(self.database, self.log.number, self._status, self._summary)
        finally:
            self._held.close()
            self.database.close()


def open_keeping(settings: Settings, *, wanted: bool) -> Keeping | None:
    """The project's store. One that nobody named and that cannot be used costs what it would have kept, no more.

    Raises:
        ScorerkitError: it is named in the configuration, or needed (``wanted``), and cannot be used; or a newer
            release wrote it.
    """
    from scorerkit.store.database import StoreUnusableError

    try:
        return Keeping(settings)
    except StoreUnusableError as error:
        if wanted or settings.store_named:
            error.exit_code = ScorerkitError.exit_code  # nothing has been scored: the configuration is wrong
            raise
        tell(f"warning: nothing is kept: {error.message}")
        return None


def data_facts(shown: str, path: str, selection: dict[str, Any]) -> dict[str, Any]:
    """What an experiment notes of its data; ``digest`` is None for what cannot be read twice."""
    digest = None
    if path != "-" and Path(path).is_file():
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    return {"source": shown, "digest": digest, "selection": selection}


def differences(kept: Kept, cards: list[dict[str, Any]], data: dict[str, Any]) -> list[str]:
    """What of an experiment is not as it is now; nothing if it can be taken up."""
    found = []
    if [card["id"] for card in kept.scorers] != [card["id"] for card in cards]:
        found.append(f"the scorers ({', '.join(card['id'] for card in kept.scorers)})")
    else:
        found += [
            f"'{now['id']}' ({words})"
            for then, now in zip(kept.scorers, cards, strict=True)
            for key, words in COMPARED
            if then[key] != now[key] or (key == "digest" and now[key] is None)
        ]
    if kept.data["digest"] != data["digest"]:
        found.append("the data")
    if _plain(kept.data["selection"]) != _plain(data["selection"]):
        found.append("the options that select from the data")
    return found


def _plain(selection: dict[str, Any]) -> Any:
    import json

    return json.loads(json.dumps(selection))


def _is_open(kept: Kept) -> bool:
    """Whether something of an experiment is missing or failed."""
    if kept.status != "finished" or kept.summary is None:
        return True
    return any(scorer["failed"] or scorer["notReached"] for scorer in kept.summary["scorers"])


def _held(experiment_id: str) -> ScorerkitError:
    message = f"the experiment {experiment_id} is being run by another process"
    return ScorerkitError(message, code="already-running", fix="wait for it, or leave --resume out")


def _commit(root: Path) -> str | None:
    """The commit that the project stands on; None where there is no git."""
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return None
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - the git of the user
            cwd=root, capture_output=True, text=True, timeout=5, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
