"""Named hands in a pool: the probability matches an enumeration of all draws."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.claims import Spelling
from liarspoker.core.cards.deck import JOKER, RANKS, full_deck, rank_of, read_joined_cards, suit_of
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand, prove, required_cards
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.odds.draws import cards_left
from liarspoker.odds.pools import partial_pool
from liarspoker.odds.questions import named_in_pool, pooled_rules
from tests.effort import effort

PLAIN = pooled_rules(jokers=0)
EVERY_HAND = [named_hand(claim, PLAIN) for claim in range(ladder_length(PLAIN))]
CATEGORIES = sorted({named.word for named in EVERY_HAND})


def chance_by_looking(
    named: Spelling, known: Sequence[int], unknown: int, deck: Sequence[int], rules: QueenAnnesRules
) -> Fraction:
    """Return the share of all draws in which the hand exists by the rules."""
    draws = list(combinations(cards_left(deck, known), unknown))
    return Fraction(sum(prove(named, (*known, *draw), rules).exists for draw in draws), len(draws))


def chance(named: Spelling, known: Sequence[int], unknown: int, rules: QueenAnnesRules = PLAIN) -> Fraction:
    return partial_pool(known, unknown, rules).probability(named)


named_hands = st.sampled_from(CATEGORIES).flatmap(
    lambda word: st.sampled_from([named for named in EVERY_HAND if named.word == word])
)
wild_cards = st.builds(
    pooled_rules, st.integers(0, 2), st.lists(st.sampled_from(RANKS), max_size=2, unique=True).map("".join)
)


@st.composite
def half_known(draw: st.DrawFn) -> tuple[tuple[int, ...], int, QueenAnnesRules]:
    """Draw known cards, the number of unknown ones (at least one), and rules."""
    rules = draw(wild_cards)
    known = draw(st.permutations(full_deck(rules.jokers)))[: draw(st.integers(0, 20))]
    return tuple(known), draw(st.integers(1, len(full_deck(rules.jokers)) - len(known))), rules


# -------------------------------------------------------------------------------------- against every draw


@given(named_hands, wild_cards, st.data())
def test_probabilities_match_an_enumeration_of_a_small_deck(
    named: Spelling, rules: QueenAnnesRules, data: st.DataObject
) -> None:
    fitting = [card for card in range(JOKER) for rank, _, _ in required_cards(named) if rank_of(card) == rank]
    others = data.draw(st.sets(st.integers(0, JOKER - 1), max_size=5))
    natural = sorted({*data.draw(st.permutations(fitting))[:9], *others})[:11]
    deck = (*natural, *(JOKER,) * rules.jokers)
    known = data.draw(st.permutations(deck))[: data.draw(st.integers(0, len(deck)))]
    unknown = data.draw(st.integers(0, len(deck) - len(known)))
    pool = partial_pool(known, unknown, rules, deck)
    assert pool.probability(named) == chance_by_looking(named, known, unknown, deck, rules)


def test_probabilities_match_an_enumeration_of_the_full_deck() -> None:
    rules = pooled_rules(jokers=2, wild_ranks="2")
    for text in ("high 7", "pair 7", "two-pair 87", "three 7", "straight 9", "full-house 78", "four 7"):
        for known in ("", "7c7d", "7c8sJk", "2c7d8s8h"):
            named, cards = named_in_pool(text, rules), read_joined_cards(known)
            assert chance(named, cards, 2, rules) == chance_by_looking(named, cards, 2, full_deck(2), rules)


# ---------------------------------------------------------------------------------------------- closed forms


def test_without_wild_cards_the_simple_hands_have_closed_forms() -> None:
    for cards in range(53):
        every = comb(52, cards)
        fours, ways = (comb(52 - need, cards - need) if cards >= need else 0 for need in (4, 5))
        assert chance(named_in_pool("high A", PLAIN), (), cards) == 1 - Fraction(comb(48, cards), every)
        assert chance(named_in_pool("four A", PLAIN), (), cards) == Fraction(fours, every)
        for named in ("flush KJ752 c", "straight-flush 9 h", "royal-flush s"):
            assert chance(named_in_pool(named, PLAIN), (), cards) == Fraction(ways, every)


def test_a_straight_matches_inclusion_and_exclusion() -> None:
    without = [(-1) ** ranks * comb(5, ranks) * comb(52 - 4 * ranks, 15) for ranks in range(6)]
    assert chance(named_in_pool("straight 9", PLAIN), (), 15) == Fraction(sum(without), comb(52, 15))


def test_a_wild_card_counts_as_wild_and_not_as_its_rank() -> None:
    rules = pooled_rules(jokers=0, wild_ranks="2")
    pair = named_in_pool("pair 2", rules)
    assert chance(pair, read_joined_cards("2c"), 0, rules) == 0
    assert chance(pair, read_joined_cards("2c2d"), 0, rules) == 1
    assert chance(pair, read_joined_cards("2c"), 1, rules) == Fraction(3, 51)


# ------------------------------------------------------------------------------------------------------ laws


@given(named_hands, half_known())
def test_the_probability_is_the_mean_over_the_next_card_and_grows_with_the_pool(
    named: Spelling, pool: tuple[tuple[int, ...], int, QueenAnnesRules]
) -> None:
    known, unknown, rules = pool
    unseen = cards_left(full_deck(rules.jokers), known)
    after = [chance(named, (*known, card), unknown - 1, rules) for card in unseen]
    fewer, now = chance(named, known, unknown - 1, rules), chance(named, known, unknown, rules)
    assert fewer <= now == sum(after) / len(unseen)
    assert fewer <= min(after)
    # A fully known pool, or the whole deck, has certain outcomes.
    assert chance(named, known, 0, rules) == prove(named, known, rules).exists
    assert chance(named, known, len(unseen), rules) == 1


@given(named_hands, st.integers(0, 52))
def test_a_joker_in_the_deck_never_lowers_the_probability(named: Spelling, unknown: int) -> None:
    chances = [chance(named, (), unknown, pooled_rules(jokers)) for jokers in range(3)]
    assert chances == sorted(chances)


@given(st.integers(0, 52), st.permutations(range(4)))
def test_suits_are_symmetric(unknown: int, suits: list[int]) -> None:
    flush = Spelling("flush", (11, 9, 5, 3, 0), 0)
    known = [card for card in range(0, 52, 3) if suit_of(card) < 3][: 52 - unknown]
    moved = [4 * rank_of(card) + suits[suit_of(card)] for card in known]
    assert chance(flush, known, unknown // 2) == chance(flush._replace(suit=suits[0]), moved, unknown // 2)


# ---------------------------------------------------------------------------------------------- simulation


@pytest.mark.soak
def test_simulated_pools_match_the_probabilities() -> None:
    rules = pooled_rules(jokers=2, wild_ranks="2")
    known = read_joined_cards("AsKd")
    named = [named_in_pool(text, rules) for text in ("pair 9", "full-house AT", "straight Q", "flush AKQJ9 s")]
    unseen, rng = cards_left(full_deck(2), known), random.Random(20)
    pools = effort(20_000, quick=20_000, soak=1_000_000)
    found = dict.fromkeys(named, 0)
    for _ in range(pools):
        drawn = [*known, *rng.sample(unseen, 10)]
        wilds = sum(card == JOKER or card < 4 for card in drawn)
        ranks, cards = [card >> 2 for card in drawn], set(drawn)
        for hand in named:
            lacking = sum(
                max(0, count - ranks.count(rank)) if suit < 0 else 4 * rank + suit not in cards
                for rank, suit, count in required_cards(hand)
            )
            found[hand] += lacking <= wilds
    for hand, count in found.items():
        exact = float(chance(hand, known, 10, rules))
        assert abs(count / pools - exact) < 3 * sqrt(exact * (1 - exact) / pools)
