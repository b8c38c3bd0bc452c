import asyncio

import pytest

from scorerkit.errors import RecordError
from scorerkit.model.result import ScorerResult
from scorerkit.model.run import ScorerRun
from scorerkit.steps.calling import Call
from scorerkit.steps.context import Context
from scorerkit.steps.function import FunctionStep

AT = {"path": "s.yaml", "line": 4}


def step(function, name="generateScore", **more):
    return FunctionStep(name, Call(function, (), name, **more), AT)


def execute(function, name="generateScore"):
    return asyncio.run(step(function, name).execute(Context(ScorerRun(), {}, None, ScorerResult())))


def test_the_value_is_converted_by_the_rule_of_its_step():
    assert execute(lambda: True) == 1
    assert execute(lambda: (1, 2), "preprocess") == [1, 2]


def test_a_failure_carries_the_place_of_the_step_unless_it_has_its_own():
    own = RecordError("step-failed", "x", at={"line": 9})

    def with_place():
        raise own

    for function, at in ((lambda: 1 / 0, AT), (with_place, {"line": 9}), (lambda: "text", AT)):
        with pytest.raises(RecordError) as caught:
            execute(function)
        assert caught.value.at == at


def test_only_functions_that_wait_make_several_records_at_a_time_pay():
    async def slow():
        return 1

    assert [step(lambda: 1).waits, step(slow).waits, step(lambda: 1, in_thread=True).waits] == [False, True, True]
