"""A bid's expected value to a bot, and what bids reveal, compared with the rules applied to every hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import comb, isclose
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.games.digits.appraisal import answer_value, as_bidder, as_other, at_least, best_bid, hand_of, tail
from liarspoker.games.digits.auction import DECIDE
from liarspoker.games.digits.beliefs import bids_of, expected_counts
from liarspoker.games.digits.bots import Bluffer, binomial
from liarspoker.games.digits.ladder import NO_CLAIM, claim_of
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.settlement import payoff, settle
from tests.bots.tables import PRESETS, leap, mid_hand, new_hand
from tests.rules.digits.plays import chances, random_options, round_of

EXACT = [
    DigitOptions(hand_size=size, rebid=rebid, cap_level=cap)
    for size, rebid, cap in product((5, 10), (False, True), (False, True))
]
"""Options under which the prior belief is a multiple of an eighth of a digit."""


def average(rules: Rules, bidder_holds: int | None, own: int, claim: int, seat: int) -> Fraction:
    """Return the mean payoff of seat 0 (the bidder) or 1 over everything that the other players can hold of a digit."""
    unseen, total = rules.seats - 1, Fraction(0)
    for counts in product(range(rules.hand_size + 1), repeat=unseen):
        weight = Fraction(1)
        for count in counts:
            weight *= Fraction(comb(rules.hand_size, count) * (rules.symbols - 1) ** (rules.hand_size - count))
        weight /= Fraction(rules.symbols) ** (rules.hand_size * unseen)
        bidders = counts[0] if bidder_holds is None else bidder_holds
        total += weight * payoff(seat, 0, settle(claim, bidders, own + sum(counts), rules), 1, rules)
    return total


@given(chances)
def test_the_expected_values_of_bidding_and_challenging_are_exact(chance: Random) -> None:
    options = random_options(chance, hand_size=chance.randint(1, 2), symbols=chance.randint(2, 4))
    rules = packed(options, chance.randint(2, 3))
    claim = chance.randint(0, rules.symbols * (rules.hand_size * rules.seats + 1))
    own, blind = chance.randint(0, rules.hand_size), 1 / rules.symbols
    assert isclose(as_bidder(claim, own, blind, rules), average(rules, own, own, claim, seat=0), abs_tol=1e-9)
    assert isclose(as_other(claim, own, blind, blind, rules), average(rules, None, own, claim, seat=1), abs_tol=1e-9)


@given(cards=st.integers(0, 240), chance=st.floats(0, 1))
def test_tail_probabilities_decrease_from_one(cards: int, chance: float) -> None:
    tails = tail(cards, chance)
    assert len(tails) == cards + 1
    assert tails[0] == 1.0
    assert all(0.0 <= later <= earlier for earlier, later in pairwise(tails))
    assert (at_least(-3, tails), at_least(cards + 1, tails)) == (1.0, 0.0)


def test_tail_probabilities_agree_with_the_published_table() -> None:
    known = {(1, 2): 0.186895, (2, 2): 0.485272, (2, 1): 0.814698}
    found = {(others, need): at_least(need, tail(8 * others, 0.1)) for others, need in known}
    assert found == pytest.approx(known, abs=5e-7)


@pytest.mark.parametrize("game", PRESETS)
def test_no_legal_bid_is_better_than_the_best_of_the_levels_evaluated(game: str) -> None:
    blind = 0.1
    for seed in range(45):
        chance = Random(seed)
        session = new_hand(game, (2, 3, 5)[seed % 3], seed)
        for _ in range(chance.randrange(12)):
            later = session.apply(leap(session, chance))
            session = later if later.in_play else session
        view = session.view(session.to_act)
        own = hand_of(view)
        value, claim = best_bid(view, own, [blind] * 10)
        worths = {bid: as_bidder(bid, own[bid % 10], blind, view.rules) for bid in view.legal.claims}
        assert value == pytest.approx(max(worths.values(), default=float("-inf")))
        assert not worths or worths[claim] == value


def test_counting_has_the_value_of_the_bid_and_challenging_that_of_another_seat() -> None:
    session = new_hand("salomon-1986", 2, 1)
    rules = session.setup.rules
    claim = claim_of(3, 9, rules)
    session = session.apply(claim)
    assert answer_value(session.view(1), 1, 0.1, 0.1, 0.1) == as_other(claim, 1, 0.1, 0.1, rules)
    session = session.apply(-1)
    assert round_of(session).auction.phase == DECIDE
    assert answer_value(session.view(0), 1, 0.1, 0.1, 0.1) == as_bidder(claim, 1, 0.1, rules)
    with pytest.raises(ValueError, match="no hand is in play"):
        answer_value(catalogue.load("slips").session(2).view(0), 1, 0.1, 0.1, 0.1)  # type: ignore[arg-type]


def test_a_huge_bid_on_an_endless_ladder_is_evaluated_without_overflow() -> None:
    rules = packed(DigitOptions(cap_level=False), seats=3)
    assert as_bidder(10**400, 2, 0.1, rules) == -2.0


# ------------------------------------------------------------------------------------------------- beliefs


@given(chances, st.floats(0, 1))
def test_a_belief_sums_to_a_whole_hand_and_equals_the_prior_without_trust(chance: Random, trust: float) -> None:
    session = mid_hand(chance)
    rules = session.setup.rules
    blind = [rules.hand_size / rules.symbols] * rules.symbols
    for bids in bids_of(session.view(None).moves, rules.seats):
        counts = expected_counts(bids, trust, rules)
        assert sum(counts) == pytest.approx(rules.hand_size)
        assert min(counts) >= 0
        assert expected_counts(bids, 0.0, rules) == pytest.approx(blind)


def test_bids_raise_the_belief_in_their_digit_with_trust_and_repetition() -> None:
    two, three = (packed(presets()["dollar-bill"].options, players) for players in (2, 3))
    bid = (NO_CLAIM, claim_of(3, 9, two))
    nines = [expected_counts((bid,), trust, two)[9] for trust in (0.0, 0.3, 0.6, 0.9)]
    assert nines == sorted(set(nines))
    assert nines[0] == pytest.approx(0.8)
    assert nines[-1] > 1.5
    first = (claim_of(2, 3, three), claim_of(3, 7, three))
    again = (claim_of(3, 9, three), claim_of(4, 7, three))
    once, twice = (expected_counts(bids, 0.3, three)[7] for bids in ((first,), (first, again)))
    assert twice > once > 0.8


@given(chances)
def test_a_bluffer_without_trust_or_bluffs_plays_like_the_calculator(chance: Random) -> None:
    session = mid_hand(chance, chance.choice(EXACT))
    view, seed = session.view(session.to_act), chance.randrange(2**32)
    assert Bluffer(trust=0.0, bluffs=0.0)(view, Random(seed)) == binomial(view, Random(seed))


def test_a_bluffer_sometimes_opens_with_a_digit_that_it_lacks() -> None:
    view = new_hand("dollar-bill", 2, 1).view(0)
    assert view.number is not None
    chance = Random(1)
    bluffs = {Bluffer(bluffs=1.0)(view, chance) for _ in range(200)}
    honest = {Bluffer(bluffs=0.0)(view, chance) for _ in range(200)}
    assert honest == {binomial(view, chance)}
    assert len(bluffs) > 1
    assert any(view.number.count(str(bid % 10)) < bid // 10 + 1 for bid in bluffs)


def test_a_rebid_is_never_a_bluff() -> None:
    session = new_hand("salomon-1986", 2, 3)
    session = session.apply(claim_of(2, 9, session.setup.rules)).apply(-1)
    view = session.view(0)
    assert session.phase == "decide"
    assert {Bluffer(bluffs=1.0)(view, Random(seed)) for seed in range(100)} == {Bluffer(bluffs=0.0)(view, Random(0))}
