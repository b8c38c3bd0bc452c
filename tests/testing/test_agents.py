import pytest

from scorerkit import create_scorer, functions
from scorerkit.testing import agent_run, message, tool_call


def test_a_run_is_made_of_messages_and_calls():
    run = agent_run(
        "Weather in Oslo?",
        [
            message("assistant", None, tool_call("weather", {"city": "Oslo"}, result={"t": 4})),
            message("assistant", "4 °C."),
        ],
        remembered=[message("user", "Hello"), message("assistant", "Hi")],
        system=["Be brief."],
        ground_truth="4",
    )
    assert functions.user_message(run["input"]) == "Weather in Oslo?"
    assert functions.assistant_message(run["output"]) == "4 °C."
    assert functions.system_prompt(run["input"]) == "Be brief."
    [call] = functions.tool_calls(run["output"])
    assert run["ground_truth"] == "4"
    assert "weather" in str(call)


@pytest.mark.parametrize(("state", "key"), [("call", None), ("result", "result"), ("output-error", "errorText")])
def test_a_call_has_the_state_it_is_said_to_have(state, key):
    invocation = tool_call("t", state=state, result="x")["toolInvocation"]
    assert invocation["state"] == state
    assert {"result", "errorText"} & set(invocation) == ({key} if key else set())


def test_a_scorer_takes_it(project):
    scorer = create_scorer(id="s", type="agent").generate_score(expression="run.output | tool_calls | length")
    run = agent_run("q", [message("assistant", "a", tool_call("t", result=1), tool_call("u", state="call"))])
    assert scorer.run_sync(**run).score == 2
