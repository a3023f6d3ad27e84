"""Named hands in a pool: the counted chance is that of looking at every draw."""

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
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand, prove, wanted
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.odds.draws import cards_left
from liarspoker.odds.pools import half_known_pool
from liarspoker.odds.questions import named_in_pool, pooled_rules
from tests.effort import effort

PLAIN = pooled_rules(jokers=0)
EVERY_HAND = [named_hand(claim, PLAIN) for claim in range(ladder_length(PLAIN))]
CATEGORIES = sorted({named.word for named in EVERY_HAND})


def chance_by_looking(
    named: Spelling, known: Sequence[int], unknown: int, deck: Sequence[int], rules: QueenAnnesRules
) -> Fraction:
    """The share of all draws in which the rules find the hand."""
    draws = list(combinations(cards_left(deck, known), unknown))
    return Fraction(sum(prove(named, (*known, *draw), rules).exists for draw in draws), len(draws))


def chance(named: Spelling, known: Sequence[int], unknown: int, rules: QueenAnnesRules = PLAIN) -> Fraction:
    return half_known_pool(known, unknown, rules).chance(named)


named_hands = st.sampled_from(CATEGORIES).flatmap(
    lambda word: st.sampled_from([named for named in EVERY_HAND if named.word == word])
)
wild_cards = st.builds(
    pooled_rules, st.integers(0, 2), st.lists(st.sampled_from(RANKS), max_size=2, unique=True).map("".join)
)


@st.composite
def half_known(draw: st.DrawFn) -> tuple[tuple[int, ...], int, QueenAnnesRules]:
    """Known cards, the number of unknown ones, at least one, and rules."""
    rules = draw(wild_cards)
    known = draw(st.permutations(full_deck(rules.jokers)))[: draw(st.integers(0, 20))]
    return tuple(known), draw(st.integers(1, len(full_deck(rules.jokers)) - len(known))), rules


# -------------------------------------------------------------------------------------- against every draw


@given(named_hands, wild_cards, st.data())
def test_the_chance_is_the_share_of_all_draws_from_a_small_deck(
    named: Spelling, rules: QueenAnnesRules, data: st.DataObject
) -> None:
    fitting = [card for card in range(JOKER) for rank, _, _ in wanted(named) if rank_of(card) == rank]
    others = data.draw(st.sets(st.integers(0, JOKER - 1), max_size=5))
    natural = sorted({*data.draw(st.permutations(fitting))[:9], *others})[:11]
    deck = (*natural, *(JOKER,) * rules.jokers)
    known = data.draw(st.permutations(deck))[: data.draw(st.integers(0, len(deck)))]
    unknown = data.draw(st.integers(0, len(deck) - len(known)))
    pool = half_known_pool(known, unknown, rules, deck)
    assert pool.chance(named) == chance_by_looking(named, known, unknown, deck, rules)


def test_the_chance_is_the_share_of_all_draws_from_the_whole_deck() -> None:
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


def test_a_straight_is_counted_by_leaving_out_ranks() -> None:
    without = [(-1) ** ranks * comb(5, ranks) * comb(52 - 4 * ranks, 15) for ranks in range(6)]
    assert chance(named_in_pool("straight 9", PLAIN), (), 15) == Fraction(sum(without), comb(52, 15))


def test_a_wild_card_is_no_card_of_its_own_rank_but_fills_in_for_one() -> None:
    rules = pooled_rules(jokers=0, wild_ranks="2")
    pair = named_in_pool("pair 2", rules)
    assert chance(pair, read_joined_cards("2c"), 0, rules) == 0
    assert chance(pair, read_joined_cards("2c2d"), 0, rules) == 1
    assert chance(pair, read_joined_cards("2c"), 1, rules) == Fraction(3, 51)


# ------------------------------------------------------------------------------------------------------ laws


@given(named_hands, half_known())
def test_the_chance_is_the_mean_over_the_next_card_seen_and_one_more_never_lowers_it(
    named: Spelling, pool: tuple[tuple[int, ...], int, QueenAnnesRules]
) -> None:
    known, unknown, rules = pool
    unseen = cards_left(full_deck(rules.jokers), known)
    after = [chance(named, (*known, card), unknown - 1, rules) for card in unseen]
    fewer, now = chance(named, known, unknown - 1, rules), chance(named, known, unknown, rules)
    assert fewer <= now == sum(after) / len(unseen)
    assert fewer <= min(after)
    # A pool that is known, or the whole deck, leaves nothing to chance.
    assert chance(named, known, 0, rules) == prove(named, known, rules).exists
    assert chance(named, known, len(unseen), rules) == 1


@given(named_hands, st.integers(0, 52))
def test_a_joker_in_the_deck_never_lowers_the_chance(named: Spelling, unknown: int) -> None:
    chances = [chance(named, (), unknown, pooled_rules(jokers)) for jokers in range(3)]
    assert chances == sorted(chances)


@given(st.integers(0, 52), st.permutations(range(4)))
def test_all_suits_are_alike(unknown: int, suits: list[int]) -> None:
    flush = Spelling("flush", (11, 9, 5, 3, 0), 0)
    known = [card for card in range(0, 52, 3) if suit_of(card) < 3][: 52 - unknown]
    moved = [4 * rank_of(card) + suits[suit_of(card)] for card in known]
    assert chance(flush, known, unknown // 2) == chance(flush._replace(suit=suits[0]), moved, unknown // 2)


# ---------------------------------------------------------------------------------------------- simulation


@pytest.mark.soak
def test_pools_come_out_as_counted() -> None:
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
                for rank, suit, count in wanted(hand)
            )
            found[hand] += lacking <= wilds
    for hand, count in found.items():
        exact = float(chance(hand, known, 10, rules))
        assert abs(count / pools - exact) < 3 * sqrt(exact * (1 - exact) / pools)
