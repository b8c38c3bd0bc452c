"""What the meta-schema cannot say: versions, later parts, params, bounds, patterns, models, gates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.check.kinds import fix_of_value
from scorerkit.check.schemas import no_remote, unfit
from scorerkit.model.stage import STEPS
from scorerkit.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.json import Json, Path
    from scorerkit.model.problem import Problem

VERSIONS = (1,)
LATER: tuple[tuple[str, ...], ...] = (
    *(("judge", key) for key in ("samples", "aggregate", "jury", "minJurors", "swap", "tolerance")),
)
"""Keys of the format whose machinery comes in a later release."""

MESSAGE_FILTERS = (
    "partTypes", "toolNames", "roles", "maxRememberedMessages", "maxOutputMessages", "maxInputMessages", "keep",
)  # fmt: skip


def check_meaning(definition: Definition) -> Iterator[Problem]:
    """All of it, in no particular order."""
    yield from _version(definition)
    yield from _inheritance(definition)
    yield from _later(definition)
    yield from _params(definition)
    yield from _bounds(definition)
    yield from _gate(definition)
    yield from _filters(definition)
    yield from _files(definition)


def _version(definition: Definition) -> Iterator[Problem]:
    version = definition.get("scorerkit")
    if version is not None and version not in VERSIONS:
        readable = ", ".join(map(str, VERSIONS))
        message = f"format version {version} is not read by this release"
        yield definition.problem("unsupported-version", ("scorerkit",), message, fix=f"use {readable}")


def _inheritance(definition: Definition) -> Iterator[Problem]:
    """What is left of ``without`` had no parent to hold it against."""
    if definition.get("without") is not None:
        message = "'without' says what is not inherited, and nothing is"
        fix = "add 'extends', or remove 'without'"
        yield definition.problem("missing-key", ("without",), message, on="key", fix=fix)


def _later(definition: Definition) -> Iterator[Problem]:
    for path in LATER:
        if definition.get(*path) is not None:
            yield _not_yet(definition, path, "key", f"'{path[-1]}'")


def _not_yet(definition: Definition, path: Path, on: str, what: str) -> Problem:
    why = "it is part of the format, and would be ignored if it were let through"
    message = f"{what} is not in this release"
    return definition.problem("not-in-this-release", path, message, on=on, why=why, fix="leave it out")


def _params(definition: Definition) -> Iterator[Problem]:
    """A default must be a value that its own schema allows."""
    import jsonschema_rs

    for name, schema in (definition.get("params") or {}).items():
        if "default" not in schema:
            continue
        try:
            validator = jsonschema_rs.Draft202012Validator(
                schema, retriever=no_remote, pattern_options=jsonschema_rs.RegexOptions()
            )
            error = next(iter(validator.iter_errors(schema["default"])), None)
        except ValueError:
            continue  # said elsewhere, at its place
        if error is not None:
            why = unfit(error.kind.name, error.kind.value)
            message = f"the default of '{name}' does not fit its schema: {why}"
            where = ("params", name, "default", *error.instance_path)
            fix = fix_of_value(error.kind.value, definition.get(*where)) if error.kind.name == "type" else None
            yield definition.problem("bad-param", where, message, fix=fix)


def _bounds(definition: Definition) -> Iterator[Problem]:
    for path in (("range",), ("threshold",), ("gate", "mean")):
        bounds = definition.get(*path)
        if isinstance(bounds, dict) and {"min", "max"} <= set(bounds) and bounds["min"] > bounds["max"]:
            message = f"'min' {bounds['min']} is above 'max' {bounds['max']}"
            yield definition.problem("out-of-range", (*path, "min"), message, fix="exchange the two")
    between = [("tests", index, "expect", "scoreBetween") for index, _ in enumerate(definition.get("tests") or ())]
    for test in between:
        pair = definition.get(*test)
        if pair and pair[0] > pair[1]:
            yield definition.problem("out-of-range", test, f"{pair[0]} is above {pair[1]}", fix="exchange the two")


def _gate(definition: Definition) -> Iterator[Problem]:
    if definition.get("gate", "passRate") is not None and definition.get("threshold") is None:
        yield definition.problem(
            "missing-key", ("gate", "passRate"), "'passRate' needs a 'threshold'", on="key",
            why="a record passes when its score is inside the threshold", fix="add 'threshold'",
        )  # fmt: skip


def _filters(definition: Definition) -> Iterator[Problem]:
    """Filters of messages make sense only where there are messages."""
    if definition.get("type") == "agent":
        return
    prepare = definition.get("prepareRun")
    entries = list(enumerate(prepare)) if isinstance(prepare, list) else [(None, prepare)]
    for index, entry in entries:
        for key in entry if isinstance(entry, dict) and "function" not in entry else ():
            if key in MESSAGE_FILTERS:
                path: Path = ("prepareRun", key) if index is None else ("prepareRun", index, key)
                message = f"'{key}' filters messages, and this scorer's records have none"
                yield definition.problem("missing-key", path, message, on="key", fix="add 'type: agent'")


def _files(definition: Definition) -> Iterator[Problem]:
    """Data and recordings lie under the path rule; whether they exist is asked when they are needed."""
    for path in (("data",), ("data", "file"), ("judge", "recordings")):
        written = definition.get(*path)
        if isinstance(written, str):
            base, _ = definition.source(path)
            refused = definition.territory.resolve(base.file.parent, written)
            if isinstance(refused, str):
                message = f"the file '{written}' may not be read: {refused}"
                yield definition.problem("outside-project", path, message)


def check_models(definition: Definition, profiles: Iterable[str], providers: Iterable[str]) -> Iterator[Problem]:
    """A model is 'provider/name' with a known provider, or the name of a profile."""
    known = list(profiles)
    for path in [("judge", "model"), *(("steps", step, "judge", "model") for step in STEPS)]:
        model: Json = definition.get(*path)
        if not isinstance(model, str) or model in known:
            continue
        provider, slash, name = model.partition("/")
        if slash and name and provider in providers:
            continue
        if not slash or not name:
            message = f"'{model}' is neither 'provider/name' nor a profile of the project"
            fix: Any = suggestion(model, known) if known else "write it as 'provider/name', such as 'openai/…'"
        else:
            message, fix = f"there is no provider '{provider}'", suggestion(provider, providers)
        yield definition.problem("unknown-value", path, message, fix=fix)
