"""The meta-schema's verdict in the author's words: one mistake, one problem, at the smallest thing to touch.

The schema is written with ``if/then/else`` on the presence of a key, so every failure of jsonschema is a leaf with a
place. Its messages are never parsed: keyword, value and instance are read instead.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from scorerkit import shipped
from scorerkit.check.kinds import fix_of_kind
from scorerkit.check.leaves import LEAVES, bad_name
from scorerkit.check.swallowed import swallowed_key
from scorerkit.check.words import kind_word, kinds_word, owner, thing
from scorerkit.model.stage import STEPS
from scorerkit.suggest import closest, listed, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorerkit.definition import Definition
    from scorerkit.model.json import Path
    from scorerkit.model.problem import Problem

EXCLUSIVE = (
    ("prompt", "function", "expression"),
    ("file", "function"),
    ("levels", "outputSchema"),
    ("levels", "calculateScore"),
    ("json", "expression"),
)
"""Keys that answer the same question; a mapping has at most one of each group."""

CONFIGS = ("scorerkit.toml", "pyproject.toml")

BORROWED = {
    "createPrompt": "prompt",
    "prompts": "prompt",
    "schema": "outputSchema",
    "assert": "steps",
    "metrics": "steps",
    "rubric": "levels",
    "choices": "levels",
    "model_settings": "modelSettings",
    "minimum": "min",
    "maximum": "max",
}
"""Keys of the reference and of comparable tools → the key that says it here."""

MOST = 1000
"""Mistakes of one file that are told: nobody reads more, and a hostile file holds 100,000."""


@cache
def _validator(name: str) -> Any:
    """The validator of one of our schemas; never fetches anything."""
    import referencing
    from jsonschema import Draft202012Validator

    return Draft202012Validator(shipped.schema(name), registry=referencing.Registry())


def check_shape(definition: Definition, schema: str = "scorer", at: Path = ()) -> list[Problem]:
    """Everything that does not fit the meta-schema, without cascades; at most :data:`MOST` mistakes of each kind."""
    errors: dict[Path, list[Any]] = defaultdict(list)
    for error in islice(_validator(schema).iter_errors(definition.get(*at) if at else definition.value), MOST):
        errors[(*at, *error.absolute_path)].append(error)
    found: dict[tuple[str, Path, str], Problem] = {}
    for path, group in errors.items():
        for key, problem in _explain(definition, path, group):
            found.setdefault(key, problem)
    return list(found.values())


def _explain(definition: Definition, path: Path, errors: list[Any]) -> Iterator[tuple[tuple[str, Path, str], Problem]]:
    """Problems of one value; a value of the wrong kind has no other mistake."""
    wrong_kind = next((error for error in errors if _is_wrong_kind(error)), None)
    if wrong_kind is not None:
        yield ("wrong-type", path, ""), _wrong_type(definition, path, wrong_kind)
        return
    unknown = _unknown_keys(errors)
    missing = _missing_keys(errors)
    mended = set()
    for key, allowed in islice(unknown.items(), MOST):
        problem, meant = _unknown_key(definition, path, key, allowed, missing, alone=len(unknown) == 1)
        mended.add(meant)
        yield ("key", path, problem.fix if problem.code == "exclusive-keys" else key), problem  # type: ignore[misc]
    if not path and ("extends" in definition.value or "extends" in mended):
        # What a parent that could not be read would have given is not missing.
        missing = [group for group in missing if group == ("id",)]
    for group in missing:
        if not mended.intersection(group):
            yield ("missing", path, group[0]), _missing_key(definition, path, group)
    if unknown or missing:
        return
    for error in errors:
        if "propertyNames" in error.absolute_schema_path:
            yield ("name", path, str(error.instance)), bad_name(definition, path, error)
        elif explain := LEAVES.get(str(error.validator)):
            yield ("value", path, ""), explain(definition, path, error)


def _is_wrong_kind(error: Any) -> bool:
    if error.validator == "type":
        return True
    if error.validator not in ("enum", "const"):
        return False
    allowed = error.validator_value if error.validator == "enum" else [error.validator_value]
    return kind_word(error.instance) not in {kind_word(value) for value in allowed}


def _unknown_keys(errors: Iterable[Any]) -> dict[str, list[str]]:
    """Key → the keys that are allowed in its place."""
    found: dict[str, list[str]] = {}
    for error in errors:
        if error.validator == "additionalProperties" and error.validator_value is False:
            allowed = list(error.schema.get("properties", {}))
            patterns = error.schema.get("patternProperties", {})
            for key in error.instance:
                if key not in allowed and not any(re.search(pattern, key) for pattern in patterns):
                    found.setdefault(key, allowed)
    return found


def _missing_keys(errors: Iterable[Any]) -> list[tuple[str, ...]]:
    """Each group is one missing thing, said by any of its keys."""
    found: list[tuple[str, ...]] = []
    for error in errors:
        if error.validator == "required":
            found += [(key,) for key in error.validator_value if key not in error.instance]
        elif error.validator == "dependentRequired":
            for present, needed in error.validator_value.items():
                if present in error.instance:
                    found += [(key,) for key in needed if key not in error.instance]
        elif error.validator == "anyOf":
            found.append(tuple(branch["required"][0] for branch in error.validator_value))
    return list(dict.fromkeys(found))


def _unknown_key(
    definition: Definition, path: Path, key: str, allowed: list[str], missing: list[tuple[str, ...]], *, alone: bool
) -> tuple[Problem, str | None]:
    """The problem of one key that is not allowed, and the missing key that it was probably meant to be."""
    present = definition.get(*path) if path else definition.value
    for group in EXCLUSIVE:
        rivals = [other for other in group if other in present and other != key] if key in group else []
        if rivals:
            return _exclusive(definition, path, sorted([key, *rivals], key=list(present).index)), None
    wanted = [name for group in missing for name in group]
    free = [name for name in allowed if name not in present]
    meant = BORROWED.get(key) if BORROWED.get(key) in free else closest(key, free) or closest(key, wanted)
    if meant is None and alone and len(missing) == 1:
        meant = wanted[0]
    fix = f"did you mean '{meant}'?" if meant else _where_it_belongs(path, key) or suggestion(key, allowed)
    root = "the configuration" if definition.document.path.endswith(CONFIGS) else "a scorer"
    message = f"{owner(path, root)} has no key '{key}'"
    return definition.problem("unknown-key", (*path, key), message, on="key", fix=fix), meant


def _where_it_belongs(path: Path, key: str) -> str | None:
    if not path and key in STEPS:
        return f"put '{key}' under 'steps'"
    if not path and key in ("model", "instructions", "modelSettings"):
        return f"put '{key}' under 'judge'"
    settings = shipped.schema("scorer")["$defs"]["modelSettings"]["properties"]
    if path[-1:] == ("judge",) and key in settings:
        return f"put '{key}' under 'modelSettings'"
    return None


def _exclusive(definition: Definition, path: Path, keys: list[str]) -> Problem:
    first, second = keys[0], keys[-1]
    why = "a step is answered by the judge, by a function or by an expression" if "prompt" in keys else None
    return definition.problem(
        "exclusive-keys", (*path, second), f"{thing(path)} has both '{first}' and '{second}'",
        on="key", why=why, fix=f"remove '{first}' or '{second}'",
    )  # fmt: skip


_WHY_MISSING = {
    "generateScore": "a scorer must say how its score is made; the other steps are optional",
    "id": "results, stores and reports name a scorer by its id",
    "outputSchema": "a judge's answer is checked against it before anything uses it",
    "calculateScore": "with 'outputSchema' the answer is an object, and something must make a number of it",
}


def _missing_key(definition: Definition, path: Path, group: tuple[str, ...]) -> Problem:
    if swallowed := swallowed_key(definition, path, group):
        return swallowed
    what = f"{thing(path)} has no '{group[0]}'" if len(group) == 1 else f"{thing(path)} has none of {listed(group)}"
    fix = f"add '{group[0]}'" if len(group) == 1 else f"add one of {listed(group)}"
    if group == ("generateScore",):
        fix = "add 'generateScore' with a 'prompt', a 'function' or an 'expression'"
    return definition.problem("missing-key", path, what, on="key", why=_WHY_MISSING.get(group[0]), fix=fix)


def _wrong_type(definition: Definition, path: Path, error: Any) -> Problem:
    syntax = definition.source(path)[0].syntax
    if error.validator == "type":
        wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        words = kinds_word(wanted, syntax)
    else:
        values = error.validator_value if error.validator == "enum" else [error.validator_value]
        words = f"one of {listed(values)}"
    got = kind_word(error.instance, syntax)
    return definition.problem(
        "wrong-type", path, f"{thing(path)} must be {words}, not {got}", fix=fix_of_kind(path, words, error)
    )
