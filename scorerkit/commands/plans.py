"""The scorers of a ``run``: found, checked and built; the problems of all their files are shown at once."""

from __future__ import annotations

import contextlib
import shlex
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from scorerkit.commands.words import show_briefly, show_problems, tell
from scorerkit.errors import NothingSelected, ScorerkitError
from scorerkit.library import find_scorers
from scorerkit.loader import NAME_A_MODEL, check_file, load_plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.definition import Definition
    from scorerkit.loader import Checked
    from scorerkit.model.plan import Plan
    from scorerkit.settings import Settings


class SaidError(ScorerkitError):
    """Everything was said already; only the exit code is left."""

    def __init__(self) -> None:
        super().__init__("")


def prints_aside() -> contextlib.AbstractContextManager[object]:
    """While an author's code is imported and called: what it prints must not come between results."""
    return contextlib.redirect_stdout(sys.stderr)


class Loaded(NamedTuple):
    """A scorer that is ready, and what it was built from."""

    plan: Plan
    definition: Definition


def load_plans(words: tuple[str, ...], options: Mapping[str, Any], settings: Settings) -> tuple[Loaded, ...]:
    """Every scorer, checked and built; the problems of all files are shown at once."""
    files = find_scorers(words, settings)
    for found in files:
        if found.origin != "path" and not options["quiet"]:
            tell(f"{found.shown} ({found.origin})")
    checked = [check_file(found.file, found.shown, settings) for found in files]
    errors = [problem for one in checked for problem in (one.errors or one.unanswered)]
    if errors:
        show_problems(errors, [found.shown for found in files], options["output_format"])
        if any(one.errors for one in checked):
            raise SaidError
        message = "nothing was scored: no model is named that could answer the prompts"
        raise ScorerkitError(message, code="no-judge", fix=NAME_A_MODEL)
    warnings = [problem for one in checked for problem in one.warnings]
    if warnings and not options["quiet"] and options["resume"] is None:
        show_briefly(warnings)
        tell(f"  more: scorerkit check {shlex.join(words)}")
    with prints_aside():
        loaded = tuple(_loaded(one, settings) for one in checked)
    if tags := set(options["tag"]):
        loaded = tuple(one for one in loaded if tags & set(one.plan.tags))
        if not loaded:
            message = f"no scorer has the tag {' or '.join(sorted(tags))}"
            raise NothingSelected(message)
    plans = tuple(one.plan for one in loaded)
    _check_ids(plans)
    for plan in plans:
        if plan.deprecated and not options["quiet"]:
            tell(f"warning: the scorer '{plan.id}' is deprecated: {plan.deprecated}")
    return loaded


def _loaded(checked: Checked, settings: Settings) -> Loaded:
    plan = load_plan(checked, settings)
    assert checked.definition is not None  # or it would have had errors
    return Loaded(plan, checked.definition)


def _check_ids(plans: tuple[Plan, ...]) -> None:
    seen: dict[str, Plan] = {}
    for plan in plans:
        other = seen.setdefault(plan.id, plan)
        if other is not plan and (other.digest != plan.digest or other.params != plan.params):
            message = f"the id '{plan.id}' is given to two scorers: {other.source} and {plan.source}"
            raise ScorerkitError(message, code="duplicate-id", fix="give one of them another id")
