import sys

import pytest

from scorerkit.errors import RecordError
from scorerkit.functions import extras


def test_a_missing_library_fails_the_record_and_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "afinn", None)
    with pytest.raises(RecordError) as caught:
        extras.optional("afinn", "tone", "the tone of English text")
    assert caught.value.message == "the tone of English text needs the extra 'tone'"
    assert caught.value.fix == "install it: pip install 'scorerkit[tone]'"


def test_a_missing_data_file_names_the_extra_too():
    with pytest.raises(RecordError, match="a thing needs the extra 'x'"):
        extras.data_file("no_such_package_here", "data.csv", "x", "a thing")


def test_a_library_that_is_there_is_imported():
    assert extras.optional("json", "x", "a thing").__name__ == "json"
