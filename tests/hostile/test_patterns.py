"""Regular expressions of authors, params and data that take for ever in other engines: here they end, or are refused."""

import asyncio
import json
import time

import pytest

from scorerkit import ScorerkitError, create_scorer, load_scorer
from scorerkit import functions as f
from scorerkit.errors import RecordError
from scorerkit.expression import compile_expression
from scorerkit.judge.failure import normalise
from scorerkit.judge.format import Misfit
from scorerkit.judge.processors.extract_number import extract_number
from scorerkit.judge.processors.redact import redact
from scorerkit.judge.processors.stream_error_retry import stream_error_retry
from scorerkit.model.judge import Message
from scorerkit.template import compile_template
from scorerkit.template.environment import plain
from scorerkit.testing import ScriptedJudge

SLOW = [
    (r"^(a+)+$", "a" * 50_000 + "!"),
    (r"^(a|a)*$", "a" * 50_000 + "!"),
    (r"^(a|aa)+$", "a" * 50_000 + "!"),
    (r"(x+x+)+y", "x" * 50_000),
    (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 50_000),
    (r"(.*)*,(.*)*;", "b" * 50_000),
    (r"\s+$", " " * 50_000 + "x"),
    (r"^(\w+\s?)*$", "word " * 10_000 + "!"),
    (r"(?i)(e|E|ee)*f", "E" * 50_000),
]
"""Patterns with texts on which engines that backtrack take exponential or quadratic time."""
REFUSED = [r"(a)\1", r"(?=a)b", r"(?<!a)b", r"(?P=a)", r"(", r"a{5000}", r"((((a{100}){100}){100}){100}){100}", "[z-a]"]
SECONDS = 4


@pytest.fixture(autouse=True)
def soon():
    """Every test ends soon; an engine that hangs would not come back at all."""
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS


def record(text):
    return {"run": {"output": text}}


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_a_function_ends(pattern, text):
    assert f.regex_search(text, pattern) is None


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_the_filter_of_a_template_and_of_an_expression_ends(pattern, text):
    source = f"run.output | regex_search({json.dumps(pattern)})"
    assert compile_expression(plain(), source).evaluate(record(text)) == f.regex_search(text, pattern)
    assert compile_template(plain(), f"{{{{ {source} is none }}}}").render(record(text)) in ("true", "false")


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_the_library_s_check_ends(pattern, text, exact):
    scorer = load_scorer("checks/matches", params={"pattern": pattern, "exact": exact})
    assert scorer.run_sync(input="q", output=text).score == 0


@pytest.mark.parametrize("pattern", REFUSED)
def test_a_pattern_that_another_engine_would_take_fails_the_record(pattern):
    result = load_scorer("checks/matches", params={"pattern": pattern}).run_sync(input="q", output="aa")
    assert (result.status, result.score) == ("failed", None)
    assert "bad-pattern" in result.error["message"]


@pytest.mark.parametrize("pattern", REFUSED)
def test_a_pattern_out_of_the_data_fails_its_record_alone(pattern):
    scorer = create_scorer(id="s").generate_score(expression="run.output | regex_search(run.groundTruth) is not none")
    assert scorer.run_sync(output="aa", ground_truth=pattern).status == "failed"
    assert scorer.run_sync(output="aa", ground_truth="a+").score == 1


def test_a_long_text_for_a_large_pattern_is_refused():
    with pytest.raises(RecordError, match="too long for a pattern of this size"):
        compile_expression(plain(), "run.output | regex_search('(a{1,30}){30}b')").evaluate(record("a" * 3_000_000))


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_the_schema_of_checks_json_ends(pattern, text):
    params = {"schema": {"type": "string", "pattern": pattern}}
    result = load_scorer("checks/json", params=params).run_sync(input="q", output=json.dumps(text))
    assert result.status == "scored", result.error


@pytest.mark.parametrize("pattern", [r"(a+)+\1b", r"(?=.*(a+)+b)c", r"(?!x)(x+x+)+y", r"(?<=(a+)+)b"])
@pytest.mark.parametrize("where", ["pattern", "patternProperties"])
def test_a_schema_with_another_pattern_is_refused(pattern, where):
    schema = {"pattern": pattern} if where == "pattern" else {"patternProperties": {pattern: {}}}
    scorer = load_scorer("checks/json", params={"schema": schema})
    for text in (json.dumps("a" * 100_000), json.dumps({"a" * 100_000: 1})):
        result = scorer.run_sync(input="q", output=text)
        assert (result.status, result.failed_step) == ("failed", "preprocess")


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_what_a_judge_answers_is_checked_in_time(pattern, text):
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}, "required": ["a"]}
    scorer = create_scorer(id="s", judge=ScriptedJudge({"analyze": {"a": text}}))
    scorer = scorer.analyze(prompt="Q", output_schema=schema).generate_score(lambda: 1)
    assert scorer.run_sync(output="a").status in ("scored", "failed")


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_a_param_is_checked_in_time(pattern, text):
    scorer = create_scorer(id="s", params={"p": {"type": "string", "pattern": pattern, "default": text}})
    try:
        scorer.generate_score(lambda: 1).build()
    except ScorerkitError:
        return


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_the_processors_of_a_judge_end(pattern, text):
    [message] = redact({"patterns": [pattern]}).process_input([Message("user", text)])
    assert message.content == (text if pattern != r"(.*)*,(.*)*;" else message.content)
    with pytest.raises(Misfit):
        extract_number({"pattern": pattern}).process_output(text)


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_a_matcher_of_an_error_s_message_ends(pattern, text):
    retry = stream_error_retry({"matchers": [{"match": pattern}, pattern], "maxRetries": 1})
    decided = asyncio.run(retry.process_api_error(normalise(ConnectionRefusedError(text)), 0))
    assert decided is None or decided.delay_ms == 0


@pytest.mark.parametrize("pattern", REFUSED)
def test_a_processor_refuses_a_pattern_of_another_engine(pattern):
    for build in (
        lambda: redact({"patterns": [pattern]}),
        lambda: extract_number({"pattern": pattern}),
        lambda: stream_error_retry({"matchers": [{"match": pattern}]}),
    ):
        with pytest.raises(ValueError, match="cannot be used"):
            build()


FILE = """
    id: s
    judge: {{model: openai/gpt-5-mini-2025-08-07}}
    steps:
      analyze: {{prompt: Q, outputSchema: {{type: object, properties: {{a: {{type: string}}}}, required: [a]}}}}
      generateScore: {{expression: "1"}}
      generateReason: {{expression: run.output}}
    tests:
      - name: t
        run: {{output: {text}}}
        answers: {{analyze: {{a: x}}}}
        expect: {{reason: {{matches: {pattern}}}}}
"""


@pytest.mark.parametrize(("pattern", "text"), SLOW)
def test_the_pattern_of_a_test_ends(write, run, pattern, text):
    write("s.yaml", FILE.format(pattern=json.dumps(pattern), text=json.dumps(text)))
    assert run("test", "s.yaml").exit == 1


@pytest.mark.parametrize("pattern", REFUSED)
def test_a_file_with_such_a_pattern_is_refused_before_anything_is_scored(write, run, pattern):
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}, "required": ["a"]}
    judge = {"model": "openai/x", "errorProcessors": [{"use": "streamErrorRetry", "with": {"matchers": [pattern]}}]}
    steps = {"analyze": {"prompt": "Q", "outputSchema": schema}, "generateScore": {"expression": "1"}}
    write("s.yaml", json.dumps({"id": "s", "judge": judge, "steps": steps}))
    said = run("check", "s.yaml")
    assert (said.exit, said.err.count("error[bad-pattern]")) == (2, 2)
