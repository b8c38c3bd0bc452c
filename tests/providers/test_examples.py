"""The profiles that documentation and example show are the same, and each of them is taken."""

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "providers"
PROFILES = tomllib.loads((EXAMPLE / "scorerkit.toml").read_text("utf-8"))["models"]
SHOWN = "\n".join(re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "providers.md").read_text("utf-8"), re.DOTALL))


def test_the_page_shows_what_the_example_has():
    assert {name: PROFILES[name] for name in tomllib.loads(SHOWN)["models"]} == tomllib.loads(SHOWN)["models"]


@pytest.mark.parametrize("name", PROFILES)
def test_the_scorer_is_taken_with_every_profile(name, tmp_path, run, clean):
    shutil.copytree(EXAMPLE, tmp_path / "it")
    clean.chdir(tmp_path / "it")
    assert run("check", "scorer.yaml").exit == 0
    said = run("run", "scorer.yaml", "--judge-model", name, "--dry-run")
    assert said.exit == 0, said.err
    assert PROFILES[name]["model"] in run("show", "scorer.yaml", "--judge-model", name).out + json.dumps(PROFILES[name])
