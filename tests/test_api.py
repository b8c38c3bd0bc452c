"""The public door holds what it says it holds."""

import inspect

import pytest

import scorerkit
from scorerkit import functions, testing


@pytest.mark.parametrize("module", [scorerkit, functions, testing], ids=lambda module: module.__name__)
def test_public_names_are_listed_in_order_and_exist(module):
    assert list(module.__all__) == sorted(set(module.__all__))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_the_list_is_the_table_of_where_names_live():
    assert scorerkit.__all__ == sorted(scorerkit._HOME)
    assert set(scorerkit.__all__) <= set(dir(scorerkit))


def test_the_door_is_small():
    assert len(scorerkit.__all__) <= 25


@pytest.mark.parametrize("module", [scorerkit, functions, testing], ids=lambda module: module.__name__)
def test_every_public_name_says_what_it_is_for(module):
    silent = [name for name in module.__all__ if not (getattr(module, name).__doc__ or "").strip()]
    assert silent == []


def test_public_methods_say_what_they_do():
    silent = [
        f"{owner.__name__}.{name}"
        for owner in (scorerkit.Scorer, scorerkit.ScorerBuilder, scorerkit.ScorerResult)
        for name, found in vars(owner).items()
        if inspect.isfunction(found) and not name.startswith("_") and not found.__doc__
    ]
    assert silent == []


def test_a_name_that_is_not_there_is_said_plainly():
    with pytest.raises(AttributeError, match="'scorerkit' has no 'Scorrer'"):
        _ = scorerkit.Scorrer


def test_importing_everything_by_star_works():
    names = {}
    exec("from scorerkit import *", names)
    assert set(scorerkit.__all__) <= set(names)


def test_the_package_is_typed():
    from importlib.resources import files

    assert (files("scorerkit") / "py.typed").is_file()


@pytest.mark.slow
def test_the_types_are_what_a_checker_sees():
    import subprocess
    import sys
    from pathlib import Path

    file = Path(__file__).with_name("typing_api.py")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(file)], capture_output=True, text=True, cwd=file.parent.parent
    )
    assert done.returncode == 0, done.stdout
