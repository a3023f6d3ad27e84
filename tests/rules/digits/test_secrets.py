"""What nobody learns of the numbers of others, in every hand of every digit game, whatever the options."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import play, table
from tests.rules.digits.strategies import (
    History,
    histories,
    large,
    numbers_for,
    played,
    played_from_slips,
    slips_for,
    tables,
    with_numbers,
)


@large
@given(st.data(), st.integers(1, 12))
def test_from_slips_nobody_learns_from_the_unplayed_rows_of_others(data: st.DataObject, hands: int) -> None:
    history = data.draw(played_from_slips(hands=hands, to_the_end=False, most_moves=3))
    session = history.last
    past = {
        hand.terms.hand // HANDS_PER_SLIP * ROWS + row
        for hand, _ in session.ledger.hands
        if (row := hand.terms.row) is not None
    }
    fresh = data.draw(slips_for(session, slips=len(session.ledger.slips[0]) // ROWS))
    for seat in range(session.seats):
        slips = tuple(
            tuple(
                kept if place in past or owner == seat else new
                for place, (kept, new) in enumerate(zip(*pair, strict=True))
            )
            for owner, pair in enumerate(zip(session.ledger.slips, fresh, strict=True))
        )
        assert_same_view(session, replay(history, slips), seat)


@large
@given(st.data(), played_from_slips(hands=1, to_the_end=False))
def test_nobody_sees_a_slip_that_is_yet_to_come(data: st.DataObject, history: History) -> None:
    session = history.last
    first, second, third = (data.draw(slips_for(session)) for _ in range(3))
    with_second = tuple(now + later for now, later in zip(first, second, strict=True))
    with_third = tuple(now + later for now, later in zip(first, third, strict=True))
    for seat in range(session.seats):
        assert_same_view(replay(history, with_second), replay(history, with_third), seat)


def replay(history: History, slips: tuple[tuple[str, ...], ...]) -> DigitSession:
    """The same actions over other slips."""
    session = history.states[0]
    for hand, (_, actions) in enumerate(history.hands):
        session = session.deal(DigitDeal(slips=() if hand else slips))
        for action in actions:
            session = session.apply(action)
    return session


def assert_same_view(session: DigitSession, other: DigitSession, seat: int | None) -> None:
    assert session.view(seat) == other.view(seat)
    assert repr(session.view(seat)) == repr(other.view(seat))


@large
@given(played())
def test_a_count_shows_exactly_what_the_table_has_agreed_on(history: History) -> None:
    before, counted = history.states[-2], history.last
    assert counted.round is not None
    numbers, reveal = counted.round.numbers, counted.setup.options.reveal
    for seat in (None, *range(counted.seats)):
        assert before.view(seat).shown == ()
        assert before.view(seat).result is None
        assert counted.view(seat).result == counted.round_result
        assert counted.view(seat).shown == (numbers if reveal == "full" else ())
        if reveal == "on_request":
            assert counted.show_numbers().view(seat).shown == numbers


@large
@given(st.data(), played(reveal="counts"))
def test_where_counts_alone_are_shown_nothing_else_of_the_numbers_is(data: st.DataObject, history: History) -> None:
    """Shuffle every number: the counts stay, and so must all that anybody else sees."""
    session = history.last
    assert session.round is not None
    shuffled = tuple("".join(data.draw(st.permutations(number))) for number in session.round.numbers)
    before = with_numbers(history.states[-2], shuffled)
    later = before.apply(history.hands[-1][1][-1])
    assert session.view(None) == later.view(None)


@large
@given(st.data(), tables(), st.integers(1, 3))
def test_a_number_shown_for_one_hand_is_covered_again_in_the_next(
    data: st.DataObject, empty: DigitSession, hands: int
) -> None:
    history = data.draw(histories(empty, hands))
    session = history.last
    if session.setup.options.reveal == "on_request":
        session = session.show_numbers()
    session = session.deal(DigitDeal(numbers=data.draw(numbers_for(session))))
    assert all(session.view(seat).shown == () for seat in (None, *range(session.seats)))


def test_a_view_has_no_field_that_could_hold_anothers_number_before_the_count() -> None:
    session = play(table("salomon-1986", 3), ("11111111", "22222222", "33333333"), "2x5")
    for seat, secret in enumerate(("11111111", "22222222", "33333333")):
        for other in {0, 1, 2, None} - {seat}:
            assert secret not in repr(session.view(other))
        assert secret in repr(session.view(seat))
