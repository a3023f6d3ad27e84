"""What a bid is worth, against the rules applied to every hand there is."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import comb, isclose
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.games.digits.appraisal import answer_value, as_bidder, as_other, at_least, best_bid, hand_of, tail
from liarspoker.games.digits.auction import DECIDE
from liarspoker.games.digits.ladder import claim_of
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.settlement import payoff, settle
from tests.bots.tables import PRESETS, any_options, leap, new_hand


@st.composite
def small_tables(draw: st.DrawFn) -> Rules:
    """Rules of every kind, for two or three players with a digit or two each."""
    options = draw(any_options()).with_values(
        {"hand_size": draw(st.integers(1, 2)), "symbols": draw(st.integers(2, 4))}
    )
    return packed(options, draw(st.integers(2, 3)))


def average(rules: Rules, bidder_holds: int | None, own: int, claim: int, seat: int) -> Fraction:
    """The mean payoff of seat 0 (the bidder) or 1 over all that the unseen players can hold of a digit."""
    unseen = rules.seats - 1
    total = Fraction(0)
    for counts in product(range(rules.hand_size + 1), repeat=unseen):
        weight = Fraction(1)
        for count in counts:
            weight *= Fraction(comb(rules.hand_size, count) * (rules.symbols - 1) ** (rules.hand_size - count))
        weight /= Fraction(rules.symbols) ** (rules.hand_size * unseen)
        bidders = counts[0] if bidder_holds is None else bidder_holds
        total += weight * payoff(seat, 0, settle(claim, bidders, own + sum(counts), rules), 1, rules)
    return total


@given(rules=small_tables(), data=st.data())
def test_a_bidder_expects_what_he_gets_on_average(rules: Rules, data: st.DataObject) -> None:
    claim = data.draw(st.integers(0, rules.symbols * (rules.hand_size * rules.seats + 1)))
    own = data.draw(st.integers(0, rules.hand_size))
    expected = average(rules, own, own, claim, seat=0)
    assert isclose(as_bidder(claim, own, 1 / rules.symbols, rules), expected, abs_tol=1e-9)


@given(rules=small_tables(), data=st.data())
def test_a_challenger_expects_what_he_gets_on_average(rules: Rules, data: st.DataObject) -> None:
    claim = data.draw(st.integers(0, rules.symbols * (rules.hand_size * rules.seats + 1)))
    own = data.draw(st.integers(0, rules.hand_size))
    blind = 1 / rules.symbols
    expected = average(rules, None, own, claim, seat=1)
    assert isclose(as_other(claim, own, blind, blind, rules), expected, abs_tol=1e-9)


@given(cards=st.integers(0, 240), chance=st.floats(0, 1))
def test_a_tail_falls_from_certainty(cards: int, chance: float) -> None:
    tails = tail(cards, chance)
    assert len(tails) == cards + 1
    assert tails[0] == 1.0
    assert all(0.0 <= later <= earlier for earlier, later in pairwise(tails))
    assert at_least(-3, tails) == 1.0
    assert at_least(cards + 1, tails) == 0.0


@pytest.mark.parametrize(("others", "need", "known"), [(1, 2, 0.186895), (2, 2, 0.485272), (2, 1, 0.814698)])
def test_the_tails_are_those_of_the_published_table(others: int, need: int, known: float) -> None:
    assert at_least(need, tail(8 * others, 0.1)) == pytest.approx(known, abs=5e-7)


@pytest.mark.parametrize("game", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_no_legal_bid_at_all_is_better_than_the_best_of_the_levels_weighed(game: str, players: int) -> None:
    chance = Random(players)
    blind = 0.1
    for seed in range(25):
        session = new_hand(game, players, seed)
        for _ in range(chance.randrange(12)):
            later = session.apply(leap(session, chance))
            session = later if later.in_play else session
        view = session.view(session.to_act)
        own = hand_of(view)
        value, claim = best_bid(view, own, [blind] * 10)
        worths = {bid: as_bidder(bid, own[bid % 10], blind, view.rules) for bid in view.legal.claims}
        assert value == pytest.approx(max(worths.values(), default=float("-inf")))
        assert not worths or worths[claim] == value


def test_to_count_is_worth_the_bid_and_to_challenge_its_other_side() -> None:
    session = new_hand("salomon-1986", 2, 1)
    session = session.apply(claim_of(3, 9, session.setup.rules))
    challenger = answer_value(session.view(1), 1, 0.1, 0.1, 0.1)
    session = session.apply(-1)
    assert session.view(0).auction is not None
    assert session.round is not None
    assert session.round.auction.phase == DECIDE
    assert answer_value(session.view(0), 1, 0.1, 0.1, 0.1) == as_bidder(28 - 1, 1, 0.1, session.setup.rules)
    assert challenger == as_other(28 - 1, 1, 0.1, 0.1, session.setup.rules)


def test_where_nothing_is_in_play_there_is_nothing_to_answer() -> None:
    from liarspoker.core import catalogue

    with pytest.raises(ValueError, match="no hand is in play"):
        answer_value(catalogue.load("slips").session(2).view(0), 1, 0.1, 0.1, 0.1)  # type: ignore[arg-type]


def test_the_dearest_bid_of_an_endless_ladder_is_weighed_without_overflow() -> None:
    rules = packed(DigitOptions(cap_level=False), seats=3)
    assert as_bidder(10**400, 2, 0.1, rules) == -2.0
