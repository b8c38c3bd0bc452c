"""Writes the parts of the documentation that follow from the code: tables of keys, functions, codes and options.

A part stands between ``<!-- generated: NAME ARGUMENTS -->`` and ``<!-- end of generated -->``. Run from anywhere:
``python docs/generate.py`` rewrites the pages, ``python docs/generate.py --check`` exits 1 where one is out of date.
"""  # noqa: INP001 - a script beside the pages, not a package

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from scorerkit import functions, rules, shipped  # noqa: E402 - of this checkout
from scorerkit.check.advice import ADVICE  # noqa: E402
from scorerkit.check.meaning import LATER  # noqa: E402
from scorerkit.commands.run import Sections  # noqa: E402
from scorerkit.judge.modes import PROVIDERS  # noqa: E402
from scorerkit.main import COMMANDS, group  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

PART = re.compile(r"(<!-- generated: (.+?) -->\n).*?(<!-- end of generated -->)", re.DOTALL)
WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "array": "list",
    "object": "mapping",
    "null": "null",
}
BOUNDS = {"minimum": "≥ {}", "exclusiveMinimum": "> {}", "maximum": "≤ {}"}
WRITTEN = ("result", "summary")
"""Schemas of what is written rather than read: their keys have no defaults."""
ADVICE_ELSEWHERE = {"no-judge", "maybe-null", "duplicate-id"}
"""Warnings that come from other checks than the advice."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def keys(name: str, pointer: str = "") -> str:
    """The keys of a mapping: ``pointer`` is a path in the schema, its parts joined by ``/``."""
    root = shipped.schema(name)
    found = reduce(lambda schema, part: schema[part], pointer.split("/") if pointer else [], root)
    found = followed(root, found)
    required = found.get("required", ())
    rows = []
    for key, schema in found["properties"].items():
        meaning = followed(root, schema).get("description", "")
        rows.append((f"`{key}`", value_of(root, schema), default_of(name, key, schema, required), meaning))
    return table(("key", "value", "always" if name in WRITTEN else "default", "meaning"), rows)


def followed(root: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema that a reference means; what stands beside the reference wins."""
    while "$ref" in schema:
        target = root["$defs"][schema["$ref"].rpartition("/")[2]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def value_of(root: dict[str, Any], schema: dict[str, Any]) -> str:
    """What may stand there, in the words of authors."""
    schema = followed(root, schema)
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value) if not isinstance(value, str) else value}`" for value in schema["enum"])
    kinds = schema.get("type", ())
    words = " or ".join(WORDS[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "any"
    bounds = ", ".join(word.format(schema[key]) for key, word in BOUNDS.items() if key in schema)
    return f"{words} {bounds}".strip()


def default_of(name: str, key: str, schema: dict[str, Any], required: Sequence[str]) -> str:
    """What holds where the key is absent; of what is written, whether it can be absent."""
    if name in WRITTEN:
        return "yes" if key in required else "–"
    later = {path[-1] for path in LATER} if name in ("scorer", "judge") else set()
    if key in later and "default" not in schema:
        return "not in this release"
    if key in required:
        return "required"
    return f"`{json.dumps(schema['default']).strip(chr(34))}`" if "default" in schema else "–"


def function_table() -> str:
    """Every function of templates and expressions."""
    return table(("function", "gives"), (_function(name) for name in functions.FILTERS))


def _function(name: str) -> tuple[str, str]:
    function = functions.FILTERS[name]
    arguments = ", ".join(_argument(each) for each in inspect.signature(function).parameters.values())
    first = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
    return f"`{name}({arguments})`", first.replace("``", "`")


def _argument(parameter: inspect.Parameter) -> str:
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    if parameter.default is parameter.empty:
        return f"{star}{parameter.name}"
    literal = "null" if parameter.default is None else json.dumps(parameter.default, ensure_ascii=False)
    return f"{parameter.name}={literal}"


def codes(which: str) -> str:
    """The codes that are warnings of ``check``, or all the others."""
    warnings = {*ADVICE, *ADVICE_ELSEWHERE}
    wanted = (code for code in rules.codes() if (code in warnings) == (which == "warnings"))
    return table(("code", "says"), ((f"`{code}`", rules.summary(code)) for code in wanted))


def provider_table() -> str:
    """Every provider: how its key is found, and which models answer in native structured output."""
    rows = []
    for name, provider in PROVIDERS.items():
        native = ", ".join(f"`{prefix}…`" for prefix in provider.structured)
        names = " or ".join(f"`{variable}`" for variable in provider.key_env)
        rows.append((f"`{name}`", names or "none, or the provider's own way", f"`{provider.package}`", native or "–"))
    return table(("provider", "key from", "pip installs", "native for models named"), rows)


def command_pages() -> str:
    """Every command with its options, from what ``--help`` is made of."""
    return "\n".join(part for name in COMMANDS for part in _command(name))


def _command(name: str) -> Iterator[str]:
    context = click.Context(group, info_name="scorerkit")
    command = group.get_command(context, name)
    assert command is not None
    arguments = " ".join(_metavar(each) for each in command.params if isinstance(each, click.Argument))
    yield f"## scorerkit {name}\n\n`scorerkit {name} [OPTIONS] {arguments}".rstrip() + "`\n"
    yield inspect.cleandoc(command.help or "") + "\n"
    options = [each for each in command.params if isinstance(each, click.Option)]
    for title, members in _sections(command, options):
        yield (f"**{title}**\n\n" if title else "") + table(("option", "meaning"), map(_option, members))
    yield f"{command.epilog}\n".replace("Example: ", "Example: `").replace("\n", "`\n")


def _sections(command: click.Command, options: list[click.Option]) -> Iterator[tuple[str, list[click.Option]]]:
    if not isinstance(command, Sections):
        if options:
            yield "", options
        return
    for title, members in command.groups:
        yield title, options[: len(members)]
        options = options[len(members) :]
    assert not options


def _option(option: click.Option) -> tuple[str, str]:
    names = ", ".join(f"`{name}`" for name in option.opts)
    value = "" if option.is_flag else f" `{_metavar(option)}`"
    shown = f" Default: `{option.default}`." if option.show_default and option.default is not None else ""
    again = " May be given again." if option.multiple and "again" not in (option.help or "") else ""
    return f"{names}{value}", f"{option.help}{again}{shown}"


def _metavar(parameter: click.Parameter) -> str:
    if parameter.metavar:
        return parameter.metavar
    if isinstance(parameter.type, click.Choice):
        return "|".join(map(str, parameter.type.choices))
    name = str(parameter.name).upper()
    return name if parameter.required else f"[{name}]"


def module_table() -> str:
    """Every module at the top of the package with its floor, as the test of the architecture has them."""
    tree = ast.parse((ROOT / "tests" / "test_architecture.py").read_text("utf-8"))
    floors = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FLOORS"
    )
    rows = ((str(len(floors) - index), name, _file(name)) for index, floor in enumerate(floors) for name in floor)
    found = ((floor, f"`{name}`", purpose_of(file)) for floor, name, file in rows if file.is_file() and name[0] != "_")
    return table(("floor", "module", "purpose"), found)


def _file(name: str) -> Path:
    folder = ROOT / "scorerkit" / name
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def purpose_of(file: Path) -> str:
    """The first paragraph of a module's docstring."""
    text = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return re.sub(r":\w+:", "", text.split("\n\n")[0].replace("\n", " ").replace("``", "`"))


# -- the pages ---------------------------------------------------------------------------------------------------------

PARTS: dict[str, Callable[..., str]] = {
    "keys": keys,
    "functions": function_table,
    "codes": codes,
    "providers": provider_table,
    "commands": command_pages,
    "modules": module_table,
}
"""Name of a part → what writes it; the words after the name are its arguments."""


@cache
def part(words: str) -> str:
    """The text of one generated part."""
    name, *arguments = words.split()
    return PARTS[name](*arguments)


def regenerated(text: str) -> str:
    """A page with its generated parts as they ought to be."""
    return PART.sub(lambda found: f"{found[1]}\n{part(found[2])}\n{found[3]}", text)


def main(arguments: Sequence[str]) -> int:
    """Rewrite the pages, or with ``--check`` name those that would change."""
    check, stale = "--check" in arguments, 0
    for page in sorted(HERE.glob("*.md")):
        text = page.read_text("utf-8")
        if (wanted := regenerated(text)) != text:
            stale += 1
            click.echo(f"{page.name} {'is out of date' if check else 'rewritten'}")
            if not check:
                page.write_text(wanted, "utf-8")
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
