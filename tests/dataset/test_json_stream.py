import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit.dataset.feed import Feed
from scorerkit.dataset.formats.json_stream import _Shallow, values
from scorerkit.errors import DataError


def read(text, prefix="item"):
    return list(values(Feed(io.BytesIO(text.encode("utf-8", "surrogatepass")), "a.json"), prefix))


@pytest.mark.parametrize(
    ("text", "prefix", "expected"),
    [
        ('[{"a": 1}, "x"]', "item", [({"a": 1}, 1), ("x", 2)]),
        ('\ufeff {"a": {"b": [1, 2]}, "c": 3}', "a.b.item", [(1, 1), (2, 2)]),
        ('{"a": 1}', "b.item", []),
        ('{"a": 1}', "", [({"a": 1}, 1)]),
    ],
)
def test_the_values_at_a_place_come_one_by_one(text, prefix, expected):
    assert read(text, prefix) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1",
        "[1,]",
        "[NaN]",
        "[1] x",
        '{"a": "\x01"}',
        "[" * 100_000,
        '{"a":' * 501 + "1" + "}" * 501,
        '["]", ' + "[" * 501,
    ],
)
def test_what_is_no_json_or_nests_without_end_is_an_error(text):
    with pytest.raises(DataError) as caught:
        read(text)
    assert caught.value.code == "bad-record"


def test_brackets_inside_text_do_not_nest():
    texts = ["[{" * 2000, '\\"' * 300 + "[" * 2000]
    assert [value for value, _ in read(json.dumps(texts))] == texts


@given(st.lists(st.text(alphabet='[]{}"\\\\ a', max_size=6), max_size=8), st.integers(1, 7))
def test_however_the_bytes_are_cut_the_depth_is_the_same(texts, size):
    raw = json.dumps([[text] for text in texts]).encode()
    stream = _Shallow(io.BytesIO(raw), "a")
    depths = []
    while stream.read(size):
        depths.append(stream._depth)
    assert depths[-1] == 0
    assert max(depths) <= 2
