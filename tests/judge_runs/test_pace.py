"""How fast a run asks, against the clock; coarse, because machines are busy."""

import pytest

PROFILE = """
[models.paced]
model = "openai/gpt-4o-mini"
%s
"""


@pytest.mark.parametrize(
    ("setting", "count", "least", "most"),
    [
        ("requestsPerMinute = 1200", 20, 0.9, 3.0),  # one each 50 ms
        ("tokensPerMinute = 144000", 20, 0.9, 3.5),  # the server counts 120 tokens each: 50 ms
        ("tokensPerMinute = 1440000", 20, 0.05, 2.0),
        ("maxConcurrency = 1", 20, 0.9, 3.0),  # 50 ms each, one after the other
        ("maxConcurrency = 10", 20, 0.09, 0.8),
        ("", 20, 0.09, 0.8),
    ],
)
def test_a_profile_s_limits_are_kept(serve, score, setting, count, least, most):
    latency = 50 if "Concurrency" in setting or not setting else 0
    scorer = "id: paced\njudge: {model: paced}\nsteps: {generateScore: {prompt: 'rec={{ run.input }} Good?'}}\n"
    with serve(latency_ms=latency) as server:
        score(server, 1, "--no-cache", scorer=scorer, config=PROFILE % "")  # loads the libraries
        ran = score(server, count, "--no-cache", scorer=scorer, config=PROFILE % setting)
    assert ran.exit == 0, ran.err
    assert least <= ran.summary["wallMs"] / 1000 < most
