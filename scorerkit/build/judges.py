"""The judge of each prompt step, resolved field by field: step, scorer, project, default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scorerkit.build.functions import callable_of, expression_at
from scorerkit.judge import build_processor, default_error_processors
from scorerkit.judge.processors import builtin_names
from scorerkit.model.judge import Injection, JudgeConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorerkit.definition import Definition
    from scorerkit.judge.processors import Kind
    from scorerkit.model.json import Json, Path
    from scorerkit.reference import Namespace
    from scorerkit.settings import Settings

DEFAULTS: dict[str, Json] = {
    "model": None,
    "instructions": None,
    "jsonPromptInjection": "auto",
    "modelSettings": None,
    "inputProcessors": None,
    "outputProcessors": None,
    "errorProcessors": None,
    "maxProcessorRetries": 10,
    "formatRetries": 1,
}
PROCESSORS: dict[str, Kind] = {"inputProcessors": "input", "outputProcessors": "output", "errorProcessors": "error"}
NOBODY = "none/none"
"""The model of a step for which nobody names one; loading refuses it unless a judge is handed over."""
INJECTIONS: dict[Json, Injection] = {False: "native", True: "system", "system": "system", "inline": "inline"}


class Resolved(NamedTuple):
    """A judge field with where it came from; ``path`` is its place in the definition, where it stands there."""

    value: Json
    origin: str
    path: Path | None = None


def resolve(definition: Definition, step: str, settings: Settings) -> dict[str, Resolved]:
    """Every field of a step's judge. A value of 0, false or [] is a value; null is absent."""
    found = {name: _field(definition, step, name, settings) for name in DEFAULTS}
    if settings.judge_model:
        found["model"] = Resolved(settings.judge_model, settings.judge_model_origin)
    return found


def _field(definition: Definition, step: str, name: str, settings: Settings) -> Resolved:
    for path in (("steps", step, "judge", name), ("judge", name)):
        value = definition.get(*path)
        if value is not None:
            where = definition.where(path)
            return Resolved(value, f"{where['path']}:{where['line']}", path)
    value = settings.judge_field(name)
    if value is not None:
        return Resolved(value, settings.config_path)
    return Resolved(DEFAULTS[name], "default")


def config_of(
    definition: Definition, fields: Mapping[str, Resolved], settings: Settings, namespace: Namespace
) -> JudgeConfig:
    """The judge of one step, ready to be asked."""
    processors = {key: _processors(definition, fields[key], key, namespace) for key in PROCESSORS}
    return JudgeConfig(
        target=settings.target(str(fields["model"].value or NOBODY)),
        injection=INJECTIONS.get(fields["jsonPromptInjection"].value, "auto"),
        settings=fields["modelSettings"].value or {},
        input_processors=processors["inputProcessors"],
        output_processors=processors["outputProcessors"],
        error_processors=processors["errorProcessors"],
        max_processor_retries=fields["maxProcessorRetries"].value,
        format_retries=fields["formatRetries"].value,
    )


def _processors(definition: Definition, field: Resolved, key: str, namespace: Namespace) -> tuple[Any, ...]:
    if field.value is None:
        return default_error_processors() if key == "errorProcessors" else ()
    kind = PROCESSORS[key]
    built = []
    for index, entry in enumerate(field.value):
        use, options = entry["use"], entry.get("with") or {}
        path = (*field.path, index, "with") if field.path else None
        options = {name: _option(definition, value, namespace, path, name) for name, value in options.items()}
        built.append(build_processor(kind, _used(use, kind, namespace), options))
    return tuple(built)


def _used(use: str, kind: Kind, namespace: Namespace) -> Any:
    return use if use in builtin_names(kind) else callable_of(use, namespace)


def _option(definition: Definition, value: Json, namespace: Namespace, path: Path | None, name: str) -> Any:
    """``delayMs`` and the entries of ``matchers`` may hold code; everything else is data."""
    where = (*path, name) if path else None
    if name == "delayMs" and isinstance(value, dict):
        return _delay(definition, value, namespace, where)
    if name != "matchers":
        return value
    return [
        _matcher(definition, entry, namespace, (*where, index) if where else None) for index, entry in enumerate(value)
    ]


def _matcher(definition: Definition, entry: Json, namespace: Namespace, path: Path | None) -> Any:
    if isinstance(entry, str):
        return entry
    built = dict(entry)
    if "function" in built:
        built["function"] = callable_of(built["function"], namespace)
    if isinstance(built.get("delayMs"), dict):
        built["delayMs"] = _delay(definition, built["delayMs"], namespace, (*path, "delayMs") if path else None)
    return built


def _delay(
    definition: Definition, value: dict[str, Json], namespace: Namespace, path: Path | None
) -> Callable[[int], float]:
    """Milliseconds for a retry count."""
    if "function" in value:
        function, given = callable_of(value["function"], namespace), value.get("with") or {}
        return lambda retry_count: function(retry_count=retry_count, **given)
    expression = expression_at(definition, (*path, "expression") if path else None, value["expression"])
    return lambda retry_count: expression.evaluate({"retryCount": retry_count})
