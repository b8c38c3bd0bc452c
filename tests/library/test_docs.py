"""The page of the library is what its files say."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def generate():
    spec = importlib.util.spec_from_file_location("generate_library", DOCS / "generate_library.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_library_is_up_to_date(generate):
    assert generate.page() == (DOCS / "library.md").read_text("utf-8"), "run: python docs/generate_library.py"


WORDS = {"completeness", "keyword-coverage", "text/token-f1"}
"""Measures that do not look at the order of words: the texts of the table hold the same ones."""


def test_every_text_has_a_sensible_value_or_none_in_every_measure(generate):
    lines = generate.languages().split("\n| --- ")[1].strip().split("\n")[1:]
    assert len(lines) == len(generate.TEXTS)
    for line in lines:
        kind, _, _, *values = line.strip("| ").split(" | ")
        said = dict(zip(generate.MEASURES, values, strict=True))
        assert all(value == "–" or 0 <= float(value) <= 1 for value in said.values())
        assert {name for name, value in said.items() if value == "1.00"} <= WORDS | {"tone"}
        if kind == "another script":
            assert set(said.values()) <= {"0.00", "–"}
        if kind in ("Japanese", "Chinese", "Thai", "Arabic", "Russian", "Hindi"):
            assert all(float(said[name]) >= 0.7 for name in WORDS)
            assert said["tone"] == "–"
