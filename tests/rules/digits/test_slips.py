"""Slips of fifteen numbers, ten of them played. Sources 000 ("SLIPS") and 001 ("Game Mechanics")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import BadDeal, BadOption
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS, next_row
from liarspoker.games.digits.options import ROW_LETTERS
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import bid_on, table

ON_SLIPS = ["salomon-1986", "slips"]
EVEN, ODD = "00000000", "00000001"


def slip(*odd_rows: int, slips: int = 1) -> tuple[str, ...]:
    """A slip whose numbers end in an odd digit in `odd_rows` and in an even one elsewhere; row r begins with r."""
    return tuple(f"{row % ROWS:02d}0000{0}{int(row in odd_rows)}" for row in range(ROWS * slips))


def dealt(*slips: tuple[str, ...], game_id: str = "slips") -> DigitSession:
    return table(game_id, len(slips), True).deal(DigitDeal(slips=slips))


def row_of(session: DigitSession) -> int:
    assert session.round is not None
    assert session.round.terms.row is not None
    return session.round.terms.row


def rows_played(*slips: tuple[str, ...], game_id: str = "slips", hands: int = 10) -> list[int]:
    """The rows of so many hands."""
    session = dealt(*slips, game_id=game_id)
    rows = [row_of(session)]
    for _ in range(hands - 1):
        session = bid_on(session, "1x9 around count").deal(DigitDeal())
        rows.append(row_of(session))
    return rows


@pytest.mark.parametrize("game_id", ON_SLIPS)
def test_a_slip_holds_fifteen_numbers_of_eight_digits_for_each_player(game_id: str) -> None:
    needs = table(game_id, 3, True).chance_spec()
    assert (needs.slips, needs.numbers, needs.letters) == (True, False, False)
    drawn = needs.draw(lambda below: below - 1)
    assert drawn.slips == (("00000000",) * 15,) * 3
    assert drawn.numbers == drawn.letters == ()


@pytest.mark.parametrize("game_id", ON_SLIPS)
def test_the_first_hand_plays_the_number_at_the_top(game_id: str) -> None:
    session = dealt(slip(), slip(), game_id=game_id)
    assert row_of(session) == 0
    assert session.view(0).number == slip()[0]
    assert ROW_LETTERS["skip_IO"][0] == ROW_LETTERS["A_to_P"][0] == "A"


def test_nothing_odd_plays_the_rows_one_after_the_other() -> None:
    assert rows_played(slip(), slip(), slip()) == list(range(10))


@pytest.mark.parametrize("odd", range(4))
def test_one_unplayed_number_is_skipped_for_each_odd_last_digit(odd: int) -> None:
    slips = [slip(0) if seat < odd else slip() for seat in range(3)]
    assert rows_played(*slips, hands=2) == [0, 1 + odd]


def test_only_the_last_digit_of_the_number_just_played_decides() -> None:
    misleading = tuple(["11111110"] + ["11111111"] * 14)
    assert rows_played(misleading, misleading, hands=2) == [0, 1]


@pytest.mark.parametrize("last", "0123456789")
def test_zero_two_four_six_and_eight_are_even(last: str) -> None:
    numbers = ("1234567" + last, *[EVEN] * 14)
    assert rows_played(numbers, (EVEN,) * 15, hands=2) == [0, 1 + int(last) % 2]


def test_at_the_bottom_the_skipping_wraps_around_to_the_top_and_passes_over_played_rows() -> None:
    # Two odd numbers a hand: 0, then two of the unplayed rows are skipped each time.
    everything_odd = slip(*range(15))
    assert rows_played(everything_odd, everything_odd) == [0, 3, 6, 9, 12, 1, 5, 10, 14, 7]


def test_skipped_rows_stay_unplayed_and_may_come_up_later() -> None:
    rows = rows_played(slip(*range(15)), slip(*range(15)))
    assert rows[5] == 1


def test_more_odd_numbers_than_rows_are_left_go_on_in_circles() -> None:
    """Eight players, and before the tenth hand six rows are left."""
    assert next_row(8, 0b000000111111111, odd_endings=8) == 9 + 8 % 6
    assert next_row(8, 0b000000111111111, odd_endings=6) == 9
    slips = [slip(8)] * 8
    assert rows_played(*slips) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 11]


def test_row_by_row_as_one_would_walk_it_with_a_finger() -> None:
    assert next_row(3, 0b1111, odd_endings=0) == 4
    assert next_row(14, 0b100000000000001, odd_endings=0) == 1
    assert next_row(12, 0b001000000001001, odd_endings=3) == 2


@given(st.integers(0, 14), st.sets(st.integers(0, 14), max_size=13), st.integers(0, 40))
def test_the_next_row_is_found_by_dealing_out_the_unplayed_rows_in_a_circle(
    row: int, others: set[int], odd: int
) -> None:
    played = sum(1 << place for place in others | {row})
    unplayed = [place % ROWS for place in range(row + 1, row + ROWS) if place % ROWS not in others]
    assert next_row(row, played, odd) == unplayed[odd % len(unplayed)]


@pytest.mark.parametrize("game_id", ON_SLIPS)
def test_ten_numbers_of_a_slip_are_played_and_then_a_new_one_is_needed(game_id: str) -> None:
    session = dealt(slip(), slip(), game_id=game_id)
    for _ in range(9):
        session = bid_on(session, "1x9 around count")
        assert not session.chance_spec().slips
        session = session.deal(DigitDeal())
    session = bid_on(session, "1x9 around count")
    assert session.chance_spec().slips
    with pytest.raises(BadDeal, match="slip 2"):
        session.deal(DigitDeal())
    session = session.deal(DigitDeal(slips=(slip(), slip())))
    assert row_of(session) == 0
    assert session.round is not None
    assert session.round.terms.hand == 10


def test_many_slips_may_be_dealt_at_once_and_are_played_one_after_the_other() -> None:
    both = (slip(slips=2), tuple(number[::-1] for number in slip(slips=2)))
    assert rows_played(*both, hands=20) == [*range(10), *range(10)]
    session = dealt(*both)
    for _ in range(10):
        session = bid_on(session, "1x9 around count").deal(DigitDeal())
    assert session.view(0).number == both[0][15]
    assert session.view(0).slip == both[0][15:]


def test_on_a_new_slip_no_row_has_been_played() -> None:
    session = dealt(slip(slips=2), slip(slips=2))
    for _ in range(10):
        session = bid_on(session, "1x9 around count").deal(DigitDeal())
    assert session.view(0).played_rows == 0
    assert not any(session.view(0).row_played(row) for row in range(ROWS))


def test_a_player_sees_his_whole_slip_and_which_rows_were_played() -> None:
    session = bid_on(dealt(slip(0), slip()), "1x9 around count").deal(DigitDeal())
    view = session.view(0)
    assert view.slip == slip(0)
    assert [row for row in range(-1, 16) if view.row_played(row)] == [0]
    assert view.terms is not None
    assert view.terms.row == 2
    assert session.view(None).slip == ()


@pytest.mark.parametrize("game_id", ON_SLIPS)
def test_everybody_gives_the_parity_of_his_last_digit(game_id: str) -> None:
    session = bid_on(dealt(slip(0), slip(), slip(0), game_id=game_id), "1x9 around count")
    for seat in (None, 0, 1, 2):
        result = session.view(seat).result
        assert result is not None
        assert result.odd_endings == (True, False, True)


def test_with_bills_nobody_gives_any_parity() -> None:
    session = table("slips", 2).deal(DigitDeal(numbers=(ODD, ODD)))
    result = bid_on(session, "1x9 around count").round_result
    assert result is not None
    assert result.odd_endings == ()


@pytest.mark.parametrize("letters", ROW_LETTERS.values())
def test_the_rows_have_fifteen_letters_from_a_without_o(letters: str) -> None:
    assert len(set(letters)) == len(letters) == ROWS
    assert letters[0] == "A"
    assert "O" not in letters
    assert list(letters) == sorted(letters)


def test_the_rows_go_from_a_to_q_unless_the_option_says_p() -> None:
    assert ROW_LETTERS == {"skip_IO": "ABCDEFGHJKLMNPQ", "A_to_P": "ABCDEFGHIJKLMNP"}


def test_fifteen_rows_and_ten_hands() -> None:
    assert (ROWS, HANDS_PER_SLIP) == (15, 10)


# ------------------------------------------------------------------------------------------------ refused


def test_dollar_bills_are_not_played_from_slips() -> None:
    with pytest.raises(BadOption, match="bills"):
        table("dollar-bill", 2, True)


@pytest.mark.parametrize("changes", [{"hand_size": 7}, {"symbols": 9}])
def test_slips_hold_eight_digits_of_ten(changes: dict[str, object]) -> None:
    with pytest.raises(BadOption, match="eight digits of ten"):
        table("slips", 2, True, **changes)


@pytest.mark.parametrize(
    "slips",
    [
        (slip(),),
        (slip(), slip(), slip()),
        (slip(), slip()[:14]),
        (slip()[:14], slip()[:14]),
        (slip(), ()),
        ((), ()),
        (slip(), slip(slips=2)),
        (slip(), (*slip()[:14], "1234567")),
        (slip(), (*slip()[:14], "1234567a")),
    ],
)
def test_slips_that_are_not_whole_are_refused(slips: tuple[tuple[str, ...], ...]) -> None:
    with pytest.raises(BadDeal):
        table("slips", 2, True).deal(DigitDeal(slips=slips))


def test_a_session_is_dealt_from_slips_or_as_bills_and_not_now_so_now_so() -> None:
    with pytest.raises(BadDeal, match="from slips"):
        table("slips", 2, True).deal(DigitDeal(numbers=(EVEN, EVEN)))
    with pytest.raises(BadDeal):
        table("slips", 2).deal(DigitDeal(slips=(slip(), slip())))
    with pytest.raises(BadDeal):
        table("slips", 2).deal(DigitDeal(numbers=(EVEN, EVEN), slips=(slip(), slip())))
    with pytest.raises(BadDeal, match="missing"):
        table("slips", 2, True).deal(DigitDeal())


def test_the_last_digit_of_a_number_just_played_must_be_known() -> None:
    hidden = ("0000000?", *slip()[1:])
    session = table("slips", 2, True).deal(DigitDeal(slips=(hidden, slip()), counts=(0, 0)))
    with pytest.raises(BadDeal, match="row"):
        bid_on(session, "1x9 around count")
    session = table("slips", 2, True).deal(DigitDeal(slips=(("???????1", *slip()[1:]), slip()), counts=(3, 0)))
    assert row_of(bid_on(session, "1x9 around count").deal(DigitDeal())) == 2
