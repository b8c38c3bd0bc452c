"""What tests of the library share: its files, and runs of them with scripted judges."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from scorerkit.loader import check_file, load_plan
from scorerkit.model.run import RUN_KEYS, ScorerRun
from scorerkit.pipeline import score_run
from scorerkit.settings import Settings
from scorerkit.source.project import Project
from scorerkit.testing import ScriptedJudge

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scorers"
VECTORS = Path(__file__).parent / "vectors"


class Library:
    """Runs scorers of the library; each is read once, and built once for the same params."""

    def __init__(self):
        self.settings = Settings(Project(ROOT))
        self._checked = {}
        self._plans = {}

    def checked(self, name):
        if name not in self._checked:
            self._checked[name] = check_file(FOLDER / f"{name}.yaml", f"{name}.yaml", self.settings)
        return self._checked[name]

    def plan(self, name, params):
        key = name, json.dumps(params, sort_keys=True)
        if key not in self._plans:
            settings = replace(self.settings, params=params)
            self._plans[key] = load_plan(self.checked(name), settings, own_judge=True)
        return self._plans[key]

    def score(self, name, run, params=None, answers=None):
        fields = {RUN_KEYS[key]: value for key, value in run.items() if key in RUN_KEYS}
        return asyncio.run(score_run(self.plan(name, params or {}), ScorerRun(**fields), ScriptedJudge(answers or {})))


@pytest.fixture(scope="session")
def library():
    return Library()
