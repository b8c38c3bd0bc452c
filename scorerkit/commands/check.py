from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scorerkit.commands.options import allow_function, output_format, project
from scorerkit.commands.words import show_problems, tell

if TYPE_CHECKING:
    from pathlib import Path


@click.command("check", epilog="Example: scorerkit check scorers/ --strict")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@output_format
@click.option("--strict", is_flag=True, help="Exit 1 when there are warnings.")
@click.option("--select", multiple=True, metavar="CODE", help="Only warnings of this code; may be given again.")
@click.option("--ignore", multiple=True, metavar="CODE", help="No warnings of this code; may be given again.")
@click.option("--import", "import_", is_flag=True, help="Import the functions that are named, and check them for real.")
@project
@allow_function
def command(
    paths: tuple[str, ...],
    output_format: str,
    strict: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    import_: bool,
    project: Path | None,
    allow_function: tuple[str, ...],
) -> int:
    """Point at every mistake in scorer files, on its line.

    Looks at shape, templates, expressions, references, names and schemas, and gives advice as warnings. Imports
    nothing, calls nothing, spends nothing. Errors exit 2.
    """
    from scorerkit.library import find_scorers
    from scorerkit.loader import check_files, open_project

    settings = open_project(project, allow_functions=allow_function)
    files = find_scorers(paths, settings)
    checked = check_files(files, settings, import_=import_)
    problems = [
        problem
        for problem in checked
        if problem.severity == "error" or ((not select or problem.code in select) and problem.code not in ignore)
    ]
    show_problems(problems, [found.shown for found in files], output_format)
    errors = any(problem.severity == "error" for problem in problems)
    if not problems and output_format == "text":
        tell(f"{len(files)} file{'s' if len(files) != 1 else ''} checked, no problems")
    return 2 if errors else 1 if problems and strict else 0
