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
def test_a_sheet_is_drawn_as_a_session_of_as_many_players_draws_its_slips(seed: int) -> None:
    needs: Any = catalogue.load("slips").session(seats=5).chance_spec()
    dealt = needs.draw(random.Random(seed).randrange)
    assert tuple(slip.rows for slip in draw_sheet(5, random.Random(seed).randrange).slips) == dealt.slips


@given(seeds, seeds)
def test_the_mark_tells_one_sheet_from_another(seed: int, other: int) -> None:
    marks = [draw_sheet(4, random.Random(drawn).randrange).mark for drawn in (seed, seed, other)]
    assert marks[0] == marks[1]
    assert (marks[0] == marks[2]) == (seed == other)


@pytest.mark.parametrize(
    ("row_letters", "letters"),
    [("skip_IO", "A B C D E F G H J K L M N P Q"), ("A_to_P", "A B C D E F G H I J K L M N P")],
)
def test_the_rows_are_lettered_as_the_option_says(row_letters: str, letters: str) -> None:
    assert draw_sheet(1, random.Random(1).randrange, row_letters).letters == letters.replace(" ", "")


def test_letters_that_the_option_does_not_have_are_refused() -> None:
    with pytest.raises(BadOption, match="skip_IO or A_to_P"):
        draw_sheet(1, random.Random(1).randrange, "greek")


@pytest.mark.parametrize("count", [0, -1, MAX_SLIPS + 1])
def test_a_sheet_of_no_slips_or_of_far_too_many_is_refused(count: int) -> None:
    with pytest.raises(BadOption, match="a sheet has 1 to 1000"):
        draw_sheet(count, random.Random(1).randrange)
