"""What a worker is told once: the scorers, and how they are to be run."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from scorerkit.definition import Definition
    from scorerkit.settings import Settings

SHARED_OUT = ("requestsPerMinute", "tokensPerMinute")


@dataclass(frozen=True, slots=True)
class Task:
    """Everything a worker needs, as plain data.

    Attributes:
        definitions: the scorers, assembled and checked; a worker builds its plans from them.
        digests: what the built scorers must have; another digest means other code on the worker's machine.
        concurrency: records at a time, of all workers together; None means the default.
        store: address of the store; None where nothing is kept. ``number`` is the experiment's in it.
        cached: whether answers come from the store; ``refresh`` keeps them only.
        limited: whether every shard brings the limits that hold for it.
    """

    definitions: tuple[Definition, ...]
    settings: Settings
    digests: tuple[str | None, ...]
    experiment_id: str
    workers: int
    concurrency: int | None = None
    replay: tuple[Path, ...] = ()
    replay_missing: str = "fail"
    store: str | None = None
    number: int | None = None
    resumed: bool = False
    cached: bool = False
    refresh: bool = False
    limited: bool = False

    def packed(self) -> bytes:
        """For the wire; the rates of the project's profiles are divided among the workers."""
        return pickle.dumps(replace(self, settings=shared_out(self.settings, self.workers)), pickle.HIGHEST_PROTOCOL)


def shared_out(settings: Settings, workers: int) -> Settings:
    """Settings in which every limit of a profile is the part of one worker."""
    profiles = {}
    for name, profile in settings.profiles.items():
        part = dict(profile)
        for key in SHARED_OUT:
            if part.get(key) is not None:
                part[key] = part[key] / workers
        if part.get("maxConcurrency") is not None:
            part["maxConcurrency"] = max(1, part["maxConcurrency"] // workers)
        profiles[name] = part
    return replace(settings, config={**settings.config, "models": profiles}) if profiles else settings


def at_most_workers(settings: Settings, wanted: int) -> int:
    """No more workers than the smallest ``maxConcurrency`` allows records at a time."""
    limits = [int(profile["maxConcurrency"]) for profile in settings.profiles.values() if profile.get("maxConcurrency")]
    return min([wanted, *limits])
