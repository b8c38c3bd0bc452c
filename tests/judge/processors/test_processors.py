import pytest

from scorerkit.judge.processors import build_processor, builtin_names


def test_names_are_known_by_kind():
    assert builtin_names("input") == ("redact", "maxInputCharacters")
    assert builtin_names("output") == ("extractNumber", "mapLabels")
    assert builtin_names("error") == ("streamErrorRetry",)


@pytest.mark.parametrize(("kind", "use"), [("input", "streamErrorRetry"), ("error", "redact"), ("output", "nothing")])
def test_a_name_of_another_kind_is_unknown(kind, use):
    with pytest.raises(KeyError):
        build_processor(kind, use, {})
