from scorerkit.check import in_order
from scorerkit.model.problem import Place, Problem


def test_problems_are_in_reading_order_and_each_once():
    one, two, three = (
        Problem("b", "a", Place(2, 1), "x"),
        Problem("a", "a", Place(1, 9), "x"),
        Problem("a", "a", Place(1, 2), "x"),
    )
    assert in_order([one, two, three, one]) == [three, two, one]


def test_later_checks_wait_until_the_shape_is_right(problems):
    text = "id: x\ntags: 3\nsteps: {generateScore: {expression: run.outptu}}\n"
    assert [each.code for each in problems(text)] == ["wrong-type"]


def test_names_wait_until_the_schemas_are_right(problems):
    text = "id: x\ntype: {output: {typ: string}}\nsteps: {generateScore: {expression: run.outptu}}\n"
    assert [each.code for each in problems(text)] == ["bad-output-schema"]


def test_everything_else_is_said_in_one_go(problems):
    text = (
        "id: x\nrange: {min: 2, max: 1}\njudge: {model: gpt}\nsteps:\n  preprocess: {function: m.f}\n"
        "  generateScore: {expression: run.outptu}\n"
    )
    assert [each.code for each in problems(text)] == [
        "out-of-range",
        "unknown-value",
        "unresolved-function",
        "unknown-name",
    ]
