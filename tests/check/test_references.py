import pytest

MODULE = """
from os import system as taken

def ok(run, results, extra=1): ...
def needs(run, words): ...
def open_(run, **more): ...
def of_score(score): ...
def positional(run, /): ...
async def later(*, run): ...
if True:
    def inner(run): ...
constant = 3
"""


@pytest.fixture
def codes(places, tmp_path):
    (tmp_path / "m.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("def (:\n")

    def found(step, head=""):
        text = f"id: x\n{head}steps:\n  generateScore: {{{step}}}\n"
        return [(code, column) for code, _, column in places(text) if code not in ("output-unused", "unused-judge")]

    return found


CASES = [
    ("function: m.ok", []),
    ("function: 'm:ok'", []),
    ("function: m.later", []),
    ("function: m.inner", []),
    ("function: m.taken", []),
    ("function: m.constant", []),
    ("function: m.okay", [("unresolved-function", 29)]),
    ("function: m.ok, with: {extra: 2}", []),
    ("function: m.ok, with: {extr: 2}", [("unknown-key", 42)]),
    ("function: m.ok, with: {run: 2}", [("unknown-key", 42)]),
    ("function: m.needs", [("unknown-name", 29)]),
    ("function: m.needs, with: {words: 2}", []),
    ("function: m.needs, with: {word: 2}", [("unknown-name", 29), ("unknown-key", 45)]),
    ("function: m.open_, with: {anything: 2}", []),
    ("function: m.open_, with: {class: 2, a-b: 1}", [("unknown-key", 45), ("unknown-key", 55)]),
    ("function: m.of_score", [("unknown-name", 29)]),
    ("function: m.positional", [("unresolved-function", 29)]),
    ("function: broken.x", [("unresolved-function", 29)]),
    ("function: nowhere.x", [("unresolved-function", 29)]),
    ("function: plain", [("unresolved-function", 29)]),
    ("function: os.system", [("function-not-allowed", 29)]),
    ("function: scorerkit.functions.nothing", [("unresolved-function", 29)]),
    ("prompt: {function: m.needs}", [("unknown-name", 38)]),
    ("prompt: a, outputSchema: {}, calculateScore: {function: m.of_score}", [("unknown-name", 75)]),
]


@pytest.mark.parametrize(("step", "expected"), CASES)
def test_a_function_exists_may_be_called_and_gets_its_arguments(codes, step, expected):
    assert codes(step) == expected


JUDGES = [
    ("inputProcessors: [{use: redact}]", []),
    ("inputProcessors: [{use: redcat}]", [("unknown-value", 33)]),
    ("outputProcessors: [{use: nothing}]", [("unknown-value", 34)]),
    ("errorProcessors: [{use: m.nothing}]", [("unresolved-function", 33)]),
    ("errorProcessors: [{use: m.ok}]", []),
    ("errorProcessors: [{use: streamErrorRetry, with: {delayMs: {function: m.needs}}}]", [("unknown-name", 78), ("unknown-name", 78)]),
    ("errorProcessors: [{use: streamErrorRetry, with: {matchers: [{function: m.nothing}, again]}}]", [("unresolved-function", 80)]),
    ("errorProcessors: [{use: streamErrorRetry, with: {matchers: [{status: [1], delayMs: {function: m.nothing}}]}}]", [("unresolved-function", 103)]),
]  # fmt: skip


@pytest.mark.parametrize(("judge", "expected"), JUDGES)
def test_processors_and_what_they_call_exist(codes, judge, expected):
    found = codes("prompt: '{{ run.output | fenced }}'", f"judge: {{{judge}}}\n")
    assert found == list(dict.fromkeys(expected))


PREPARERS = [
    ("{function: m.inner}", []),
    ("{function: m.ok}", [("unknown-name", 24)]),
    ("[{dropGroundTruth: true}, {function: m.nothing}]", [("unresolved-function", 50)]),
]


@pytest.mark.parametrize(("prepare", "expected"), PREPARERS)
def test_functions_of_prepare_run_are_looked_at(codes, prepare, expected):
    assert codes("expression: run.output | length", f"prepareRun: {prepare}\n") == expected
