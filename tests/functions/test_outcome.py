import pytest

from scorerkit import functions as f
from scorerkit.errors import NotScorable, RecordError


@pytest.mark.parametrize("reason", ["nothing was said", None])
def test_not_scorable_is_a_verdict_with_a_reason(reason):
    with pytest.raises(NotScorable) as caught:
        f.not_scorable(reason)
    assert caught.value.reason == reason


def test_fail_fails_the_record():
    with pytest.raises(RecordError) as caught:
        f.fail("the reference is missing")
    assert (caught.value.code, caught.value.message) == ("step-failed", "the reference is missing")
