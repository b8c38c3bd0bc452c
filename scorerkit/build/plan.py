from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.build.digest import judge_digest, scorer_digest
from scorerkit.build.judges import config_of, resolve
from scorerkit.build.params import params_of
from scorerkit.build.records import data_of, guards_of, prepare_of, shape_of, validate_of
from scorerkit.build.steps import Builder
from scorerkit.model.plan import Bounds, Gate, Plan
from scorerkit.model.stage import STEPS

if TYPE_CHECKING:
    from scorerkit.definition import Definition
    from scorerkit.model.json import Json
    from scorerkit.reference import Namespace
    from scorerkit.settings import Settings


def prompt_steps(definition: Definition) -> list[str]:
    """The steps that ask the judge."""
    return [step for step in STEPS if definition.get("steps", step, "prompt") is not None]


def build_plan(definition: Definition, settings: Settings, namespace: Namespace | None = None) -> Plan:
    """The plan of a definition without problems; imports the functions it names.

    A prompt step for which nobody names a model gets the target ``none/none``: only a judge that is handed over can
    answer it.

    Raises:
        ScorerkitError: a param is missing or wrong, a function cannot be imported, a prompt step has no model.
    """
    namespace = namespace or settings.namespace(trusted=definition.territory.trusted)
    params = params_of(definition, settings.params)
    fields = {step: resolve(definition, step, settings) for step in prompt_steps(definition)}
    configs = {step: config_of(definition, found, settings, namespace) for step, found in fields.items()}
    direction = definition.get("direction") or "maximize"
    return Plan(
        id=definition.get("id"),
        steps=Builder(definition, namespace, configs).steps(),
        name=definition.get("name") or definition.get("id"),
        description=definition.get("description"),
        version=definition.get("version"),
        tags=tuple(definition.get("tags") or ()),
        deprecated=definition.get("deprecated"),
        params=params,
        shape=shape_of(definition),
        prepare=prepare_of(definition, namespace, params),
        validate=validate_of(definition),
        guards=guards_of(definition),
        range=bounds(definition.get("range")),
        direction=direction,
        threshold=bounds(definition.get("threshold"), direction),
        gate=_gate(definition.get("gate"), direction),
        data=data_of(definition),
        digest=scorer_digest(definition, namespace),
        judge_digest=judge_digest(fields),
        configs=configs,
        recordings=_recordings(definition) if configs else (),
        source=definition.document.path,
    )


def bounds(value: Json, direction: str = "maximize") -> Bounds | None:
    """A closed interval; a bare number is the worse bound."""
    if value is None:
        return None
    if isinstance(value, dict):
        return Bounds(value.get("min"), value.get("max"))
    return Bounds(maximum=value) if direction == "minimize" else Bounds(minimum=value)


def _gate(value: Json, direction: str) -> Gate | None:
    if not value:
        return None
    return Gate(bounds(value.get("mean"), direction), value.get("passRate"), value.get("maxNotScorable"))


def _recordings(definition: Definition) -> tuple[str, ...]:
    written = definition.get("judge", "recordings")
    if written is None:
        return ()
    base, _ = definition.source(("judge", "recordings"))
    return (str(definition.territory.resolve(base.file.parent, written)),)
