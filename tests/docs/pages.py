"""The pages of the documentation as tests see them: blocks of code, and the comments that say what to do with them.

``<!-- file: PATH -->`` before a block: the block is written to that file; ``bad file`` says that it has mistakes.
``<!-- run -->`` before a console block: its commands are run in the folder of the page, and must say what the block
shows; ``…`` stands for anything. ``<!-- printed -->``: what the Python above prints.
``<!-- part of: KEY -->`` before a YAML block: it stands below that key of a scorer. ``<!-- not checked: WHY -->``:
the block is left alone.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
COMMAND = re.compile(r"^\$ scorerkit (.*)$", re.MULTILINE)

VERDICTS = {
    "Paris": ("correct", "The same city."),
    "Kyoto": ("wrong", "The reference says Tokyo."),
    "mill": ("partly", "The street is missing."),
}


class Block(NamedTuple):
    page: Path
    line: int
    language: str
    note: str
    text: str

    @property
    def file(self):
        """The file that the block is written to, or None."""
        found = re.fullmatch(r"(?:bad )?file: (.*)", self.note)
        return found and found[1]

    @property
    def name(self):
        return f"{self.page.name}:{self.line}"


def blocks(page, language=None):
    text = page.read_text("utf-8")
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("text")) + 1
        if language in (None, found["language"]):
            yield Block(page, line, found["language"], found["note"] or "", found["text"])


def answer(body):
    """What the judge of the walks says to a request, told by the words in it."""
    text = json.dumps(body["messages"])
    label, reasoning = next(verdict for word, verdict in VERDICTS.items() if word in text)
    return json.dumps({"reasoning": reasoning, "label": label})


class Walk:
    """Follows one page in a folder: writes its files, runs its commands."""

    def __init__(self, folder, judge_url):
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SCORERKIT_", "OPENAI_"))}
        self.without_key = {**kept, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        self.with_key = {**self.without_key, "OPENAI_API_KEY": "sk-test", "SCORERKIT_BASE_URL": judge_url}

    def follow(self, page):
        """Yields (block, what was printed instead) for every block that is run."""
        for block in blocks(page):
            if block.file:
                file = self.folder / block.file
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block.text, "utf-8")
            elif block.note in ("run", "run without a key"):
                env = self.without_key if "without" in block.note else self.with_key
                yield block, "\n".join(self._said(command, env) for command in COMMAND.findall(block.text))

    def _said(self, command, env):
        done = subprocess.run(
            f"{sys.executable} -m scorerkit {command} 2>&1",
            shell=True, cwd=self.folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
        )  # fmt: skip
        return f"$ scorerkit {command}\n{done.stdout}"


def shows(block_text, said):
    """Whether a block shows what was said; ``…`` stands for anything, and a line of it for any lines."""
    pattern = re.escape(block_text.strip()).replace("…", ".*?")
    return re.fullmatch(pattern, said.strip(), re.DOTALL) is not None
