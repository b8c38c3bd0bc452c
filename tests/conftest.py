"""What tests of several areas share: an empty project to stand in, files in it, and the command, called in-process."""

import contextlib
import importlib.util
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
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
        if name not in modules and any(place and not _is_installed(place) for place in _places(module)):
            del sys.modules[name]
    importlib.invalidate_caches()


def _places(module):
    """Where a module or package stands; a namespace package has no file, and no place while its parent is hidden."""
    with contextlib.suppress(AttributeError):
        return [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]
    return []


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


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory):
    """The address of a PostgreSQL server of this session's own, without a database."""
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    # The server refuses to run as root.
    as_user = ["setpriv", "--reuid=nobody", "--clear-groups"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(folder, "nobody")
    port = _free_port()
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    control = [*as_user, programs / "pg_ctl", "-D", folder / "data"]
    subprocess.run(
        [*as_user, programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "scorer", "-E", "UTF8", "--no-locale"],
        check=True, capture_output=True, cwd=folder,
    )  # fmt: skip
    subprocess.run([*control, "-o", options, "-w", "-l", folder / "log", "start"], check=True, capture_output=True)
    yield f"postgresql://scorer@127.0.0.1:{port}"
    subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(postgres_server):
    """() → the address of an empty database."""
    import psycopg

    def made():
        name = f"store_{secrets.token_hex(4)}"
        with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{postgres_server}/{name}"

    return made


def _postgres_programs():
    found = shutil.which("pg_ctl")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists()), None)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
