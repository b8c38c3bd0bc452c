import pytest

from scorerkit.errors import MissingKey, ScorerkitError
from scorerkit.judge.keys import NO_KEY, access_to
from scorerkit.model.judge import Target


def test_the_usual_variable_holds_the_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", " sk-usual-1\n")
    assert access_to(Target("openai", "m")).key == "sk-usual-1"


def test_the_second_usual_variable_is_taken_where_the_first_is_not_set(monkeypatch):
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("GEMINI_API_KEY", "g-1")
    assert access_to(Target("google", "m")).key == "g-1"


@pytest.mark.parametrize(
    ("target", "variable"),
    [
        (Target("openai", "m"), "OPENAI_API_KEY"),
        (Target("anthropic", "m"), "ANTHROPIC_API_KEY"),
        (Target("openai", "m", api_key_env="MY_KEY"), "MY_KEY"),
        (Target("openai", "m", api_key_env="", headers_env={"x-team": "TEAM"}), "TEAM"),
    ],
)
def test_a_missing_variable_is_named(monkeypatch, target, variable):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MY_KEY", "TEAM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(MissingKey, match=variable):
        access_to(target)


def test_a_server_that_wants_no_key_has_a_way_out(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(MissingKey) as raised:
        access_to(Target("openai", "m", base_url="http://127.0.0.1:8000/v1"))
    assert "wants no key, set OPENAI_API_KEY to any word, or 'apiKeyEnv' to \"\"" in raised.value.fix
    with pytest.raises(MissingKey) as raised:
        access_to(Target("openai", "m"))
    assert "wants no key" not in raised.value.fix


def test_a_blank_key_is_a_missing_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", " ")
    with pytest.raises(MissingKey):
        access_to(Target("openai", "m"))


def test_no_key_is_needed_where_the_profile_or_the_provider_says_so(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert access_to(Target("openai", "m", api_key_env="")).key == NO_KEY
    assert access_to(Target("ollama", "m")).key == NO_KEY
    assert access_to(Target("bedrock", "m")).key is None


def test_headers_come_from_their_variables(monkeypatch):
    monkeypatch.setenv("TEAM", "team-777")
    assert access_to(Target("openai", "m", headers_env={"x-team": "TEAM"})).headers == {"x-team": "team-777"}


def test_an_unknown_provider_is_an_error_before_any_key():
    with pytest.raises(ScorerkitError, match="no provider"):
        access_to(Target("nobody", "m"))
