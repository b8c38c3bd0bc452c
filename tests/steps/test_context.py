import pytest

from scorerkit.model.result import ScorerResult
from scorerkit.model.run import ScorerRun
from scorerkit.steps.context import Context, ResultsView, RunView

RUN = ScorerRun(input=[1], output={"a": {"b": 1}}, ground_truth="g", run_id="r")


def test_the_names_of_templates_are_those_of_files():
    context = Context(RUN, {"p": 1}, None, ScorerResult())
    assert context.names == {"run": RUN.to_json(), "params": {"p": 1}, "results": {}}
    assert set(context.names["run"]) == {
        "input", "output", "groundTruth", "expectedTrajectory", "runId", "requestContext", "metadata",
    }  # fmt: skip


def test_a_view_has_the_names_of_python():
    run = RunView(RUN.to_json())
    assert (run.input, run.ground_truth, run.run_id, run.metadata) == ([1], "g", "r", None)
    results = ResultsView({"preprocessStepResult": 1})
    assert results.preprocess_step_result == 1


@pytest.mark.parametrize(
    ("view", "name", "words"),
    [
        (RunView(RUN.to_json()), "groundTruth", "'groundTruth'; in Python it is 'ground_truth'"),
        (RunView(RUN.to_json()), "answer", "a run has no 'answer'"),
        (ResultsView({}), "preprocess_step_result", "results has no 'preprocess_step_result'"),
        (ResultsView({}), "analyzeStepResult", "in Python it is 'analyze_step_result'"),
    ],
)
def test_a_name_that_is_not_there_is_said_with_its_spelling(view, name, words):
    with pytest.raises(AttributeError, match=words):
        getattr(view, name)


def test_a_view_is_frozen_and_gives_copies():
    run = RunView(RUN.to_json())
    with pytest.raises(AttributeError, match="cannot be changed"):
        run.output = 1
    run.output["a"]["b"] = 2
    run.input.append(2)
    assert RUN.output == {"a": {"b": 1}}
    assert RUN.input == [1]
    assert run.output is run.output


def test_a_view_as_a_mapping_is_a_copy_with_the_keys_of_files():
    copied = RunView(RUN.to_json()).to_dict()
    copied["output"]["a"] = 0
    assert (copied["groundTruth"], RUN.output) == ("g", {"a": {"b": 1}})


def test_a_view_can_be_shown():
    assert "groundTruth" in repr(RunView(RUN.to_json()))
