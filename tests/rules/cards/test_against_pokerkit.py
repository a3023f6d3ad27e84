"""The order of poker hands, compared with PokerKit, an independent implementation of standard poker.

Thorin's game has two categories that poker lacks, so hands of one color are left out where they belong to these.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.core.cards.deck import card_text, rank_of
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand, prove, required_cards
from tests.rules.cards.matches import queen_annes_rules

RULES = queen_annes_rules()
LADDER = [named_hand(claim, RULES) for claim in range(ladder_length(RULES))]
LABELS = {
    "high": "HIGH_CARD",
    "pair": "ONE_PAIR",
    "two-pair": "TWO_PAIR",
    "three": "THREE_OF_A_KIND",
    "straight": "STRAIGHT",
    "flush": "FLUSH",
    "full-house": "FULL_HOUSE",
    "four": "FOUR_OF_A_KIND",
    "straight-flush": "STRAIGHT_FLUSH",
    "royal-flush": "STRAIGHT_FLUSH",
}
SEVEN = 5

hands = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)


@cache
def pokerkit() -> tuple[Any, list[Any]]:
    """Return PokerKit's table of hands, which takes a second to build, and its cards."""
    from pokerkit import Card, StandardLookup

    return StandardLookup(), [card for number in range(52) for card in Card.parse(card_text(number))]


def entry(hand: Sequence[int]) -> Any:
    """Return the hand's entry in PokerKit's table."""
    lookup, cards = pokerkit()
    return lookup.get_entry([cards[card] for card in hand])


def place(hand: Sequence[int]) -> int:
    """Return PokerKit's index of the hand among the 7,462 distinct poker hands, weakest first."""
    return int(entry(hand).index)


def label(hand: Sequence[int]) -> str:
    return str(entry(hand).label.name)


def is_colored(hand: Sequence[int]) -> bool:
    """Return whether the hand is a color hand of Thorin's game, which poker doesn't have."""
    colored = {card % 4 for card in hand} in ({0, 3}, {1, 2})
    return colored and label(hand) in ("HIGH_CARD", "ONE_PAIR", "STRAIGHT")


plain_hands = hands.filter(lambda hand: not is_colored(hand))


@given(plain_hands, plain_hands)
def test_hands_without_a_color_compare_as_in_poker(one: list[int], other: list[int]) -> None:
    assert (hand_value(one) < hand_value(other)) == (place(one) < place(other))
    assert (hand_value(one) == hand_value(other)) == (place(one) == place(other))


def in_mixed_suits(ranks: Sequence[int]) -> list[int]:
    """Return cards of these ranks, neither of one suit nor of one color."""
    cards = [4 * rank + list(ranks[:at]).count(rank) for at, rank in enumerate(ranks)]
    return [cards[0] + 1, *cards[1:]] if len(set(ranks)) == len(ranks) else cards


def test_all_7_462_distinct_poker_hands_are_in_poker_order() -> None:
    mixed = [in_mixed_suits(ranks) for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
    suited = [[4 * rank + suit for rank in ranks] for ranks in combinations(range(13), 5) for suit in range(4)]
    both = sorted({(hand_value(hand), place(hand)) for hand in mixed + suited})
    assert [found for _, found in both] == list(range(7_462))
    assert all(value < above for (value, _), (above, _) in pairwise(both))


def strongest_named(hand: Sequence[int]) -> Spelling:
    """Return the best hand that can be named from five cards."""
    ranks = set(map(rank_of, hand))
    near = (named for named in reversed(LADDER) if ranks.issuperset(named.ranks))
    return next(named for named in near if prove(named, hand, RULES).exists)


@given(hands)
def test_the_best_named_hand_of_five_cards_is_the_poker_hand(hand: list[int]) -> None:
    assert LABELS[strongest_named(hand).word] == label(hand)


def weakest_with(named: Spelling) -> list[int]:
    """Return the named hand as cards, filled up to five with the lowest cards that don't improve it."""
    ranks = [rank for rank, _, count in required_cards(named) for _ in range(count)]
    cards = in_mixed_suits(ranks) if named.suit == NO_SUIT else [4 * rank + named.suit for rank in ranks]
    others = [rank for rank in range(13) if rank not in ranks]
    fillings = sorted(combinations(others, 5 - len(cards)), key=lambda filling: filling[::-1])
    filled = ([*cards, *(4 * rank + 2 for rank in filling)] for filling in fillings)
    return next(hand for hand in filled if label(hand) == LABELS[named.word])


def test_the_ladder_of_named_hands_follows_poker_order() -> None:
    """Skip high cards below seven, which five cards can't have, and suits, which poker doesn't rank."""
    rising = [named for named in LADDER if named.word != "high" or named.ranks[0] >= SEVEN]
    places = [(named.suit, place(weakest_with(named))) for named in rising]
    assert all(low < high or (low == high and suit < above) for (suit, low), (above, high) in pairwise(places))
