from __future__ import annotations

import pytest

from scorerkit.build.digest import scorer_digest
from scorerkit.inheritance import merged, without
from scorerkit.loader import check_file, open_project

BASE = """\
id: base
description: The base.
tags: [a, b]
threshold: 0.5
params:
  weight: {type: number, default: 1}
  more: {type: number, default: 2}
judge: {model: openai/gpt-5-mini-2025-08-07, instructions: {file: prompts/system.md}}
data: {file: base.jsonl}
steps:
  analyze:
    description: Look.
    prompt: {file: prompts/look.md}
    outputSchema: {type: object, properties: {ok: {type: boolean}}, required: [ok]}
  generateScore:
    expression: 1 if results.analyzeStepResult.ok else 0
  generateReason:
    description: Why.
    prompt: "Why {{ score }}?"
tests:
  - {name: t, run: {output: a}, answers: {analyze: {ok: true}}, expect: {score: 1}}
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "scorerkit.toml").write_text("")
    (tmp_path / "lib" / "prompts").mkdir(parents=True)
    (tmp_path / "lib" / "base.yaml").write_text(BASE)
    (tmp_path / "lib" / "prompts" / "system.md").write_text("Be fair.\n")
    (tmp_path / "lib" / "prompts" / "look.md").write_text("Look at {{ run.output | fenced }}\n")
    return tmp_path


def checked(project, text, name="child.yaml"):
    (project / name).write_text(text)
    return check_file(project / name, name, open_project(project))


def errors(found):
    return [(problem.code, problem.path, problem.place.line) for problem in found.errors]


CHILD = "id: child\nextends: lib/base.yaml\n"


def test_mappings_merge_and_lists_and_scalars_replace(project):
    text = CHILD + "tags: [c]\nthreshold: 0.9\nparams:\n  weight: {default: 3}\n"
    value = checked(project, text).definition.value
    assert value["tags"] == ["c"]
    assert value["threshold"] == 0.9
    assert value["params"] == {"weight": {"type": "number", "default": 3}, "more": {"type": "number", "default": 2}}
    assert value["judge"]["instructions"] == "Be fair.\n"
    assert value["steps"]["analyze"]["prompt"].startswith("Look at")


def test_tests_and_data_are_not_inherited(project):
    value = checked(project, CHILD).definition.value
    assert not {"tests", "data", "extends", "without"} & set(value)
    assert value["id"] == "child"


def test_a_child_equals_the_file_with_everything_written_out(project):
    child = checked(project, CHILD)
    base = check_file(project / "lib" / "base.yaml", "base.yaml", open_project(project)).definition
    settings = open_project(project)
    namespace = settings.namespace(trusted=True)
    written_out = {**base.value, "id": "child"}
    base.value = {key: item for key, item in written_out.items() if key not in ("tests", "data")}
    assert scorer_digest(child.definition, namespace) == scorer_digest(base, namespace)


def test_without_takes_things_out(project):
    value = checked(project, CHILD + "without: [steps.generateReason, params.more, threshold]\n").definition.value
    assert "generateReason" not in value["steps"]
    assert list(value["params"]) == ["weight"]
    assert "threshold" not in value


def test_a_step_of_another_kind_replaces_the_parents(project):
    step = "steps:\n  analyze: {expression: run.output}\n"
    found = checked(project, CHILD + step)
    assert found.definition.value["steps"]["analyze"] == {"expression": "run.output"}
    assert errors(found) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CHILD + "without: [steps.nope]\n", [("unknown-value", "child.yaml", 3)]),
        ("id: child\nextends: lib/none.yaml\n", [("unreadable-file", "child.yaml", 2)]),
        ("id: child\nextends: ../base.yaml\n", [("outside-project", "child.yaml", 2)]),
        ("id: child\nextends: no-such-scorer\n", [("unreadable-file", "child.yaml", 2)]),
        ("id: child\nextends: 5\n", [("wrong-type", "child.yaml", 2)]),
        ("extends: lib/base.yaml\n", [("missing-key", "child.yaml", 1)]),
        (
            "id: child\nwithout: [steps]\nsteps: {generateScore: {expression: run.output}}\n",
            [("missing-key", "child.yaml", 2)],
        ),
        (CHILD + "threshhold: 1\n", [("unknown-key", "child.yaml", 3)]),
    ],
)
def test_a_mistake_in_the_child_is_pointed_at_there(project, text, expected):
    assert errors(checked(project, text)) == expected


def test_a_mistake_of_the_parent_is_pointed_at_in_the_parent(project):
    base = project / "lib" / "base.yaml"
    base.write_text(BASE.replace("threshold: 0.5", "threshhold: 0.5"))
    assert errors(checked(project, CHILD)) == [("unknown-key", "lib/base.yaml", 4)]
    base.write_text(BASE)
    (project / "lib" / "prompts" / "look.md").write_text("one\n{{ run.outptu }}\n")
    assert errors(checked(project, CHILD)) == [("unknown-name", "lib/prompts/look.md", 2)]
    (project / "lib" / "prompts" / "look.md").unlink()
    assert errors(checked(project, CHILD)) == [("unreadable-file", "lib/base.yaml", 13)]


def test_what_the_child_changes_breaks_in_the_child(project):
    text = CHILD + "steps:\n  generateScore: {expression: results.analyzeStepResult.okay}\n"
    assert errors(checked(project, text)) == [("unknown-name", "child.yaml", 4)]


def test_a_circle_is_refused(project):
    (project / "a.yaml").write_text("id: a\nextends: b.yaml\n")
    found = checked(project, "id: b\nextends: a.yaml\n", "b.yaml")
    assert "extends-cycle" in [code for code, _, _ in errors(found)]


def test_a_long_line_of_parents_ends(project):
    for number in range(40):
        (project / f"p{number}.yaml").write_text(f"id: p{number}\nextends: p{number + 1}.yaml\n")
    assert "extends-cycle" in [code for code, _, _ in errors(checked(project, "id: c\nextends: p0.yaml\n"))]


def test_a_parent_is_found_by_its_id(project):
    (project / "scorers").mkdir()
    (project / "scorers" / "tone.yaml").write_text(
        "id: tone\ndescription: x\nsteps: {generateScore: {expression: run.output}}\n"
    )
    assert errors(checked(project, "id: child\nextends: tone\n")) == []


@pytest.mark.parametrize(
    ("child", "parent", "expected"),
    [
        ({"a": 1}, {"a": 2, "b": 3}, {"a": 1, "b": 3}),
        ({"m": {"x": 1}}, {"m": {"y": 2}}, {"m": {"y": 2, "x": 1}}),
        ({"p": {"file": "x"}}, {"p": {"y": 1}}, {"p": {"file": "x"}}),
        ({"s": {"expression": "1"}}, {"s": {"prompt": "p", "outputSchema": {}}}, {"s": {"expression": "1"}}),
        ({"s": {"prompt": "q"}}, {"s": {"prompt": "p", "when": "x"}}, {"s": {"prompt": "q", "when": "x"}}),
        ({"l": [1]}, {"l": [2, 3]}, {"l": [1]}),
        ({"m": 1}, {"m": {"y": 2}}, {"m": 1}),
    ],
)
def test_merging(child, parent, expected):
    assert merged(child, parent).value == expected


def test_a_key_path_may_go_through_keys_with_dots():
    value = {"a": {"b.c": {"d": 1, "e": 2}}}
    assert without(value, ["a.b.c.d"]) == ({"a": {"b.c": {"e": 2}}}, [])
    assert without(value, ["a.x", "q"]) == (value, [0, 1])
