import asyncio

import pytest

from scorerkit.errors import RecordError
from scorerkit.expression import compile_expression
from scorerkit.model.result import ScorerResult
from scorerkit.model.run import ScorerRun
from scorerkit.steps.context import Context
from scorerkit.steps.expression import ExpressionStep
from scorerkit.template.environment import plain


def execute(source, name, output=None):
    step = ExpressionStep(name, compile_expression(plain(), source), {"line": 2})
    return asyncio.run(step.execute(Context(ScorerRun(output=output), {}, None, ScorerResult())))


def test_a_value_is_converted_by_the_rule_of_its_step():
    assert execute("run.output > 2", "generateScore", 3) == 1
    assert execute("[run.output, 'x']", "preprocess", 3) == [3, "x"]
    assert execute("'so'", "generateReason") == "so"


@pytest.mark.parametrize(
    ("source", "name", "code"),
    [
        ("'1'", "generateScore", "bad-score"),
        ("1", "generateReason", "step-failed"),
        ("run.x", "analyze", "unknown-name"),
    ],
)
def test_a_value_that_does_not_fit_has_a_place(source, name, code):
    with pytest.raises(RecordError) as caught:
        execute(source, name)
    assert caught.value.code == code
    assert caught.value.at["line"] in (1, 2)
