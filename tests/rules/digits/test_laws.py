"""Laws that hold in every hand of every digit game, with any options."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given

from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS
from liarspoker.games.digits.ladder import beats, digit_of, ladder_length, level_of
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import FAILED
from tests.conformance.evenings import Round, evening
from tests.rules.digits.plays import (
    GAME_IDS,
    WITH_REBIDS,
    chances,
    counted,
    play,
    random_options,
    random_table,
    result_of,
    study,
    table,
)
from tests.untyped import untyped


def dealt_and_played(chance: Random, hands: int = 2, **fixed: object) -> list[Round]:
    """Draw hands dealt from bills, with any options."""
    return list(evening(random_table(chance, **fixed), chance, hands))


# ------------------------------------------------------------------------------------------- settlement


@given(chances)
def test_the_count_matches_the_numbers_and_all_opponents_have_the_same_payoff(chance: Random) -> None:
    for played in dealt_and_played(chance):
        last = untyped(played.last)
        result, hand = result_of(last), last.round
        digit = str(digit_of(result.final_claim, hand.rules))
        assert result.counts == tuple(number.count(digit) for number in hand.numbers)
        assert result.total == "".join(hand.numbers).count(digit)
        assert len({won for seat, won in enumerate(result.payoffs) if seat != result.bidder}) == 1
        most, lost = (last.seats - 1) * result.stake, -result.payoffs[result.bidder]
        assert lost <= most
        if result.settlement.outcome == FAILED:
            assert lost == most


@given(chances)
def test_the_reasons_multiply_to_the_payoff_and_end_with_the_next_stake(chance: Random) -> None:
    hands = untyped(dealt_and_played(chance, hands=4, next_opener="final_bidder")[-1].last).ledger.hands
    for hand, result in hands:
        product = 1
        for reason in hand.terms.why:
            product *= reason.amount
        assert product == hand.terms.stake
        if hand.rules.progressive:
            assert result.why[-1].rule in ("none-carries", "bid-carries", "bid-compounds")
        else:
            assert result.next_stake == 1
    for (_, before), (hand, _) in pairwise(hands):
        doubled = 2 if hand.rules.tenth_double and hand.terms.hand % 10 == 9 else 1
        assert hand.terms.stake == doubled * hand.terms.base == doubled * before.next_stake
        assert hand.terms.opener == before.bidder


# ---------------------------------------------------------------------------------------------- auction


@given(chances)
def test_bids_increase_and_turns_go_clockwise_until_all_others_have_challenged(chance: Random) -> None:
    (played,) = dealt_and_played(chance, 1, **chance.choice([{}, {"loose_order": True, "hand_size": 3}]))
    hand = untyped(played.last).round
    rules, others = hand.rules, hand.rules.seats - 1
    bids = [(seat, action) for seat, action in hand.moves if action >= 0]
    for (_, standing), (_, bid) in pairwise(bids):
        assert beats(bid, standing, rules)
        assert rules.loose or bid > standing
    assert len({bid for _, bid in bids}) == len(bids)
    allowed = 2 if rules.rebid else 1
    bidders = [seat for seat, _ in bids]
    assert all(len(set(bidders[start : start + allowed + 1])) > 1 for start in range(len(bidders) - allowed))
    for move in played.moves:
        later = untyped(move.after)
        if later.in_play:
            assert later.to_act == (move.before.to_act + 1) % later.seats  # type: ignore[operator]  # it is in play
        if later.phase == "decide":
            assert (later.to_act, later.round.auction.challenges) == (later.round.auction.bidder, others)
    # A count follows one challenge all around, or two with a rebid between them.
    in_a_row = rounds = 0
    for seat, action in hand.moves:
        in_a_row = in_a_row + 1 if action == CHALLENGE else 0
        rounds = 0 if action >= 0 and seat != hand.auction.bidder else rounds + (in_a_row == others)
    assert rounds == (1 if hand.moves[-1][1] == COUNT or not rules.rebid else 2)


@given(chances)
def test_an_auction_has_at_most_one_move_per_player_and_bid(chance: Random) -> None:
    options = random_options(chance, cap_level=True)
    small = replace(options, hand_size=min(options.hand_size, 2), symbols=min(options.symbols, 4))
    session = study(chance.randint(2, 4), small)
    session = session.deal(session.chance_spec().draw(chance.randrange))
    moves = 0
    while session.in_play:
        legal = session.legal()
        timid = list(legal.claims)[:2] or list(legal.answers)
        session = session.apply(chance.choice(timid if chance.random() < 0.6 else legal.actions))
        moves += 1
    assert moves <= ladder_length(session.setup.rules) * session.seats + 1


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_longest_auction_there_is(seats: int) -> None:
    """With two players, every other bid is a rebid, because a challenge is always all around."""
    session: Any = study(seats, DigitOptions(hand_size=1, symbols=3)).deal(DigitDeal(numbers=("1",) * seats))
    length, moves = ladder_length(session.setup.rules), 0
    while session.in_play:
        auction, legal = session.round.auction, session.legal()
        last_to_answer = auction.is_rebid and auction.challenges == seats - 2
        bids_on = legal.claims and (last_to_answer or not legal.answers or legal.answers[0] == COUNT)
        session = session.apply(legal.claims[0] if bids_on else legal.answers[0])
        moves += 1
    # Each bid is challenged all around, every second by one player fewer, with a count at the end.
    assert moves == length + (length // 2 + length % 2) * (seats - 1) + length // 2 * (seats - 2) + 1
    assert moves <= length * seats + 1


# -------------------------------------------------------------------------------------------- the stake


@given(chances)
def test_the_next_stake_depends_only_on_the_final_bid_and_whether_the_bidder_held_its_digit(chance: Random) -> None:
    empty = table(chance.choice(GAME_IDS), chance.randint(2, chance.choice((5, 16))))
    last: Any = list(evening(empty, chance, chance.randint(1, 4)))[-1].last
    result = result_of(last)
    # The same bid reached differently, by another seat of another session, with other numbers and another stake.
    digit, bidder = digit_of(result.final_claim, empty.setup.rules), chance.randrange(empty.seats)
    other, held = "3" if digit != 3 else "4", bool(result.counts[result.bidder])
    numbers = [chance.choice([other, str(digit)]) * 8 for _ in range(empty.seats)]
    numbers[bidder] = (str(digit) if held else other) * 8
    bid = f"{empty.write(result.final_claim)} around"
    session = counted(play(empty, tuple(numbers), bid, opener=bidder, stake=chance.randint(1, 9)))
    assert result_of(session).next_stake == result.next_stake == stake_in_words(result, empty, held=held)


def stake_in_words(result: DigitResult, session: DigitSession, *, held: bool) -> int:
    """Sources 000 and 001, implemented independently: 2 after a none, else the bid's multiplier."""
    if session.setup.preset.id == "dollar-bill":
        return 1
    if not held:
        return 2
    level = level_of(result.final_claim, session.setup.rules)
    by_level = 1 + len(range(session.seats + 3, level + 1, 2))
    return by_level * (2 if digit_of(result.final_claim, session.setup.rules) == 6 else 1)


# ------------------------------------------------------------------------------------------------ slips


@given(chances)
def test_ten_of_fifteen_rows_are_played_and_all_seats_play_the_same_row(chance: Random) -> None:
    session = table(chance.choice(WITH_REBIDS), chance.randint(2, 9), True)
    ledger = untyped(list(evening(session, chance, 20))[-1].last).ledger
    rows = [hand.terms.row for hand, _ in ledger.hands]
    for slip in (rows[:10], rows[10:]):
        assert slip[0] == 0
        assert len(set(slip)) == len(slip) == HANDS_PER_SLIP
        assert set(slip) <= set(range(ROWS))
    for hand, _ in ledger.hands:
        place = hand.terms.hand // HANDS_PER_SLIP * ROWS + hand.terms.row
        assert hand.numbers == tuple(slip[place] for slip in ledger.slips)
