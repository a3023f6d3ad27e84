import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.errors import BadOption
from liarspoker.paper.slips import MAX_SLIPS, draw_sheet

seeds = st.integers(min_value=0, max_value=2**64)


@given(seeds, st.integers(min_value=1, max_value=20))
def test_every_slip_has_fifteen_numbers_of_eight_digits(seed: int, count: int) -> None:
    sheet = draw_sheet(count, random.Random(seed).randrange)
    assert [slip.number for slip in sheet.slips] == list(range(1, count + 1))
    for slip in sheet.slips:
        assert len(slip.rows) == 15
        assert all(len(number) == 8 and number.isdecimal() for number in slip.rows)


@given(seeds)
def test_a_sheet_is_drawn_like_the_slips_of_a_session(seed: int) -> None:
    spec: Any = catalogue.load("slips").session(seats=5).chance_spec()
    dealt = spec.draw(random.Random(seed).randrange)
    assert tuple(slip.rows for slip in draw_sheet(5, random.Random(seed).randrange).slips) == dealt.slips


@given(seeds, seeds)
def test_the_mark_identifies_the_sheet(seed: int, other: int) -> None:
    marks = [draw_sheet(4, random.Random(drawn).randrange).mark for drawn in (seed, seed, other)]
    assert marks[0] == marks[1]
    assert (marks[0] == marks[2]) == (seed == other)


@pytest.mark.parametrize(
    ("row_letters", "letters"),
    [("skip_IO", "A B C D E F G H J K L M N P Q"), ("A_to_P", "A B C D E F G H I J K L M N P")],
)
def test_row_letters_follow_the_option(row_letters: str, letters: str) -> None:
    assert draw_sheet(1, random.Random(1).randrange, row_letters).letters == letters.replace(" ", "")


def test_unknown_row_letters_are_rejected() -> None:
    with pytest.raises(BadOption, match="skip_IO or A_to_P"):
        draw_sheet(1, random.Random(1).randrange, "greek")


@pytest.mark.parametrize("count", [0, -1, MAX_SLIPS + 1])
def test_a_sheet_with_no_slips_or_too_many_is_rejected(count: int) -> None:
    with pytest.raises(BadOption, match="must be between 1 and 1000"):
        draw_sheet(count, random.Random(1).randrange)
