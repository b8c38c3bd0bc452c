"""Each field of a judge: the step's, else the scorer's, else the project's, else the default."""

import pytest

from scorerkit import load_scorer
from scorerkit.errors import ScorerkitError

TEXT = """
    id: s
    judge: {{model: openai/scorer, instructions: top, formatRetries: 3{more}}}
    steps:
      analyze: {{prompt: a, outputSchema: {{type: object}}{step}}}
      generateScore: {{prompt: b}}
"""


@pytest.fixture
def configs(write):
    """(fields of the scorer's judge, judge of the step, project) → the configs of both steps."""

    def made(more="", step="", project="", **caller):
        write("scorerkit.toml", project)
        text = TEXT.format(more=more and f", {more}", step=step and f", judge: {{{step}}}")
        plan = load_scorer(write("s.yaml", text), **caller).plan
        return plan.configs["analyze"], plan.configs["generateScore"]

    return made


def models(pair):
    return [config.target.model for config in pair]


def test_a_step_may_give_one_field_only(configs):
    step, other = configs(step="model: openai/step")
    assert models((step, other)) == ["openai/step", "openai/scorer"]
    assert (step.format_retries, other.format_retries) == (3, 3)


def test_the_project_comes_after_the_scorer(configs):
    pair = configs(project='[judge]\nmodel = "openai/project"\nmaxProcessorRetries = 4\nformatRetries = 9\n')
    assert models(pair) == ["openai/scorer"] * 2
    assert {(config.max_processor_retries, config.format_retries) for config in pair} == {(4, 3)}


def test_the_caller_s_model_comes_before_all(configs, clean):
    assert models(configs(step="model: openai/step", judge_model="openai/caller")) == ["openai/caller"] * 2
    clean.setenv("SCORERKIT_JUDGE_MODEL", "openai/environment")
    assert models(configs(step="model: openai/step")) == ["openai/environment"] * 2
    assert models(configs(judge_model="openai/caller")) == ["openai/caller"] * 2


@pytest.mark.parametrize("field", ["maxProcessorRetries", "formatRetries"])
def test_zero_is_a_value(configs, field):
    name = {"maxProcessorRetries": "max_processor_retries", "formatRetries": "format_retries"}[field]
    step, other = configs(step=f"{field}: 0")
    assert getattr(step, name) == 0
    assert getattr(other, name) != 0


def test_lists_replace_and_are_never_joined(configs):
    redact = "[{use: redact, with: {kinds: [email]}}]"
    step, other = configs(more=f"inputProcessors: {redact}", step="inputProcessors: []")
    assert (len(step.input_processors), len(other.input_processors)) == (0, 1)


def test_an_omitted_list_has_its_default_and_an_empty_one_switches_off(configs):
    step, other = configs(step="errorProcessors: []")
    assert (step.error_processors, len(other.error_processors)) == ((), 1)


@pytest.mark.parametrize(
    ("written", "injection"),
    [("false", "native"), ("true", "system"), ("system", "system"), ("inline", "inline"), ("auto", "auto")],
)
def test_injection_as_written(configs, written, injection):
    assert configs(more=f"jsonPromptInjection: {written}")[1].injection == injection


PROFILE = """
    [models.mine]
    model = "openai/qwen3"
    baseUrl = "http://127.0.0.1:9/v1"
    apiKeyEnv = ""
    headersEnv = {X-Team = "TEAM"}
    maxConcurrency = 2
    structuredOutput = true
"""


def test_a_profile_says_where_requests_go(configs):
    target = configs(step="model: mine", project=PROFILE)[0].target
    assert (target.model, target.base_url, target.api_key_env) == ("openai/qwen3", "http://127.0.0.1:9/v1", "")
    assert (target.headers_env, target.max_concurrency, target.structured_output) == ({"X-Team": "TEAM"}, 2, True)


def test_the_caller_s_address_wins_over_the_profile_s(configs):
    target = configs(step="model: mine", project=PROFILE, base_url="http://127.0.0.1:8/v1")[0].target
    assert target.base_url == "http://127.0.0.1:8/v1"


def test_a_caller_s_model_that_is_none_is_refused(configs):
    with pytest.raises(ScorerkitError, match="neither"):
        configs(judge_model="gpt")


def test_a_delay_may_be_an_expression(configs):
    options = "{maxRetries: 1, delayMs: {expression: '100 * 2 ** retryCount'}}"
    config = configs(more=f"errorProcessors: [{{use: streamErrorRetry, with: {options}}}]")[1]
    assert len(config.error_processors) == 1


def test_processors_of_the_project_are_functions_of_it(configs, write):
    write("mine.py", "def strip(answer):\n    return answer.strip()\n")
    assert len(configs(more="outputProcessors: [{use: mine.strip}]")[1].output_processors) == 1
