"""The command group and the one boundary where exceptions become words and exit codes."""

from __future__ import annotations

import importlib
import os
import re
import sys
import traceback
from pathlib import Path
from typing import NamedTuple

import click

from scorerkit.errors import ScorerkitError

BUG, INTERRUPTED = 70, 130


class Entry(NamedTuple):
    """A command that is imported when it is used, so that ``--help`` stays fast."""

    module: str
    help: str


COMMANDS = {
    "run": Entry("run", "Score data with one or more scorers."),
    "check": Entry("check", "Point at every mistake in scorer files."),
    "diff": Entry("diff", "Compare two experiments, or a scorer with what it was."),
    "experiments": Entry("experiments", "List what was run: when, on what, and the means."),
    "report": Entry("report", "Sum a kept experiment up again, also by a field."),
    "export": Entry("export", "Write a kept experiment's results to files."),
    "merge": Entry("merge", "Join parts of an experiment that were scored elsewhere."),
    "cache": Entry("cache", "Look at the judge's kept answers, or forget them."),
    "test": Entry("test", "Run the tests inside scorer files."),
    "show": Entry("show", "Print a scorer as it is resolved, with origins."),
    "new": Entry("new", "Write a commented scorer to begin from."),
    "list": Entry("list_", "List the scorers here and in the library."),
    "rule": Entry("rule", "Explain a code of check."),
    "schema": Entry("schema", "Print a JSON Schema, for editors."),
}


class Group(click.Group):
    """Commands by the table above."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"scorerkit.commands.{COMMANDS[cmd_name].module}")
        return module.command  # type: ignore[no-any-return]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


def _version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from scorerkit import __version__

        click.echo(f"scorerkit {__version__}")
        ctx.exit()


@click.command(
    cls=Group,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
    },
    epilog="Example: scorerkit run scorers/tone.yaml --data runs.jsonl --output results.jsonl",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours on stderr.")
@click.pass_context
def group(ctx: click.Context, color: str) -> None:
    """Score outputs of language models and agents with scorers described in files."""
    ctx.color = {"always": True, "never": False}.get(color)


def main(arguments: list[str] | None = None) -> None:
    """Run a command and exit with its code."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run a command; every exception ends here."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Results are UTF-8 whatever the locale says; what a terminal cannot show is escaped.
            stream.reconfigure(encoding="utf-8" if stream is sys.stdout else None, errors="backslashreplace")
    try:
        called = sys.argv[1:] if arguments is None else arguments
        code = group.main(called, prog_name="scorerkit", standalone_mode=False, obj=list(called))
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("scorerkit was interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return 3
    except ScorerkitError as error:
        from scorerkit.commands.words import show_error

        show_error(error)
        return error.exit_code
    except SystemExit:
        raise
    except BaseException as error:  # also what is no Exception must not end as exit 1, which means a missed gate
        return _bug(error)
    return code if isinstance(code, int) else 0


def _forget_stdout() -> None:
    """The reader went away; nothing more can be said to it, also not at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: BaseException) -> int:
    log = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scorerkit" / "scorerkit.log"
    click.echo(f"scorerkit stopped on an unexpected error: {type(error).__name__}: {_masked(str(error))}", err=True)
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(_masked("".join(traceback.format_exception(error))), "utf-8", "backslashreplace")
        click.echo(f"  the details are in {log}", err=True)
    except OSError:
        click.echo(_masked("".join(traceback.format_exception(error))), err=True)
    return BUG


def _masked(text: str) -> str:
    """The text without the values of variables that are named like secrets."""
    for name, value in os.environ.items():
        if len(value) >= 6 and re.search(r"KEY|TOKEN|SECRET|PASSWORD", name):
            text = text.replace(value, "***")
    return text
