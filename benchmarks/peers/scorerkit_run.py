"""``scorerkit run``, all of it: the command as it is called, results on disk, in this process to read its memory."""

from __future__ import annotations

import contextlib
import json
import os

from meter import arguments, tell

def main() -> None:
    """Run the command and say what it came to."""
    given = arguments()
    os.environ["OPENAI_API_KEY"] = "local"

    from scorerkit.main import run

    if "judged" in given.scorer.name:  # the peers' drivers, too, have imported what a client is made of when they start
        import instructor
        import openai

        instructor.from_openai(openai.AsyncOpenAI(api_key="local"))

    report = given.results.with_suffix(".summary.json")
    command = ["run", str(given.scorer), "--data", str(given.data), "--output", str(given.results), "--report", str(report)]
    store = ["--no-store"] if given.store is None else []
    if given.store is not None:
        os.environ["SCORERKIT_STORE"] = str(given.store)
    engine = [f"--{name}={value}" for name, value in (("workers", given.workers), ("engine", given.engine)) if value]
    judged = ["--base-url", given.base_url, "-j", str(given.concurrency), "--no-cache"] if "judged" in given.scorer.name else []
    code = run([*command, *judged, *store, *engine, "--quiet"])
    if code:
        raise SystemExit(code)
    summary = json.loads(report.read_text())
    tell(summary["scorers"][0]["scored"], 0, summary["wallMs"] / 1000)
    with contextlib.suppress(OSError):
        report.unlink()


if __name__ == "__main__":  # workers of a cluster import this file
    main()
