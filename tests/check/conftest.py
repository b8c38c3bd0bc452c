import pytest

from scorerkit.assembly import assemble
from scorerkit.check import check_definition
from scorerkit.reference import Namespace
from scorerkit.source import parse_document
from scorerkit.source.project import Territory


def pytest_addoption(parser):
    try:
        parser.addoption("--update-golden", action="store_true", help="Rewrite the texts beside tests/bad.")
    except ValueError:  # the option is there already
        return


@pytest.fixture(autouse=True)
def _no_model(monkeypatch):
    monkeypatch.delenv("SCORERKIT_JUDGE_MODEL", raising=False)


@pytest.fixture
def problems(tmp_path):
    """Text of a file → its problems, as a file of a project in which other files may be written first."""

    def found(text, syntax="yaml", *, folder=tmp_path, name=None):
        file = folder / f"s.{syntax}"
        document = parse_document(text, name or file.name, syntax, file=file)
        if isinstance(document, list):
            return document
        definition, unread = assemble(document, Territory(folder, file))
        return unread or check_definition(definition, Namespace(folder))

    return found


@pytest.fixture
def places(problems):
    """Text of a file → (code, line, column) of its problems, the advice that every short file gets left out."""

    def found(text, syntax="yaml", **more):
        return [
            (problem.code, problem.place.line, problem.place.column)
            for problem in problems(text, syntax, **more)
            if problem.code not in ("no-tests", "no-description")
        ]

    return found
