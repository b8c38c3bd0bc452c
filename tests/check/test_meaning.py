import pytest

END = "steps: {generateScore: {expression: run.output | length}}\n"
CASES = [
    ("scorerkit: 1\n", []),
    ("scorerkit: 2\n", [("unsupported-version", 2, 12)]),
    ("extends: a.yaml\nwithout: [steps]\n", [("unreadable-file", 2, 10)]),
    ("without: [steps]\n", [("missing-key", 2, 1)]),
    ("judge: {samples: 1, aggregate: mean, minJurors: 1, tolerance: 0}\n", [("not-in-this-release", 2, c) for c in (9, 21, 38, 52)]),
    ("judge: {jury: [{model: openai/a}, {model: openai/b}], swap: [a, b]}\n", [("not-in-this-release", 2, 9), ("not-in-this-release", 2, 55)]),
    ("type: trajectory\n", []),
    ("range: {min: 2, max: 1}\n", [("out-of-range", 2, 14)]),
    ("range: {min: 1, max: 1}\n", []),
    ("threshold: {min: 2, max: 1}\ngate: {mean: {min: 2, max: 1}}\n", [("out-of-range", 2, 18), ("out-of-range", 3, 20)]),
    ("tests: [{name: a, run: {}, expect: {scoreBetween: [1, 0]}}]\n", [("out-of-range", 2, 51)]),
    ("gate: {passRate: 1}\n", [("missing-key", 2, 8)]),
    ("gate: {passRate: 1}\nthreshold: 1\n", []),
    ("prepareRun: {roles: [a], dropGroundTruth: true}\n", [("missing-key", 2, 14)]),
    ("prepareRun: [{dropGroundTruth: true}, {keep: parts}]\n", [("missing-key", 2, 40)]),
    ("prepareRun: {roles: [a]}\ntype: agent\n", []),
    ("data: ../a.csv\n", [("outside-project", 2, 7)]),
    ("data: {file: ../a.csv}\n", [("outside-project", 2, 14)]),
    ("data: a.csv\n", []),
    ("judge: {recordings: /var/a.jsonl}\n", [("outside-project", 2, 21)]),
    ("judge: {model: gpt-5}\n", [("unknown-value", 2, 16)]),
    ("judge: {model: opnai/gpt-5}\n", [("unknown-value", 2, 16)]),
    ("judge: {model: openai/}\n", [("unknown-value", 2, 16)]),
    ("params: {a: {type: number, default: b}}\n", [("bad-param", 2, 37)]),
    ("params: {a: {type: array, items: {type: number}, default: [1, b]}}\n", [("bad-param", 2, 63)]),
    ("params: {a: {type: 5, default: 1}}\n", [("bad-param", 2, 20)]),
    ("params: {a: {type: number}}\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_cannot_be_meant_is_pointed_at(problems, text, expected):
    found = [
        (each.code, each.place.line, each.place.column)
        for each in problems(f"id: x\n{text}{END}")
        if each.severity == "error"
    ]
    assert found == expected


def test_profiles_of_the_project_are_models(tmp_path):
    from scorerkit.check.meaning import check_models
    from scorerkit.definition import Definition
    from scorerkit.source import parse_document
    from scorerkit.source.project import Territory

    def found(model, profiles):
        document = parse_document(
            f"id: x\njudge: {{model: {model}}}\n{END}", "s.yaml", "yaml", file=tmp_path / "s.yaml"
        )
        definition = Definition(document, Territory(tmp_path, document.file), dict(document.value))
        return [(each.code, each.fix) for each in check_models(definition, profiles, ["openai"])]

    assert found("cheap", ["cheap"]) == []
    assert found("chaep", ["cheap"]) == [("unknown-value", "did you mean 'cheap'?")]
    assert found("openai/x", []) == []
