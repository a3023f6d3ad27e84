"""Slips of fifteen numbers, ten of them played. Sources 000 ("SLIPS") and 001 ("Game Mechanics")."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import BadDeal, BadOption
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS, next_row
from liarspoker.games.digits.options import ROW_LETTERS
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import WITH_REBIDS, bid_on, result_of, round_of, table

EVEN = "00000000"
Slip = tuple[str, ...]
on_slips = pytest.mark.parametrize("game_id", WITH_REBIDS)


def slip(*odd_rows: int, slips: int = 1) -> Slip:
    """A slip whose numbers end in an odd digit in `odd_rows` and in an even one elsewhere; row r begins with r."""
    return tuple(f"{row % ROWS:02d}0000{0}{int(row in odd_rows)}" for row in range(ROWS * slips))


def dealt(*slips: Slip, game_id: str = "slips") -> DigitSession:
    return table(game_id, len(slips), True).deal(DigitDeal(slips=slips))


def hand_on(session: DigitSession, hands: int = 1) -> DigitSession:
    """The session after so many hands, with the next one dealt."""
    for _ in range(hands):
        session = bid_on(session, "1x9 around count").deal(DigitDeal())
    return session


def row_of(session: DigitSession) -> int | None:
    return round_of(session).terms.row


def rows_played(*slips: Slip, hands: int = 10) -> list[int | None]:
    """The rows of so many hands."""
    sessions = [dealt(*slips)]
    while len(sessions) < hands:
        sessions.append(hand_on(sessions[-1]))
    return list(map(row_of, sessions))


@on_slips
def test_a_slip_holds_fifteen_numbers_of_eight_digits_for_each_player(game_id: str) -> None:
    needs = table(game_id, 3, True).chance_spec()
    assert (needs.slips, needs.numbers, needs.letters) == (True, False, False)
    drawn = needs.draw(lambda below: below - 1)
    assert (drawn.slips, drawn.numbers, drawn.letters) == (((EVEN,) * 15,) * 3, (), ())
    assert (ROWS, HANDS_PER_SLIP) == (15, 10)


@on_slips
def test_the_first_hand_plays_the_number_at_the_top(game_id: str) -> None:
    session = dealt(slip(), slip(), game_id=game_id)
    assert (row_of(session), session.view(0).number) == (0, slip()[0])


def test_one_unplayed_number_is_skipped_for_each_odd_last_digit() -> None:
    """Nothing odd plays the rows one after the other; only the last digit of the number just played decides."""
    assert rows_played(slip(), slip(), slip()) == list(range(10))
    for odd in range(4):
        assert rows_played(*[slip(0)] * odd, *[slip()] * (3 - odd), hands=2) == [0, 1 + odd]
    misleading = ("11111110", *["11111111"] * 14)
    assert rows_played(misleading, misleading, hands=2) == [0, 1]
    for last in range(10):
        assert rows_played((f"1234567{last}", *[EVEN] * 14), (EVEN,) * 15, hands=2) == [0, 1 + last % 2]


def test_at_the_bottom_the_skipping_wraps_around_to_the_top_and_passes_over_played_rows() -> None:
    # Two odd numbers a hand: 0, then two of the unplayed rows are skipped each time; skipped rows come up later.
    everything_odd = slip(*range(15))
    assert rows_played(everything_odd, everything_odd) == [0, 3, 6, 9, 12, 1, 5, 10, 14, 7]


def test_more_odd_numbers_than_rows_are_left_go_on_in_circles() -> None:
    """Eight players, and before the tenth hand six rows are left."""
    assert next_row(8, 0b000000111111111, odd_endings=8) == 9 + 8 % 6
    assert next_row(8, 0b000000111111111, odd_endings=6) == 9
    assert rows_played(*[slip(8)] * 8) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 11]


@given(st.integers(0, 14), st.sets(st.integers(0, 14), max_size=13), st.integers(0, 40))
def test_the_next_row_is_found_by_dealing_out_the_unplayed_rows_in_a_circle(
    row: int, others: set[int], odd: int
) -> None:
    played = sum(1 << place for place in others | {row})
    unplayed = [place % ROWS for place in range(row + 1, row + ROWS) if place % ROWS not in others]
    assert next_row(row, played, odd) == unplayed[odd % len(unplayed)]


@on_slips
def test_ten_numbers_of_a_slip_are_played_and_then_a_new_one_is_needed(game_id: str) -> None:
    session = hand_on(dealt(slip(), slip(), game_id=game_id), 9)
    assert not bid_on(hand_on(dealt(slip(), slip()), 8), "1x9 around count").chance_spec().slips
    session = bid_on(session, "1x9 around count")
    assert session.chance_spec().slips
    with pytest.raises(BadDeal, match="slip 2"):
        session.deal(DigitDeal())
    session = session.deal(DigitDeal(slips=(slip(), slip())))
    assert (row_of(session), round_of(session).terms.hand) == (0, 10)


def test_many_slips_may_be_dealt_at_once_and_are_played_one_after_the_other() -> None:
    both = (slip(slips=2), tuple(number[::-1] for number in slip(slips=2)))
    assert rows_played(*both, hands=20) == [*range(10), *range(10)]
    view = hand_on(dealt(*both), 10).view(0)
    assert (view.number, view.slip, view.played_rows) == (both[0][15], both[0][15:], 0)
    assert not any(view.row_played(row) for row in range(ROWS))


def test_a_player_sees_his_whole_slip_and_which_rows_were_played() -> None:
    session = hand_on(dealt(slip(0), slip()))
    view = session.view(0)
    assert (view.slip, session.view(None).slip) == (slip(0), ())
    assert [row for row in range(-1, 16) if view.row_played(row)] == [0]
    assert view.terms is not None
    assert view.terms.row == 2


@on_slips
def test_everybody_gives_the_parity_of_his_last_digit_but_with_bills(game_id: str) -> None:
    session = bid_on(dealt(slip(0), slip(), slip(0), game_id=game_id), "1x9 around count")
    assert result_of(session).odd_endings == (True, False, True)
    bills = table(game_id, 2).deal(DigitDeal(numbers=("00000001",) * 2))
    assert result_of(bid_on(bills, "1x9 around count")).odd_endings == ()


def test_the_rows_go_from_a_to_q_without_i_and_o_unless_the_option_says_p() -> None:
    assert ROW_LETTERS == {"skip_IO": "ABCDEFGHJKLMNPQ", "A_to_P": "ABCDEFGHIJKLMNP"}
    assert {len(set(letters)) for letters in ROW_LETTERS.values()} == {ROWS}


# ------------------------------------------------------------------------------------------------ refused


def test_only_games_of_eight_digits_of_ten_are_played_from_slips() -> None:
    with pytest.raises(BadOption, match="bills"):
        table("dollar-bill", 2, True)
    for changes in ({"hand_size": 7}, {"symbols": 9}):
        with pytest.raises(BadOption, match="eight digits of ten"):
            table("slips", 2, True, **changes)


@pytest.mark.parametrize(
    "slips",
    [
        *[(slip(),), (slip(), slip(), slip()), (slip(), slip()[:14]), (slip()[:14], slip()[:14]), (slip(), ())],
        *[((), ()), (slip(), slip(slips=2)), (slip(), (*slip()[:14], "1234567"))],
        (slip(), (*slip()[:14], "1234567a")),
    ],
)
def test_slips_that_are_not_whole_are_refused(slips: tuple[Slip, ...]) -> None:
    with pytest.raises(BadDeal):
        table("slips", 2, True).deal(DigitDeal(slips=slips))


def test_a_session_is_dealt_from_slips_or_as_bills_and_not_now_so_now_so() -> None:
    bills, slips = (EVEN, EVEN), (slip(), slip())
    for from_slips, deal, match in [
        (True, DigitDeal(numbers=bills), "from slips"),
        (True, DigitDeal(), "missing"),
        (False, DigitDeal(slips=slips), None),
        (False, DigitDeal(numbers=bills, slips=slips), None),
    ]:
        with pytest.raises(BadDeal, match=match):
            table("slips", 2, from_slips).deal(deal)


def test_the_last_digit_of_a_number_just_played_must_be_known() -> None:
    hidden, ending = ("0000000?", *slip()[1:]), ("???????1", *slip()[1:])
    empty = table("slips", 2, True)
    with pytest.raises(BadDeal, match="row"):
        bid_on(empty.deal(DigitDeal(slips=(hidden, slip()), counts=(0, 0))), "1x9 around count")
    assert row_of(hand_on(empty.deal(DigitDeal(slips=(ending, slip()), counts=(3, 0))))) == 2
