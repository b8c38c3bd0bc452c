import json

import pytest
from trace_builders import agent_trace, document, otlp

from scorerkit.traces.recognition import frame_of, recognise

DOCUMENT = json.dumps(document(otlp(1), otlp(2, 1)))


@pytest.mark.parametrize(
    ("head", "frame"),
    [
        (b'{"a": 1}\n{"a": 2}\n', "lines"),
        (b'\xef\xbb\xbf\n{"a": 1}\n{"a": 2}', "lines"),
        (b'{"a": 1}\n', "document"),
        (b'{\n "a": 1\n}', "document"),
        (b"PAR1....", "table"),
        (b"PK\x03\x04....", "archive"),
        (b"", "document"),
    ],
)
def test_the_beginning_says_how_values_stand(head, frame):
    assert frame_of(head) == frame


@pytest.mark.parametrize(
    ("head", "wanted", "found"),
    [
        (DOCUMENT, None, ("otlp", "document")),
        (DOCUMENT[:500], None, ("otlp", "document")),
        (DOCUMENT, "openinference", ("openinference", "document")),
        (DOCUMENT, "langfuse", None),
        (f"{DOCUMENT}\n{DOCUMENT}\n", None, ("otlp", "lines")),
        (json.dumps([{"traceId": "t", "spans": agent_trace()}]), None, ("mastra", "document")),
        ('{"input": "q", "output": "a"}\n{"input": "q", "output": "a"}\n', None, None),
        ('[{"input": "q", "output": "a", "spanId": "x"}]', None, None),
        ("[" * 5000, None, None),
        ("PK\x03\x04 samples/1.json", None, ("inspect", "archive")),
        ("PK\x03\x04 word/document.xml", None, None),
        ("", None, None),
        ("text", None, None),
    ],
)
def test_a_file_is_recognised_by_its_beginning(head, wanted, found):
    made = recognise(head.encode(), wanted)
    assert (made and (made.name, made.frame)) == found


def test_a_table_is_recognised_by_its_columns():
    assert recognise(b"PAR1", None, ["context.trace_id", "context.span_id", "name"]).name == "openinference"
    assert recognise(b"PAR1", None, ["input", "output"]) is None
