"""Every provider's package is an extra of ours, and its absence is told before anything is scored."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from scorerkit.judge.clients import require_ready
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
def test_what_speaks_as_openai_does_needs_no_extra(provider, monkeypatch):
    monkeypatch.setenv("OPENAI_API_VERSION", "2024-10-21")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com")
    require_ready(Target(provider, "m"))


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


@pytest.mark.parametrize(
    ("model", "config", "told"),
    [
        ("azure_openai/d", "", "azure_openai needs the environment variable OPENAI_API_VERSION"),
        ("mine", '[models.mine]\nmodel = "litellm/m"\nbaseUrl = "http://x/v1"\n', "not supported for litellm"),
    ],
)
def test_what_cannot_be_asked_is_told_before_the_first_record(model, config, told, run, write, clean):
    clean.setenv("AZURE_OPENAI_API_KEY", "key-000111")
    clean.setattr("scorerkit.judge.clients.find_spec", lambda name: name)
    write("scorerkit.toml", config)
    write("s.yaml", SCORER)
    write("runs.jsonl", [{"runId": str(i), "output": "x"} for i in range(3)])
    said = run("run", "s.yaml", "--data", "runs.jsonl", "--judge-model", model, "--output", "-")
    assert said.exit == 2
    assert said.out == ""
    assert said.err.count(told) == 1
