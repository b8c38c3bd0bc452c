"""Every provider's package is an extra of ours, and its absence is told before anything is scored."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from scorerkit.judge.clients import require_package
from scorerkit.judge.modes import PROVIDERS
from scorerkit.model.judge import Target

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
SCORER = "id: s\nsteps: {generateScore: {prompt: 'Good? {{ run.output }}'}}\n"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_a_provider_needs_is_ours_or_one_of_our_extras(provider):
    extra = re.fullmatch(r"scorerkit(?:\[(.+)\])?", PROVIDERS[provider].package)[1]
    assert extra is None or EXTRAS[extra][0].startswith("instructor[")


@pytest.mark.parametrize("provider", [name for name, each in PROVIDERS.items() if each.module == "openai"])
def test_what_speaks_as_openai_does_needs_no_extra(provider):
    require_package(Target(provider, "m"))


@pytest.mark.parametrize("provider", [name for name, each in PROVIDERS.items() if each.module != "openai"])
def test_a_missing_package_is_one_error_before_the_first_record(provider, run, write, clean):
    module = PROVIDERS[provider].module
    for name in PROVIDERS[provider].key_env[:1]:
        clean.setenv(name, "key-000111")
    clean.setitem(sys.modules, module, None)
    clean.setitem(sys.modules, module.split(".")[0], None)
    write("s.yaml", SCORER)
    write("runs.jsonl", [{"runId": str(i), "output": "x"} for i in range(3)])
    said = run("run", "s.yaml", "--data", "runs.jsonl", "--judge-model", f"{provider}/some-model", "--output", "-")
    assert said.exit == 2
    assert said.out == ""
    assert f"the package for the provider '{provider}' is not installed" in said.err
    assert f"pip install '{PROVIDERS[provider].package}'" in said.err
    assert said.err.count("not installed") == 1
