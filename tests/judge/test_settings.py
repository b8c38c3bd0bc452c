import pytest

from scorerkit.errors import ScorerkitError
from scorerkit.judge.settings import arguments_for
from scorerkit.model.judge import Target

ALL = {"temperature": 0, "topP": 0.5, "maxOutputTokens": 9, "seed": 1, "timeoutMs": 5}


@pytest.mark.parametrize(
    ("provider", "name", "family", "settings", "arguments"),
    [
        ("openai", "gpt-4o", "openai", ALL, {"temperature": 0, "top_p": 0.5, "max_tokens": 9, "seed": 1}),
        ("openai", "gpt-5-mini", "openai", {"maxOutputTokens": 9}, {"max_completion_tokens": 9}),
        (
            "openai",
            "o3",
            "openai",
            {"maxOutputTokens": 9, "reasoningEffort": "low"},
            {"max_completion_tokens": 9, "reasoning_effort": "low"},
        ),
        ("together", "gpt-5-copy", "openai", {"maxOutputTokens": 9}, {"max_tokens": 9}),
        ("openai", "m", "openai", {"extra": {"min_p": 0.1}}, {"extra_body": {"min_p": 0.1}}),
        ("anthropic", "c", "anthropic", {"temperature": 1}, {"temperature": 1, "max_tokens": 4096}),
        (
            "anthropic",
            "c",
            "anthropic",
            {"extra": {"a": 1}, "maxOutputTokens": 7},
            {"max_tokens": 7, "extra_body": {"a": 1}},
        ),
        (
            "google",
            "g",
            "google",
            {"seed": 1, "maxOutputTokens": 9, "extra": {"top_k": 1}},
            {"config": {"seed": 1, "max_output_tokens": 9, "top_k": 1}, "safety_settings": []},
        ),
        ("google", "g", "google", {}, {"safety_settings": []}),
        ("mistral", "m", "mistral", {"seed": 1, "extra": {"a": 1}}, {"random_seed": 1, "a": 1}),
        (
            "bedrock",
            "b",
            "bedrock",
            {"maxOutputTokens": 9, "extra": {"a": 1}},
            {"max_tokens": 9, "additionalModelRequestFields": {"a": 1}},
        ),
        ("groq", "g", "other", {"topP": 1, "extra": {"a": 1}}, {"top_p": 1, "a": 1}),
        ("openai", "m", "openai", {}, {}),
    ],
)
def test_settings_become_the_provider_s_arguments(provider, name, family, settings, arguments):
    timeout = {"timeout": 60.0} if family in {"openai", "anthropic"} else {}
    assert arguments_for(Target(provider, name), family, settings, 60.0) == {**arguments, **timeout}


def test_a_setting_that_the_provider_has_not_is_an_error():
    with pytest.raises(ScorerkitError, match="anthropic has no setting 'seed'"):
        arguments_for(Target("anthropic", "c"), "anthropic", {"seed": 1}, 60.0)
