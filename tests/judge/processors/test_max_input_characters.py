import pytest

from scorerkit.judge.processors import Refuse, build_processor
from scorerkit.model.judge import Message

MESSAGES = [Message("system", "Judge."), Message("user", "0123456789")]


def bounded(**options):
    return build_processor("input", "maxInputCharacters", options).process_input(MESSAGES)


def test_what_fits_is_left_alone():
    assert bounded(limit=16) is MESSAGES


def test_more_is_refused_naming_both_numbers():
    with pytest.raises(Refuse, match="16 characters; the limit is 10"):
        bounded(limit=10)


def test_the_end_of_the_last_message_is_cut():
    assert bounded(limit=10, onExcess="truncate") == [MESSAGES[0], Message("user", "0123")]


def test_nothing_is_sent_if_cutting_would_leave_no_prompt():
    with pytest.raises(Refuse):
        bounded(limit=6, onExcess="truncate")
