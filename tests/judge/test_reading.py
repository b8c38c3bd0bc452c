import json
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorerkit.judge.reading import Unreadable, read_json

GOOD = {
    "bare": ('{"score": 0.75}', {"score": 0.75}),
    "bom": ('\ufeff{"score": 1}', {"score": 1}),
    "fence": ('```json\n{\n  "score": 0.75\n}\n```', {"score": 0.75}),
    "fence-in-prose": ('Here:\n```json\n{"score": 1}\n```\nDone.', {"score": 1}),
    "nested-then-prose": (
        '{"a": {"b": "}"}, "c": [{"d": 1}]}\n\nHope it helps! {not json}',
        {"a": {"b": "}"}, "c": [{"d": 1}]},
    ),
    "prose-before": ('The verdict (see {above}): {"score": 1}', {"score": 1}),
    "footnote": ('As [1] and [2, 3] say: {"score": 1}', {"score": 1}),
    "reasoning": ('<think>\nMaybe {"score": 0.1}?\n</think>\n\n{"score": 0.9}', {"score": 0.9}),
    "two-reasonings": ('<thinking>a</thinking><reasoning>b</reasoning>{"score": 0.9}', {"score": 0.9}),
    "case": ('<THINK>a</Think>{"score": 0.9}', {"score": 0.9}),
    "unclosed": ('<think>hm\n{"score": 0.9}\n', {"score": 0.9}),
    "twice-the-same": ('{"score": 1}\nAgain: {"score": 1}', {"score": 1}),
    "key-order": ('{"a": 1, "b": 2} {"b": 2, "a": 1}', {"a": 1, "b": 2}),
    "tag-in-text": ('{"reason": "they wrote <think> here"}', {"reason": "they wrote <think> here"}),
    "japanese": ('評価：{"理由": "良い"}です', {"理由": "良い"}),
    "large-integer": ('{"n": 123456789012345678901234567890}', {"n": 123456789012345678901234567890}),
}

BAD = {
    "empty": ("", "empty"),
    "blank": ("  \n\t", "empty"),
    "prose": ("I count 4 strong points, so 9 of 10 seems right.", "no JSON"),
    "two-objects": ('It claims {"score": 1.0}. That is self-praise.\n\n{"score": 0.2}', "two different"),
    "true-is-not-one": ('{"score": 1} {"score": true}', "two different"),
    "decoy-in-list": ('{"score": 0.2} as in [{"score": 1}]', "two different"),
    "decoy-before-broken": ('{"score": 1.0} or {"score": 0.2,}', "broken"),
    "decoy-after-broken": ('{"score": 0.2,} or {"score": 1.0}', "broken"),
    "decoy-after-closing-tag": ('{"score": 0.2} quotes </think> {"score": 1}', "two different"),
    "decoy-between-tags": ('Quote: <think> {"score": 0.2} </think> {"score": 1}', "two different"),
    "draft-and-answer": ('<think> draft {"score": 0.1} answer {"score": 0.9}', "two different"),
    "draft-only": ('<think> draft {"score": 0.1} and so on', "no JSON"),
    "only-reasoning": ("<think>well</think>", "no answer after"),
    "repeated-key": ('{"score": 1, "score": 0}', "'score' is given twice"),
    "nan": ('{"score": NaN}', "NaN"),
    "infinity": ('{"score": -Infinity}', "Infinity"),
    "overflow": ('{"score": 1e999}', "too large"),
    "endless-integer": ('{"score": ' + "9" * 5000 + "}", "too large"),
    "comment": ('{\n  "score": 1.0 // no mistakes found\n}', "broken"),
    "inner-object-of-broken": ('{"detail": {"score": 1}, "score": 0.2', "broken"),
    "half-a-character": ('{"reason": "\\ud83d"}', "half a character"),
}


@pytest.mark.parametrize(("text", "value"), GOOD.values(), ids=GOOD)
def test_what_judges_put_around_one_value_is_tolerated(text, value):
    assert read_json(text, objects_only=True) == value


@pytest.mark.parametrize(("text", "told"), BAD.values(), ids=BAD)
def test_what_could_be_two_answers_or_none_is_refused(text, told):
    with pytest.raises(Unreadable, match=told):
        read_json(text, objects_only=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.7", 0.7),
        ('"yes"', "yes"),
        ("null", None),
        ("```\n0.7\n```", 0.7),
        ("[[9]]", [[9]]),
        ("<think>a</think>[1]", [1]),
        ("<think>a</think> 0.5", 0.5),
    ],
)
def test_a_bare_value_counts_only_as_the_whole_text(text, value):
    assert read_json(text) == value


def test_a_list_in_prose_is_found_where_a_list_is_wanted():
    assert read_json("The claims are [1, 2].") == [1, 2]
    with pytest.raises(Unreadable, match="two different"):
        read_json('See [1]: ["a", "b"]')


HOSTILE = {
    "braces": "{" * 1_000_000,
    "brackets": "[" * 1_000_000,
    "objects": '{"a":' * 200_000,
    "quotes": '{"' * 500_000,
    "escapes": '["\\"' * 250_000,
    "numbers": "[1" * 500_000,
    "pairs": "[0 {x} " * 150_000,
    "tags": "<think>" * 140_000,
    "closed-tags": "<think></think>" * 70_000,
    "spaces": "{" + " " * 1_000_000,
    "gaps": "{ " * 500_000,
    "fences": "```\n" * 250_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_takes_linear_time(text):
    started = time.perf_counter()
    with pytest.raises(Unreadable):
        read_json(text)
    assert time.perf_counter() - started < 2


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=8), JSON, max_size=4)
PROSE = st.text(alphabet="ab .,!?:;()<>/*\n\u3042", max_size=40)


@settings(max_examples=80, deadline=None)
@given(OBJECTS, PROSE, PROSE)
def test_an_object_in_prose_comes_back_as_it_is(value, before, after):
    assert read_json(f"{before}{json.dumps(value)}{after}", objects_only=True) == value


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_a_value_or_unreadable(text):
    with suppress(Unreadable):
        json.dumps(read_json(text), allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(OBJECTS, OBJECTS)
def test_of_two_different_objects_none_is_chosen(first, second):
    one, two = json.dumps(first, sort_keys=True), json.dumps(second, sort_keys=True)
    if one == two:
        assert read_json(f"a {one} b {two}", objects_only=True) == first
    else:
        with pytest.raises(Unreadable):
            read_json(f"a {one} b {two}", objects_only=True)
