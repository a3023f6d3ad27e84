"""What holds in every hand of every digit game, whatever the options."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS
from liarspoker.games.digits.ladder import beats, digit_of, ladder_length, level_of
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import FAILED
from tests.rules.digits.plays import play, result_of, study
from tests.rules.digits.strategies import (
    History,
    any_options,
    histories,
    is_answer,
    large,
    numbers_for,
    played,
    played_from_slips,
    preset_tables,
)


def bids_of(session: DigitSession) -> list[int]:
    assert session.round is not None
    return [action for _, action in session.round.moves if not is_answer(action)]


# ------------------------------------------------------------------------------------------- settlement


@large
@given(played(hands=2))
def test_a_bidder_never_loses_more_than_the_stake_to_each(history: History) -> None:
    for _, result in history.last.ledger.hands:
        opponents = len(result.payoffs) - 1
        lost = -result.payoffs[result.bidder]
        assert lost <= opponents * result.stake
        if result.settlement.outcome == FAILED:
            assert lost == opponents * result.stake


@large
@given(played())
def test_all_opponents_win_or_lose_the_same(history: History) -> None:
    result = result_of(history.last)
    others = {won for seat, won in enumerate(result.payoffs) if seat != result.bidder}
    assert len(others) == 1


@large
@given(played())
def test_the_count_is_what_the_numbers_hold(history: History) -> None:
    result, hand = result_of(history.last), history.last.round
    assert hand is not None
    digit = str(digit_of(result.final_claim, hand.rules))
    assert result.counts == tuple(number.count(digit) for number in hand.numbers)
    assert result.total == "".join(hand.numbers).count(digit)


# ---------------------------------------------------------------------------------------------- auction


@large
@given(played(to_the_end=False))
def test_a_bid_never_weakens(history: History) -> None:
    session = history.last
    rules = session.setup.rules
    bids = bids_of(session)
    for standing, bid in pairwise(bids):
        assert beats(bid, standing, rules)
        assert rules.loose or bid > standing


@large
@given(played(to_the_end=False, loose_order=True, hand_size=3))
def test_under_the_loose_order_no_bid_is_made_twice(history: History) -> None:
    bids = bids_of(history.last)
    assert len(set(bids)) == len(bids)


@large
@given(played(to_the_end=False))
def test_the_turn_goes_clockwise_and_comes_back_to_the_bidder_only_when_all_others_have_challenged(
    history: History,
) -> None:
    for before, _, later in history.steps():
        if later.in_play:
            assert before.to_act is not None
            assert later.to_act == (before.to_act + 1) % before.seats
        if later.phase == "decide":
            assert later.round is not None
            assert later.to_act == later.round.auction.bidder
            assert later.round.auction.challenges == later.seats - 1


@large
@given(played())
def test_a_count_follows_at_most_two_all_round_challenges_of_one_bidder_without_a_bid_between(
    history: History,
) -> None:
    hand = history.last.round
    assert hand is not None
    others = hand.rules.seats - 1
    bidder = hand.auction.bidder
    in_a_row = 0
    rounds = 0
    for seat, action in hand.moves:
        in_a_row = in_a_row + 1 if action == CHALLENGE else 0
        if action >= 0 and seat != bidder:
            rounds = 0
        rounds += in_a_row == others
    assert rounds == (1 if hand.moves[-1][1] == COUNT or not hand.rules.rebid else 2)


@large
@given(played())
def test_nobody_bids_three_times_in_a_row(history: History) -> None:
    assert history.last.round is not None
    bidders = [seat for seat, action in history.last.round.moves if action >= 0]
    allowed = 2 if history.last.setup.rules.rebid else 1
    for start in range(len(bidders) - allowed):
        assert len(set(bidders[start : start + allowed + 1])) > 1


@large
@given(st.data(), any_options(cap_level=True), st.integers(2, 4))
def test_an_auction_ends_within_one_move_of_each_player_for_every_bid_of_the_ladder(
    data: st.DataObject, options: DigitOptions, seats: int
) -> None:
    small = replace(options, hand_size=min(options.hand_size, 2), symbols=min(options.symbols, 4))
    session = study(seats, small)
    session = session.deal(DigitDeal(numbers=data.draw(numbers_for(session))))
    chance = data.draw(st.randoms(use_true_random=False))
    moves = 0
    while session.in_play:
        legal = session.legal()
        timid = list(legal.claims)[:2]
        session = session.apply(
            chance.choice(timid or list(legal.answers)) if chance.random() < 0.6 else chance.choice(legal.actions)
        )
        moves += 1
    assert moves <= ladder_length(session.setup.rules) * seats + 1


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_longest_auction_there_is(seats: int) -> None:
    """Two challenges all around cannot follow one another on bids of two players, so every other bid is a rebid."""
    session = study(seats, DigitOptions(hand_size=1, symbols=3))
    session = session.deal(DigitDeal(numbers=("1",) * seats))
    length = ladder_length(session.setup.rules)
    moves = 0
    while session.in_play:
        auction = session.round.auction if session.round else None
        assert auction is not None
        last_to_answer = auction.is_rebid and auction.challenges == seats - 2
        answers = session.legal().answers
        bids = session.legal().claims
        session = session.apply(
            bids[0] if bids and (last_to_answer or not answers or answers[0] == COUNT) else answers[0]
        )
        moves += 1
    assert moves <= length * seats + 1
    # Bids, all challenged around but every second by one fewer, and the count at the end if the last may be raised.
    assert moves == length + (length // 2 + length % 2) * (seats - 1) + length // 2 * (seats - 2) + 1


# -------------------------------------------------------------------------------------------- the stake


@large
@given(st.data(), preset_tables())
def test_the_next_stake_depends_only_on_the_final_bid_and_on_whether_its_bidder_held_the_digit(
    data: st.DataObject, empty: DigitSession
) -> None:
    history = data.draw(histories(empty, hands=data.draw(st.integers(1, 4))))
    result = result_of(history.last)
    assert history.last.round is not None
    # The same bid, otherwise reached, by another seat of another session, over other numbers and for another stake.
    rules = empty.setup.rules
    digit = digit_of(result.final_claim, rules)
    other = "3" if digit != 3 else "4"
    held = bool(result.counts[result.bidder])
    bidder = data.draw(st.integers(0, empty.seats - 1))
    numbers = [data.draw(st.sampled_from([other * 8, str(digit) * 8])) for _ in range(empty.seats)]
    numbers[bidder] = (str(digit) if held else other) * 8
    bid = empty.write(result.final_claim)
    session = play(empty, tuple(numbers), f"{bid} around", opener=bidder, stake=data.draw(st.integers(1, 9)))
    session = session.apply(COUNT) if session.in_play else session
    assert result_of(session).next_stake == result.next_stake == stake_in_words(result, empty, held=held)


def stake_in_words(result: DigitResult, session: DigitSession, *, held: bool) -> int:
    """Sources 000 and 001, told anew: two after a none, else the multiplier of the bid by level and by sixes."""
    if session.setup.game == "dollar-bill":
        return 1
    if not held:
        return 2
    level = level_of(result.final_claim, session.setup.rules)
    steps = {level >= session.seats + 3 + 2 * step: step + 2 for step in range(level)}
    by_level = steps.get(True, 1)
    return by_level * (2 if digit_of(result.final_claim, session.setup.rules) == 6 else 1)


# ------------------------------------------------------------------------------------------------ slips


@large
@given(played_from_slips(hands=20, most_moves=1))
def test_a_slip_never_plays_a_row_twice_and_plays_ten_of_its_fifteen(history: History) -> None:
    rows = [hand.terms.row for hand, _ in history.last.ledger.hands]
    assert len(rows) == 20
    for slip in (rows[:10], rows[10:]):
        assert slip[0] == 0
        assert len(set(slip)) == HANDS_PER_SLIP
        assert all(row is not None and 0 <= row < ROWS for row in slip)


@large
@given(played_from_slips(hands=12, most_moves=3))
def test_every_seat_plays_the_same_row_of_its_own_slip(history: History) -> None:
    ledger = history.last.ledger
    for hand, _ in ledger.hands:
        assert hand.terms.row is not None
        place = hand.terms.hand // HANDS_PER_SLIP * ROWS + hand.terms.row
        assert hand.numbers == tuple(slip[place] for slip in ledger.slips)
