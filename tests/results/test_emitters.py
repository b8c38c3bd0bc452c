"""Scores that go back to where their traces are: OTLP in files and to a collector, read by OpenTelemetry's own types."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from scorerkit.main import run as main
from scorerkit.results.emitters import open_emitter

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def records_of(request):
    """The log records of a request, by OpenTelemetry's own reader; OTLP writes ids in hex where protobuf has base64."""

    def protobuf(value):
        if isinstance(value, dict):
            return {
                key: base64.b64encode(bytes.fromhex(item)).decode() if key in ("traceId", "spanId") else protobuf(item)
                for key, item in value.items()
            }
        return [protobuf(item) for item in value] if isinstance(value, list) else value

    parsed = Parse(json.dumps(protobuf(json.loads(request))), ExportLogsServiceRequest())
    return [
        record for resource in parsed.resource_logs for scope in resource.scope_logs for record in scope.log_records
    ]


def attributes_of(record):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in record.attributes}


class Collector(ThreadingHTTPServer):
    """Takes requests; answers the given status codes first, and 200 from then on."""

    def __init__(self, *codes, body=b"{}"):
        self.codes, self.body, self.requests, self.headers = list(codes), body, [], []
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def events(self):
        return [record for _, request in self.requests for record in records_of(request)]


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = self.rfile.read(int(self.headers["Content-Length"]))
        code = self.server.codes.pop(0) if self.server.codes else 200
        if code == 200:
            self.server.requests.append((self.path, request))
            self.server.headers.append(dict(self.headers))
        self.send_response(code)
        self.send_header("Content-Length", str(len(self.server.body)))
        if code in (429, 503):
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_):
        pass


@pytest.fixture
def scored(project, write, capsys):
    """Words of ``run`` → its exit code and what it said; the second record fails, the third belongs to no trace."""
    write("s.yaml", """
        id: length
        description: How long the answer is.
        ignore: [no-tests]
        threshold: 2
        steps: {generateScore: {expression: run.output | length}, generateReason: {expression: "'it is ' ~ results.generateScoreStepResult"}}
        """)  # fmt: skip
    ids = {"traceId": TRACE, "spanId": SPAN}
    write("runs.jsonl", [
        {"runId": "a", "output": "abc", "metadata": ids}, {"runId": "b", "output": 5, "metadata": ids},
        {"runId": "c", "output": "d", "metadata": {"traceId": "not hex"}},
    ])  # fmt: skip

    def called(*words):
        code = main(["run", "s.yaml", "--data", "runs.jsonl", "--max-errors", "1", *words])
        return code, capsys.readouterr().err

    return called


def check(events):
    first, second, third = events
    assert {event.event_name for event in events} == {"gen_ai.evaluation.result"}
    assert (first.trace_id.hex(), first.span_id.hex()) == (TRACE, SPAN)
    assert (third.trace_id, third.span_id) == (b"", b"")
    assert first.time_unix_nano > 1_700_000_000 * 10**9
    attributes = attributes_of(first)
    assert attributes.pop("scorerkit.experiment.id")
    assert len(attributes.pop("scorerkit.scorer.digest")) == 64
    assert attributes == {
        "gen_ai.evaluation.name": "length",
        "gen_ai.evaluation.score.value": 3.0,
        "gen_ai.evaluation.score.label": "pass",
        "gen_ai.evaluation.explanation": "it is 3",
        "scorerkit.run.id": "a",
    }
    failed = attributes_of(second)
    assert failed["error.type"] == "step-failed"
    assert failed["gen_ai.evaluation.score.label"] == "failed"
    assert "gen_ai.evaluation.score.value" not in failed
    assert attributes_of(third)["gen_ai.evaluation.score.label"] == "fail"


def test_a_file_holds_events_tied_to_their_spans(scored, project):
    code, err = scored("--emit", "otlp:scores.jsonl", "--output", "out.jsonl", "--exclude", "metadata")
    assert code == 0, err
    (line,) = (project / "scores.jsonl").read_text().splitlines()
    check(records_of(line))


def test_a_collector_is_sent_them_once_all_are_there(scored, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20secret,x-tenant=t")
    with Collector() as collector:
        code, err = scored("--emit", f"otlp:{collector.url}")
        assert code == 0, err
        check(collector.events())
        (headers,) = collector.headers
    assert [path for path, _ in collector.requests] == ["/v1/logs"]
    assert (headers["x-key"], headers["x-tenant"], headers["Content-Type"]) == ("a secret", "t", "application/json")


def test_a_path_that_is_given_is_kept():
    with Collector() as collector:
        emitter = open_emitter(f"otlp:{collector.url}/own/path")
        for number in range(1025):
            emitter.write(json.dumps(
                {"runId": str(number), "experimentId": "e", "status": "scored", "score": 1, "scorer": {"id": "s"}}
            ).encode())  # fmt: skip
        assert collector.requests == []
        emitter.finish()
        assert [path for path, _ in collector.requests] == ["/own/path"] * 3
        assert [attributes_of(event)["scorerkit.run.id"] for event in collector.events()] == [
            str(n) for n in range(1025)
        ]


def test_a_busy_collector_is_asked_again(scored):
    with Collector(429, 503) as collector:
        code, err = scored("--emit", f"otlp:{collector.url}")
        assert code == 0, err
        assert len(collector.events()) == 3


@pytest.mark.parametrize(
    ("collector", "why"),
    [
        (Collector(401), "it answers 401"),
        (Collector(302), "it answers 302"),
        (Collector(body=b'{"partialSuccess": {"rejectedLogRecords": "2"}}'), "it refuses 2 of them"),
    ],
)
def test_what_is_refused_is_told_with_a_way_to_send_it_again(scored, project, collector, why, capsys):
    with collector:
        code, err = scored("--emit", f"otlp:{collector.url}", "--output", "out.jsonl")
        assert code == 3
        assert f"not all events could be sent to {collector.url}: {why}" in err
        again = err.rpartition("try again: scorerkit ")[2].split()
        assert (project / "out.jsonl").read_text().count("\n") == 3
        collector.body, collector.requests = b"{}", []
        assert main(again) == 0
        check(collector.events())


@pytest.mark.slow
def test_nobody_at_the_address(scored):
    with Collector() as collector:
        pass
    code, err = scored("--emit", f"otlp:{collector.url}")
    assert code == 3
    assert "it could not be reached" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("jaeger:x", "does not know 'jaeger:x'"),
        ("otlp:", "does not know 'otlp:'"),
        ("otlp:ftp://x", "no address"),
        ("otlp:http://me:secret@127.0.0.1:1", "holds a user or a password"),
        ("otlp:nowhere/scores.jsonl", "there is no folder"),
    ],
)
def test_a_target_that_is_none_is_refused_before_anything_is_scored(scored, project, target, said):
    code, err = scored("--emit", target, "--output", "out.jsonl")
    assert code == 2
    assert said in err
    assert "secret" not in err
    assert not (project / "out.jsonl").exists()


def test_no_file_is_written_over(scored):
    code, err = scored("--emit", "otlp:runs.jsonl")
    assert code == 2
    assert "named twice" in err


def test_a_run_that_is_given_up_sends_nothing():
    with Collector() as collector:
        emitter = open_emitter(f"otlp:{collector.url}")
        emitter.write(b'{"runId": "a", "experimentId": "e", "status": "scored", "score": 1, "scorer": {"id": "s"}}')
        emitter.abort()
        assert collector.requests == []


def test_export_needs_to_be_told_where_to(scored, capsys):
    assert scored()[0] == 0
    assert main(["export", "latest"]) == 2
    assert "--emit" in capsys.readouterr().err
