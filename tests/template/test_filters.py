import pytest

from scorerkit.errors import RecordError
from scorerkit.expression import compile_expression
from scorerkit.template.environment import plain
from scorerkit.template.filters import REMOVED, table


def evaluate(source, **names):
    return compile_expression(plain(), source).evaluate(names)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("'3' | int", 3),
        ("'3.7' | int", 3),
        ("' 12 ' | int", 12),
        ("'ff' | int(0, 16)", 255),
        ("'x' | int(7)", 7),
        ("'0.5' | float", 0.5),
        ("'x' | float(none)", None),
        ("[1, 'a', none] | join(', ')", "1, a, null"),
        ("[{'k': 1}, {'k': 2}] | join('-', 'k')", "1-2"),
        ("'aXbX' | replace('X', '--')", "a--b--"),
        ("'aXbX' | replace('X', '', 1)", "abX"),
        ("'ab' | center(6)", "  ab  "),
        ("'a\\nb' | indent(2)", "a\n  b"),
        ("[1, 2, 3] | batch(2) | list", [[1, 2], [3]]),
        ("[1, 2, 3] | batch(2, 0) | list", [[1, 2], [3, 0]]),
        ("{'a': 1} | string", '{"a":1}'),
        ("'abc def' | wordwrap(3)", "abc\ndef"),
        ("'b a' | list | sort | join", " ab"),
        ("[{'k': 2}, {'k': 1}] | map(attribute='k') | list", [2, 1]),
        ("[{'k': 2}, {'k': 1}] | selectattr('k', 'gt', 1) | list | length", 1),
        ("[3, 1, 2] | sort | first", 1),
        ("'<&>' | escape", "&lt;&amp;&gt;"),
        ("{'b': 1, 'a': 2} | dictsort", [["a", 2], ["b", 1]]),
        ("['a', 'b', 'a'] | unique | list", ["a", "b"]),
        ("[1, 2] | reverse | list", [2, 1]),
        ("'abc' | truncate(2, true, '', 0)", "ab"),
    ],
)
def test_filters_give_what_they_say(source, value):
    assert evaluate(source) == value


@pytest.mark.parametrize(
    "source",
    [
        "'x' | int",
        "none | int",
        "[] | float",
        "'inf' | int",
        "[1] | batch(0) | list",
        "'x' | center(100000000)",
        "'x' | indent(100000000)",
        "'xxxx' | replace('x', long)",
        "'x' | wordwrap(3) | int",
        "[1] | batch(100000000, 0) | list",
        "5 | join",
        "[[1, 2], [3]] | sum(start=[])",
    ],
)
def test_nothing_that_fails_becomes_a_number(source):
    with pytest.raises(RecordError) as caught:
        evaluate(source, long="y" * 2**19)
    assert caught.value.code in ("step-failed", "template-limit")


@pytest.mark.parametrize("name", [*REMOVED, "format"])
def test_what_reaches_attributes_or_html_or_chance_is_not_offered(name):
    assert name not in table()
