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
    """Return a slip whose numbers end in an odd digit in `odd_rows` only; row r begins with r."""
    return tuple(f"{row % ROWS:02d}0000{0}{int(row in odd_rows)}" for row in range(ROWS * slips))


def dealt(*slips: Slip, game_id: str = "slips") -> DigitSession:
    return table(game_id, len(slips), True).deal(DigitDeal(slips=slips))


def hand_on(session: DigitSession, hands: int = 1) -> DigitSession:
    """Return the session after `hands` hands, with the next one dealt."""
    for _ in range(hands):
        session = bid_on(session, "1x9 around count").deal(DigitDeal())
    return session


def row_of(session: DigitSession) -> int | None:
    return round_of(session).terms.row


def rows_played(*slips: Slip, hands: int = 10) -> list[int | None]:
    """Return the rows of the first `hands` hands."""
    sessions = [dealt(*slips)]
    while len(sessions) < hands:
        sessions.append(hand_on(sessions[-1]))
    return list(map(row_of, sessions))


@on_slips
def test_a_slip_holds_fifteen_numbers_of_eight_digits_for_each_player(game_id: str) -> None:
    spec = table(game_id, 3, True).chance_spec()
    assert (spec.slips, spec.numbers, spec.letters) == (True, False, False)
    drawn = spec.draw(lambda below: below - 1)
    assert (drawn.slips, drawn.numbers, drawn.letters) == (((EVEN,) * 15,) * 3, (), ())
    assert (ROWS, HANDS_PER_SLIP) == (15, 10)


@on_slips
def test_the_first_hand_plays_the_top_row(game_id: str) -> None:
    session = dealt(slip(), slip(), game_id=game_id)
    assert (row_of(session), session.view(0).number) == (0, slip()[0])


def test_one_unplayed_row_is_skipped_for_each_odd_last_digit() -> None:
    """Without odd endings, rows are played in order; only the last digits of the numbers just played matter."""
    assert rows_played(slip(), slip(), slip()) == list(range(10))
    for odd in range(4):
        assert rows_played(*[slip(0)] * odd, *[slip()] * (3 - odd), hands=2) == [0, 1 + odd]
    misleading = ("11111110", *["11111111"] * 14)
    assert rows_played(misleading, misleading, hands=2) == [0, 1]
    for last in range(10):
        assert rows_played((f"1234567{last}", *[EVEN] * 14), (EVEN,) * 15, hands=2) == [0, 1 + last % 2]


def test_skipping_wraps_to_the_top_and_ignores_played_rows() -> None:
    # With two odd numbers per hand, two unplayed rows are skipped each time and played later.
    everything_odd = slip(*range(15))
    assert rows_played(everything_odd, everything_odd) == [0, 3, 6, 9, 12, 1, 5, 10, 14, 7]


def test_skipping_wraps_repeatedly_if_few_rows_are_left() -> None:
    """With eight players, six rows are left before the tenth hand."""
    assert next_row(8, 0b000000111111111, odd_endings=8) == 9 + 8 % 6
    assert next_row(8, 0b000000111111111, odd_endings=6) == 9
    assert rows_played(*[slip(8)] * 8) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 11]


@given(st.integers(0, 14), st.sets(st.integers(0, 14), max_size=13), st.integers(0, 40))
def test_the_next_row_matches_a_walk_over_the_unplayed_rows(row: int, others: set[int], odd: int) -> None:
    played = sum(1 << place for place in others | {row})
    unplayed = [place % ROWS for place in range(row + 1, row + ROWS) if place % ROWS not in others]
    assert next_row(row, played, odd) == unplayed[odd % len(unplayed)]


@on_slips
def test_after_ten_hands_a_new_slip_is_needed(game_id: str) -> None:
    session = hand_on(dealt(slip(), slip(), game_id=game_id), 9)
    assert not bid_on(hand_on(dealt(slip(), slip()), 8), "1x9 around count").chance_spec().slips
    session = bid_on(session, "1x9 around count")
    assert session.chance_spec().slips
    with pytest.raises(BadDeal, match="slip 2"):
        session.deal(DigitDeal())
    session = session.deal(DigitDeal(slips=(slip(), slip())))
    assert (row_of(session), round_of(session).terms.hand) == (0, 10)


def test_several_slips_may_be_dealt_at_once_and_are_played_in_order() -> None:
    both = (slip(slips=2), tuple(number[::-1] for number in slip(slips=2)))
    assert rows_played(*both, hands=20) == [*range(10), *range(10)]
    view = hand_on(dealt(*both), 10).view(0)
    assert (view.number, view.slip, view.played_rows) == (both[0][15], both[0][15:], 0)
    assert not any(view.row_played(row) for row in range(ROWS))


def test_players_see_their_whole_slip_and_the_rows_played() -> None:
    session = hand_on(dealt(slip(0), slip()))
    view = session.view(0)
    assert (view.slip, session.view(None).slip) == (slip(0), ())
    assert [row for row in range(-1, 16) if view.row_played(row)] == [0]
    assert view.terms is not None
    assert view.terms.row == 2


@on_slips
def test_last_digit_parity_is_public_on_slips_only(game_id: str) -> None:
    session = bid_on(dealt(slip(0), slip(), slip(0), game_id=game_id), "1x9 around count")
    assert result_of(session).odd_endings == (True, False, True)
    bills = table(game_id, 2).deal(DigitDeal(numbers=("00000001",) * 2))
    assert result_of(bid_on(bills, "1x9 around count")).odd_endings == ()


def test_row_letters_skip_i_and_o_or_run_to_p_by_option() -> None:
    assert ROW_LETTERS == {"skip_IO": "ABCDEFGHJKLMNPQ", "A_to_P": "ABCDEFGHIJKLMNP"}
    assert {len(set(letters)) for letters in ROW_LETTERS.values()} == {ROWS}


# ------------------------------------------------------------------------------------------------ refused


def test_slips_need_eight_digits_of_ten() -> None:
    with pytest.raises(BadOption, match="bills"):
        table("dollar-bill", 2, True)
    for changes in ({"hand_size": 7}, {"symbols": 9}):
        with pytest.raises(BadOption, match="hand_size = 8 and symbols = 10"):
            table("slips", 2, True, **changes)


@pytest.mark.parametrize(
    "slips",
    [
        *[(slip(),), (slip(), slip(), slip()), (slip(), slip()[:14]), (slip()[:14], slip()[:14]), (slip(), ())],
        *[((), ()), (slip(), slip(slips=2)), (slip(), (*slip()[:14], "1234567"))],
        (slip(), (*slip()[:14], "1234567a")),
    ],
)
def test_incomplete_slips_are_rejected(slips: tuple[Slip, ...]) -> None:
    with pytest.raises(BadDeal):
        table("slips", 2, True).deal(DigitDeal(slips=slips))


def test_a_session_does_not_mix_slips_and_bills() -> None:
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
