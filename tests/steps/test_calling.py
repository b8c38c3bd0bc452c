import asyncio
import contextvars
import importlib
import threading

import pytest

from scorerkit.errors import NotScorable, RecordError
from scorerkit.model.result import ScorerResult
from scorerkit.model.run import ScorerRun
from scorerkit.steps.calling import AVAILABLE, Call
from scorerkit.steps.context import Context


def called(function, declared, place="generateScore", *, names=None, **more):
    context = Context(ScorerRun(output=[1]), {"p": [1]}, None, ScorerResult())
    context.names |= names or {}
    return asyncio.run(Call(function, declared, place, **more)(context))


def test_a_function_gets_what_it_declares_and_nothing_else():
    assert called(lambda run, params: [run.output, params], ("run", "params")) == [[1], {"p": [1]}]
    assert called(lambda: 1, ()) == 1


def test_what_the_file_gives_wins_and_is_new_for_every_call():
    given = {"run": "mine", "words": []}
    call = Call(lambda run, words: words.append(run) or words, ("run", "words"), "generateScore", given=given)
    context = Context(ScorerRun(), {}, None, ScorerResult())
    assert [asyncio.run(call(context)) for _ in range(2)] == [["mine"], ["mine"]]
    assert given == {"run": "mine", "words": []}


@pytest.mark.parametrize(
    ("place", "name"),
    [("preprocess", "score"), ("generateScore", "score"), ("prepareRun", "results"), ("generateScore", "judge_output")],
)
def test_an_argument_that_is_not_known_yet_is_not_given(place, name):
    assert name not in AVAILABLE[place]
    assert called(lambda **arguments: sorted(arguments), (name,), place) == []


def test_the_score_and_the_judge_s_answer_are_there_when_they_exist():
    assert called(lambda score: score, ("score",), "generateReason", names={"score": 0.5}) == 0.5
    answer = {"judgeOutput": {"a": 1}, "results": {"analyzeStepResult": [1]}}
    both = called(
        lambda judge_output, analyze_step_result: [judge_output, analyze_step_result],
        ("judge_output", "analyze_step_result"),
        "calculateScore",
        names=answer,
    )
    assert both == [{"a": 1}, [1]]
    assert both[0] is not answer["judgeOutput"]


def test_what_goes_wrong_says_who_what_and_where():
    def scoring():
        raise KeyError("city")

    with pytest.raises(RecordError) as caught:
        called(scoring, (), name="mine.scoring")
    assert caught.value.code == "step-failed"
    assert caught.value.message == "mine.scoring raised KeyError: 'city'"
    assert caught.value.why.startswith("raised in scoring, tests/steps/test_calling.py:")


@pytest.mark.parametrize("file", ["mine/tone.py", "mine/tone/__init__.py"])
def test_the_place_is_the_deepest_line_of_the_authors_package_as_it_is_imported(tmp_path, clean, file):
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("import json\n\n\ndef score(run):\n    return json.loads('x')\n")
    clean.syspath_prepend(tmp_path)
    with pytest.raises(RecordError) as caught:
        called(importlib.import_module("mine.tone").score, ("run",))
    assert caught.value.why == f"raised in score, {file}:5"


@pytest.mark.parametrize("error", [RecordError("bad-score", "x"), NotScorable("x")])
@pytest.mark.parametrize("in_thread", [True, False])
def test_our_own_errors_pass_through(error, in_thread):
    def raising():
        raise error

    with pytest.raises(type(error)) as caught:
        called(raising, (), in_thread=in_thread)
    assert caught.value is error


def test_a_thread_of_its_own_sees_the_context_of_the_caller():
    seen = contextvars.ContextVar("seen", default=0)
    seen.set(7)
    where = called(lambda: [threading.get_ident(), seen.get()], (), in_thread=True)
    assert where[0] != threading.get_ident()
    assert where[1] == 7


def test_an_async_function_stays_in_the_loop_whatever_thread_says():
    async def ident():
        return threading.get_ident()

    assert called(ident, (), in_thread=True) == threading.get_ident()


def test_an_awaitable_that_a_plain_function_returns_is_awaited():
    async def later():
        return 3

    assert called(lambda: (later(),)[0], ()) == 3
