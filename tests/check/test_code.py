from scorerkit.check.code import code_of
from scorerkit.definition import Definition
from scorerkit.source import parse_document
from scorerkit.source.project import Territory

TEXT = """
id: x
judge:
  instructions: a
  errorProcessors:
    - use: streamErrorRetry
      with:
        delayMs: {expression: b}
        matchers: [text, {status: [500], delayMs: {expression: c}}]
    - use: m.f
prepareRun: [{expression: d}, {dropGroundTruth: true}]
notScorable: [{when: e, reason: r}, {when: true, reason: r}]
data: {file: a, map: {input: {expression: f}, output: column}, where: g}
steps:
  generateReason: {prompt: h, when: i, judge: {instructions: j}}
  generateScore: {prompt: k, outputSchema: {}, calculateScore: {expression: l}}
  preprocess: {expression: m}
  analyze: {prompt: {function: m.g}, outputSchema: {}}
"""


def codes(tmp_path, text):
    document = parse_document(text, "s.yaml", "yaml", file=tmp_path / "s.yaml")
    return list(code_of(Definition(document, Territory(tmp_path, document.file), dict(document.value))))


def test_all_code_is_found_in_the_order_of_the_pipeline(tmp_path):
    assert [code.source for code in codes(tmp_path, TEXT)] == list("fgdeabcmkliHj".replace("H", "h"))


def test_templates_and_expressions_are_told_apart(tmp_path):
    kinds = {code.source: code.kind for code in codes(tmp_path, TEXT)}
    assert {source for source, kind in kinds.items() if kind == "template"} == set("ahjk")


def test_shared_instructions_belong_to_the_steps_without_their_own(tmp_path):
    places = {code.source: code.places for code in codes(tmp_path, TEXT)}
    assert places["a"] == ("analyze", "generateScore")
    assert places["j"] == ("generateReason",)
    assert places["l"] == ("generateScore.calculateScore",)


def test_instructions_that_no_step_uses_are_checked_as_the_first_step_s(tmp_path):
    text = "id: x\njudge: {instructions: a}\nprepareRun: {expression: b}\nsteps: {generateScore: {expression: c}}\n"
    assert [(code.source, code.places) for code in codes(tmp_path, text)] == [
        ("b", ("prepareRun",)),
        ("a", ("preprocess",)),
        ("c", ("generateScore",)),
    ]
