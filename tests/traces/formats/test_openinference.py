import pytest

from scorerkit import functions as f
from scorerkit.traces.formats import openinference as form
from scorerkit.traces.run import as_trajectory


def span(own, parent, kind, start, **attributes):
    return {
        "name": f"{kind} span",
        "context": {"trace_id": f"{1:032x}", "span_id": f"{own:016x}"},
        "parent_id": parent and f"{parent:016x}",
        "span_kind": kind,
        "start_time": f"2026-01-01T00:00:0{start}Z",
        "end_time": f"2026-01-01T00:00:0{start}.500Z",
        "status_code": "OK",
        "status_message": "",
        "attributes": {key.replace("__", "."): value for key, value in attributes.items()},
        "events": [],
    }


TOLD = {
    "llm__input_messages__0__message__role": "system",
    "llm__input_messages__0__message__content": "Be brief.",
    "llm__input_messages__1__message__role": "user",
    "llm__input_messages__1__message__contents__0__message_content__type": "text",
    "llm__input_messages__1__message__contents__0__message_content__text": "Weather?",
}
ASKED = {
    "llm__output_messages__0__message__role": "model",
    "llm__output_messages__0__message__tool_calls__0__tool_call__id": "c",
    "llm__output_messages__0__message__tool_calls__0__tool_call__function__name": "search",
    "llm__output_messages__0__message__tool_calls__0__tool_call__function__arguments": '{"q": 1}',
}
SAID = {"llm__output_messages__0__message__role": "assistant", "llm__output_messages__0__message__content": "Sunny."}
SPANS = [
    span(1, None, "AGENT", 0, agent__name="helper"),
    span(
        2,
        1,
        "LLM",
        1,
        llm__model_name="m",
        llm__token_count__prompt="7",
        llm__token_count__completion=2,
        **TOLD,
        **ASKED,
    ),
    span(
        3,
        1,
        "TOOL",
        2,
        tool__name="search",
        input__value='{"q": 1}',
        output__value="[1]",
        session__id="s",
        user__id="u",
    ),
    span(4, 1, "LLM", 3, llm__model_name="m", **TOLD, **SAID),
    span(5, 1, "CHAIN", 4),
]


def nested(attributes):
    made = {}
    for key, value in attributes.items():
        holder = made
        *way, last = key.split(".")
        for step in way:
            holder = holder.setdefault(step, {})
        holder[last] = value
    return made


LISTED = {
    "llm.input_messages": [
        {"message.role": "system", "message.content": "Be brief."},
        {"message": {"role": "user", "content": "Weather?"}},
    ]
}
ROWS = [
    {
        **{key: value for key, value in each.items() if key not in {"context", "attributes"}},
        **{f"context.{key}": value for key, value in each["context"].items()},
        **{f"attributes.{key}": value for key, value in each["attributes"].items()},
        "attributes.nothing": None,
    }
    for each in SPANS
]
LAYOUTS = {
    "flat": SPANS,
    "nested": [{**each, "attributes": nested(each["attributes"])} for each in SPANS],
    "lists": [{**each, "attributes": {**{k: v for k, v in each["attributes"].items() if "input_messages" not in k}, **(LISTED if each["span_kind"] == "LLM" else {})}} for each in SPANS],
    "rows": ROWS,
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_tells_the_same(told, agent, layout):
    value = LAYOUTS[layout]
    run = agent("openinference", value)
    assert (f.user_message(run.input), f.system_prompt(run.input)) == ("Weather?", "Be brief.")
    assert f.assistant_message(run.output) == "Sunny."
    assert [(call["toolName"], call["args"], call["state"]) for call in f.tool_calls(run.output)] == [
        ("search", {"q": 1}, "result")
    ]
    assert (run.metadata["sessionId"], run.metadata["userId"]) == ("s", "u")
    steps = as_trajectory(told("openinference", value).run).output["steps"]
    assert [(step["stepType"], step["name"]) for step in steps] == [
        ("model_generation", "m"), ("tool_call", "search"), ("model_generation", "m"),
    ]  # fmt: skip
    assert (steps[0]["promptTokens"], steps[0]["completionTokens"]) == (7, 2)


@pytest.mark.parametrize(
    ("head", "prefix"),
    [
        (SPANS, "item"),
        (SPANS[0], ""),
        (ROWS, "item"),
        ({"data": SPANS}, "data.item"),
        ([{"a": 1}], None),
        ([], None),
        ({"data": [1]}, None),
    ],
)
def test_an_export_is_recognised_by_what_it_holds(head, prefix):
    assert form.prefix(head) == prefix


def test_arguments_may_stand_beside_the_tool(agent):
    tool = span(
        3,
        1,
        "TOOL",
        2,
        gen_ai__tool__name="search",
        gen_ai__tool__call__id="x",
        tool_call__function__arguments='{"q": 2}',
        output__value="1",
    )
    [call] = f.tool_calls(agent("openinference", [SPANS[0], SPANS[3], tool]).output)
    assert (call["toolName"], call["toolCallId"], call["args"]) == ("search", "x", {"q": 2})
