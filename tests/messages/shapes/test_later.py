import pytest

from scorerkit.errors import RecordError
from scorerkit.messages import to_agent_run
from scorerkit.model.run import ScorerRun

SEEN = [
    ({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, "OpenAI Responses items"),
    (
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
        "OpenAI Responses items",
    ),
    (
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]},
        "Anthropic content blocks",
    ),
    (
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "r"}]},
        "Anthropic content blocks",
    ),
    ({"role": "assistant", "content": [{"type": "thinking", "thinking": "h"}]}, "Anthropic content blocks"),
    ({"role": "assistant", "parts": [{"type": "text", "text": "a"}]}, "AI SDK UI messages"),
    ({"role": "assistant", "content": "", "toolInvocations": []}, "AI SDK UI messages"),
    ({"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c"}]}, "AI SDK messages"),
    ({"type": "ai", "content": "a", "tool_calls": []}, "LangChain messages"),
    ({"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": "a"}}, "LangChain messages"),
    ({"role": "assistant", "parts": [{"type": "text", "content": "a"}]}, "OpenTelemetry GenAI messages"),
    ({"role": "assistant", "parts": [{"type": "tool_call", "id": "c", "name": "f"}]}, "OpenTelemetry GenAI messages"),
]


@pytest.mark.parametrize(("message", "name"), SEEN)
def test_a_shape_of_a_later_release_is_named(message, name):
    with pytest.raises(RecordError) as caught:
        to_agent_run(ScorerRun(input="q", output=[{"role": "assistant", "content": "x"}, message]))
    assert (caught.value.code, caught.value.at) == ("type-mismatch", "output[1]")
    assert name in caught.value.message
    assert "not-in-this-release" in caught.value.why
