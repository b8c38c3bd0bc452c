import pytest

from scorerkit import load_scorer
from scorerkit.build.records import changed, where_of
from scorerkit.errors import NotScorable, RecordError
from scorerkit.expression import compile_expression
from scorerkit.model.run import ScorerRun
from scorerkit.steps.context import RunView
from scorerkit.template.environment import plain

RUN = ScorerRun(input="q", output="a", run_id="r")


@pytest.mark.parametrize(
    ("given", "run"),
    [
        ({}, RUN),
        ({"output": (1, 2)}, RUN._replace(output=[1, 2])),
        ({"groundTruth": 1}, RUN._replace(ground_truth=1)),
        ({"ground_truth": 1}, RUN._replace(ground_truth=1)),
        ({"runId": "x", "run_id": "y"}, RUN),
        (RUN._replace(output=3), RUN._replace(output=3)),
        (RunView(RUN._replace(output=4).to_json()), RUN._replace(output=4)),
    ],
)
def test_what_prepare_run_gives_is_a_run_or_changed_fields(given, run):
    assert changed(RUN, given) == run


@pytest.mark.parametrize(
    ("given", "words"),
    [(None, "null"), ("x", "text"), ([], "a list"), ({"outptu": 1}, "outptu"), ({"output": b""}, "bytes")],
)
def test_anything_else_is_step_failed(given, words):
    with pytest.raises(RecordError, match=words) as caught:
        changed(RUN, given)
    assert caught.value.code == "step-failed"


def test_a_verdict_is_raised():
    with pytest.raises(NotScorable):
        changed(RUN, NotScorable("x"))


def test_a_filter_of_rows_sees_row_and_run():
    where = where_of(compile_expression(plain(), "row.lang == 'ja' and run.output").evaluate)
    assert [where({"lang": "ja"}, {"output": x}) for x in (1, 0)] == [True, False]
    with pytest.raises(RecordError, match="not_scorable"):
        where_of(compile_expression(plain(), "not_scorable('x')").evaluate)({}, {})


@pytest.fixture
def plan(write):
    return lambda text: load_scorer(write("sub/s.yaml", text)).plan


STEPS = "steps: {preprocess: {expression: '1'}, analyze: {expression: '1'}, generateScore: {expression: '1'}}\n"


@pytest.mark.parametrize(
    ("when", "after"),
    [
        ("not run.output", None),
        ("true", None),
        ("params.p > 1", None),
        ("results.preprocessStepResult", "preprocess"),
        ("results['preprocessStepResult']", "preprocess"),
        ("results.analyzeStepResult", "analyze"),
        ("results.preprocessStepResult and results.analyzeStepResult", "analyze"),
        ("results.preprocessStepResult | map(attribute='x') | list", "preprocess"),
    ],
)
def test_an_entry_is_evaluated_when_its_names_exist(plan, when, after):
    text = f'id: s\nparams: {{p: {{default: 1}}}}\nnotScorable: [{{when: "{when}", reason: r}}]\n{STEPS}'
    assert [guard.after for guard in plan(text).guards] == [after]


def test_data_is_found_beside_the_scorer(plan, write):
    write("sub/runs.csv", "runId,output\nr,1\n")
    text = (
        "id: s\ndata: {file: runs.csv, limit: 3, map: {input: q, metadata: {json: m}, output: {expression: row.a}}}\n"
    )
    data = plan(text + STEPS).data
    assert data.file.endswith("sub/runs.csv")
    assert data.shown.endswith("sub/runs.csv")
    assert (data.limit, data.mapping["input"], data.mapping["metadata"]) == (3, ("path", "q"), ("json", "m"))
    assert data.mapping["output"]({"a": 5}) == 5


@pytest.mark.parametrize(
    ("type_", "field", "good", "bad", "place"),
    [
        ("{output: {type: string}}", "output", "x", 1, "output"),
        ("{input: {properties: {q: {type: string}}}}", "input", {"q": "x"}, {"q": 1}, "input.q"),
        ("{groundTruth: {items: {type: integer}}}", "ground_truth", [1], [1, "x"], "groundTruth.1"),
        ("{output: {type: string, format: date}}", "output", "2026-01-01", "soon", "output"),
    ],
)
def test_a_record_is_held_against_the_type(plan, type_, field, good, bad, place):
    validate = plan(f"id: s\ntype: {type_}\n{STEPS}").validate
    validate(ScorerRun()._replace(**{field: good}))
    with pytest.raises(RecordError) as caught:
        validate(ScorerRun()._replace(**{field: bad}))
    assert (caught.value.code, caught.value.at) == ("type-mismatch", {"field": place})
