import pytest

from scorerkit.errors import ScorerkitError
from scorerkit.judge.modes import PROVIDERS, native_for, provider_of
from scorerkit.model.judge import Target


@pytest.mark.parametrize(
    ("provider", "name", "injection", "known", "native"),
    [
        ("openai", "gpt-4o-mini", "auto", None, True),
        ("openai", "gpt-5-mini-2025-08-07", "auto", None, True),
        ("openai", "judge-1", "auto", None, False),
        ("openai", "judge-1", "auto", True, True),
        ("openai", "gpt-4o", "auto", False, False),
        ("openai", "judge-1", "native", False, True),
        ("openai", "gpt-4o", "inline", True, False),
        ("openai", "gpt-4o", "system", True, False),
        ("anthropic", "claude-sonnet-4-5", "auto", None, True),
        ("ollama", "qwen3", "auto", None, False),
        ("nobody", "x", "auto", None, False),
    ],
)
def test_auto_is_native_only_where_it_is_known_and_a_word_is_obeyed(provider, name, injection, known, native):
    assert native_for(Target(provider, name, structured_output=known), injection) is native


def test_every_provider_is_one_that_instructor_knows():
    from instructor.v2.core.provider_specs import ALIAS_TO_PROVIDER

    assert set(PROVIDERS) - {"azure_openai", "ollama", "litellm"} <= set(ALIAS_TO_PROVIDER)


def test_an_unknown_provider_is_told_with_the_known_ones():
    with pytest.raises(ScorerkitError, match="no provider 'opnai'") as caught:
        provider_of(Target("opnai", "x"))
    assert "'openai'" in caught.value.fix
