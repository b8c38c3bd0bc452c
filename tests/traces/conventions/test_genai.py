import json

import pytest
from trace_builders import document, otlp

from scorerkit import functions as f
from scorerkit.traces.run import as_agent, as_trajectory

SYSTEM, Q, ANSWER = "Be brief.", "Weather in Oslo?", "It is 4 degrees."
CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}


def event(name, **fields):
    return {
        "name": name,
        "attributes": [
            {"key": key, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}
            for key, value in fields.items()
        ],
    }


def messages(*pairs):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in pairs])


CURRENT = [
    {
        "gen_ai__operation__name": "chat",
        "gen_ai__system_instructions": json.dumps([{"type": "text", "content": SYSTEM}]),
        "gen_ai__input__messages": messages(("user", Q)),
        "gen_ai__output__messages": json.dumps(
            [
                {
                    "role": "assistant",
                    "parts": [{"type": "tool_call", "id": "c1", "name": "weather", "arguments": {"city": "Oslo"}}],
                    "finish_reason": "tool_call",
                }
            ]
        ),
    },
    {"gen_ai__operation__name": "chat", "gen_ai__output__messages": messages(("assistant", ANSWER))},
]
OLDER = [
    [
        event("gen_ai.system.message", content=SYSTEM),
        event("gen_ai.user.message", content=Q),
        event(
            "gen_ai.choice", index="0", finish_reason="tool_calls", message={"role": "assistant", "tool_calls": [CALL]}
        ),
    ],
    [
        event("gen_ai.system.message", content=SYSTEM),
        event("gen_ai.user.message", content=Q),
        event("gen_ai.assistant.message", tool_calls=[CALL]),
        event("gen_ai.tool.message", content="4", id="c1"),
        event("gen_ai.choice", message={"content": ANSWER}),
    ],
]
CONTENT = [
    [
        event(
            "gen_ai.content.prompt",
            **{"gen_ai.prompt": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": Q}]},
        ),
        event(
            "gen_ai.content.completion",
            **{"gen_ai.completion": [{"role": "assistant", "content": None, "tool_calls": [CALL]}]},
        ),
    ],
    [
        event(
            "gen_ai.client.inference.operation.details",
            **{"gen_ai.output.messages": json.loads(messages(("assistant", ANSWER)))},
        )
    ],
]
NUMBERED = [
    {"gen_ai__prompt__0__role": "system", "gen_ai__prompt__0__content": SYSTEM, "gen_ai__prompt__1__role": "user", "gen_ai__prompt__1__content": Q,
     "gen_ai__completion__0__role": "assistant", "gen_ai__completion__0__tool_calls__0__id": "c1", "gen_ai__completion__0__tool_calls__0__name": "weather", "gen_ai__completion__0__tool_calls__0__arguments": '{"city": "Oslo"}'},
    {"gen_ai__completion__0__role": "assistant", "gen_ai__completion__0__content": ANSWER},
]  # fmt: skip
BODIES = [
    [{"name": "gen_ai.user.message", "body": {"content": Q}}, {"name": "gen_ai.system.message", "body": {"content": SYSTEM}},
     {"name": "gen_ai.choice", "body": {"message": {"role": "assistant", "tool_calls": [CALL]}}}],
    [event("gen_ai.choice", **{"gen_ai.event.content": {"message": {"content": ANSWER}}})],
]  # fmt: skip

ROOT = otlp(1, None, 0, gen_ai__operation__name="invoke_agent")
TOOL = otlp(
    3,
    1,
    2,
    gen_ai__operation__name="execute_tool",
    gen_ai__tool__name="weather",
    gen_ai__tool__call__id="c1",
    gen_ai__tool__call__arguments='{"city": "Oslo"}',
    gen_ai__tool__call__result="4",
)
CHAT = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m"}
STYLES = {
    "current": [otlp(2, 1, 1, **CURRENT[0]), TOOL, otlp(4, 1, 3, **CURRENT[1])],
    "older events": [otlp(2, 1, 1, events=OLDER[0], **CHAT), TOOL, otlp(4, 1, 3, events=OLDER[1], **CHAT)],
    "content events": [otlp(2, 1, 1, events=CONTENT[0], **CHAT), TOOL, otlp(4, 1, 3, events=CONTENT[1], **CHAT)],
    "event bodies": [otlp(2, 1, 1, events=BODIES[0], **CHAT), TOOL, otlp(4, 1, 3, events=BODIES[1], **CHAT)],
    "numbered attributes": [otlp(2, 1, 1, **CHAT, **NUMBERED[0]), TOOL, otlp(4, 1, 3, **CHAT, **NUMBERED[1])],
    "without tool spans": [otlp(2, 1, 1, events=OLDER[0], **CHAT), otlp(4, 1, 3, events=OLDER[1], **CHAT)],
}


@pytest.mark.parametrize("style", STYLES)
def test_every_style_tells_the_same(agent, style):
    run = agent("otlp", document(ROOT, *STYLES[style]))
    assert f.user_message(run.input) == Q
    assert run.input["systemMessages"] == [{"role": "system", "content": SYSTEM}]
    assert run.input["rememberedMessages"] == []
    assert f.assistant_message(run.output) == ANSWER
    assert [
        (call["toolName"], call["args"], call["toolCallId"], call["state"]) for call in f.tool_calls(run.output)
    ] == [("weather", {"city": "Oslo"}, "c1", "result")]
    assert [found["result"] for found in f.tool_results(run.output)] == ["4"]


def test_a_call_that_nobody_answered_is_a_call(agent):
    run = agent("otlp", document(ROOT, otlp(2, 1, 1, **CURRENT[0])))
    assert [(call["toolName"], call["state"]) for call in f.tool_calls(run.output)] == [("weather", "call")]


def test_a_span_may_have_one_of_two_calls_by_name(agent):
    twice = json.dumps(
        [
            {
                "role": "assistant",
                "parts": [
                    {"type": "tool_call", "name": "weather", "arguments": {"city": city}} for city in ("Oslo", "Bergen")
                ],
            }
        ]
    )
    asked = otlp(2, 1, 1, **CHAT, gen_ai__input__messages=messages(("user", Q)), gen_ai__output__messages=twice)
    run = agent("otlp", document(ROOT, asked, TOOL))
    assert sorted(call["state"] for call in f.tool_calls(run.output)) == ["call", "result"]


@pytest.mark.parametrize(
    ("attributes", "step"),
    [
        ({"gen_ai__operation__name": "chat", "gen_ai__request__model": "m", "gen_ai__usage__input_tokens": 7, "gen_ai__usage__completion_tokens": 3, "gen_ai__response__finish_reasons": ["stop"]},
         {"name": "m", "stepType": "model_generation", "modelId": "m", "promptTokens": 7, "completionTokens": 3, "finishReason": "stop"}),
        ({"gen_ai__tool__name": "t", "gen_ai__tool__type": "mcp", "mcp__server__name": "files"},
         {"name": "t", "stepType": "mcp_tool_call", "mcpServer": "files", "success": True}),
        ({"gen_ai__operation__name": "invoke_agent", "gen_ai__agent__name": "helper", "gen_ai__agent__id": "h1"},
         {"name": "helper", "stepType": "agent_run", "agentId": "h1"}),
        ({"gen_ai__operation__name": "invoke_workflow"}, {"name": "span", "stepType": "workflow_run"}),
        ({"http__method": "GET"}, None),
    ],
)  # fmt: skip
def test_a_span_is_a_step(told, attributes, step):
    tool = otlp(9, 1, 5, gen_ai__tool__name="last")
    made = told(
        "otlp",
        document(
            otlp(1, None, 0, gen_ai__operation__name="invoke_agent", output="x"), otlp(2, 1, 1, **attributes), tool
        ),
    )
    steps = as_trajectory(made.run).output["steps"]
    expected = [{**step, "durationMs": 500}] if step else []
    assert steps == [*expected, {"name": "last", "stepType": "tool_call", "success": True, "durationMs": 500}]


def test_an_agent_without_models_speaks_for_itself(told):
    root = otlp(
        1,
        None,
        0,
        gen_ai__operation__name="invoke_agent",
        gen_ai__input__messages=messages(("system", SYSTEM), ("user", Q)),
        gen_ai__output__messages=messages(("assistant", ANSWER)),
    )
    run = as_agent(told("otlp", document(root)).run)
    assert (f.user_message(run.input), f.system_prompt(run.input), f.assistant_message(run.output)) == (
        Q,
        SYSTEM,
        ANSWER,
    )
