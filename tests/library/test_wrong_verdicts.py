"""A judge that answers too many, too few or unknown verdicts gives a failed record, not a number.

Every judged scorer is taken, with the answers of its own first test, and one thing in them is made wrong.
"""

import copy
from pathlib import Path

import pytest
import yaml

FOLDER = Path(__file__).resolve().parents[2] / "scorers"
JUDGED = sorted(
    file.relative_to(FOLDER).with_suffix("").as_posix()
    for file in FOLDER.rglob("*.yaml")
    if "prompt:" in file.read_text("utf-8")
)
COUNTED = {
    "answer-relevancy": "results",
    "bias": "results",
    "context-precision": "verdicts",
    "context-recall": "verdicts",
    "context-relevance": "evaluations",
    "faithfulness": "verdicts",
    "hallucination": "verdicts",
    "rubric": "criteria",
    "summarization": "coverage",
}
"""Scorer → the list in the answer to analyze that has one entry for each thing that was asked about."""
UNCOUNTED = {
    "answer-similarity": "how often a unit is matched is free: the reference's vectors match one unit several times",
    "noise-sensitivity": "the judge chooses the dimensions",
    "tool-call-accuracy": "the judge chooses the calls it speaks of: the reference's vectors speak of two where one was",
    "toxicity": "nothing is listed beforehand",
    "trajectory-accuracy": "the judge chooses the steps it speaks of, as in the reference's vectors",
}
LISTLESS = ("criteria", "multi-turn", "pairwise", "prompt-alignment")


def first_test(library, name):
    tests = library.checked(name).definition.get("tests")
    return copy.deepcopy(next(test for test in tests if test.get("answers")))


def played(library, name, test):
    return library.score(name, test["run"], test.get("params"), test["answers"])


def has_verdict_list(library, name):
    schema = library.checked(name).definition.get("steps", "analyze", "outputSchema") or {}
    items = [part.get("items", {}) for part in schema.get("properties", {}).values()]
    return any(item.get("type") == "object" for item in items)


def test_every_judged_scorer_is_looked_at(library):
    with_list = [name for name in JUDGED if has_verdict_list(library, name)]
    assert sorted([*COUNTED, *UNCOUNTED]) == with_list
    assert sorted([*with_list, *LISTLESS]) == JUDGED


@pytest.mark.parametrize("name", JUDGED)
def test_the_answers_as_they_are_give_a_number(library, name):
    assert played(library, name, first_test(library, name)).status == "scored"


def wrong_counts(entries):
    yield "none", []
    yield "one too few", entries[:-1]
    yield "one too many", [*entries, copy.deepcopy(entries[-1])]
    yield "twice as many", [*entries, *copy.deepcopy(entries)]


@pytest.mark.parametrize("which", range(4), ids=["none", "one too few", "one too many", "twice as many"])
@pytest.mark.parametrize("name", COUNTED)
def test_too_few_or_too_many_verdicts_fail_the_record(library, name, which):
    test = first_test(library, name)
    answer = test["answers"]["analyze"]
    _, answer[COUNTED[name]] = list(wrong_counts(answer[COUNTED[name]]))[which]
    result = played(library, name, test)
    assert (result.status, result.score, result.failed_step) == ("failed", None, "generateScore")


def verdict_places(schema, path=()):
    """Where a schema asks for one of several words, or for true or false."""
    if schema.get("type") == "boolean" or "enum" in schema or "pattern" in schema:
        yield path
    for key, part in schema.get("properties", {}).items():
        yield from verdict_places(part, (*path, key))
    if isinstance(schema.get("items"), dict):
        yield from verdict_places(schema["items"], (*path, 0))


def verdicts():
    """(scorer, step, where the verdict stands in the answer)."""
    for name in JUDGED:
        scorer = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
        for step, keys in scorer["steps"].items():
            if "levels" in keys:
                yield name, step, ("label",)
            for path in verdict_places(keys.get("outputSchema", {})):
                yield name, step, path


@pytest.mark.parametrize("word", ["maybe", "", "yes and no", None, 7, ["yes"]], ids=repr)
@pytest.mark.parametrize(("name", "step", "path"), list(verdicts()))
def test_an_unknown_verdict_fails_the_record(library, name, step, path, word):
    test = first_test(library, name)
    place = test["answers"][step]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = word
    result = played(library, name, test)
    assert (result.status, result.score, result.failed_step) == ("failed", None, step)


def test_every_judged_scorer_with_verdicts_has_a_place_for_one():
    assert sorted({name for name, _, _ in verdicts()}) == JUDGED
