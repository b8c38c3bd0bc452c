"""How many requests arrive at the server, whatever the fault: counted there, not here."""

import pytest

THREE_STEPS = """
id: judged
judge:
  model: openai/gpt-4o-mini
  errorProcessors: [{use: streamErrorRetry, with: {maxRetries: 2}}]
steps:
  analyze:
    prompt: "rec=1 Find faults. {{ run.output }}"
    outputSchema: {type: object, properties: {score: {type: number}}, required: [score]}
  generateScore:
    prompt: "rec=2 How good is it?"
  generateReason:
    prompt: "rec=3 Why?"
"""


def test_a_step_that_fails_never_repeats_those_before_it(serve, score):
    """The third step always fails: one request for each step before it, three for itself."""
    with serve(faults={"500": 0.0}, clears=False) as server:
        assert score(server, 1, scorer=THREE_STEPS).exit == 0
        assert server.stats()["requests"] == 3
    with serve(faults={"ok": 0.85, "500": 0.15}, clears=False) as server:  # 3 · 617 → 851
        ran = score(server, 1, scorer=THREE_STEPS)
        stats = server.stats()
    assert stats["counts"] == {"ok": 2, "500": 3}
    assert ran.exit == 3
    [result] = ran.results
    assert result["error"]["code"] == "judge-unavailable"
    assert result["failedStep"] == "generateReason"
    assert [len(step["executions"]) for step in result["judge"].values()] == [1, 1, 1]


ONE_STEP = """
id: judged
judge:
  model: openai/gpt-4o-mini
  errorProcessors: [{{use: streamErrorRetry, with: {{maxRetries: {0}}}}}]
  maxProcessorRetries: {1}
  formatRetries: {2}
steps:
  generateScore: {{prompt: "rec=1 How good is it?"}}
"""


@pytest.mark.parametrize(
    ("fault", "most", "cap", "formats", "requests"),
    [
        ("429", 2, 2, 0, 3),
        ("429", 2, 10, 5, 3),
        ("500", 5, 2, 1, 3),
        ("503", 2, 0, 1, 1),
        ("529", 0, 10, 1, 1),
        ("408", 1, 10, 1, 2),
        ("400", 5, 10, 5, 1),
        ("422", 5, 10, 5, 1),
        ("malformed", 5, 10, 0, 1),
        ("malformed", 5, 10, 1, 2),
        ("malformed", 0, 0, 3, 4),
    ],
)
def test_the_budget_is_the_least_of_what_is_set_and_nothing_multiplies(
    serve, score, fault, most, cap, formats, requests
):
    with serve(faults={fault: 1.0}, clears=False) as server:
        ran = score(server, 1, scorer=ONE_STEP.format(most, cap, formats))
        assert server.stats()["requests"] == requests
    assert ran.exit == 3
    assert ran.results[0]["judge"]["generateScore"]["executions"][0]["attemptCount"] == requests


def test_a_key_that_is_refused_is_shown_once_and_to_nobody_else(serve, score):
    """A million records do not send a million 401s: only what was under way already."""
    with serve(faults={"401": 1.0}, clears=False) as server:
        ran = score(server, 200, "-j", "4")
        assert server.stats()["requests"] <= 4
    assert ran.exit == 2, ran.err
    assert "sk-test-000111222" not in ran.err
