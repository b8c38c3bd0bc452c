"""The documentation is true: its scorers pass, its commands say what is shown, its code runs, its tables are up to date."""

import contextlib
import importlib.util
import io
import json
import re
import sys
import warnings
from pathlib import Path

import click
import pytest
import yaml

from scorerkit import functions, rules, shipped
from scorerkit.loader import check_file
from scorerkit.main import COMMANDS, group
from scorerkit.settings import Settings
from scorerkit.source.project import Project

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def module(file):
    """A module that lies in no package."""
    name = f"documentation_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    found = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


pages = module(Path(__file__).parent / "pages.py")
generate = module(DOCS / "generate.py")
loopback = module(ROOT / "tests" / "judge" / "loopback.py")

TOP_KEYS = set(shipped.schema("scorer")["properties"])
YAML_BLOCKS = [
    block
    for page in pages.PAGES
    for block in pages.blocks(page, "yaml")
    if not block.note.startswith(("bad file", "not checked"))
]
WALKED = [page for page in pages.PAGES if any(block.note.startswith("run") for block in pages.blocks(page))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


class Judge(loopback.Loopback):
    """Answers by the words of the request, whatever order requests come in."""

    def script(self, body, headers):
        return loopback.say(pages.answer(body), usage=(180, 20), model=body["model"])


@pytest.fixture
def judge():
    with Judge(loopback.say("")) as server:
        yield server


def completed(block):
    """A YAML block as a whole scorer: what it leaves out is put around it."""
    text = block.text
    if block.note.startswith("part of: "):
        text = f"{block.note.removeprefix('part of: ')}:\n" + "".join(f"  {line}\n" for line in text.splitlines())
    given = yaml.safe_load(text)
    assert set(given) <= TOP_KEYS, "a block of YAML holds top-level keys, or says in a comment what it is"
    text = text if "id" in given else f"id: x\n{text}"
    return text if "steps" in given else f"{text}\nsteps: {{generateScore: {{expression: '1'}}}}\n"


@pytest.mark.parametrize("block", YAML_BLOCKS, ids=lambda block: block.name)
def test_a_scorer_on_a_page_has_no_errors(block, tmp_path, monkeypatch):
    monkeypatch.delenv("SCORERKIT_JUDGE_MODEL", raising=False)
    file = tmp_path / "scorers" / "scorer.yaml"
    file.parent.mkdir()
    file.write_text(completed(block), "utf-8")
    problems = check_file(file, "scorer.yaml", Settings(Project(tmp_path))).problems
    wanted = {"id", "description", "tests"} <= set(yaml.safe_load(block.text))
    assert [problem for problem in problems if wanted or problem.severity == "error"] == []


def test_a_toml_configuration_on_a_page_fits_its_schema(tmp_path, monkeypatch):
    from scorerkit.loader import open_project

    found = [block for page in pages.PAGES for block in pages.blocks(page, "toml") if "[models" in block.text]
    assert found
    for block in found:
        (tmp_path / "scorerkit.toml").write_text(block.text, "utf-8")
        monkeypatch.chdir(tmp_path)
        assert open_project().profiles


@pytest.mark.parametrize("page", WALKED, ids=lambda page: page.name)
def test_the_commands_of_a_page_say_what_is_shown(page, tmp_path, judge):
    (tmp_path / "scorerkit.toml").write_text("")
    for block, said in pages.Walk(tmp_path, judge.url).follow(page):
        assert pages.shows(block.text, said), f"{block.name} prints:\n{said}"


def test_the_python_of_its_page_prints_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scorerkit.toml").write_text("")
    names, printed = {}, ""
    for block in pages.blocks(DOCS / "python.md"):
        if block.file:
            (tmp_path / block.file).parent.mkdir(exist_ok=True)
            (tmp_path / block.file).write_text(block.text, "utf-8")
        elif block.language == "python":
            code = compile("\n" * (block.line - 1) + block.text, "python.md", "exec")
            with contextlib.redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
                exec(code, names)
            printed = out.getvalue()
        elif block.note == "printed":
            assert printed == block.text, block.name


def test_the_example_of_the_readme_is_what_is_printed(tmp_path, monkeypatch):
    scorer, shown = (next(pages.blocks(ROOT / "README.md", language)).text for language in ("yaml", "console"))
    settings = Settings(Project(tmp_path))
    (tmp_path / "factual.yaml").write_text(scorer.replace("run.output |", "run.outptu |"), "utf-8")
    from scorerkit.build.digest import scorer_digest
    from scorerkit.report.problems import FORMATS

    problems = check_file(tmp_path / "factual.yaml", "factual.yaml", settings).problems
    assert FORMATS["text"](problems, ["factual.yaml"]).strip() in shown
    (tmp_path / "factual.yaml").write_text(scorer, "utf-8")
    definition = check_file(tmp_path / "factual.yaml", "factual.yaml", settings).definition
    assert f"digest {scorer_digest(definition, settings.namespace(trusted=True))[:12]}\n" in shown


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_the_generated_parts_of_a_page_are_up_to_date(page):
    text = page.read_text("utf-8")
    assert generate.regenerated(text) == text, "run: python docs/generate.py"


def test_every_command_and_option_is_on_the_page_of_the_command_line():
    text = (DOCS / "command-line.md").read_text("utf-8")
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        section = re.search(rf"^## scorerkit {name}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
        options = [word for each in command.params if isinstance(each, click.Option) for word in each.opts]
        assert [word for word in options if f"`{word}`" not in section] == []


def test_every_key_function_and_code_is_on_the_page_of_the_scorer_file():
    text = (DOCS / "scorer-file.md").read_text("utf-8")
    wanted = [*TOP_KEYS, *rules.codes()]
    assert [word for word in wanted if f"`{word}`" not in text] == []
    assert [name for name in functions.FILTERS if f"| `{name}(" not in text] == []


def test_every_module_at_the_top_of_the_package_is_on_the_page_of_the_architecture():
    text = (DOCS / "architecture.md").read_text("utf-8")
    found = {
        file.stem for file in (ROOT / "scorerkit").iterdir() if file.suffix == ".py" or (file / "__init__.py").is_file()
    }
    assert sorted(name for name in found if name[0] != "_" and f"| `{name}` |" not in text) == []


def test_every_path_on_the_page_of_the_architecture_exists():
    text = (DOCS / "architecture.md").read_text("utf-8")
    paths = {path for path in re.findall(r"`([\w/.]+(?:/|\.\w+))`", text) if "/" in path and "NAME" not in path}
    assert (
        sorted(path for path in paths if not any((base / path).exists() for base in (ROOT, ROOT / "scorerkit"))) == []
    )


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.name)
def test_every_relative_link_of_a_page_resolves(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in LINK.findall(text):
        path, _, anchor = link.partition("#")
        if ":" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_a_block_with_dots_stands_for_any_text():
    assert pages.shows("$ a\nb …\nc\n", "$ a\nb 12 x\nc\n")
    assert not pages.shows("$ a\nb …\nc\n", "$ a\nc\n")


def test_an_answer_of_the_walks_is_a_level_of_the_scorer():
    answers = [json.loads(pages.answer({"messages": [word]})) for word in pages.VERDICTS]
    assert {answer["label"] for answer in answers} == {"correct", "partly", "wrong"}
