"""What tests of several areas share: an empty project to stand in, files in it, and the command, called in-process."""

import importlib.util
import json
import os
import re
import signal
import sys
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
FOREIGN = re.compile(r".*_API_KEY|SCORERKIT_.*|OPENAI_.*|FORCE_COLOR|CLICOLOR.*|NO_COLOR", re.IGNORECASE)

if "cases" not in sys.modules:  # under importlib mode, test modules find no package beside them
    _spec = importlib.util.spec_from_file_location("cases", HERE / "cases" / "__init__.py")
    sys.modules["cases"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["cases"])


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so it is for what a shell starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Said(NamedTuple):
    """What a command came to."""

    exit: int
    out: str
    err: str

    @property
    def results(self):
        return [json.loads(line) for line in self.out.split("\n") if line]


@pytest.fixture
def clean(monkeypatch):
    """An environment that names no model, no key and no colour; modules that a test imports are forgotten after it."""
    for name in [name for name in os.environ if FOREIGN.fullmatch(name)]:
        monkeypatch.delenv(name)
    modules, path = dict(sys.modules), list(sys.path)
    yield monkeypatch
    sys.path[:] = path
    for name, module in list(sys.modules.items()):
        places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]  # or a namespace package
        if name not in modules and any(place and not _is_installed(place) for place in places):
            del sys.modules[name]
    importlib.invalidate_caches()


def _is_installed(file):
    return any(Path(file).is_relative_to(root) for root in (sys.prefix, sys.base_prefix, HERE.parent))


@pytest.fixture
def project(tmp_path, clean):
    """The root of an empty project, and the working directory."""
    (tmp_path / "scorerkit.toml").write_bytes(b"")
    clean.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def write(project):
    """(name, text or records) → file of the project. Text is dedented, records become JSON lines."""

    def written(name, content):
        file = project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            file.write_bytes(content)
        elif isinstance(content, str):
            file.write_text(dedent(content).lstrip("\n"), "utf-8", "surrogatepass", newline="")
        else:
            file.write_text("".join(f"{json.dumps(record)}\n" for record in content), "utf-8")
        return file

    return written


@pytest.fixture
def run(project, capfd):
    """(words of a command line) → exit code, stdout, stderr."""
    from scorerkit.main import run

    def called(*words):
        capfd.readouterr()
        code = run([str(word) for word in words])
        return Said(code, *capfd.readouterr())

    return called
