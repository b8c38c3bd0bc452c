"""The results that the reference's own tests state, and its packages compute: equal to 1e-9 but for the repairs."""

import pytest

from tests.library.conftest import Library
from tests.library.test_reference_tests import NOTHING, SEGMENTED, holds, played
from tests.real.conftest import rows


@pytest.fixture
def reference(data):
    return rows(data / "mastra_expected.jsonl")


def test_every_result_that_is_not_repaired_is_equal(reference):
    library = Library()
    repaired = [row["id"] for row in reference if row["id"] in (*NOTHING, *SEGMENTED)]
    assert (len(reference), len(repaired)) == (143, len(NOTHING) + len(SEGMENTED))
    for row in reference:
        if row["id"] not in repaired:
            holds(library, row)


def test_what_is_repaired_is_not_scorable_or_another_number(reference):
    library = Library()
    for row in reference:
        result = played(library, row) if row["id"] in (*NOTHING, *SEGMENTED) else None
        if row["id"] in NOTHING:
            assert (result.status, result.score) == ("notScorable", None)
        if row["id"] in SEGMENTED:
            assert result.score != row["expected"]["score"]
