"""The tests inside a definition, as far as they can be held against it without running them: answers and params.

Warnings, because the scorer itself is right: `run` may score with it, and `test` carries out the other tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.check.given import given_value
from scorerkit.check.kinds import fix_of_value
from scorerkit.check.schemas import no_remote, unfit
from scorerkit.conversion import describe
from scorerkit.errors import ScorerkitError
from scorerkit.judge.format import AnswerFormat, Misfit, Unreadable, levels_format, schema_format, score_format
from scorerkit.model.stage import STEPS
from scorerkit.suggest import closest, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.json import Json, Path
    from scorerkit.model.problem import Problem

FAILURES = ("failedStep", "error")
REFUSED = {"status": "failed", "error": "bad-param"}
"""What a test expects that gives params which the scorer refuses."""


def check_examples(definition: Definition) -> Iterator[Problem]:
    """Answers that the step's own schema refuses, and params that the scorer refuses, where no test wants that."""
    tests = definition.get("tests") or []
    if not tests:
        return
    forms = {step: form for step in STEPS if (form := _form(definition, step)) is not None}
    validators = dict(_validators(definition))
    for index, test in enumerate(tests):
        path = ("tests", index)
        expect = test["expect"]
        if not expect or not expect.items() <= REFUSED.items():
            yield from _params(definition, path, test.get("params") or {}, validators)
        if expect.get("status") in (None, "scored") and not expect.keys() & {*FAILURES}:
            yield from _answers(definition, path, test.get("answers") or {}, forms)


def _form(definition: Definition, step: str) -> AnswerFormat | None:
    """What the judge's answer to a step must look like; None where the judge is not asked, or for text."""
    written = definition.get("steps", step) or {}
    if "prompt" not in written:
        return None
    try:
        if "outputSchema" in written:
            return schema_format(step, written["outputSchema"])
    except ValueError:
        return None  # said elsewhere, at its place
    if step != "generateScore":
        return None
    if "levels" in written:
        return levels_format(dict.fromkeys(written["levels"], (0, None)))
    bounds = definition.get("range") or {}
    return score_format(bounds.get("min"), bounds.get("max"))


def _answers(
    definition: Definition, path: Path, answers: dict[str, Json], forms: dict[str, AnswerFormat]
) -> Iterator[Problem]:
    for step, answer in answers.items():
        form = forms.get(step)
        where: Path = (*path, "answers", step)
        several: list[tuple[Path, Json]] = [(where, answer)]
        if isinstance(answer, dict) and set(answer) == {"samples"} and isinstance(answer["samples"], list):
            several = [((*where, "samples", number), each) for number, each in enumerate(answer["samples"])]
        for each, given in several if form is not None else ():
            if fault := _fault(form, given):
                message = f"the answer that this test gives for {step} does not fit: {fault}"
                yield definition.problem(
                    "unusable-answer", each, message, on="key",
                    why="a test's answers are read and checked as a judge's would be",
                    fix="correct the answer; a test of a failure says so: expect: {error: unusable-answer}",
                    severity="warning",
                )  # fmt: skip


def _fault(form: AnswerFormat | None, answer: Json) -> str | None:
    if form is None:
        return None
    try:
        form.read(answer) if isinstance(answer, str) else form.accept(answer)
    except (Misfit, Unreadable) as fault:
        return str(fault)
    return None


def _validators(definition: Definition) -> Iterator[tuple[str, Any]]:
    import jsonschema_rs

    for name, schema in (definition.get("params") or {}).items():
        try:
            yield (
                name,
                jsonschema_rs.Draft202012Validator(
                    schema, validate_formats=True, retriever=no_remote, pattern_options=jsonschema_rs.RegexOptions()
                ),
            )
        except ValueError:
            continue  # said elsewhere, at its place


def _params(
    definition: Definition, path: Path, given: dict[str, Json], validators: dict[str, Any]
) -> Iterator[Problem]:
    schemas = definition.get("params") or {}
    missing = [name for name, schema in schemas.items() if "default" not in schema and name not in given]
    for name, value in given.items():
        where = (*path, "params", name)
        if name not in schemas:
            meant = closest(name, missing)
            missing = [each for each in missing if each != meant]
            fix = suggestion(name, schemas) if schemas else "remove it: the scorer has no params"
            yield definition.problem(
                "bad-param", where, f"the scorer has no param '{name}'", on="key", fix=fix, severity="warning"
            )
        elif name in validators:
            yield from _param(definition, where, schemas[name], value, validators[name])
    for name in missing:
        message = f"this test gives no value for the param '{name}'"
        yield definition.problem(
            "bad-param", (*path, "params") if given else path, message, on="key" if given else "value",
            why="a param without a default must be given", fix=f"give one: params: {{{name}: …}}", severity="warning",
        )  # fmt: skip


def _param(
    definition: Definition, path: Path, schema: dict[str, Json], value: Json, validator: Any
) -> Iterator[Problem]:
    name = str(path[-1])
    try:
        given_value(name, schema, value, validator)
    except ScorerkitError:
        kind = next(iter(validator.iter_errors(value))).kind
        message = f"the param '{name}' cannot be {describe(value)}: {unfit(kind.name, kind.value)}"
        fix = fix_of_value(kind.value, value) if kind.name == "type" else None
        yield definition.problem("bad-param", path, message, fix=fix, severity="warning")
