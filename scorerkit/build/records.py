"""What happens to a record before its steps: shape, prepareRun, validation, notScorable, and where data comes from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from jinja2 import nodes

from scorerkit.build.functions import call_at, condition_at, expression_at
from scorerkit.conversion import copy_json, describe, kind_of, to_json
from scorerkit.errors import NotScorable, RecordError
from scorerkit.expression import parse_expression
from scorerkit.functions.trajectories import to_trajectory_run
from scorerkit.messages import to_agent_run
from scorerkit.messages.filtering import filter_run
from scorerkit.model.plan import DataSource, Guard
from scorerkit.model.result import ScorerResult
from scorerkit.model.run import RUN_KEYS, ScorerRun
from scorerkit.model.stage import RESULT_KEY
from scorerkit.steps.context import Context, RunView
from scorerkit.template import chains_of
from scorerkit.template.environment import plain
from scorerkit.traces.run import TraceRun, as_agent, as_trajectory

if TYPE_CHECKING:
    from scorerkit.definition import Definition
    from scorerkit.model.json import Json, Path
    from scorerkit.reference import Namespace

Prepare = Callable[[ScorerRun], ScorerRun | Awaitable[ScorerRun]]


def shape_of(definition: Definition) -> Callable[[ScorerRun], ScorerRun] | None:
    """What brings a record to the scorer's type; None where records stay as they are."""
    kind = definition.get("type")
    return _SHAPES.get(kind) if isinstance(kind, str) else None


def _agent(run: ScorerRun) -> ScorerRun:
    return as_agent(run) if isinstance(run, TraceRun) else to_agent_run(run)


def _trajectory(run: ScorerRun) -> ScorerRun:
    return as_trajectory(run) if isinstance(run, TraceRun) else to_trajectory_run(run)


_SHAPES: dict[str, Callable[[ScorerRun], ScorerRun]] = {"agent": _agent, "trajectory": _trajectory}


def prepare_of(definition: Definition, namespace: Namespace, params: dict[str, Json]) -> tuple[Prepare, ...]:
    """The filters and callables of ``prepareRun``, in order."""
    written = definition.get("prepareRun")
    if written is None:
        return ()
    paths: list[Path] = [("prepareRun", index) for index in range(len(written))] if isinstance(written, list) else []
    return tuple(_prepare(definition, path, namespace, params) for path in paths or [("prepareRun",)])


def _prepare(definition: Definition, path: Path, namespace: Namespace, params: dict[str, Json]) -> Prepare:
    written = definition.get(*path)
    if "function" in written:
        call = call_at(definition, path, "prepareRun", namespace)

        async def by_function(run: ScorerRun) -> ScorerRun:
            return changed(run, await call(Context(run, params, None, ScorerResult())))

        return by_function
    if "expression" in written:
        expression = expression_at(definition, (*path, "expression"))
        return lambda run: changed(run, expression.evaluate({"run": run.to_json(), "params": params}))
    return lambda run: filter_run(run, written)


def changed(run: ScorerRun, value: Any) -> ScorerRun:
    """The run with what ``prepareRun`` returned: a whole run, or a mapping of changed fields in either spelling."""
    if isinstance(value, NotScorable):
        raise value
    if isinstance(value, RunView):
        value = value.to_dict()
    if isinstance(value, ScorerRun):
        return value
    if not isinstance(value, dict):
        message = f"prepareRun gave {describe(value)}, which is {kind_of(value)}, not a run or a mapping of fields"
        raise RecordError("step-failed", message)
    fields = {}
    for key, item in value.items():
        name = RUN_KEYS.get(key, key)
        if name not in ScorerRun._fields:
            message = f"prepareRun gave '{key}', which is no field of a run"
            raise RecordError("step-failed", message, fix=f"use one of {', '.join(RUN_KEYS)}")
        try:
            fields[name] = to_json(item)
        except (TypeError, ValueError) as error:
            raise RecordError("step-failed", f"prepareRun gave a '{key}' that cannot be used: {error}") from error
    fields.pop("run_id", None)
    return run._replace(**fields)


def validate_of(definition: Definition) -> Callable[[ScorerRun], None] | None:
    """What checks a record against the schemas of ``type``."""
    import jsonschema_rs

    kind = definition.get("type")
    if not isinstance(kind, dict):
        return None
    validators = [
        (part, RUN_KEYS[part], jsonschema_rs.Draft202012Validator(schema, validate_formats=True))
        for part, schema in kind.items()
    ]

    def validate(run: ScorerRun) -> None:
        for part, name, validator in validators:
            value = getattr(run, name)
            if not validator.is_valid(value):
                error = next(iter(validator.iter_errors(value)))
                place = ".".join([part, *map(str, error.instance_path)])
                message = f"the run does not fit the scorer's type: {place}: {error.message}"
                raise RecordError("type-mismatch", message, at={"field": place})

    return validate


def guards_of(definition: Definition) -> tuple[Guard, ...]:
    """The ``notScorable`` entries, each with the step after which all its names exist."""
    entries = definition.get("notScorable") or ()
    return tuple(_guard(definition, index, entry) for index, entry in enumerate(entries))


def _guard(definition: Definition, index: int, entry: dict[str, Json]) -> Guard:
    path = ("notScorable", index, "when")
    after = None
    if isinstance(entry["when"], str):
        read = {part for chain in _chains(entry["when"]) for part in chain}
        after = next((step for step in ("analyze", "preprocess") if RESULT_KEY[step] in read), None)
    return Guard(condition_at(definition, path), entry["reason"], after)


def _chains(source: str) -> list[tuple[str, ...]]:
    tree = parse_expression(plain(), source)
    items = [
        (str(node.arg.value),)
        for node in tree.find_all(nodes.Getitem)
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str)
    ]
    return [*chains_of(tree), *items]


def data_of(definition: Definition) -> DataSource | None:
    """The scorer's own data: the path resolved, its mapping and filter compiled."""
    written = definition.get("data")
    if written is None:
        return None
    spec: dict[str, Any] = {"file": written} if isinstance(written, str) else written
    base, _ = definition.source(("data",))
    file = definition.territory.resolve(base.file.parent, spec["file"])
    folder, slash, _ = base.path.rpartition("/")
    mapping = {field: _column(definition, field, value) for field, value in (spec.get("map") or {}).items()}
    where = where_of(expression_at(definition, ("data", "where")).evaluate) if "where" in spec else None
    shown = f"{folder}{slash}{spec['file']}"
    return DataSource(str(file), shown, spec.get("format"), mapping, where, spec.get("limit"), copy_json(spec))


def _column(definition: Definition, field: str, value: Json) -> Any:
    """A field of a run from a row: ``("path", dotted)``, ``("json", column)``, or a function of the row."""
    if isinstance(value, str):
        return "path", value
    if "json" in value:
        return "json", value["json"]
    expression = expression_at(definition, ("data", "map", field, "expression"))
    return lambda row: expression.evaluate({"row": row})


def where_of(evaluate: Callable[[dict[str, Any]], Json]) -> Callable[[dict[str, Json], dict[str, Json]], bool]:
    """A filter of rows from an expression over ``row`` and ``run``."""

    def where(row: dict[str, Json], run: dict[str, Json]) -> bool:
        try:
            return bool(evaluate({"row": row, "run": run}))
        except NotScorable as error:
            message = "a filter of records cannot say not_scorable"
            raise RecordError("step-failed", message) from error

    return where
