import pytest

from scorerkit.judge.secrets import Redactor


@pytest.fixture
def redactor():
    redactor = Redactor()
    redactor.learn('sk-"quoted"', "sk-test-000", "team token/777", None, "", "short")
    redactor.learn_address("https://ann:pass-word-1@host/v1")
    return redactor


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("the key sk-test-000.", "the key [secret]."),
        ('{"k": "sk-\\"quoted\\""}', '{"k": "[secret]"}'),
        ("?t=team%20token%2F777", "?t=[secret]"),
        ("pass-word-1", "[secret]"),
        ("a short word stays", "a short word stays"),
        ("Bearer of good news", "Bearer of good news"),
    ],
)
def test_known_secrets_are_hidden_in_every_spelling(redactor, text, hidden):
    assert redactor.hide(text) == hidden


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("Authorization: Bearer abc.def-123", "Authorization: Bearer [secret]"),
        ("key sk-proj-abcdefgh1234 is wrong", "key [secret] is wrong"),
        ("at https://user:pw@host/v1", "at https://[secret]@host/v1"),
        ("at https://host/v1", "at https://host/v1"),
    ],
)
def test_what_looks_like_a_secret_is_scrubbed_from_errors(text, scrubbed):
    assert Redactor().scrub(text) == scrubbed


def test_scrubbing_hostile_text_takes_linear_time():
    assert Redactor().scrub("://" + "a" * 500_000)
    assert Redactor().scrub("Bearer " * 100_000)
