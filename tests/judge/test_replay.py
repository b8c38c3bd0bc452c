import asyncio
import json

import pytest

from scorerkit.errors import ScorerkitError
from scorerkit.judge.recording import Recordings
from scorerkit.judge.replay import RecordingTransport, ReplayTransport
from scorerkit.judge.secrets import Redactor
from scorerkit.judge.transport import Reply, Request
from scorerkit.model.judge import JudgeError, Message, Target


class Echo:
    closed = False

    async def send(self, request):
        return Reply(f"answer to {request.messages[-1].content}", "stop", model="m-1")

    async def close(self):
        self.closed = True


def request(run_id="r1", text="q", step="generateScore"):
    return Request(Target("openai", "m"), (Message("user", text),), None, False, {}, run_id, step, 0)


def record(path, *requests, redactor=None, inner=None):
    async def main():
        transport = RecordingTransport(inner or Echo(), path, redactor or Redactor())
        for item in requests:
            await transport.send(item)
        await transport.close()

    asyncio.run(main())
    return path.read_text().splitlines()


def test_what_was_recorded_is_replayed(tmp_path):
    path = tmp_path / "rec.jsonl"
    record(path, request("r2"), request("r1", "p"))
    replay = ReplayTransport(Recordings.load([path]))
    reply = asyncio.run(replay.send(request("r1", "p")))
    assert (reply.text, reply.recorded, reply.model) == ("answer to p", "replay", "m-1")
    asyncio.run(replay.close())


def test_a_recording_is_the_same_whatever_the_order_of_asking(tmp_path):
    asked = [request("r2"), request("r1"), request("r1", step="analyze")]
    lines = record(tmp_path / "a.jsonl", *asked)
    assert lines == record(tmp_path / "b.jsonl", *reversed(asked))
    assert [(row["runId"], row["step"]) for row in map(json.loads, lines[1:])] == [
        ("r1", "analyze"),
        ("r1", "generateScore"),
        ("r2", "generateScore"),
    ]
    assert not list(tmp_path.glob("*.partial"))


def test_recording_again_keeps_what_was_there_and_changes_nothing(tmp_path):
    path = tmp_path / "rec.jsonl"
    first = record(path, request("r1"))
    both = record(path, request("r2"))
    assert both[: len(first)] == first
    assert record(path, request("r1"), request("r2")) == both


def test_no_secret_is_recorded(tmp_path):
    redactor = Redactor()
    redactor.learn('sk-"secret"')
    lines = record(tmp_path / "rec.jsonl", request(text='my sk-"secret" is'), redactor=redactor)
    assert "secret\\" not in lines[1]
    assert "my [secret] is" in lines[1]


def test_an_answer_from_elsewhere_is_not_recorded_as_one_to_this_prompt(tmp_path):
    class External(Echo):
        async def send(self, request):
            return Reply("a", recorded="external")

    assert len(record(tmp_path / "rec.jsonl", request(), inner=External())) == 1


def test_recording_into_something_else_is_refused_before_anything_is_asked(tmp_path):
    path = tmp_path / "rec.jsonl"
    path.write_text('{"scorerkit": "recordings", "version": 1, "match": "record"}\n')
    with pytest.raises(ScorerkitError, match="match: record"):
        RecordingTransport(Echo(), path, Redactor())
    with pytest.raises(ScorerkitError, match="does not exist"):
        RecordingTransport(Echo(), tmp_path / "no" / "rec.jsonl", Redactor())


def test_the_inner_transport_is_closed_even_if_writing_fails(tmp_path):
    inner = Echo()
    transport = RecordingTransport(inner, tmp_path / "rec.jsonl", Redactor())
    (tmp_path / "rec.jsonl").mkdir()
    with pytest.raises(OSError, match=r"\S"):
        asyncio.run(transport.close())
    assert inner.closed


def test_a_missing_request_names_record_and_step_and_shows_the_prompt():
    replay = ReplayTransport(Recordings())
    with pytest.raises(JudgeError) as caught:
        asyncio.run(replay.send(request("r9", "x" * 5000)))
    error = caught.value
    assert error.code == "not-recorded"
    assert "generateScore" in error.message
    assert "'r9'" in error.message
    assert "x" * 2000 in error.why
    assert len(error.why) < 2100
    assert not error.fatal


def test_a_missing_request_may_be_asked_instead():
    inner = Echo()
    replay = ReplayTransport(Recordings(), inner)
    assert asyncio.run(replay.send(request())).recorded is None
    asyncio.run(replay.close())
    assert inner.closed
