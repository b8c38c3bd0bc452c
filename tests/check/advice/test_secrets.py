import pytest

from scorerkit.model.problem import Place, Problem
from scorerkit.report.problems import FORMATS
from scorerkit.report.problems.masking import masked

KEYS = [
    "sk-proj-4f9aXbY72kQmLr01ZtUv",
    "sk-ant-api03-abcdefghijkl0123",
    "gsk-abcdefghijklmnop0123",
    "sk_live_abcdefghijklmnop0123",
    "AKIA" + "ABCDEFGH12345678",
    "ghp_" + "a1" * 18,
    "github_pat_" + "a1" * 12,
    "xoxb-123456789012-abcdef",
    "AIza" + "Sy0" * 12,
    "Bearer abcdefghijklmnop0123456789",
]
WORDS = [
    "sk-learn", "task-oriented-dialogue-2024-benchmark", "sk-a-long-name-without-any-digit", "AKIA", "AKIAabc",
    "Bearer of bad news", "bearer", "ghp_", "disk-0123456789abcdefghij", "Bearer {{ token }}",
]  # fmt: skip
END = "steps: {generateScore: {expression: run.output | length}}\n"


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_found_and_not_shown(problems, key):
    found = problems(f"id: x\nx-note: the key is {key}\n{END}")
    [secret] = [each for each in found if each.code == "secret-in-file"]
    assert (secret.place.line, secret.place.column, secret.place.end_column) == (2, 20, 20 + len(key))
    assert key[6:] not in repr(secret)
    assert secret.excerpt == ((2, f"x-note: the key is {key[:4]}{'*' * (len(key) - 4)}"),)


@pytest.mark.parametrize("words", WORDS)
def test_words_are_no_keys(places, words):
    assert places(f"id: x\nx-note: '{words}'\n{END}") == []


def test_comments_and_files_that_are_read_are_looked_at(problems, tmp_path):
    (tmp_path / "p.md").write_text("{% include 'q.md' %}\nUse AKIAABCDEFGH12345678.\n")
    (tmp_path / "q.md").write_text("{# AKIAABCDEFGH12345678 #}{{ run.output | fenced }}")
    found = problems("# AKIAABCDEFGH12345678\nid: x\nsteps:\n  generateScore:\n    prompt: {file: p.md}\n")
    secrets = [(each.path, each.place.line, each.place.column) for each in found if each.code == "secret-in-file"]
    assert secrets == [("p.md", 2, 5), ("q.md", 1, 4), ("s.yaml", 1, 3)]


def test_a_masked_text_keeps_its_length():
    text = f"a {KEYS[0]} b {KEYS[0]}"
    assert len(masked(text)) == len(text)
    assert KEYS[0][4:] not in masked(text)


@pytest.mark.parametrize("form", FORMATS)
def test_no_form_of_any_problem_shows_a_key(form):
    line = f"apiKey: {KEYS[0]}"
    words = [f"'{KEYS[0]}' {word}" for word in ("is wrong", "is why", "is the fix")]
    problem = Problem("unknown-key", "s.yaml", Place(1, 1, 1, 7), *words, excerpt=((1, line),))
    assert KEYS[0] not in FORMATS[form]([problem], ["s.yaml"])
