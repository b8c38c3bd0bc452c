from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import click

from scorerkit.commands.options import allow_function, pairs_of, params, project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scorerkit.definition import Definition
    from scorerkit.model.json import Json
    from scorerkit.model.plan import Plan
    from scorerkit.settings import Settings


@click.command("show", epilog="Example: scorerkit show scorers/tone.yaml --render r-017")
@click.argument("scorer")
@click.option("--render", metavar="RUN", help="Show the prompts for a record: a run id of the data, or a JSON object.")
@click.option("--data", metavar="FILE", help="Where --render looks for the run id; the scorer's own data otherwise.")
@click.option("--judge-model", metavar="MODEL", help="Ask this model in every step.")
@click.option("--base-url", metavar="URL", help="Where requests go.")
@click.option("--json", "as_json", is_flag=True, help="The resolved definition as JSON.")
@params
@project
@allow_function
def command(
    scorer: str,
    render: str | None,
    data: str | None,
    judge_model: str | None,
    base_url: str | None,
    as_json: bool,
    params: tuple[str, ...],
    project: Path | None,
    allow_function: tuple[str, ...],
) -> int:
    """Print a scorer as it is resolved: each value with where it came from, the pipeline, the digest.

    Calls nobody. A prompt that needs the answer to an earlier one is shown when that answer is recorded.
    """
    from scorerkit.commands.words import show_problems
    from scorerkit.library import find_scorers
    from scorerkit.loader import check_file, load_plan, open_project
    from scorerkit.report.problems.masking import masked

    settings = open_project(
        project,
        judge_model=judge_model,
        base_url=base_url,
        allow_functions=allow_function,
        params=pairs_of("-p", params),
    )
    found = find_scorers([scorer], settings)[0]
    checked = check_file(found.file, found.shown, settings)
    if checked.errors or checked.definition is None:
        show_problems(checked.errors, [found.shown])
        return 2
    if as_json:
        click.echo(masked(json.dumps(checked.definition.value, indent=2, ensure_ascii=False)))
        return 0
    if render is not None:
        return _render(load_plan(checked, settings), render, data)
    for line in describe(checked.definition, settings):
        click.echo(masked(line))
    return 0


def describe(definition: Definition, settings: Settings) -> Iterator[str]:
    """The resolved definition, a line per value."""
    from scorerkit.build.digest import judge_digest, scorer_digest
    from scorerkit.build.judges import resolve
    from scorerkit.build.plan import prompt_steps
    from scorerkit.model.stage import STEPS

    namespace = settings.namespace(trusted=definition.territory.trusted)
    yield f"{definition.get('id')}  {definition.document.path}"
    yield f"  digest        {scorer_digest(definition, namespace)}"
    for key in ("name", "description", "version", "type", "direction", "range", "threshold", "gate", "deprecated"):
        if definition.get(key) is not None:
            yield f"  {key:<13} {_value(definition.get(key))}"
    for tag in definition.get("tags") or ():
        yield f"  tag           {tag}"
    for name, schema in (definition.get("params") or {}).items():
        given = name in settings.params
        value = settings.params[name] if given else schema.get("default", "(must be given)")
        yield f"  param         {name} = {_value(value)}  ({'-p' if given else 'default'})"
    if data := definition.get("data"):
        yield f"  data          {_value(data)}"
    steps = [step for step in STEPS if definition.get("steps", step) is not None]
    yield f"  pipeline      {' → '.join(f'{step} ({_kind(definition, step)})' for step in steps)}"
    fields = {step: resolve(definition, step, settings) for step in prompt_steps(definition)}
    for step, found in fields.items():
        yield f"  judge of {step}"
        for name, field in found.items():
            if field.value is not None:
                yield f"    {name:<20} {_value(field.value)}  ({field.origin})"
        if found["model"].value is not None:
            yield from _connection(str(found["model"].value), settings)
    if fields:
        yield f"  judge digest  {judge_digest(fields)}"


def _connection(model: str, settings: Settings) -> Iterator[str]:
    """Where requests go: names of variables only, never what they hold; addresses without user and query."""
    target = settings.target(model)
    origin = settings.config_path if model in settings.profiles else "default"
    yield f"    {'goes to':<20} {target.model}  ({origin})"
    if target.base_url:
        said_in = "--base-url" if settings.base_url else origin
        yield f"    {'base URL':<20} {_plain_address(target.base_url)}  ({said_in})"
    if target.api_key_env:
        yield f"    {'key from':<20} {target.api_key_env}  ({origin})"
    for header, variable in target.headers_env.items():
        yield f"    {'header':<20} {header} from {variable}  ({origin})"


def _plain_address(address: str) -> str:
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"


def _kind(definition: Definition, step: str) -> str:
    written = definition.get("steps", step)
    kind = next(kind for kind in ("prompt", "function", "expression") if kind in written)
    return f"{kind} when {written['when']}" if "when" in written else kind


def _value(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    lines = text.strip().splitlines() or [""]
    return lines[0] if len(lines) == 1 else f"{lines[0]} … ({len(lines)} lines)"


def _render(plan: Plan, wanted: str, data: str | None) -> int:
    """Run the record with a judge that shows its questions instead of asking them."""
    from scorerkit.commands.rendering import ShowingJudge, find_run
    from scorerkit.commands.words import show_failure
    from scorerkit.pipeline import score_run

    judge: Any = ShowingJudge(plan.recordings)
    result = asyncio.run(score_run(plan, find_run(plan, wanted, data), judge))
    if not plan.judged:
        click.echo("the scorer asks nobody: it has no prompt")
    if result.status == "failed" and not judge.stopped:
        show_failure(result.run_id or "?", {**(result.error or {}), "step": result.failed_step})
        return 3
    return 0
