from __future__ import annotations

import pytest

from scorerkit.model.problem import Place
from scorerkit.source.page import LONGEST, Page, shown_column

LONG = "".join(f"{i:05d}" for i in range(200))


@pytest.mark.parametrize("column", [1, 60, 119, 120, 121, 159, 200, 500, 999, 1000])
def test_a_long_line_is_cut_around_the_place(column):
    place = Place(1, column)
    ((number, shown),) = Page("s.yaml", LONG).excerpt(place)
    assert number == 1
    assert len(shown) <= LONGEST + 1
    assert shown[shown_column(place, shown) - 1] == LONG[column - 1]


def test_a_short_line_is_shown_as_it_is():
    place = Place(2, 3)
    assert Page("s.yaml", "a\n…bcd\n").excerpt(place) == ((2, "…bcd"),)
    assert shown_column(place, "…bcd") == 3


def test_a_place_beyond_the_text_shows_an_empty_line():
    assert Page("s.yaml", "a").excerpt(Place(9, 1)) == ((9, ""),)


@pytest.mark.parametrize(("offset", "place"), [(0, (1, 1)), (1, (1, 2)), (2, (2, 1)), (4, (3, 1))])
def test_an_offset_has_a_place(offset, place):
    assert Page("s.yaml", "a\nb\nc").place_at(offset)[:2] == place
