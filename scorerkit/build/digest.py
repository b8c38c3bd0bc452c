"""Digests: what a score depends on, as one SHA-256 over canonical JSON (RFC 8785)."""

from __future__ import annotations

import hashlib
from functools import reduce
from typing import TYPE_CHECKING, Any

from scorerkit.build.functions import digest_of
from scorerkit.build.judges import DEFAULTS
from scorerkit.check.references import functions_of
from scorerkit.conversion import copy_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.build.judges import Resolved
    from scorerkit.definition import Definition
    from scorerkit.model.json import Json
    from scorerkit.reference import Namespace

LEFT_OUT = ("name", "description", "version", "tags", "deprecated", "tests", "data", "ignore")
"""Top-level keys that no score depends on."""

TOP_DEFAULTS: dict[str, Json] = {"scorerkit": 1, "direction": "maximize"}
FILTER_DEFAULTS: dict[str, Json] = {"keep": "messages"}
STEP_DEFAULTS: dict[str, Json] = {"thread": False}
DROPS = ("dropRequestContext", "dropExpectedTrajectory", "dropGroundTruth")


def canonical(value: Json) -> bytes:
    """Canonical JSON; whole numbers beyond 2^53 become the nearest float, as JavaScript reads them."""
    import rfc8785

    try:
        return rfc8785.dumps(value)
    except rfc8785.IntegerDomainError:
        return rfc8785.dumps(_floats(value))


def _floats(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_floats(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53 else value


def sha256(value: Json) -> str:
    """The digest of a JSON value."""
    return hashlib.sha256(canonical(value)).hexdigest()


def scorer_digest(definition: Definition, namespace: Namespace) -> str:
    """The digest of a definition: keys equal to their default left out, functions by the hash of their module."""
    value = copy_json(definition.value)
    functions = {}
    for named in functions_of(definition):
        written = definition.get(*named.path, named.key)
        holder = reduce(lambda inside, key: inside[key], named.path, value)
        holder[named.key] = name = written.replace(":", ".")  # two spellings of one function
        if found := digest_of(written, namespace):
            functions[name] = found
    content = reduced(value)
    if functions:
        content["functions"] = functions
    if definition.includes:
        content["includes"] = sorted(sha256(document.value) for document in definition.includes.values())
    return sha256(content)


def reduced(value: Mapping[str, Json]) -> dict[str, Json]:
    """What of a definition the digest covers."""
    kept = {key: item for key, item in value.items() if key not in LEFT_OUT and not key.startswith("x-")}
    kept = _without(kept, TOP_DEFAULTS)
    if "judge" in kept:
        kept["judge"] = _judge(kept["judge"])
    if isinstance(kept.get("params"), dict):
        kept["params"] = {name: _undescribed(schema) for name, schema in kept["params"].items()}
    if isinstance(kept.get("prepareRun"), dict):
        kept["prepareRun"] = _filter(kept["prepareRun"])
    elif isinstance(kept.get("prepareRun"), list):
        kept["prepareRun"] = [_filter(entry) for entry in kept["prepareRun"]]
    if isinstance(kept.get("threshold"), (int, float)):
        bound = "max" if kept.get("direction") == "minimize" else "min"
        kept["threshold"] = {bound: kept["threshold"]}
    kept["steps"] = {name: _step(step) for name, step in value["steps"].items()}
    return {key: item for key, item in kept.items() if item not in ({}, [], None) or key == "steps"}


def _without(value: Mapping[str, Json], defaults: Mapping[str, Json]) -> dict[str, Json]:
    return {
        key: item
        for key, item in value.items()
        if item is not None and not (key in defaults and item == defaults[key] and type(item) is type(defaults[key]))
    }


def _undescribed(schema: Json) -> Json:
    """What a param is for is told to nobody but its reader."""
    if not isinstance(schema, dict):
        return schema
    return {key: item for key, item in schema.items() if key != "description"}


def _judge(value: Mapping[str, Json]) -> dict[str, Json]:
    return {key: item for key, item in _without(value, DEFAULTS).items() if key != "recordings" and item is not None}


def _filter(value: Mapping[str, Json]) -> dict[str, Json]:
    return {key: item for key, item in _without(value, FILTER_DEFAULTS).items() if key not in DROPS or item}


def _step(value: Mapping[str, Json]) -> dict[str, Json]:
    kept = {key: item for key, item in _without(value, STEP_DEFAULTS).items() if key != "description"}
    if "judge" in kept:
        kept["judge"] = _judge(kept["judge"])
    return {key: item for key, item in kept.items() if not (key in ("judge", "with") and item == {})}


def judge_digest(fields: Mapping[str, Mapping[str, Resolved]]) -> str | None:
    """The digest of the resolved judge fields of all prompt steps, without the connection; None without any."""
    if not fields:
        return None
    content: dict[str, Any] = {
        step: {name: field.value for name, field in found.items() if field.value is not None}
        for step, found in fields.items()
    }
    return sha256(content)
