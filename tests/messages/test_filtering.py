import json
from copy import deepcopy
from pathlib import Path

import pytest

from scorerkit.messages import filter_run
from scorerkit.model.run import RUN_KEYS, ScorerRun

VECTORS = json.loads((Path(__file__).parent / "vectors/filter-run.json").read_text("utf-8"))
"""Runs by name, and for each set of options the ids of the messages that the reference keeps."""


def a_run(fields):
    return ScorerRun(**{RUN_KEYS[key]: value for key, value in deepcopy(fields).items()})


def ids(messages):
    if not isinstance(messages, list):
        return messages
    return [item["id"] if isinstance(item, dict) and "id" in item else item for item in messages]


def text(identity, role="assistant", **content):
    return {"id": identity, "role": role, "content": {"format": 2, "parts": [{"type": "text", "text": "t"}], **content}}


def tool(name):
    return {"type": "tool-invocation", "toolInvocation": {"state": "result", "toolName": name, "result": 1}}


@pytest.mark.parametrize("vector", [pytest.param(row, id=row["id"]) for row in VECTORS["vectors"]])
def test_a_filter_keeps_what_the_reference_keeps(vector):
    fields = VECTORS["runs"][vector["run"]]
    run, wanted = a_run(fields), vector["keeps"]
    if wanted is None or "error" in wanted:  # a repair: empty lists and negative limits are refused
        with pytest.raises(ValueError, match="must be a"):
            filter_run(run, vector["params"])
        return
    kept = filter_run(run, vector["params"])
    assert ids(kept.output) == wanted["output"]
    if isinstance(kept.input, dict):
        assert ids(kept.input.get("rememberedMessages")) == wanted["rememberedMessages"]
    assert sorted(key for key, value in kept.to_json().items() if value is not None) == wanted["fields"]
    assert run == a_run(fields)


def test_roles_choose_among_remembered_messages_and_output():
    run = ScorerRun(
        input={"inputMessages": [text("q", "user")], "rememberedMessages": [text("a", "user"), text("b")]},
        output=[text("c"), text("d", "user"), "no role"],
    )
    kept = filter_run(run, {"roles": ["assistant"]})
    assert ids(kept.input["rememberedMessages"]) == ["b"]
    assert ids(kept.input["inputMessages"]) == ["q"]
    assert ids(kept.output) == ["c", "no role"]


@pytest.mark.parametrize(("limit", "kept"), [(0, []), (1, ["b"]), (2, ["a", "b"]), (9, ["a", "b"])])
def test_the_last_input_messages_are_kept(limit, kept):
    run = ScorerRun(input={"inputMessages": [text("a", "user"), text("b", "user")]})
    assert ids(filter_run(run, {"maxInputMessages": limit}).input["inputMessages"]) == kept


@pytest.mark.parametrize(
    ("options", "types"),
    [
        ({"partTypes": ["tool"]}, ["tool-invocation", "tool-invocation"]),
        ({"partTypes": ["text", "rea"]}, ["text", "reasoning"]),
        ({"toolNames": ["search"]}, ["text", "tool-invocation", "reasoning"]),
        ({"partTypes": ["tool"], "toolNames": ["search"]}, ["tool-invocation"]),
        ({"roles": ["assistant"]}, ["text", "tool-invocation", "tool-invocation", "reasoning"]),
    ],
)
def test_keep_parts_leaves_only_the_parts_that_match(options, types):
    message = text("m")
    message["content"]["parts"] += [tool("search"), tool("weather"), {"type": "reasoning", "reasoning": "r"}]
    run = ScorerRun(output=[message])
    before = deepcopy(message)
    [kept] = filter_run(run, {**options, "keep": "parts"}).output
    assert [part["type"] for part in kept["content"]["parts"]] == types
    assert run.output == [before]


def test_keep_parts_leaves_no_flat_repetition_of_a_part_that_went():
    message = text("m", content="t", reasoning="r", toolInvocations=[{"toolName": "search"}, {"toolName": "weather"}])
    message["content"]["parts"] += [tool("search"), tool("weather")]
    [kept] = filter_run(
        ScorerRun(output=[message]), {"partTypes": ["tool"], "toolNames": ["search"], "keep": "parts"}
    ).output
    assert kept["content"] == {"format": 2, "parts": [tool("search")], "toolInvocations": [{"toolName": "search"}]}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"maxOutput": 1}, "there is no filter 'maxOutput'"),
        ({"roles": []}, "'roles' must be a list of texts"),
        ({"partTypes": "text"}, "'partTypes' must be a list of texts"),
        ({"toolNames": [1]}, "'toolNames' must be a list of texts"),
        ({"maxInputMessages": -1}, "whole number"),
        ({"maxOutputMessages": True}, "whole number"),
        ({"maxRememberedMessages": 1.5}, "whole number"),
        ({"keep": "all"}, "'keep' must be"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        filter_run(ScorerRun(output=[]), options)
