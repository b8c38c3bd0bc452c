"""From a path to a scorer: read, assembled, checked, built. Nothing is spent before all of that is right."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from scorerkit.assembly import assemble
from scorerkit.build.functions import callable_of
from scorerkit.build.judges import resolve
from scorerkit.build.plan import build_plan, prompt_steps
from scorerkit.check import check_definition, in_order
from scorerkit.check.references import check_arguments, functions_of
from scorerkit.check.shape import check_shape
from scorerkit.definition import Definition
from scorerkit.errors import InvalidScorer, ScorerkitError
from scorerkit.library import find_parent
from scorerkit.model.problem import Related
from scorerkit.reference import Signature, signature_of
from scorerkit.settings import JUDGE_MODEL, Settings, check_address, from_environment
from scorerkit.source import read_document
from scorerkit.source.project import Territory, find_project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorerkit.model.plan import Plan
    from scorerkit.model.problem import Problem


NAME_A_MODEL = "name one: --judge-model PROVIDER/MODEL, or 'model' in 'judge' of the scorer or of scorerkit.toml"


class Checked(NamedTuple):
    """A definition (None where the file cannot be read) with everything the checks say of it.

    ``unanswered`` says that nobody is named to answer a prompt: to run such a scorer is an error, also where its file
    leaves the advice out.
    """

    definition: Definition | None
    problems: list[Problem]
    unanswered: tuple[Problem, ...] = ()

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.severity == "warning"]


def open_project(project: Path | None = None, **caller: Any) -> Settings:
    """The settings of this call: the project around the working directory (or ``project``), and the caller's own.

    Raises:
        InvalidScorer: the configuration has mistakes; its problems point into it.
        ScorerkitError: the caller's address is none.
    """
    check_address(caller.get("base_url"))
    found = find_project(Path.cwd(), project)
    if isinstance(found, list):
        raise InvalidScorer(found)
    if caller.get("judge_model") is None and (model := from_environment(JUDGE_MODEL)):
        caller |= {"judge_model": model, "judge_model_origin": JUDGE_MODEL}
    if found.config is None:
        return Settings(found, **caller)
    config = Definition(found.config, Territory(found.root, found.config.file), dict(found.config.value))
    problems = check_shape(config, "project")
    if problems:
        raise InvalidScorer(in_order(problems))
    return Settings(found, config.value, found.config.path, **caller)


def check_file(file: Path, shown: str, settings: Settings) -> Checked:
    """Read and check one scorer file. Imports nothing, asks nobody."""
    document = read_document(file, shown)
    if isinstance(document, list):
        return Checked(None, document)
    territory = Territory(settings.root, document.file)
    definition, problems = assemble(document, territory, lambda name: find_parent(name, settings))
    unanswered: list[Problem] = []
    if not any(problem.severity == "error" for problem in problems):
        namespace = settings.namespace(trusted=territory.trusted)
        problems = [*problems, *check_definition(definition, namespace, settings.profiles)]
        if not any(problem.severity == "error" for problem in problems):
            unanswered = check_models_named(definition, settings)
    return Checked(definition, _not_ignored(definition, in_order([*problems, *unanswered])), _as_errors(unanswered))


def _as_errors(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(replace(problem, severity="error", fix=NAME_A_MODEL) for problem in problems)


def _not_ignored(definition: Definition, problems: list[Problem]) -> list[Problem]:
    ignored = definition.get("ignore")
    codes = ignored if isinstance(ignored, list) else ()
    return [problem for problem in problems if problem.severity == "error" or problem.code not in codes]


def check_models_named(definition: Definition, settings: Settings) -> list[Problem]:
    """A prompt step for which no model is named anywhere: advice of ``check``, an error of ``run``."""
    for step in prompt_steps(definition):
        if resolve(definition, step, settings)["model"].value is None:
            return [
                definition.problem(
                    "no-judge", ("steps", step, "prompt"), f"{step} has a prompt, but nobody to answer it",
                    on="key", severity="warning",
                    why="neither the step, the scorer, the project nor the command line names a model",
                    fix="add 'judge' with 'model' at the top of the file, or --judge-model",
                )
            ]  # fmt: skip
    return []


def load_plan(checked: Checked, settings: Settings, *, own_judge: bool = False) -> Plan:
    """The plan of a checked file; with ``own_judge`` the caller hands a judge over, so that no model need be named.

    Raises:
        InvalidScorer: it has errors, or needs a judge that nobody names.
    """
    errors = checked.errors or ([] if own_judge else list(checked.unanswered))
    if errors or checked.definition is None:
        raise InvalidScorer(errors)
    return build_plan(checked.definition, settings)


def load_file(path: str | os.PathLike[str], settings: Settings) -> Plan:
    """Read, check and build one scorer file."""
    return load_plan(check_file(Path(path), os.fspath(path), settings), settings)


class File(Protocol):
    """A file to check, and how problems name it."""

    @property
    def file(self) -> Path: ...

    @property
    def shown(self) -> str: ...


def check_files(files: Sequence[File], settings: Settings, *, import_: bool = False) -> list[Problem]:
    """All problems of all files; with ``import_`` the functions they name are imported and looked at for real."""
    problems: list[Problem] = []
    ids: dict[str, Definition] = {}
    for found in files:
        checked = check_file(found.file, found.shown, settings)
        problems += checked.problems
        if checked.definition is not None and not checked.errors:
            problems += _same_id(checked.definition, ids)
            if import_:
                problems += import_functions(checked.definition, settings)
    return in_order(problems)


def _same_id(definition: Definition, ids: dict[str, Definition]) -> list[Problem]:
    other = ids.setdefault(definition.get("id"), definition)
    if other is definition:
        return []
    related = (Related(other.document.path, other.document.value_place(("id",)).line, "the first one"),)
    message = f"the id '{definition.get('id')}' is given to two scorers"
    why = "an id that selects or stores must mean one scorer"
    return [definition.problem("duplicate-id", ("id",), message, severity="warning", why=why, related=related)]


def import_functions(definition: Definition, settings: Settings) -> list[Problem]:
    """Import every function that a definition names; what the source did not tell is told by the function."""
    namespace = settings.namespace(trusted=definition.territory.trusted)
    problems: list[Problem] = []
    for named in functions_of(definition):
        written = definition.get(*named.path, named.key)
        if "." not in written and ":" not in written:
            continue
        try:
            signature = signature_of(callable_of(written, namespace))
        except ScorerkitError as error:
            code = error.code or "unresolved-function"
            problems.append(definition.problem(code, (*named.path, named.key), error.message, why=error.why))
            continue
        if named.key == "function" and isinstance(signature, Signature):
            problems += check_arguments(definition, named, written, signature)
    return problems
