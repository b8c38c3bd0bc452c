"""Code that builds what no machine can hold, and code that would make a number of what is none."""

import time
from itertools import pairwise

import pytest

from scorerkit.errors import RecordError
from scorerkit.expression import compile_expression
from scorerkit.template import compile_template
from scorerkit.template.environment import plain

RUN = {"run": {"output": "hello", "big": "a" * 300_000, "long": list(range(20_000)), "none": [0] * 1000}}


def evaluated(source):
    return compile_expression(plain(), source).evaluate(RUN)


def rendered(source):
    return compile_template(plain(), source).render(RUN)


def pyramid(step):
    """Nine sets, each a list of ten of the one before: 10,000,000,000 items in ten lines."""
    names = "abcdefghij"
    sets = [f"{{% set {new} = {step.replace('x', old)} %}}" for old, new in pairwise(names)]
    return "{% set a = ['x'] %}" + "".join(sets)


GROWING = [
    pyramid("[x,x,x,x,x,x,x,x,x,x]") + "{{ fenced(j) }}",
    pyramid("[x,x,x,x,x,x,x,x,x,x]") + "{{ j }}",
    pyramid("dict(p=x,q=x,r=x,s=x,t=x,u=x,v=x,w=x)") + "{{ json(j) }}",
    pyramid("{'p': x, 'q': x, 'r': x, 's': x, 't': x}") + pyramid("[x,x,x,x,x,x,x]") + "{{ j == [] }}",
    pyramid("([x] + [x]) * 10"),
    pyramid("[x] * 1000") + "{{ j == j|list }}",
    pyramid("run.none|map('default', x, true)|list") + "{{ j|length }}",
]


@pytest.mark.parametrize("source", GROWING, ids=range(len(GROWING)))
def test_shared_parts_count_each_time(source):
    began = time.process_time()
    with pytest.raises(RecordError) as failed:
        rendered(source)
    assert (failed.value.code, time.process_time() - began < 8) == ("template-limit", True)


TOO_MUCH = [
    "[[[[run.big] * 1000] * 1000] * 1000] * 1000",
    "{'a': [run.big] * 1000}",
    "run.big|wordwrap(1)",
    "(run.big[:1000]|wordwrap(1, wrapstring=run.big))|length",
]


@pytest.mark.parametrize("source", TOO_MUCH)
def test_a_value_has_a_size(source):
    with pytest.raises(RecordError) as failed:
        evaluated(source)
    assert failed.value.code == "template-limit"


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "{% for a in run.long %}{{ 1 if 'x' in run.long * 50 }}{% endfor %}",
        "{% for a in run.long %}{{ run.big|upper|lower|length }}{% endfor %}",
        "{{ (run.long * 50)|select('in', run.long * 50)|list|length }}",
    ],
)
def test_time_is_looked_at_in_every_loop(source, monkeypatch):
    monkeypatch.setattr("scorerkit.template.limits.MAX_SECONDS", 0.2)
    with pytest.raises(RecordError) as failed:
        rendered(source)
    assert failed.value.code == "template-limit"


NO_NUMBERS = ["'nan'|float", "'inf'|float", "'-Infinity'|float", "(1e308 * 10)|float"]


@pytest.mark.parametrize("source", NO_NUMBERS)
def test_what_is_not_finite_is_no_number(source):
    with pytest.raises(RecordError):
        evaluated(f"1 if {source} > 0.5 else 0")


def test_loops_know_their_length_and_neighbours():
    source = "{% for i in [1, 2, 3] %}{{ loop.length }}{{ loop.last }}{{ loop.previtem|default('-') }} {% endfor %}"
    assert rendered(source) == "3false- 3false1 3true2 "


FINE = [
    ("[1, [2], {'a': run.output}]", [1, [2], {"a": "hello"}]),
    ("[1, 2]|map('string')|list", ["1", "2"]),
    ("[[1], []]|select|list", [[1]]),
    ("[{'a': 1}, {'a': 0}]|selectattr('a')|list", [{"a": 1}]),
    ("dict(a=1)", {"a": 1}),
    ("'a b c'|wordwrap(1)", "a\nb\nc"),
    ("'x'|float(0)", 0),
]


@pytest.mark.parametrize(("source", "value"), FINE)
def test_plain_values_stay_what_they_are(source, value):
    assert evaluated(source) == value


def test_a_long_pattern_on_a_long_text_is_refused():
    with pytest.raises(RecordError) as failed:
        evaluated("run.big|regex_search(run.big)")
    assert failed.value.code == "step-failed"
    assert evaluated("run.big|regex_search('a{5}')") == "aaaaa"
