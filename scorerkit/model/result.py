from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scorerkit.errors import ScorerkitError
from scorerkit.model.stage import PROMPT_KEY, RESULT_KEY

if TYPE_CHECKING:
    from scorerkit.model.json import Json

Status = Literal["scored", "notScorable", "failed"]


class ScorerRunError(ScorerkitError):
    """A record that failed, raised by :meth:`ScorerResult.raise_for_status`; carries the partial result."""

    def __init__(self, result: ScorerResult) -> None:
        error = result.error or {}
        super().__init__(str(error.get("message")), code=error.get("code"))
        self.result = result
        self.failed_step = result.failed_step
        self.completed_steps = tuple(result.completed_steps)


@dataclass(slots=True, eq=False)
class ScorerResult:
    """What came of one record. Filled in by the interpreter as it goes; read-only for everybody else.

    Attributes:
        score: a finite number when ``status`` is ``scored``, else None: an error is never a number.
        passed: whether the score is inside the threshold; None without a threshold or a score.
        steps: results of the steps that ran, by step.
        prompts: what the judge was asked, by step, exactly as sent.
        judge: execution records, by step.
        judge_output: the judge's structured answer of ``generateScore``; only where ``has_judge_output``.
        error: ``{code, message, at, why, fix}`` when ``status`` is ``failed``.
    """

    run_id: str | None = None
    status: Status = "failed"
    score: float | int | None = None
    passed: bool | None = None
    reason: str | None = None
    steps: dict[str, Json] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    judge: dict[str, list[dict[str, Json]]] = field(default_factory=dict)
    judge_output: Json = None
    has_judge_output: bool = False
    failed_step: str | None = None
    completed_steps: list[str] = field(default_factory=list)
    error: dict[str, Json] | None = None
    not_scorable: dict[str, Json] | None = None
    duration_ms: float = 0.0
    metadata: Json = None
    scorer: dict[str, Json] = field(default_factory=dict)
    params: dict[str, Json] = field(default_factory=dict)
    judge_digest: str | None = None

    @property
    def preprocess_step_result(self) -> Json:
        return self.steps.get("preprocess")

    @property
    def analyze_step_result(self) -> Json:
        return self.steps.get("analyze")

    @property
    def generate_score_step_result(self) -> Json:
        return self.steps.get("generateScore")

    @property
    def recorded(self) -> str | None:
        """``replay`` or ``external`` when the judge's answers were recorded earlier; ``external`` wins."""
        kinds = {execution.get("recorded") for steps in self.judge.values() for execution in steps}
        return next((kind for kind in ("external", "replay") if kind in kinds), None)

    def raise_for_status(self) -> None:
        """Raise :class:`ScorerRunError` when the record failed."""
        if self.status == "failed":
            raise ScorerRunError(self)

    def to_dict(self) -> dict[str, Json]:
        """The result as files have it: keys in camelCase, step results and prompts only where there are any."""
        row: dict[str, Json] = {
            "runId": self.run_id,
            "status": self.status,
            "score": self.score,
            "passed": self.passed,
            "reason": self.reason,
        }
        for step, value in self.steps.items():
            if step != "generateReason":
                row[RESULT_KEY[step]] = value
        if self.has_judge_output:
            row["judgeOutput"] = self.judge_output
        for step, prompt in self.prompts.items():
            row[PROMPT_KEY[step]] = prompt
        if self.judge:
            row["judge"] = {step: {"executions": executions} for step, executions in self.judge.items()}
            if recorded := self.recorded:
                row["recorded"] = recorded
        row["failedStep"] = self.failed_step
        row["completedSteps"] = self.completed_steps
        row["error"] = self.error
        row["notScorable"] = self.not_scorable
        row["scorer"] = self.scorer
        row["params"] = self.params
        row["judgeDigest"] = self.judge_digest
        row["durationMs"] = self.duration_ms
        row["metadata"] = self.metadata
        return row

    @classmethod
    def from_dict(cls, row: dict[str, Json]) -> ScorerResult:
        """The result that :meth:`to_dict` was made of."""
        judge = row.get("judge") or {}
        return cls(
            run_id=row["runId"],
            status=row["status"],
            score=row["score"],
            passed=row["passed"],
            reason=row["reason"],
            steps={step: row[key] for step, key in RESULT_KEY.items() if key in row},
            prompts={step: row[key] for step, key in PROMPT_KEY.items() if key in row},
            judge={step: found["executions"] for step, found in judge.items()},
            judge_output=row.get("judgeOutput"),
            has_judge_output="judgeOutput" in row,
            failed_step=row["failedStep"],
            completed_steps=row["completedSteps"],
            error=row["error"],
            not_scorable=row["notScorable"],
            duration_ms=row["durationMs"],
            metadata=row["metadata"],
            scorer=row["scorer"],
            params=row["params"],
            judge_digest=row["judgeDigest"],
        )
