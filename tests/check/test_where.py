"""Filters of records that stand in no file."""

import pytest

from scorerkit.check.where import check_where

COLUMNS = ["id", "lang"]


@pytest.mark.parametrize(
    "source",
    [
        "row.lang == 'en'",
        "row['lang'] == 'en' and run.metadata.whatever is defined",
        "row.lan | default('en') == 'en'",
        "row.lan is not defined",
        "row.get('lan') is none",
        "'lan' in row",
        "run.output | length > 3",
    ],
)
def test_what_may_be_right_is_let_through(source):
    assert check_where(source, COLUMNS) is None


@pytest.mark.parametrize(
    ("source", "message", "fix"),
    [
        ("lang == 'en'", "'lang' is not known in a filter of records", "write 'row.lang'"),
        ("metadata.a is defined", "'metadata' is not known in a filter of records", "write 'run.metadata'"),
        ("rows.lang", "'rows' is not known in a filter of records", "did you mean 'row'?"),
        ("run.outptu", "run has no 'outptu'", "did you mean 'output'?"),
        ("row.lang = 'en'", "it does not parse: unexpected '=' after the expression", "compare with '=='"),
        ("row.a && row.b", "it does not parse: unexpected '&'", "write 'and' in place of '&&'"),
        ("row.a || row.b", "it does not parse: expected token 'name', got '|'", "write 'or' in place of '||'"),
        ("!row.a", "it does not parse: unexpected '!'", "write 'not' in place of '!'"),
        ("row.a <> 1", "it does not parse: unexpected '>'", "compare with '!='"),
        ("row.a AND row.b", "it does not parse: unexpected 'AND' after the expression", "write 'and' in small letters"),
        ("row.a is null", "there is no test 'null'", "write 'is none'"),
        ("row.a == null", "'null' is not known in a filter of records", "write 'none'"),
        ("len(row.a) > 2", "'len' is not known in a filter of records", "write it as a filter: VALUE | length"),
        ("row.a | lowr", "there is no filter 'lowr'", "did you mean 'lower'?"),
    ],
)
def test_a_mistake_is_found_before_anything_is_read(source, message, fix):
    found = check_where(source)
    assert (found.message, found.fix) == (message, fix)


@pytest.mark.parametrize(
    ("source", "fix"),
    [("row.lan == 'en'", "did you mean 'lang'?"), ("row.other", "use one of 'id', 'lang'")],
)
def test_columns_that_a_table_lacks_are_found_where_the_columns_are_known(source, fix):
    assert check_where(source) is None
    found = check_where(source, COLUMNS)
    assert (found.code, found.fix) == ("unknown-name", fix)
