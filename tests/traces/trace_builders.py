"""Spans written for these tests, in the layouts of their formats."""


def mastra(own, parent=None, kind="agent_run", start=0, **more):
    span = {
        "traceId": "t",
        "spanId": own,
        "parentSpanId": parent,
        "spanType": kind,
        "name": kind,
        "startedAt": f"2026-01-01T00:00:{start:02d}.000Z",
        "endedAt": f"2026-01-01T00:00:{start + 1:02d}.000Z",
    }
    return {**span, **more}


def agent_trace(*more, question="Plan a trip", answer="Booked.", trace="t", **root):
    spans = [
        mastra("root", input=question, output={"text": answer}, **root),
        mastra(
            "model",
            "root",
            "model_generation",
            1,
            input={"messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": question}]},
            output={"text": answer},
        ),
        *more,
    ]
    return [{**span, "traceId": trace} for span in spans]


def otlp(own, parent=None, start=0, trace=1, name="span", status=None, events=(), **attributes):
    """A span with hexadecimal ids made of small numbers; in attribute names two underscores stand for a dot."""
    span = {
        "traceId": f"{trace:032x}",
        "spanId": f"{own:016x}",
        "name": name,
        "kind": 1,
        "startTimeUnixNano": str(1_760_000_000_000_000_000 + start * 1_000_000_000),
        "endTimeUnixNano": str(1_760_000_000_500_000_000 + start * 1_000_000_000),
        "attributes": [{"key": key.replace("__", "."), "value": value_of(value)} for key, value in attributes.items()],
    }
    if parent is not None:
        span["parentSpanId"] = f"{parent:016x}"
    if status is not None:
        span["status"] = status
    if events:
        span["events"] = list(events)
    return span


def value_of(value):
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [value_of(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": value_of(item)} for key, item in value.items()]}}
    return {"stringValue": value}


def document(*spans):
    return {
        "resourceSpans": [
            {"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "s"}, "spans": list(spans)}]}
        ]
    }
