import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2.exceptions import TemplateSyntaxError

from scorerkit.errors import NotScorable, RecordError
from scorerkit.expression import compile_expression
from scorerkit.template.environment import plain

NAMES = {
    "run": {"output": {"items": [1, 2], "n": None, "text": "a b"}, "input": "q"},
    "params": {"w": 0.5},
    "results": {},
    "x": 3,
}


def evaluate(source, names=NAMES):
    return compile_expression(plain(), source).evaluate(names)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("1 + 1", 2),
        ("7 / 2", 3.5),
        ("7 // 2", 3),
        ("2 ** 10", 1024),
        ("run.output.items | length", 2),
        ("run.output['items']", [1, 2]),
        ("x > 2 and params.w == 0.5", True),
        ("'a' if x == 3 else 'b'", "a"),
        ("{'a': (1, 2)}", {"a": [1, 2]}),
        ("none", None),
        ("true", True),
        ("run.output.text.split(' ')", ["a", "b"]),
        ("run.output.gone | default(7)", 7),
        ("run.gone.further.yet | default(7)", 7),
        ("run.gone.further is defined", False),
        ("run.output.items is defined", True),
        ("run.output.n is none", True),
        ("[1, 2, 3] | select('gt', 1) | list", [2, 3]),
        ("range(3) | list", [0, 1, 2]),
        ("[3, 1] | max", 3),
        ("max(3, 1)", 3),
        ("0.5 | round", 1),
        ("'{{ x }}'", "{{ x }}"),
        ("x ~ 'a' ~ true", "3atrue"),
    ],
)
def test_an_expression_gives_a_native_value(source, value):
    found = evaluate(source)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        ("gone", "unknown-name", "'gone'"),
        ("run.gone", "unknown-name", "'gone'"),
        ("run.input.gone", "unknown-name", "'gone'"),
        ("run.output.items[9]", "unknown-name", "'9'"),
        ("1 if run.gone == 1 else 0", "unknown-name", "'gone'"),
        ("run.gone | length", "unknown-name", "'gone'"),
        ("1 / 0", "step-failed", "division"),
        ("1 % 0", "step-failed", "modulo"),
        ("[] | max", "step-failed", ""),
        ("'a' + 1", "step-failed", ""),
        ("'x' | int", "step-failed", "not a number"),
        ("x.__class__", "step-failed", "may not be used"),
        ("run.input.__class__", "step-failed", "may not be used"),
        ("run.input.format", "step-failed", "may not be used"),
        ("fail('why')", "step-failed", "why"),
        ("'x' * 10000000", "template-limit", "repeating"),
        ("9 ** 99999", "template-limit", ""),
        ("range(100000000) | list", "template-limit", ""),
        ("1e308 * 10", "step-failed", "inf"),
    ],
)
def test_what_goes_wrong_has_a_code_and_a_place(source, code, words):
    with pytest.raises(RecordError) as caught:
        evaluate(source)
    assert caught.value.code == code
    assert words in caught.value.message
    assert caught.value.at == {"line": 1}


def test_an_error_shows_the_values_that_were_read():
    with pytest.raises(RecordError) as caught:
        evaluate("x / run.zero", {"x": 3, "run": {"zero": 0}})
    assert caught.value.why == "with x = 3, run.zero = 0"


def test_a_missing_link_shows_what_there_was_before_it():
    with pytest.raises(RecordError) as caught:
        evaluate("run.output.verdict", {"run": {"output": "yes"}})
    assert caught.value.message == "run.output is text, so it has no 'verdict'"
    assert caught.value.why == "with run.output = 'yes'"


@pytest.mark.parametrize(
    "source",
    [
        "run.metadata.contexts",
        *(f"run.metadata.contexts | {name}" for name in ("fenced", "json", "items", "tool_calls", "not_scorable")),
        "fenced(run.metadata.contexts)",
        "'a' | fenced(label=run.metadata.contexts)",
        "contains_any('a', run.metadata.contexts)",
        "[run.metadata.contexts] | json",
        "{'a': run.metadata.contexts} | fenced",
    ],
)
def test_what_is_missing_is_named_alike_wherever_it_goes(source):
    with pytest.raises(RecordError) as caught:
        evaluate(source, {"run": {"metadata": None}})
    assert (caught.value.code, caught.value.message) == (
        "unknown-name", "run.metadata is null, so it has no 'contexts'"
    )  # fmt: skip
    assert caught.value.fix == "where it may be missing, write run.metadata.contexts | default('')"
    assert evaluate(caught.value.fix.partition("write ")[2], {"run": {"metadata": None}}) == ""


def test_a_name_beside_the_missing_one_is_offered():
    with pytest.raises(RecordError) as caught:
        evaluate("run.metadata.contexts", {"run": {"metadata": {"context": []}}})
    assert (caught.value.message, caught.value.fix) == ("run.metadata has no 'contexts'", "did you mean 'context'?")


def test_where_several_places_could_lack_a_name_none_is_blamed():
    with pytest.raises(RecordError) as caught:
        evaluate("(run.a.x | default(1)) + (run.b.x)", {"run": {"a": {}, "b": {}}})
    assert (caught.value.message, caught.value.fix) == ("there is no 'x' here", None)


def test_nothing_to_judge_passes_through():
    with pytest.raises(NotScorable, match="why"):
        evaluate("not_scorable('why')")


@pytest.mark.parametrize("source", ["", "1 +", "a b", "{{ x }}", "x = 1", "1 | nofilter", "% x %"])
def test_what_does_not_parse_is_said_when_it_is_compiled(source):
    with pytest.raises(TemplateSyntaxError):
        compile_expression(plain(), source)


def test_data_is_never_changed_and_the_result_shares_nothing():
    names = {"run": {"output": [1, [2]]}}
    found = evaluate("run.output", names)
    found[1].append(3)
    assert names == {"run": {"output": [1, [2]]}}


def test_the_place_of_an_error_is_found_by_the_caller():
    expression = compile_expression(plain(), "1\n/ 0", lambda name, line: {"path": "s.yaml", "line": 10 + line})
    with pytest.raises(RecordError) as caught:
        expression.evaluate({})
    assert caught.value.at["path"] == "s.yaml"
    assert caught.value.at["line"] in (11, 12)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_sums_and_comparisons_are_those_of_python(a, b):
    assert evaluate("[a + b, a * b, a < b, a == b]", {"a": a, "b": b}) == [a + b, a * b, a < b, a == b]


@given(st.text(max_size=60))
def test_no_text_makes_the_compiler_raise_anything_else(source):
    try:
        compiled = compile_expression(plain(), source)
    except (TemplateSyntaxError, RecordError):
        return
    try:
        compiled.evaluate(NAMES)
    except (RecordError, NotScorable):
        return
