"""Scorers to begin from: one commented file per kind in this folder, or a copy of a scorer that there is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorerkit.errors import ScorerkitError
from scorerkit.loader import check_file
from scorerkit.source import read_document

if TYPE_CHECKING:
    from scorerkit.library import Found
    from scorerkit.loader import Checked
    from scorerkit.model.json import Json
    from scorerkit.settings import Settings
    from scorerkit.source.document import Document

KINDS = ("judge", "code", "agent")
EDITOR_LINE = re.compile(r"\A# yaml-language-server:[^\n]*\n(?:#\n)?")
"""Names a schema by a path that holds where the file stood."""
PLAIN = re.compile(r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][a-z0-9/-]*", re.IGNORECASE)
"""Ids that YAML reads as text without quotes, in each of its versions."""

MODEL = "openai/gpt-5-mini-2025-08-07"
MOST_EXAMPLE = 400
"""Characters of an example record that can still be taken in."""

Files = dict[Path, str]
"""Path below the folder of scorers → text."""


def of_kind(kind: str, name: str) -> Files:
    """The file to begin a scorer of one of ``KINDS`` with."""
    file = Path(__file__).parent / f"{kind}.yaml"
    read = read_document(file, file.name)
    assert not isinstance(read, list)
    return {Path(f"{name}.yaml"): _renamed(read, name)}


def copy_of(found: Found, name: str, settings: Settings) -> Files:
    """A scorer under another id, and the prompts and schemas that it names, where it names them.

    Raises:
        ScorerkitError: the scorer has mistakes, extends another, or is made of files that do not lie below its folder.
    """
    checked = check_file(found.file, found.shown, settings)
    if checked.definition is None or checked.errors:
        message = f"'{found.shown}' has mistakes"
        raise ScorerkitError(message, fix=f"scorerkit check {found.shown}")
    own, *parts = checked.definition.documents()
    if "extends" in own.value:
        message = f"'{found.shown}' extends '{own.value['extends']}', and is no whole to copy"
        raise ScorerkitError(message, fix="copy that one, or write a scorer that extends it")
    text = _renamed(own, name)
    if checked.unanswered:
        text = _with_model_line(own, text)
    files = {Path(f"{name}{own.file.suffix}"): EDITOR_LINE.sub("", text)}
    for part in parts:
        if not part.file.is_relative_to(own.file.parent):
            message = f"'{found.shown}' cannot be copied: its part '{part.path}' lies outside of its folder"
            raise ScorerkitError(message, fix=f"write a scorer with 'extends: {own.value['id']}'")
        files[Path(name).parent / part.file.relative_to(own.file.parent)] = part.text
    return files


def _renamed(document: Document, name: str) -> str:
    """The text with another id."""
    place = document.value_place(("id",))
    plain = document.syntax == "yaml" and PLAIN.fullmatch(name)
    lines = document.text.splitlines(keepends=True)
    line = lines[place.line - 1]
    after = line[place.end_column - 1 :] if place.end_column else "\n"
    lines[place.line - 1] = line[: place.column - 1] + (name if plain else json.dumps(name)) + after
    return "".join(lines)


def _with_model_line(document: Document, text: str) -> str:
    """The text with a place for the model, where its judge has other fields: who copies a scorer makes it their own."""
    judge = document.value.get("judge")
    if document.syntax != "yaml" or not isinstance(judge, dict) or not judge:
        return text
    first = document.key_place(("judge", next(iter(judge))))
    if first.line == document.key_place(("judge",)).line:
        return text
    lines = text.splitlines(keepends=True)
    indent = " " * (first.column - 1)
    lines[first.line - 1 : first.line - 1] = [
        f"{indent}# Name who answers here, or in scorerkit.toml, or with --judge-model:\n",
        f"{indent}# model: {MODEL}\n",
    ]
    return "".join(lines)


class Example(NamedTuple):
    """A record as a scorer wants it, and values for the params that have no default."""

    run: dict[str, Json]
    params: dict[str, Json]


def example_of(checked: Checked) -> Example:
    """The record of a test which gets a score, if one is short enough to be shown."""
    assert checked.definition is not None
    definition = checked.definition
    wanted = [name for name, schema in (definition.get("params") or {}).items() if "default" not in schema]
    tests = [
        test
        for test in definition.get("tests") or ()
        if "score" in test["expect"] and test["run"].get("output") and len(json.dumps(test["run"])) <= MOST_EXAMPLE
    ]
    for test in sorted(tests, key=lambda test: set(test.get("params") or ()) != set(wanted)):
        return Example(test["run"], {name: (test.get("params") or {}).get(name, "VALUE") for name in wanted})
    output: Json = {"steps": [{"name": "…"}]} if definition.get("type") == "trajectory" else "…"
    return Example({"input": "…", "output": output}, dict.fromkeys(wanted, "VALUE"))
