from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorerkit.commands.options import Finite, Score, allow_function, output_format, params, project

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.commands.session import Session

HELP = """Score data with one or more scorers.

SCORER is a file, a folder, a glob, or the id of a scorer. Without --data, the scorer's own 'data' is scored.
Exit codes: 0 every gate passes, 1 a gate is missed, 2 something is wrong with the call or a file, 3 inconclusive
(records failed), 5 nothing was scored, 130 interrupted.
"""

COUNT = click.IntRange(1, sys.maxsize)

_DATA = [
    click.option("--data", metavar="FILE", help="What is scored; - is standard input."),
    click.option(
        "--data-format",
        type=click.Choice([
            "jsonl", "json", "csv", "tsv", "parquet", "yaml", "otlp", "openinference", "langfuse", "mastra", "inspect",
        ]),
        help="The format, where the file does not say it; from otlp on: of traces.",
    ),
    click.option(
        "--span-kind", type=click.Choice(["agent", "llm", "tool"]), help="Of traces: one record per span of this kind."
    ),
    click.option(
        "--by", type=click.Choice(["trace", "session"]), default="trace", show_default=True,
        help="Of traces: what a record is.",
    ),
    click.option("--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="Fill a field from a column."),
    click.option("--where", metavar="EXPRESSION", help="Only records for which this holds, over row and run."),
    click.option("--limit", type=COUNT, metavar="N", help="At most N records."),
    click.option("--sample", type=COUNT, metavar="N", help="N records, chosen by hash."),
    click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of --sample."),
    click.option(
        "--duplicate-ids", type=click.Choice(["refuse", "suffix"]), default="refuse", show_default=True,
        help="What happens to equal run ids.",
    ),
]  # fmt: skip
_JUDGE = [
    click.option("--judge-model", metavar="MODEL", help="Ask this model in every step."),
    click.option(
        "--base-url", metavar="URL", envvar="SCORERKIT_BASE_URL", help="Where requests go: an OpenAI-compatible server."
    ),
    click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="Write the judge's answers here."),
    click.option(
        "--replay", type=click.Path(path_type=Path), multiple=True, metavar="FILE",
        help="Take answers from here; no key, no network.",
    ),
    click.option(
        "--replay-missing", type=click.Choice(["fail", "live"]), default="fail", show_default=True,
        help="What happens to a question that is not recorded.",
    ),
    click.option("--max-requests", type=COUNT, metavar="N", help="End after N requests (exit 3)."),
    click.option("--budget", type=Finite(0, min_open=True), metavar="USD", help="End when so much is spent."),
    click.option("--dry-run", is_flag=True, help="Count requests, estimate tokens and cost; ask nobody."),
    click.option("--no-cache", is_flag=True, help="Neither use nor keep answers."),
    click.option("--refresh", is_flag=True, help="Ask every question anew, and keep the answers."),
]  # fmt: skip
_EXECUTION = [
    click.option(
        "-j",
        "--concurrency",
        type=COUNT,
        metavar="N",
        envvar="SCORERKIT_CONCURRENCY",
        help="Records at a time (16 when judged).",
    ),
    click.option("--workers", type=COUNT, metavar="N", help="Score in N processes."),
    click.option(
        "--engine",
        type=click.Choice(["processes", "dask", "ray"]),
        help="Where the workers are: processes of this machine (the default with --workers), or a cluster.",
    ),
    click.option("--address", metavar="ADDRESS", help="Of a Dask or Ray cluster; without it, one is started here."),
    click.option("--shard", metavar="I/N", help="Only the I-th of N parts of the data, stable by run id."),
    click.option(
        "--resume",
        is_flag=False,
        flag_value="latest",
        metavar="[ID]",
        help="Go on with the latest experiment that ended early or has failures, or with ID.",
    ),
    click.option("--timeout", type=Finite(0, min_open=True), metavar="SECONDS", help="Of the whole experiment."),
    click.option("-x", "--fail-fast", is_flag=True, help="Stop at the first failed record."),
    params,
    click.option("--tag", multiple=True, metavar="TAG", help="Only scorers with this tag."),
    project,
    allow_function,
]
_GATES = [
    click.option("--fail-under", type=Score(), metavar="X", help="Exit 1 if a mean is on the worse side of X."),
    click.option(
        "--max-errors", metavar="N|P%", envvar="SCORERKIT_MAX_ERRORS", help="How many records may fail (default 0)."
    ),
    click.option("--exit-zero", is_flag=True, help="Exit 0 also when a gate is missed."),
]
_OUTPUT = [
    click.option("--output", multiple=True, metavar="FILE", help="Results: .jsonl, .csv, .parquet, .json, or - ."),
    click.option("--report", multiple=True, metavar="FILE", help="The summary: .json, .md, .txt, .html, .xml (JUnit)."),
    click.option(
        "--emit", multiple=True, metavar="TARGET",
        help="Scores as OpenTelemetry events: otlp:FILE.jsonl, or otlp:http://HOST:4318.",
    ),
    click.option("--include", multiple=True, metavar="WHAT", help="Add to each result: run."),
    click.option("--exclude", multiple=True, metavar="WHAT", help="Leave out: prompts, judge, steps, metadata."),
    click.option("--unordered", is_flag=True, help="Write results as they come."),
    click.option("--no-store", is_flag=True, help="Keep nothing between runs; also no cache."),
    output_format,
    click.option("--quiet", is_flag=True, help="Errors only."),
    click.option("--verbose", is_flag=True, help="Show every failed record."),
    click.option("--log-json", is_flag=True, help="One JSON event per request on stderr."),
]  # fmt: skip


def _all(*groups: list[Callable[..., Any]]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed([option for group in groups for option in group]):
            function = option(function)
        return function

    return decorate


class Sections(click.Command):
    """Help in the groups in which people look for options."""

    groups = (("Data", _DATA), ("Judge", _JUDGE), ("Execution", _EXECUTION), ("Gates", _GATES), ("Output", _OUTPUT))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        named = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        options = [found for param in named if (found := param.get_help_record(ctx))]
        for title, group in self.groups:
            with formatter.section(title):
                formatter.write_dl(options[: len(group)])
            options = options[len(group) :]
        with formatter.section("Other"):
            formatter.write_dl(options)


@click.command(
    "run",
    cls=Sections,
    help=HELP,
    epilog="Example: scorerkit run scorers/tone.yaml --data runs.jsonl --output results.jsonl --report summary.md",
)
@click.argument("scorers", nargs=-1, required=True, metavar="SCORER...")
@_all(_DATA, _JUDGE, _EXECUTION, _GATES, _OUTPUT)
@click.pass_obj
def command(called: list[str] | None, /, scorers: tuple[str, ...], **options: Any) -> int:
    from scorerkit.commands.annotating import errors_annotated
    from scorerkit.commands.session import Session

    session: Session = Session(scorers, options, called or ["run", *scorers])
    with errors_annotated(options):
        return session.run()
