"""Playing a case: its folder, its environment, its commands.

A command is called in-process where that makes no difference, which spares the start-up of the interpreter and of the
client library. Signals, shells, locales and limits of time and memory need a process of their own.
"""

import base64
import contextlib
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOREIGN = re.compile(r".*_API_KEY|SCORERKIT_.*|OPENAI_.*|XDG_.*|FORCE_COLOR|CLICOLOR.*|.*_proxy", re.IGNORECASE)
OF_THE_INTERPRETER = {"LC_ALL", "PYTHONUTF8", "PYTHONIOENCODING"}
SIGNALLED = re.compile(r"(SIGKILL|SIGINT|SIGTERM) after (\d+) answers")
LONGEST = 60.0


@dataclass
class Done:
    """A command that ended; ``command`` as the case spells it, without its comment."""

    command: str
    exit: int
    seconds: float
    rss_mib: float
    out: Path
    err: Path


def read_cases(file):
    """The cases of a JSONL file; lines end at line feeds only, as some hold other separators."""
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line.strip()]


def commands_of(case):
    return case["input"].get("commands") or [case["input"]["command"]]


def needs_process(case):
    """Whether a case looks at the process itself."""
    given, expected = case["input"], case["expected"]
    limited = {"maxRssMiB", "maxSeconds"} & set(expected)
    shell = any(re.search(r"[|&;<>#$]", command) for command in commands_of(case))
    return bool(limited or shell or "setup" in given or OF_THE_INTERPRETER & set(given.get("env", {})))


class Player:
    """One case in one folder, with one judge."""

    def __init__(self, case, root, judge):
        self.given = case["input"]
        self.root = root
        self.work = root / "case"
        self.judge = judge
        self.inputs = {}
        self.in_process = not needs_process(case)
        self._said = 0

    def prepare(self):
        """The files of the case; an empty project unless it brings one."""
        for name in ("case", "home", "tmp", "said"):
            (self.root / name).mkdir()
        contents = {"scorerkit.toml": b""}
        contents |= {name: text.encode("utf-8", "surrogatepass") for name, text in self.given.get("files", {}).items()}
        contents |= {name: base64.b64decode(text) for name, text in self.given.get("filesBase64", {}).items()}
        for name, statement in self.given.get("generate", {}).items():
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(statement, {"json": json})
            contents[name] = printed.getvalue().encode()
        for name, content in contents.items():
            file = self.work / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            self.inputs[file] = content
        if "setup" in self.given:
            subprocess.run(self.given["setup"], shell=True, cwd=self.work, check=True)

    def environment(self):
        """That of the tests without what could reach the command from outside."""
        found = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
        home = self.root / "home"
        found |= {"OPENAI_API_KEY": "sk-test-000", "NO_COLOR": "1", "NO_PROXY": "127.0.0.1,localhost"}
        found |= {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "TMPDIR": str(self.root / "tmp")}
        found["PYTHONPATH"] = str(ROOT)
        if "judge" not in self.given:
            found["OPENAI_BASE_URL"] = self.judge.url
        for name, value in self.given.get("env", {}).items():
            if value is None:
                found.pop(name, None)
            else:
                found[name] = value
        return found

    def play(self, command, more=""):
        """Carry out one command of the case."""
        spelled, _, comment = command.partition("  #")
        self._said += 1
        out, err = (self.root / "said" / f"{self._said}.{name}" for name in ("out", "err"))
        line = spelled + more
        if "judge" in self.given and re.search(r"\bscorerkit run\b", spelled):
            line += f" --base-url {self.judge.url}"
        start = time.monotonic()
        play = self._here if self.in_process and line.startswith("scorerkit ") else self._apart
        code, rss = play(line, comment, out, err)
        return Done(spelled, code, time.monotonic() - start, rss, out, err)

    def _here(self, line, _comment, out, err):
        from scorerkit.main import run

        with contextlib.ExitStack() as stack:
            stack.enter_context(_environment(self.environment()))
            stack.enter_context(contextlib.chdir(self.work))
            streams = [stack.enter_context(file.open("w", encoding="utf-8", newline="")) for file in (out, err)]
            stack.enter_context(contextlib.redirect_stdout(streams[0]))
            stack.enter_context(contextlib.redirect_stderr(streams[1]))
            return run(shlex.split(line)[1:]), 0.0

    def _apart(self, line, comment, out, err):
        tool = shlex.join([sys.executable, "-m", "scorerkit"])
        alone = "" if re.search(r"[|&;]", line) else "exec "  # no shell between: signals and memory are the tool's own
        line = re.sub(r"(^|&&\s*|;\s*)scorerkit(?=\s)", lambda found: f"{found[1]}{alone}{tool}", line)
        with out.open("wb") as to_out, err.open("wb") as to_err:
            process = subprocess.Popen(
                ["/bin/sh", "-c", line], cwd=self.work, env=self.environment(), stdin=subprocess.DEVNULL,
                stdout=to_out, stderr=to_err, start_new_session=True,
            )  # fmt: skip
        peak = self._watch(process.pid, SIGNALLED.search(comment))
        _, status = os.waitpid(process.pid, 0)
        code = process.returncode = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code, peak

    def _watch(self, pid, signalled):
        """Wait for the end; send the signal that the comment names; end what runs too long. Returns the peak in MiB."""
        peak = 0.0
        until = time.monotonic() + LONGEST
        after = self.judge.answered + int(signalled[2]) if signalled else None
        while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            if after is not None and self.judge.answered >= after:
                os.killpg(pid, signal.Signals[signalled[1]])
                after = None
            if time.monotonic() > until:
                os.killpg(pid, signal.SIGKILL)
                return peak
            peak = max(peak, _resident_mib(pid))
            time.sleep(0.01)
        return peak


def _resident_mib(pid):
    """The most that a running process has held. What wait4 tells counts its parent's memory before the exec too."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
    return 0.0


@contextlib.contextmanager
def _environment(wanted):
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(wanted)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
