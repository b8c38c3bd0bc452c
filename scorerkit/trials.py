"""The tests inside scorer files: run with the answers they give, compared with what they expect."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scorerkit.conversion import describe
from scorerkit.errors import ScorerkitError
from scorerkit.judge.scripted import ScriptedTransport, scripted_judge
from scorerkit.loader import load_plan
from scorerkit.model.run import RUN_KEYS, ScorerRun
from scorerkit.pipeline import FatalJudge, score_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorerkit.loader import Checked
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Judge
    from scorerkit.model.plan import Plan
    from scorerkit.model.result import ScorerResult
    from scorerkit.settings import Settings

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Trial:
    """One test of one scorer file, carried out.

    Attributes:
        place: ``PATH:LINE`` of the test.
        differences: what did not come out as expected, one sentence each; empty where the test passes.
    """

    scorer: str
    name: str
    place: str
    differences: tuple[str, ...]
    result: ScorerResult | None = None

    @property
    def passed(self) -> bool:
        return not self.differences


async def run_trials(checked: Checked, settings: Settings, live: Judge | None = None) -> list[Trial]:
    """Carry out the tests of a file without errors; with ``live`` the real judge is asked instead.

    Raises:
        InvalidScorer: a function that the scorer names cannot be imported.
    """
    definition = checked.definition
    plans: dict[str, Plan] = {}
    trials: list[Trial] = []
    for index, test in enumerate((definition.get("tests") or ()) if definition else ()):
        where = definition.where(("tests", index)) if definition else {}
        scorer, place = str(definition.get("id") if definition else ""), f"{where['path']}:{where['line']}"
        key = json.dumps(test.get("params") or {}, sort_keys=True)
        try:
            plan = plans.get(key) or load_plan(
                checked, replace(settings, params=test.get("params") or {}), own_judge=live is None
            )
        except ScorerkitError as error:
            trials.append(Trial(scorer, test["name"], place, tuple(_unbuilt(test["expect"], error))))
            continue
        plans[key] = plan
        result, missing = await _carry_out(plan, test, live)
        trials.append(Trial(scorer, test["name"], place, outcome(test["expect"], result, missing), result))
    return trials


async def _carry_out(plan: Plan, test: dict[str, Json], live: Judge | None) -> tuple[ScorerResult, list[str]]:
    fields = {RUN_KEYS[key]: value for key, value in test["run"].items()}
    transport = ScriptedTransport(test.get("answers") or {})
    try:
        result = await score_run(
            plan, ScorerRun(**{"run_id": test["name"], **fields}), live or scripted_judge(transport)
        )
    except FatalJudge as fatal:
        result = fatal.result
    return result, transport.missing


def _unbuilt(expect: dict[str, Json], error: ScorerkitError) -> Iterator[str]:
    """What differs where a scorer refuses the params of a test: that is a failure too, if the test expects one."""
    told = {"status": "failed", "error": "bad-param"}
    if error.code != "bad-param" or not expect.items() <= told.items():
        yield f"the scorer cannot be built: {error.message}"


def outcome(expect: dict[str, Json], result: ScorerResult, missing: Iterable[str] = ()) -> tuple[str, ...]:
    """What did not come out as expected, one sentence each; ``missing`` are steps that asked in vain."""
    return (*(f"no answer is given for {step}" for step in dict.fromkeys(missing)), *compare(expect, result))


def compare(expect: dict[str, Json], result: ScorerResult) -> Iterator[str]:
    """What differs between a result and the ``expect`` of a test. Whatever is not named is not looked at."""
    if result.status == "failed" and not {"status", "failedStep", "error"} & set(expect):
        error = result.error or {}
        why = f" ({error['why']})" if error.get("why") else ""
        yield f"the record failed: {error.get('code')}: {error.get('message')}{why}"
        return
    yield from _number(expect, result)
    plain: dict[str, Any] = {
        "status": result.status,
        "passed": result.passed,
        "failedStep": result.failed_step,
        "error": (result.error or {}).get("code"),
    }
    for key, found in plain.items():
        if key in expect and expect[key] != found:
            yield f"{key}: expected {describe(expect[key])}, got {describe(found)}"
    for key, step in (("preprocessStepResult", "preprocess"), ("analyzeStepResult", "analyze")):
        if key in expect:
            yield from difference(key, expect[key], result.steps.get(step))
    yield from _texts(expect, result)


def _number(expect: dict[str, Json], result: ScorerResult) -> Iterator[str]:
    if "score" in expect:
        tolerance = expect.get("tolerance", TOLERANCE)
        if result.score is None:
            told = (result.not_scorable or {}).get("reason")
            why = f" ({told})" if told else ""
            yield f"score: expected {expect['score']}, got none: the record is {result.status}{why}"
        elif not math.isclose(result.score, expect["score"], rel_tol=0, abs_tol=tolerance):
            yield f"score: expected {expect['score']} (± {tolerance:g}), got {result.score}"
    if "scoreBetween" in expect:
        low, high = expect["scoreBetween"]
        if result.score is None or not low <= result.score <= high:
            yield f"score: expected between {low} and {high}, got {result.score}"


def _texts(expect: dict[str, Json], result: ScorerResult) -> Iterator[str]:
    wanted = expect.get("reason")
    if isinstance(wanted, str) and result.reason != wanted:
        yield f"reason: expected {describe(wanted, 300)}, got {describe(result.reason, 300)}"
    if isinstance(wanted, dict):
        import re2

        if result.reason is None or not re2.search(wanted["matches"], result.reason):
            yield f"reason: nothing matches {wanted['matches']!r} in {describe(result.reason, 300)}"
    for step, parts in (expect.get("promptContains") or {}).items():
        prompt = result.prompts.get(step)
        for part in [parts] if isinstance(parts, str) else parts:
            if prompt is None:
                yield f"promptContains.{step}: the step asked nothing"
            elif part not in prompt:
                yield f"promptContains.{step}: {describe(part)} is not in the prompt: {describe(prompt, 500)}"


def difference(path: str, wanted: Json, found: Json) -> Iterator[str]:
    """The places in which two JSON values differ; numbers to 1e-9, true and false are no numbers."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in [*wanted, *(key for key in found if key not in wanted)]:
            if key not in found:
                yield f"{path}.{key}: expected {describe(wanted[key])}, and it is missing"
            elif key not in wanted:
                yield f"{path}.{key}: not expected, got {describe(found[key])}"
            else:
                yield from difference(f"{path}.{key}", wanted[key], found[key])
    elif isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            yield f"{path}: expected {len(wanted)} entries, got {len(found)}"
        for index, (one, other) in enumerate(zip(wanted, found, strict=False)):
            yield from difference(f"{path}[{index}]", one, other)
    elif not _equal(wanted, found):
        yield f"{path}: expected {describe(wanted)}, got {describe(found)}"


def _equal(wanted: Json, found: Json) -> bool:
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (wanted, found))
    if numbers:
        return math.isclose(wanted, found, rel_tol=0, abs_tol=TOLERANCE)
    return type(wanted) is type(found) and bool(wanted == found)
