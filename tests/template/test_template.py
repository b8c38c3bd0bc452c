import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorerkit.errors import NotScorable, RecordError
from scorerkit.template import chains_of, compile_template
from scorerkit.template.environment import Environment, plain

NAMES = {"run": {"output": "a", "items": [1], "m": {"items": 2, "x": None}}, "t": True}


def render(source, names=NAMES):
    return compile_template(plain(), source).render(names)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ run.output }}", "a"),
        ("{{ t }} {{ run.m.x }} {{ run.m }}", 'true null {"items":2,"x":null}'),
        ("{{ run.m.items }}", "2"),
        ("{{ [1, 'é'] }}", '[1,"é"]'),
        ("a\n", "a"),
        ("a\n\n", "a\n"),
        ("{% for i in [1, 2] %}{{ loop.index }}:{{ i }} {% endfor %}", "1:1 2:2 "),
        ("{% if t %}yes{% else %}no{% endif %}", "yes"),
        ("{% set y = 3 %}{{ y }}", "3"),
        ("{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m(1) }}", "<1>"),
        ("{# note #}x", "x"),
        ("{% raw %}{{ x }}{% endraw %}", "{{ x }}"),
        ("{{ '<b>' }}", "<b>"),
        ('{"score": 1}', '{"score": 1}'),
    ],
)
def test_a_template_renders_json_data_as_text(source, text):
    assert render(source) == text


@given(st.text())
def test_data_is_never_a_template(text):
    assert render("{{ run.output }}", {"run": {"output": text}}) == text


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("a\n{{ run.gone }}", "unknown-name", 2),
        ("{% if run.gone %}x{% endif %}", "unknown-name", 1),
        ("\n\n{{ 1 / 0 }}", "step-failed", 3),
        ("{% for i in run.gone %}{% endfor %}", "unknown-name", 1),
        ("{{ run.items.append(3) }}", "step-failed", 1),
        ("{{ run.output.__class__ }}", "step-failed", 1),
        ("{{ ''.join.__globals__ }}", "step-failed", 1),
        ("{{ run | attr('x') }}", None, None),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "template-limit", 1),
        ("{% for i in range(10000000) %}x{% endfor %}", "template-limit", 1),
        ("{% for i in range(5000) %}{% for j in range(5000) %}{% endfor %}{% endfor %}", "template-limit", 1),
        ("{% for i in range(1000) %}{{ 'x' * 100000 }}{% endfor %}", "template-limit", 1),
    ],
)
def test_what_goes_wrong_has_a_code_and_a_line(source, code, line):
    if code is None:
        with pytest.raises(Exception, match="attr"):
            render(source)
        return
    with pytest.raises(RecordError) as caught:
        render(source)
    assert (caught.value.code, caught.value.at) == (code, {"line": line})


def test_a_template_can_say_that_there_is_nothing_to_judge():
    with pytest.raises(NotScorable, match="why"):
        render("{{ not_scorable('why') }}")


def test_includes_come_from_the_table_they_were_resolved_into():
    environment = Environment({"/p/b": "B{{ run.output }}"}, {("/p/a", "b.txt"): "/p/b"})
    assert compile_template(environment, "{% include 'b.txt' %}!", name="/p/a").render(NAMES) == "Ba!"


def test_an_error_in_an_included_file_has_its_place_there():
    environment = Environment({"/p/b": "\n{{ run.gone }}"}, {("/p/a", "b.txt"): "/p/b"})
    template = compile_template(environment, "{% include 'b.txt' %}", lambda name, line: [name, line], "/p/a")
    with pytest.raises(RecordError) as caught:
        template.render(NAMES)
    assert caught.value.at == ["/p/b", 2]


def test_one_record_s_limits_are_not_the_next_one_s():
    template = compile_template(plain(), "{% for i in range(400000) %}{% endfor %}x")
    assert [template.render(NAMES) for _ in range(4)] == ["x"] * 4


def test_the_chains_of_names_that_a_template_reads():
    tree = plain().parse_unchanged("{{ run.output.a }}{% for x in results.y %}{{ x.z }}{% endfor %}")
    assert {("run", "output", "a"), ("results", "y"), ("x", "z")} <= set(chains_of(tree))
