import json

import pytest

SCORER = """
    id: tone
    description: How polite it is.
    version: "2"
    tags: ["Über-Tag", "two words", no]
    threshold: 0.5
    params: {weight: {type: number, default: 0.5}, must: {type: string}}
    judge: {model: mine, instructions: "Line one\\nline two", modelSettings: {temperature: 0}}
    data: runs.jsonl
    steps:
      preprocess: {expression: "run.output | upper"}
      analyze:
        prompt: "First {{ results.preprocessStepResult }} {{ params.weight }}"
        outputSchema: {type: object, properties: {n: {type: integer}}, required: [n]}
        judge: {formatRetries: 3}
      generateScore: {expression: results.analyzeStepResult.n}
      generateReason: {prompt: "Second {{ score }}", when: score < 1}
"""
PROJECT = """
    [judge]
    maxProcessorRetries = 4
    [models.mine]
    model = "openai/qwen3"
    baseUrl = "https://user:pa55word@host.example:8443/v1?key=sk-query-secret"
    apiKeyEnv = "TEAM_KEY"
    headersEnv = {X-Team = "TEAM_TOKEN"}
"""


@pytest.fixture
def shown(run, write, clean):
    write("scorerkit.toml", PROJECT)
    write("tone.yaml", SCORER)
    write("runs.jsonl", [{"runId": "a", "output": "x"}, {"runId": "b", "output": "y"}])
    clean.setenv("TEAM_KEY", "sk-team-key-111")
    clean.setenv("TEAM_TOKEN", "team-token-777")
    return lambda *words: run("show", "tone.yaml", "-p", "must=x", *words)


def lines(done):
    return [" ".join(line.split()) for line in done.out.splitlines()]


def test_every_value_has_its_origin(shown):
    said = lines(shown())
    for line in (
        "tone tone.yaml",
        "version 2",
        "threshold 0.5",
        "param weight = 0.5 (default)",
        "param must = x (-p)",
        "judge of analyze",
        "model mine (tone.yaml:7)",
        "instructions Line one … (2 lines) (tone.yaml:7)",
        'modelSettings {"temperature": 0} (tone.yaml:7)',
        "formatRetries 3 (tone.yaml:14)",
        "formatRetries 1 (default)",
        "maxProcessorRetries 4 (scorerkit.toml)",
        "goes to openai/qwen3 (scorerkit.toml)",
        "key from TEAM_KEY (scorerkit.toml)",
        "header X-Team from TEAM_TOKEN (scorerkit.toml)",
    ):
        assert line in said
    assert any(line.startswith("pipeline preprocess (expression) → analyze (prompt) → generateScore") for line in said)
    assert any(line.startswith("digest ") and len(line.split()[1]) == 64 for line in said)


def test_tags_are_shown_exactly_as_written(shown):
    tags = [line.split(maxsplit=1)[1] for line in shown().out.splitlines() if line.startswith("  tag ")]
    assert tags == ["Über-Tag", "two words", "no"]


def test_the_caller_s_word_is_shown_as_the_caller_s(shown, clean):
    assert "model openai/other (--judge-model)" in lines(shown("--judge-model", "openai/other"))
    clean.setenv("SCORERKIT_JUDGE_MODEL", "openai/environment")
    assert "model openai/environment (SCORERKIT_JUDGE_MODEL)" in lines(shown())
    assert "base URL http://127.0.0.1:9/v1 (--base-url)" in lines(shown("--base-url", "http://127.0.0.1:9/v1"))


def test_no_secret_is_shown(shown, write):
    write("tone.yaml", SCORER.replace("temperature: 0", "temperature: 0, extra: {key: sk-abcdefghijklmnop12345}"))
    done = [shown(), shown("--json"), shown("--render", "a")]
    text = "".join(each.out + each.err for each in done)
    for secret in ("sk-team-key-111", "team-token-777", "pa55word", "sk-query-secret", "sk-abcdefghijklmnop12345"):
        assert secret not in text
    assert "base URL https://host.example:8443/v1 (scorerkit.toml)" in lines(done[0])


@pytest.mark.parametrize("address", ["http://[::1]:8080/v1", "http://host:99999999/v1", "http://host/v1"])
def test_any_address_can_be_shown(shown, address):
    assert f"base URL {address} (--base-url)" in lines(shown("--base-url", address))


def test_the_definition_as_json(shown):
    found = json.loads(shown("--json").out)
    assert (found["id"], found["steps"]["generateScore"]["expression"]) == ("tone", "results.analyzeStepResult.n")


def test_prompts_are_shown_and_nobody_is_asked(shown):
    done = shown("--render", "b")
    assert done.exit == 0
    assert "--- analyze: openai/qwen3" in done.out
    assert "[system]\nLine one\nline two" in done.out
    assert "First Y 0.5" in done.out
    assert '"integer"' in done.out
    assert "Second" not in done.out


def test_a_record_may_be_given_on_the_command_line(shown):
    assert "First HELLO 0.5" in shown("--render", '{"output": "hello"}').out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--render", "zzz"], 2, "zzz"),
        (["--render", "{broken"], 2, "JSON"),
        (["--render", "a", "--data", "gone.jsonl"], 2, "gone.jsonl"),
        (["--render", '{"output": 3}'], 3, "generateScore"),
    ],
)
def test_what_cannot_be_rendered_is_said(shown, write, words, code, said):
    if code == 3:
        write(
            "tone.yaml", "id: t\nparams: {must: {type: string}}\nsteps: {generateScore: {expression: run.output.x}}\n"
        )
    done = shown(*words)
    assert (done.exit, said in done.err, "Traceback" in done.err) == (code, True, False)


def test_a_scorer_without_prompts_says_so(run, write):
    write("s.yaml", "id: s\nsteps: {generateScore: {expression: '1'}}\n")
    assert "asks nobody" in run("show", "s.yaml", "--render", '{"output": 1}').out


def test_problems_are_shown_instead(run, write):
    write("s.yaml", "id: s\nstps: {}\n")
    done = run("show", "s.yaml")
    assert (done.exit, done.out, "unknown-key" in done.err) == (2, "", True)


def test_a_scorer_with_a_required_param_can_be_shown_without_it(run, write):
    write("s.yaml", "id: s\nparams: {w: {type: number}}\nsteps: {generateScore: {expression: params.w}}\n")
    assert "(must be given)" in run("show", "s.yaml").out
