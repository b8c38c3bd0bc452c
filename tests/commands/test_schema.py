import json

import pytest

from scorerkit import shipped


@pytest.mark.parametrize("name", shipped.SCHEMAS)
def test_a_schema_is_printed(run, name):
    assert json.loads(run("schema", name).out) == shipped.schema(name)


def test_without_a_name_it_is_that_of_scorers(run):
    assert json.loads(run("schema").out)["title"] == "scorerkit scorer"


def test_an_unknown_name_lists_the_known_ones(run):
    done = run("schema", "scorr")
    assert (done.exit, "'scorer'" in done.err) == (2, True)
