import pytest
from click.testing import CliRunner

from scorerkit import rules
from scorerkit.commands.rule import command
from scorerkit.errors import ScorerkitError


def run(*arguments):
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


def test_a_code_is_explained_by_its_page():
    assert run("unknown-key").output == rules.page("unknown-key")


def test_without_a_code_all_are_listed_with_their_first_sentence():
    lines = run().output.splitlines()
    assert [line.split()[0] for line in lines] == list(rules.codes())
    assert all(line.endswith(rules.summary(line.split()[0])) for line in lines)


@pytest.mark.parametrize(("written", "fix"), [("unknow-key", "did you mean 'unknown-key'?"), ("xyz", "use one of ")])
def test_an_unknown_code_exits_2_with_a_suggestion(written, fix):
    error = run(written).exception
    assert isinstance(error, ScorerkitError)
    assert error.exit_code == 2
    assert error.fix.startswith(fix)
