"""Writes ``library.md`` from the files of the library: what each scorer measures, needs, takes and computes.

Run from anywhere: ``python docs/generate_library.py`` rewrites the page, with ``--check`` it exits 1 where the page is
out of date. The table of languages is computed: it takes the extras.
"""  # noqa: INP001 - a script beside the pages, not a package

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PAGE = HERE / "library.md"
SCORERS = ROOT / "scorers"
sys.path.insert(0, str(ROOT))

from scorerkit import Scorer, functions, load_scorer  # noqa: E402 - of this checkout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEAD = """# The library

Scorers that ship, one YAML file each in `scorers/`, with their prompts beside them and their tests inside. Run one by
its id, or copy it and change what does not fit:

```console
$ scorerkit run faithfulness --data runs.jsonl --judge-model openai/gpt-5-mini-2025-08-07
$ scorerkit test scorers/faithfulness.yaml
```

No code stands behind a file but [expressions](scorer-file.md) and the functions that every scorer file can call. A
judged scorer names no model: the project's configuration or `--judge-model` does. Params are given with
`-p name=value`, or by a file of yours that `extends` the scorer.

**Nothing to measure is not scorable**: no claims, no keywords, no reference, no context. Such a record has no score and
is left out of averages. `bias` and `toxicity` are the exception: where there is nothing to object to, that is 0.

This page is written by `python docs/generate_library.py`.

"""
GROUPS = (
    ("With a judge", "judged"),
    ("Without a judge", "code"),
)
FIELDS = {
    "run.groundTruth": "a reference (`groundTruth`)",
    "run.expectedTrajectory": "`expectedTrajectory`, or a param",
    "run.metadata.context": "passages (`context`, `metadata.context` or results of tools)",
    "run.metadata.criteria": "criteria",
    "run.metadata.baselineResponse": "a baseline answer and a question with noise (params or `metadata`)",
    "user_message": "a question",
    "run.input | message_texts": "a question",
    "system_prompt": "a system prompt",
}
EXTRAS = {"tone": "tone", "text/bleu": "bleu", "checks/language": "languages"}
TEXTS = (
    ("Japanese", "東京は日本の首都です。", "日本の首都は東京です。"),
    ("Chinese", "北京是中国的首都", "中国的首都是北京"),
    ("Thai", "กรุงเทพเป็นเมืองหลวง", "เมืองหลวงคือกรุงเทพ"),
    ("Arabic", "باريس عاصمة فرنسا", "عاصمة فرنسا باريس"),
    ("Korean", "서울은 한국의 수도입니다", "한국의 수도는 서울입니다"),
    ("Russian", "Москва — столица России", "Столица России — Москва"),
    ("French", "Paris est la capitale de la France", "La capitale de la France est Paris"),
    ("Hindi", "दिल्ली भारत की राजधानी है", "भारत की राजधानी दिल्ली है"),
    ("emoji", "😀 👍", "👍"),
    ("emoji and words", "I love pizza 🍕😀", "Pizza 🍕 is great 😀👍"),
    ("mixed", "Tokyo (東京) is the capital", "The capital is 東京"),
    ("mixed", "Python で 機械学習 を 学ぶ", "機械学習 を Python で 実装 する"),
    ("another script", "Tokyo is the capital of Japan", "東京は日本の首都です。"),
)
MEASURES = (
    *("content-similarity", "textual-difference", "tone", "completeness", "keyword-coverage"),
    *("text/levenshtein", "text/rouge-l", "text/token-f1", "text/bleu"),
)


def page() -> str:
    """The whole page."""
    files = {file.relative_to(SCORERS).with_suffix("").as_posix(): file for file in sorted(SCORERS.rglob("*.yaml"))}
    scorers = {name: yaml.safe_load(file.read_text("utf-8")) for name, file in files.items()}
    parts = [HEAD]
    for title, tag in GROUPS:
        group = {name: scorer for name, scorer in scorers.items() if tag in scorer["tags"]}
        parts.append(f"## {title}\n\n{contents(group)}\n")
        parts += ["\n".join(section(name, scorer)) + "\n" for name, scorer in group.items()]
    return "\n".join([*parts, languages()])


def contents(group: dict[str, Any]) -> str:
    """The scorers of a group in one table."""
    rows = [(f"[`{name}`](#{anchor(name)})", scorer["description"], better(scorer)) for name, scorer in group.items()]
    return table(("scorer", "measures", "better"), rows)


def anchor(name: str) -> str:
    return re.sub(r"[^\w-]", "", name)


def better(scorer: dict[str, Any]) -> str:
    return "low" if scorer["direction"] == "minimize" else "high"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.strip().replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def section(name: str, scorer: dict[str, Any]) -> Iterator[str]:
    """What there is to say of one scorer."""
    yield f"### {name}\n\n{scorer['description'].strip()}\n"
    yield f"Needs: {needs(name, scorer)}. Better: {better(scorer)}.\n"
    if params := scorer.get("params"):
        yield table(("param", "value", "default", "meaning"), [param(key, params[key]) for key in params])
    yield from (f"- `{step}`: {told(keys)}" for step, keys in scorer["steps"].items())
    yield from (f"- not scorable: {entry['reason']}" for entry in scorer.get("notScorable", ()))
    yield f"\n{example(scorer['tests'][0])}"


def needs(name: str, scorer: dict[str, Any]) -> str:
    """What a record must have, told from what the scorer reads."""
    prompts = [
        (SCORERS / keys["prompt"]["file"]).read_text("utf-8") for keys in scorer["steps"].values() if "prompt" in keys
    ]
    text = "\n".join([str(scorer["steps"]), str(scorer.get("notScorable")), str(scorer.get("prepareRun")), *prompts])
    found = ["an answer", *(said for field, said in FIELDS.items() if field in text)]
    if name in EXTRAS:
        found.append(f"the extra `{EXTRAS[name]}`")
    return ", ".join(dict.fromkeys(found))


def param(name: str, schema: dict[str, Any]) -> tuple[str, str, str, str]:
    kinds = schema.get("type", "")
    value = ", ".join(f"`{each}`" for each in schema["enum"]) if "enum" in schema else kinds
    shown = value if isinstance(value, str) else " or ".join(value)
    default = f"`{functions.json(schema['default'])}`" if "default" in schema else "required"
    return f"`{name}`", shown, default, schema["description"]


def told(keys: dict[str, Any]) -> str:
    """A step in its own words, and its formula where it is one line."""
    formula = " ".join(str(keys.get("expression", "")).split())
    return keys["description"].strip() + (f" `{formula}`" if 0 < len(formula) <= 100 else "")


def example(test: dict[str, Any]) -> str:
    """The first test of a file."""
    shown = {key: test[key] for key in ("params", "run", "answers", "expect") if key in test}
    text = yaml.dump(shown, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    return f"Example: {test['name']}.\n\n<!-- not checked: a test of a scorer -->\n```yaml\n{text}```\n"


class _Plain(yaml.SafeDumper):
    """Writes shared parts out, without anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - yaml calls it
        return True


def languages() -> str:
    """What the measures of text say of texts in several scripts: their files are run."""
    scorers = [load_scorer(SCORERS / f"{name}.yaml", project=ROOT) for name in MEASURES]
    rows = [(kind, one, two, *(measured(scorer, one, two) for scorer in scorers)) for kind, one, two in TEXTS]
    head = ("text", "question and reference", "answer", *(f"`{name}`" for name in MEASURES))
    return (
        "## Languages\n\n"
        "What the measures without a judge say of one text beside another. Words of scripts without spaces are found\n"
        "by ICU's dictionaries (extra `languages`); `text/bleu` takes characters there. A dash: not scorable.\n\n"
        f"{table(head, rows)}"
    )


def measured(scorer: Scorer, one: str, two: str) -> str:
    """The score in two digits, or a dash."""
    result = scorer.run_sync(input=one, output=two, ground_truth=one)
    if result.status == "failed":
        message = f"{scorer.id}: {result.error}"
        raise RuntimeError(message)
    return "–" if result.score is None else f"{result.score:.2f}"


def main(arguments: Sequence[str]) -> int:
    """Rewrite the page, or with ``--check`` say whether it would change."""
    text = page()
    stale = not PAGE.is_file() or PAGE.read_text("utf-8") != text
    if stale and "--check" not in arguments:
        PAGE.write_text(text, "utf-8")
    if stale:
        sys.stdout.write(f"{PAGE.name} {'is out of date' if '--check' in arguments else 'rewritten'}\n")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
