"""Whatever stands in a file, ``check`` answers with problems that have a place, and never with an exception."""

from hypothesis import given, settings
from hypothesis import strategies as st
from property_mutations import ROOT, at, checked, read

from scorerkit.assembly import assemble
from scorerkit.check import check_definition
from scorerkit.reference import Namespace
from scorerkit.report.problems import FORMATS
from scorerkit.source import parse_document
from scorerkit.source.project import Territory

FILES = [read(ROOT / name) for name in ("judged.yaml", "agent.yaml", "calculated.yaml", "functions.yaml", "typed.yaml")]
SCALARS = st.none() | st.booleans() | st.integers(-3, 300) | st.floats(-2, 2) | st.text(max_size=8)
WORDS = st.sampled_from(["type", "properties", "items", "$ref", "#/$defs/a", "$defs", "prompt", "file", "function", "use", "with",
                         "expression", "run.output", "{{ run.output }}", "string", "object", "levels", "enum", "../x", "m.f"])  # fmt: skip
VALUES = st.recursive(
    SCALARS | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text("abc", min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
PIECES = st.sampled_from(
    [
        "{{",
        "}}",
        "{%",
        "%}",
        "run",
        ".",
        "output",
        "results",
        "preprocessStepResult",
        "|",
        "fenced",
        "map",
        "(",
        ")",
        "[",
        "]",
        "'x'",
        "attribute=",
        "for",
        "x",
        "in",
        "if",
        "else",
        "endif",
        "endfor",
        "set",
        "=",
        "~",
        "+",
        "1",
        ",",
        "macro",
        "m",
        "endmacro",
        "call",
        "endcall",
        "filter",
        "endfilter",
        "endset",
        "with",
        "endwith",
        "is",
        "defined",
        "not",
        "and",
        "or",
        "score",
        "\n",
    ]
)


def paths(value, path=()):
    yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(inner, (*path, key))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_any_value_anywhere_is_answered_with_problems(data):
    import copy

    value = copy.deepcopy(data.draw(st.sampled_from(FILES)))
    path = data.draw(st.sampled_from([path for path in paths(value) if path]))
    at(value, path[:-1])[path[-1]] = data.draw(VALUES)
    _, errors = checked(value, "yaml")
    assert all(problem.place.line >= 1 and problem.message for problem in errors)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(PIECES, max_size=14), st.sampled_from(["prompt", "expression"]))
def test_any_code_is_answered_with_problems(pieces, key):
    code = " ".join(pieces).replace("\n", "\n      ") or "1"
    text = f"id: x\nsteps:\n  preprocess: {{expression: run.output}}\n  generateScore:\n    {key}: |\n      {code}\n"
    document = parse_document(text, "s.yaml", "yaml", file=ROOT / "s.yaml")
    definition, _ = assemble(document, Territory(ROOT, ROOT / "s.yaml"))
    problems = check_definition(definition, Namespace(ROOT))
    for render in FORMATS.values():
        assert isinstance(render(problems, ["s.yaml"]), str)
