from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorerkit.live.decision import Decision, flattened, rate_of, unit

VECTORS = [json.loads(line) for line in (Path(__file__).parent / "vectors" / "sampling.jsonl").read_text().splitlines()]
SAMPLED = [vector for vector in VECTORS if vector["function"] == "sampled"]
LIVE = {vector["feature"]: vector for vector in VECTORS if vector["function"] == "liveDecision"}


@pytest.mark.parametrize("vector", SAMPLED, ids=lambda vector: vector["id"])
def test_sampling_decides_as_the_reference(vector):
    key = vector["run"]["traceId"]
    assert unit(key) == vector["expected"]["unit"]
    assert Decision(vector["params"]["sampling"]).takes(key) is vector["expected"]["run"]


WITHOUT_FILTER = [name for name in LIVE if not name.startswith(("filter", "invalid-span"))]


@pytest.mark.parametrize("name", WITHOUT_FILTER)
def test_a_live_run_is_taken_as_the_reference_takes_it(name):
    vector = LIVE[name]
    key = vector["run"].get("traceId") or vector["run"]["runId"]
    assert Decision(vector["params"].get("sampling")).takes(key) is vector["expected"]["run"]


@pytest.mark.parametrize("name", ["context-flattened", "context-depth"])
def test_a_request_context_is_flattened_as_the_reference_does(name):
    vector = LIVE[name]
    assert flattened(vector["run"]["requestContext"]) == vector["expected"]["requestContext"]


@pytest.mark.parametrize(
    ("sampling", "rate"),
    [
        (None, 1),
        (0.1, 0.1),
        ({"type": "none"}, 1),
        ({"type": "ratio", "rate": 0.3}, 0.3),
        ({}, 0),
        ("all", 0),
        (True, 0),
        ({"type": "ratio", "rate": True}, 0),
    ],
)
def test_what_is_not_understood_is_never_taken(sampling, rate):
    assert rate_of(sampling) == rate


@pytest.mark.parametrize(
    ("expression", "passes"),
    [
        ("source == 'LIVE'", True),
        ("requestContext.tier == 'pro' and entity.id == 'a'", True),
        ("requestContext['user.id'] == 'u'", True),
        ("requestContext.user.id == 'u'", True),
        ("requestContext.missing == 1", False),
        ("nonsense(", None),
        ("1 / 0", False),
    ],
)
def test_a_filter_is_an_expression_and_skips_when_it_fails(expression, passes):
    context = {"tier": "pro", "user": {"id": "u"}}
    about = {"entity": {"id": "a"}, "source": "LIVE", "requestContext": {**context, **flattened(context)}}
    if passes is None:
        with pytest.raises(Exception, match="unexpected"):
            Decision(filter=expression)
    else:
        assert Decision(filter=expression).passes(about) is passes


def test_the_same_traces_are_taken_by_every_scorer_of_a_rate():
    keys = [f"{number:032x}" for number in range(2000)]
    small, large = Decision(0.2), Decision(0.5)
    taken = {key for key in keys if small.takes(key)}
    assert taken < {key for key in keys if large.takes(key)}
    assert 300 < len(taken) < 500
