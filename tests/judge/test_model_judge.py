import asyncio
import json
import subprocess
import sys

import pytest
from judge_loopback import Loopback, say

from scorerkit.errors import MissingKey, ScorerkitError
from scorerkit.judge import default_error_processors, open_judge, score_format
from scorerkit.model.judge import JudgeConfig, JudgeError, Question, Target

SCORE = score_format(0, 1)


def question(url, run_id="r1", prompt="Grade it."):
    config = JudgeConfig(Target("openai", "judge-1", base_url=url), error_processors=default_error_processors())
    return Question(run_id, "generateScore", prompt, config, "You grade.", SCORE)


def answers(questions, **how):
    async def main():
        judge = open_judge(**how)
        try:
            return [await judge.ask(item) for item in questions]
        finally:
            await judge.close()

    return asyncio.run(main())


def test_a_recorded_run_is_replayed_without_key_network_or_difference(tmp_path, monkeypatch):
    path = tmp_path / "rec.jsonl"
    with Loopback(say("none"), say('{"score": 0.5}'), say('{"score": 0.25}')) as server:
        live = answers([question(server.url, "r1"), question(server.url, "r2", "Another.")], record=path)
        assert len(server.requests) == 3
    monkeypatch.delenv("OPENAI_API_KEY")
    replayed = answers([question("http://127.0.0.1:1/v1", "r1"), question(None, "r2", "Another.")], replay=[path])
    assert [a.value for a in replayed] == [a.value for a in live] == [{"score": 0.5}, {"score": 0.25}]
    assert [a.execution["attemptCount"] for a in replayed] == [2, 1]
    assert {a.execution["recorded"] for a in replayed} == {"replay"}
    assert "recorded" not in live[0].execution
    assert replayed[0].execution["usage"] == live[0].execution["usage"]
    assert "sk-test-000" not in path.read_text()


def test_what_was_not_recorded_fails_the_record_or_is_asked(tmp_path):
    path = tmp_path / "rec.jsonl"
    path.write_text('{"scorerkit": "recordings", "version": 1, "match": "request"}\n')
    with Loopback(say('{"score": 1}')) as server:
        with pytest.raises(JudgeError) as caught:
            answers([question(server.url)], replay=[path])
        assert (caught.value.code, caught.value.execution) == ("not-recorded", None)
        assert server.requests == []
        (answer,) = answers([question(server.url)], replay=[path], replay_missing="live")
        assert "recorded" not in answer.execution
        assert len(server.requests) == 1


def external(tmp_path, *lines):
    path = tmp_path / "external.jsonl"
    header = {"scorerkit": "recordings", "version": 1, "match": "record", "source": "a published evaluation"}
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *lines)))
    return path


def test_answers_from_elsewhere_say_so_and_name_no_judge(tmp_path):
    path = external(tmp_path, {"runId": "r1", "step": "generateScore", "answer": 'so: {"score": 0.7}'})
    (answer,) = answers([question(None)], replay=[path])
    assert answer.value == {"score": 0.7}
    assert (answer.execution["recorded"], answer.execution["source"]) == ("external", "a published evaluation")
    assert "judgeModelId" not in answer.execution


def test_answers_from_elsewhere_get_no_format_attempts(tmp_path):
    path = external(tmp_path, {"runId": "r1", "step": "generateScore", "answer": "no json"})
    with pytest.raises(JudgeError) as caught:
        answers([question(None)], replay=[path])
    assert (caught.value.code, caught.value.execution["attemptCount"]) == ("unusable-answer", 1)


def test_a_recording_that_cannot_be_used_is_an_error_when_it_is_opened(tmp_path):
    with pytest.raises(ScorerkitError, match="cannot be read"):
        open_judge(replay=[tmp_path / "none.jsonl"])


def test_keys_are_required_before_the_first_record_unless_all_is_replayed(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    configs = [question(None).config]
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        open_judge().require_keys(configs)
    open_judge().require_keys([])
    path = external(tmp_path)
    open_judge(replay=[path]).require_keys(configs)


def test_clients_can_be_built_ahead():
    async def main(url):
        judge = open_judge()
        await judge.prepare([question(url).config])
        answer = await judge.ask(question(url))
        await judge.close()
        return answer.value, judge.hide("key sk-test-000")

    with Loopback(say('{"score": 1}')) as server:
        assert asyncio.run(main(server.url)) == ({"score": 1}, "key [secret]")


def test_importing_the_package_loads_no_provider_library():
    code = """
import sys, scorerkit.judge
from scorerkit.judge import schema_format, open_judge
schema_format("a", {"type": "object"}); open_judge()
print([name for name in ("instructor", "openai", "pydantic", "re2", "aiohttp") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
