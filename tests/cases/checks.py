"""Comparing what came of a case with what it expects; each check yields the differences as sentences.

Settled where the form leaves it open: ``summary`` is counted from the result file; ``problems`` are errors only;
``results`` take null for an absent key, and true and false are never numbers; ``attempts`` add up ``attemptCount``;
``prompts`` with ``step`` look at the requests that hold the prompt which a result keeps for that step.
"""

import csv
import json
import math
import re
import subprocess
import sys
import time
from collections import Counter
from functools import cached_property
from itertools import zip_longest
from pathlib import Path

PROBLEM = re.compile(r"^(\S[^\n]*?):(\d+):(\d+): error\[([\w-]+)\]", re.MULTILINE)


class Unreadable(Exception):
    """What should be compared is not there or cannot be read."""


def strict_json(raw):
    """JSON without NaN and infinities, from UTF-8."""
    try:
        return json.loads(raw.decode("utf-8"), parse_constant=int)
    except ValueError as error:
        message = f"no strict JSON: {error}: {raw[:200]!r}"
        raise Unreadable(message) from error


def rows_of(file, suffix):
    """The results of a file."""
    if not file.exists():
        message = f"there is no {file.name}"
        raise Unreadable(message)
    if suffix == ".csv":
        with file.open(encoding="utf-8", newline="") as text:
            return [csv_row(row) for row in csv.DictReader(text)]
    if suffix == ".json":
        return strict_json(file.read_bytes())
    return [strict_json(line) for line in file.read_bytes().split(b"\n") if line]


def csv_row(row):
    found = {}
    for column, cell in row.items():
        head, _, key = column.partition(".")
        as_json = column == "score" or cell in ("true", "false") or cell[:1] in ("[", "{")
        value = strict_json(cell.encode()) if as_json and cell else cell or None
        if key:
            found.setdefault(head, {})[key] = value
        else:
            found[head] = value
    return found


class Outcome:
    """Everything that expectations look at."""

    def __init__(self, player, done):
        self.player = player
        self.done = done
        self.judge = player.judge

    @cached_property
    def outputs(self):
        """(file, suffix) of each result file of the last command that names some, the exact forms first."""
        for done in reversed(self.done):
            if names := re.findall(r"--output[ =](\S+)", done.command):
                folder = self.player.work / (re.findall(r"\bcd (\S+) &&", done.command) or ["."])[-1]
                files = [(done.out, ".jsonl") if name == "-" else (folder / name, Path(name).suffix) for name in names]
                return sorted(files, key=lambda file: file[1] == ".csv")
        message = "no command names an output"
        raise Unreadable(message)

    @cached_property
    def results(self):
        return rows_of(*self.outputs[0])

    @cached_property
    def stderr(self):
        return "\n".join(done.err.read_text("utf-8", "replace") for done in self.done)

    @cached_property
    def problems(self):
        checks = [done.command for done in self.done if re.search(r"\bscorerkit check\b", done.command)]
        if not checks:
            found = PROBLEM.findall(self.done[-1].err.read_text("utf-8", "replace"))
            return [dict(zip(("path", "line", "column", "code"), each, strict=True)) for each in found]
        again = self.player.play(checks[-1], " --output-format json")
        return [each for each in strict_json(again.out.read_bytes())["problems"] if each["severity"] == "error"]

    def prompts(self, entry):
        """The texts that an entry of ``prompts`` is about."""
        if "request" in entry:
            return [asked.text() for asked in self.judge.requests[entry["request"] - 1 :][:1]]
        kept = []
        for result in self.results:
            if entry.get("run") in (None, result["runId"]):
                kept += [text for key, text in result.items() if key == f"{entry.get('step')}Prompt" and text]
        texts = [asked.text("user") for asked in self.judge.requests]
        return [text for text in texts if any(prompt in text for prompt in kept)] or texts


def equal(want, got):
    """Deep equality, numbers to 1e-12."""
    if isinstance(want, bool) or isinstance(got, bool):
        return want is got
    if isinstance(want, (int, float)) and isinstance(got, (int, float)):
        return math.isclose(want, got, rel_tol=1e-12, abs_tol=1e-12)
    if isinstance(want, dict) and isinstance(got, dict):
        return want.keys() == got.keys() and all(equal(want[key], got[key]) for key in want)
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(equal, want, got))
    return want == got


def any_of(want, got):
    return got in want if isinstance(want, list) else got == want


def exit_codes(want, outcome):
    got = [done.exit for done in outcome.done]
    wanted = want if isinstance(want, list) else [want]
    if not isinstance(want, list):
        got = got[-1:]
    if len(wanted) != len(got) or not all(map(any_of, wanted, got)):
        yield f"exit {got}, wanted {want}"


def results(want, outcome, key=lambda result: result["runId"]):
    for name, fields in want.items():
        found = [result for result in outcome.results if key(result) == name]
        if len(found) != 1:
            yield f"{name}: {len(found)} result lines"
            continue
        for field, value in fields.items():
            got = _field(field, value, found[0])
            if not _fits(field, value, got):
                yield f"{name}: {field} is {got!r}, wanted {value!r}"


def _field(field, value, result):
    if field == "attempts":
        judged = result.get("judge") or {}
        return {
            step: sum(each["attemptCount"] for each in judged.get(step, {}).get("executions", [])) for step in value
        }
    return result.get("score" if field == "scoreOneOf" else field)


def _fits(field, value, got):
    if field == "scoreOneOf":
        return any(equal(each, got) for each in value)
    if field == "error" and isinstance(value, dict) and isinstance(got, dict):
        return all(any_of(wanted, got.get(key)) for key, wanted in value.items())
    return equal(value, got)


def by_trace(want, outcome):
    return results(want, outcome, lambda result: (result["metadata"] or {}).get("traceId"))


def summary(want, outcome):
    counts = Counter(result["status"] for result in outcome.results)
    scores = [result["score"] for result in outcome.results if result["status"] == "scored"]
    got = {"n": counts.total(), **{status: counts[status] for status in ("scored", "notScorable", "failed")}}
    got["mean"] = math.fsum(scores) / len(scores) if scores else None
    yield from (
        f"summary {key} is {got[key]}, wanted {value}" for key, value in want.items() if not equal(value, got[key])
    )


def order(want, outcome):
    for file, suffix in outcome.outputs:
        got = [result["runId"] for result in rows_of(file, suffix)]
        if got != want:
            yield f"order of {file.name} is {got}, wanted {want}"


def problems(want, outcome):
    for wanted, got in zip_longest(want, outcome.problems):
        if wanted is None or got is None or not _problem_fits(wanted, got):
            yield f"problem {got}, wanted {wanted}"


def _problem_fits(want, got):
    path = f"/{got['path']}".replace("/./", "/")
    others = {key: value for key, value in want.items() if key != "file"}
    texts = {
        key: [str(each) for each in (value if isinstance(value, list) else [value])] for key, value in others.items()
    }
    return path.endswith(f"/{want['file']}" if "file" in want else "") and all(
        str(got[key]) in value for key, value in texts.items()
    )


def within(name):
    def check(want, outcome):
        got = len(outcome.judge.requests) if name == "requests" else outcome.judge.peak
        low, high = (want.get("min", 0), want.get("max", math.inf)) if isinstance(want, dict) else (want, want)
        if not low <= got <= high:
            yield f"{name}: {got}, wanted {want}"

    return check


def prompts(want, outcome):
    for entry in want:
        texts = outcome.prompts(entry)
        if not texts:
            yield f"no request for {entry}"
        elif not any(all(part in text for part in entry.get("has", ())) for text in texts):
            yield f"no prompt has all of {entry['has']}"
        yield from (f"a prompt has {part!r}" for part in entry.get("hasNot", ()) if any(part in text for text in texts))
        after = entry.get("jsonAfter")
        if after and not any(equal(after["value"], _json_after(after["marker"], text)) for text in texts):
            yield f"after {after['marker']!r} there is no {after['value']!r}"


def _json_after(marker, text):
    try:
        return json.JSONDecoder().raw_decode(text.partition(marker)[2].lstrip())[0]
    except ValueError:
        return None


def stderr(want, outcome):
    yield from (f"stderr lacks {part!r}" for part in want.get("has", ()) if part not in outcome.stderr)
    yield from (f"stderr has {part!r}" for part in want.get("hasNot", ()) if part in outcome.stderr)


def files_absent(want, outcome):
    yield from (f"{file.name} is there" for name in want for file in outcome.player.root.rglob(name))


def secrets_nowhere(want, outcome):
    for file in outcome.player.root.rglob("*"):
        if file.is_file() and file.read_bytes() != outcome.player.inputs.get(file):
            yield from (f"{secret} is in {file.name}" for secret in want if secret.encode() in file.read_bytes())


def least_seconds(want, outcome):
    if (got := sum(done.seconds for done in outcome.done)) < want:
        yield f"it took {got:.2f} s, wanted at least {want}"


def most_seconds(want, outcome):
    """The bound is for what a command waits: on a busy machine, what it takes to load a client comes on top."""
    got = sum(done.seconds for done in outcome.done)
    if got > want and got > want + 2 * len(outcome.done) * loading():
        yield f"it took {got:.2f} s, wanted at most {want}"


def loading():
    """Seconds that a process takes at present to load what a judged run loads."""
    started = time.monotonic()
    subprocess.run([sys.executable, "-c", "import instructor, openai"], check=True)
    return time.monotonic() - started


def most_memory(want, outcome):
    if (peak := max(done.rss_mib for done in outcome.done)) > want:
        yield f"it took {peak:.0f} MiB, wanted {want}"


CHECKS = {
    "exit": exit_codes,
    "exitOneOf": lambda want, outcome: exit_codes([want], Outcome(outcome.player, outcome.done[-1:])),
    "oneOf": lambda want, outcome: min((differences(block, outcome) for block in want), key=len),
    "problems": problems,
    "results": results,
    "resultsByTrace": by_trace,
    "summary": summary,
    "order": order,
    "requests": within("requests"),
    "peakInFlight": within("peakInFlight"),
    "prompts": prompts,
    "stderr": stderr,
    "filesAbsent": files_absent,
    "secretsNowhere": secrets_nowhere,
    "minSeconds": least_seconds,
    "maxSeconds": most_seconds,
    "maxRssMiB": most_memory,
}
BY_HAND = "also"
OF_RESULTS = {"results", "resultsByTrace", "summary", "order"}


def differences(expected, outcome):
    """Everything that is not as expected; after an allowed exit 2 nothing was scored, and no results are asked for."""
    refused = outcome.done[-1].exit == 2 and 2 in expected.get("exitOneOf", ())
    found = []
    for name, want in expected.items():
        if name == BY_HAND or (refused and name in OF_RESULTS):
            continue
        try:
            found += CHECKS[name](want, outcome)
        except Unreadable as error:
            found.append(f"{name}: {error}")
    return found
