import dataclasses
import datetime as dt
import json
from collections import OrderedDict, UserDict, deque
from enum import Enum, IntEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit.conversion import copy_json, describe, json_text, kind_of, to_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@dataclasses.dataclass
class Point:
    x: int
    tags: tuple = ()


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


class Words(str):
    __slots__ = ()


class Ratio(float):
    __slots__ = ()


class Model:
    """As pydantic's models."""

    def model_dump(self, mode):
        return {"mode": mode, "items": (1, 2)}


@pytest.mark.parametrize(
    ("value", "json_value"),
    [
        (Point(1, ("a",)), {"x": 1, "tags": ["a"]}),
        (Model(), {"mode": "json", "items": [1, 2]}),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        (Words("a"), "a"),
        (Ratio(0.5), 0.5),
        ((1, (2,)), [1, [2]]),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset({"b", "a"}), ["a", "b"]),
        (deque([1]), [1]),
        ((each for each in "ab"), ["a", "b"]),
        (range(3), [0, 1, 2]),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (UserDict(a=1), {"a": 1}),
        (dt.date(2026, 1, 2), "2026-01-02"),
        (dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC), "2026-01-02T03:04:00+00:00"),
        (dt.time(3, 4), "03:04:00"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_python_values_become_json(value, json_value):
    made = to_json(value)
    assert (made, type(made)) == (json_value, type(json_value))


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (object(), TypeError, "object"),
        (b"x", TypeError, "bytes"),
        (1j, TypeError, "complex"),
        (print, TypeError, "builtin_function"),
        (Point, TypeError, "type"),
        ({1: 2}, TypeError, "key 1"),
        ({"a": [object()]}, TypeError, "object"),
        (float("nan"), ValueError, "nan"),
        ([float("inf")], ValueError, "inf"),
        ([10**400], ValueError, "too large"),
    ],
    ids=lambda each: str(each)[:20] if not isinstance(each, list) else "list",
)
def test_what_is_no_json_is_refused_by_name(value, error, words):
    with pytest.raises(error, match=words):
        to_json(value)


def test_values_that_contain_themselves_are_refused():
    ring = {}
    ring["again"] = ring
    with pytest.raises(ValueError, match="nested deeper than 200"):
        to_json(ring)


@given(JSON)
def test_json_stays_as_it_is_and_shares_nothing(value):
    made = to_json(value)
    assert json.dumps(made) == json.dumps(value)
    assert copy_json(value) == value
    if isinstance(value, (list, dict)):
        assert made is not value
        assert copy_json(value) is not value


@given(JSON)
def test_json_text_reads_back(value):
    assert json.loads(json_text(to_json(json.loads(json.dumps(value))))) == value


@pytest.mark.parametrize(
    ("value", "text"), [({"a": [1, True, None, "é<"]}, '{"a":[1,true,null,"é<"]}'), ("x", '"x"'), (0.1, "0.1")]
)
def test_json_text_is_compact_and_escapes_nothing_it_need_not(value, text):
    assert json_text(value) == text


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "true or false"),
        ("", "text"),
        (1, "a number"),
        (0.5, "a number"),
        ({}, "a mapping"),
        ([], "a list"),
        ((), "a list"),
        (object(), "object"),
    ],
)
def test_kinds_have_the_author_s_words(value, kind):
    assert kind_of(value) == kind


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a'b", '"a\'b"'),
        ({"a": None}, '{"a":null}'),
        ("x" * 100, f"'{'x' * 79}…"),
        (float("nan"), "nan"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_a_value_is_shown_shortly(value, shown):
    assert describe(value) in (shown, shown.replace("nan", "null"))


def test_a_number_of_too_many_digits_is_shown_all_the_same():
    assert len(describe(10**5000)) < 200


def test_what_cannot_be_shown_is_shown_by_its_kind():
    class Shy:
        def __repr__(self):
            raise ValueError("no")

    assert "Shy" in describe(Shy())
