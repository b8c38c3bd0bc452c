import pytest

from scorerkit.check.advice.material import material_of
from scorerkit.check.advice.models import temperature_without_samples
from scorerkit.definition import Definition
from scorerkit.reference import Namespace
from scorerkit.source import parse_document
from scorerkit.source.project import Territory

PROMPT = "steps: {generateScore: {prompt: '{{ run.output | fenced }}'}}\n"
FLOATING = [
    "openai/gpt-4o", "openai/gpt-5-mini", "openai/gpt-3.5-turbo", "openai/o3", "openai/chatgpt-4o-latest",
    "anthropic/claude-sonnet-4-5", "anthropic/claude-3-5-sonnet-latest", "google/gemini-2.5-pro",
    "mistral/mistral-large-latest", "ollama/qwen3:latest", "xai/grok-4", "cohere/command-r-plus",
]  # fmt: skip
PINNED = [
    "openai/gpt-4o-2024-08-06", "openai/gpt-4-0613", "openai/gpt-oss-20b", "anthropic/claude-sonnet-4-5-20250929",
    "google/gemini-2.0-flash-001", "mistral/mistral-large-2411", "ollama/qwen3:8b", "groq/llama-3.3-70b-versatile",
    "openai/qwen3", "cohere/command-r-plus-08-2024", "my-profile", "latest",
]  # fmt: skip


@pytest.fixture
def models(problems):
    def found(text):
        return [(each.code, each.place.column) for each in problems(text) if each.code == "floating-model"]

    return found


@pytest.mark.parametrize("model", FLOATING)
def test_an_alias_floats(models, model):
    text = f"id: x\njudge: {{model: '{model}'}}\n{PROMPT}"
    known = model.partition("/")[0] in ("openai", "anthropic", "google", "mistral", "ollama", "xai", "cohere")
    assert known
    assert models(text) == [("floating-model", 16)]


@pytest.mark.parametrize("model", PINNED)
def test_dates_revisions_weights_and_profiles_do_not_float(models, model):
    assert models(f"id: x\njudge: {{model: '{model}'}}\n{PROMPT}") == []


def test_the_judge_of_a_step_is_looked_at_and_an_unused_judge_is_not(places):
    step = (
        "id: x\nsteps:\n  generateScore:\n    prompt: '{{ run.output | fenced }}'\n    judge: {model: openai/gpt-4o}\n"
    )
    assert places(step) == [("floating-model", 5, 20)]
    unused = "id: x\njudge: {model: openai/gpt-4o}\nsteps: {generateScore: {expression: run.output | length}}\n"
    assert places(unused) == [("unused-judge", 2, 1)]


@pytest.mark.parametrize(("temperature", "warned"), [("0", False), ("0.0", False), ("0.1", True), ("1", True)])
def test_chance_in_a_single_answer_is_pointed_at(places, temperature, warned):
    text = f"id: x\njudge: {{modelSettings: {{temperature: {temperature}}}}}\n{PROMPT}"
    assert places(text) == ([("temperature-without-samples", 2, 38)] if warned else [])


def test_samples_take_the_chance_away(tmp_path):
    text = f"id: x\njudge: {{samples: 5, modelSettings: {{temperature: 1}}}}\n{PROMPT}"
    document = parse_document(text, "s.yaml", "yaml", file=tmp_path / "s.yaml")
    definition = Definition(document, Territory(tmp_path, document.file), dict(document.value))
    assert list(temperature_without_samples(material_of(definition, Namespace(tmp_path)))) == []
