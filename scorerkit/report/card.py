"""What a summary needs to know of a scorer, as data: so that a kept experiment can be summed up without its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.model.judge import JudgeConfig, Target
from scorerkit.model.plan import Bounds, Gate, Plan

if TYPE_CHECKING:
    from scorerkit.model.json import Json


def card_of(plan: Plan) -> dict[str, Json]:
    """The card of a scorer."""
    gate = plan.gate
    return {
        **plan.identity,
        "description": plan.description,
        "source": plan.source,
        "params": plan.params,
        "judgeDigest": plan.judge_digest,
        "models": sorted({config.target.model for config in plan.configs.values()}),
        "direction": plan.direction,
        "range": _pair(plan.range),
        "threshold": _pair(plan.threshold),
        "gate": None if gate is None else [_pair(gate.mean), gate.pass_rate, gate.max_not_scorable],
    }


def plan_of(card: dict[str, Json]) -> Plan:
    """A scorer without steps that sums up as the one did that the card was made of."""
    gate = card["gate"]
    targets = (Target(*model.split("/", 1)) for model in card["models"])
    return Plan(
        id=card["id"],
        steps=(),
        name=card["name"],
        version=card["version"],
        digest=card["digest"],
        description=card["description"],
        source=card["source"],
        params=card["params"],
        judge_digest=card["judgeDigest"],
        configs={target.model: JudgeConfig(target) for target in targets},
        direction=card["direction"],
        range=_bounds(card["range"]),
        threshold=_bounds(card["threshold"]),
        gate=None if gate is None else Gate(_bounds(gate[0]), gate[1], gate[2]),
    )


def _pair(bounds: Bounds | None) -> list[float | None] | None:
    return None if bounds is None else [bounds.minimum, bounds.maximum]


def _bounds(pair: list[float | None] | None) -> Bounds | None:
    return None if pair is None else Bounds(*pair)
