"""What a hand becomes when some of its cards are kept and the rest drawn anew, remembered for later questions.

The cards drawn may be any that are not kept; that those just thrown cannot come back is left out of account, which is
why few tables serve all hands.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from liarspoker.core.cards.deck import JOKER, full_deck, rank_of, suit_of
from liarspoker.core.cards.hand_values import STRAIGHTS, hand_value
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.odds.draws import outcomes

Cards = tuple[int, ...]

_SAME_COLOR = 3
"""The suits of one colour add up to that."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What kept cards and a draw come to.

    Attributes:
        values: those that may come, ascending.
        at_least: for each the chance of it or a better one.
    """

    values: array[int]
    at_least: array[float]

    def reach(self, value: int) -> float:
        """The chance of `value` or more."""
        place = bisect_left(self.values, value)
        return self.at_least[place] if place < len(self.values) else 0.0


def reach(kept: Sequence[int], value: int, rules: ThorinRules) -> float:
    """The chance that these cards and a draw are worth `value` or more.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> from liarspoker.core.cards.hand_values import FLUSH, STARTS
    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> four_spades = read_joined_cards("AsTs7s3s")
    >>> round(48 * reach(four_spades, STARTS[FLUSH], packed(ThorinOptions(), seats=2)), 9)
    9.0
    """
    return _outlook(_alike(kept), rules.jokers, bool(rules.double_any)).reach(value)


def best_keep(hand: Sequence[int], value: int, rules: ThorinRules) -> tuple[float, Cards]:
    """Which cards to keep for the best chance of `value` or more, with that chance; of equals, the most cards."""
    chance, _, kept = max((reach(kept, value, rules), len(kept), kept) for kept in keeps(hand))
    return chance, kept


def reach_by_throwing(hand: Sequence[int], thrown: int, value: int, rules: ThorinRules) -> float:
    """The best chance of `value` or more for somebody who throws so many cards of the hand."""
    return max(reach(kept, value, rules) for kept in combinations(hand, HAND_CARDS - thrown))


def keeps(hand: Sequence[int]) -> Iterator[Cards]:
    """What a player would think of keeping: all, sets, one suit or colour, most of a straight, high cards, nothing."""
    cards = tuple(sorted(hand, reverse=True))
    ranks = [rank_of(card) for card in cards]
    sets = tuple(card for card, rank in zip(cards, ranks, strict=True) if ranks.count(rank) > 1 or card == JOKER)
    others = [card for card in cards if card not in sets]
    found = {cards, sets, (*sets, *others[:1]), (*sets, *others[:2]), ()}
    for four in combinations(cards, 4):
        if _draws_to_more(four):
            found.add(four)
    for color in ((0, 3), (1, 2)):
        found.add(tuple(card for card in cards if card == JOKER or suit_of(card) in color))
    yield from found


def _draws_to_more(four: Cards) -> bool:
    """Whether four cards lack one of a straight or a flush."""
    natural = [card for card in four if card != JOKER]
    ranks = {rank_of(card) for card in natural}
    one_suit = len({suit_of(card) for card in natural}) == 1
    return one_suit or (len(ranks) == len(natural) and any(ranks <= straight for straight in STRAIGHTS))


def _alike(kept: Sequence[int]) -> Cards:
    """The same cards in suits that stand for all suits: which colour is which, and which suit, makes no difference."""
    suits: dict[int, int] = {}
    found = []
    for card in sorted(kept, reverse=True):
        if card == JOKER:
            found.append(card)
            continue
        suit = suit_of(card)
        if suit not in suits:
            suits[suit] = 1 if suits else 0
            suits[_SAME_COLOR - suit] = _SAME_COLOR - suits[suit]
        found.append(4 * rank_of(card) + suits[suit])
    return tuple(sorted(found))


@lru_cache(maxsize=1 << 13)
def _outlook(kept: Cards, jokers: int, double_any: bool) -> Outlook:
    if len(kept) == HAND_CARDS:
        return Outlook(array("i", [hand_value(kept, double_any)]), array("d", [1.0]))
    unseen = list(full_deck(jokers))
    for card in kept:
        unseen.remove(card)
    found = outcomes(kept, unseen, HAND_CARDS - len(kept), double_any)
    return Outlook(array("i", found.values), array("d", [ways / found.draws for ways in found.at_least]))
