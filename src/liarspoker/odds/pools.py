"""The probability that a named hand exists in a pool of cards, of which some are known and the rest are random.

A named hand needs a number of cards of each of a few kinds (a rank, or one card); no card is of two kinds. The random
cards are drawn without replacement, so the number of draws with given numbers of each kind, wild cards and other cards
is a product of binomial coefficients. A draw makes the hand if the missing cards don't exceed the wild cards. A wild
card counts only as wild.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.core.cards.deck import full_deck, rank_of, suit_of
from liarspoker.games.queen_annes.ladder import is_wild, required_cards
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.odds.draws import cards_left


@dataclass(frozen=True, slots=True)
class PartialPool:
    """A pool of known cards and a random draw from the unseen cards.

    Attributes:
        held: the number of known cards of each kind, without wild cards. A kind is (rank, suit), or (rank, `NO_SUIT`)
            for all cards of a rank, as in `liarspoker.games.queen_annes.ladder.required_cards`.
        held_wilds: the number of known wild cards.
        left: the number of unseen cards of each kind, without wild cards.
        left_wilds: the number of unseen wild cards.
        unseen: the number of unseen cards.
        unknown: how many of the unseen cards are in the pool.
    """

    held: Mapping[tuple[int, int], int]
    held_wilds: int
    left: Mapping[tuple[int, int], int]
    left_wilds: int
    unseen: int
    unknown: int

    def probability(self, named: Spelling) -> Fraction:
        """Return the probability that the named hand exists in the pool.

        >>> from liarspoker.games.queen_annes.options import packed
        >>> from liarspoker.games.queen_annes.presets import presets
        >>> queen_annes = presets()["queen-annes"]
        >>> rules = packed(queen_annes.options, queen_annes.dealing, seats=2)
        >>> partial_pool((48, 49), 1, rules).probability(Spelling("three", (12,)))  # two of the other 50 are aces
        Fraction(1, 25)
        """
        needed = required_cards(named)
        kinds = sorted((self.left[rank, suit], max(0, count - self.held[rank, suit])) for rank, suit, count in needed)
        rest = self.unseen - self.left_wilds - sum(left for left, _ in kinds)
        ways = _ways(tuple(kinds), self.left_wilds, self.held_wilds, rest, self.unknown)
        return Fraction(ways, comb(self.unseen, self.unknown))


def partial_pool(
    known: Sequence[int], unknown: int, rules: QueenAnnesRules, deck: Iterable[int] | None = None
) -> PartialPool:
    """Return the pool of the `known` cards and `unknown` random ones.

    Args:
        known: the known cards, none twice except jokers.
        unknown: the number of random cards, at most those left in the deck.
        rules: the rules, of which only the wild cards matter.
        deck: the deck; by default 52 cards and the jokers of `rules`.
    """
    unseen = cards_left(full_deck(rules.jokers) if deck is None else deck, known)
    held, held_wilds = _sorted_out(known, rules)
    left, left_wilds = _sorted_out(unseen, rules)
    return PartialPool(held, held_wilds, left, left_wilds, len(unseen), unknown)


def _sorted_out(cards: Iterable[int], rules: QueenAnnesRules) -> tuple[Counter[tuple[int, int]], int]:
    """Return the number of cards of each kind, and the number of wild cards."""
    kinds: Counter[tuple[int, int]] = Counter()
    wilds = 0
    for card in cards:
        if is_wild(card, rules):
            wilds += 1
        else:
            kinds.update(((rank_of(card), suit_of(card)), (rank_of(card), NO_SUIT)))
    return kinds, wilds


@lru_cache(maxsize=1 << 14)
def _ways(kinds: tuple[tuple[int, int], ...], wilds: int, held_wilds: int, rest: int, drawn: int) -> int:
    """Return the number of draws of `drawn` cards in which the wild cards make up for the missing ones.

    >>> _ways(((2, 1),), 0, 0, 48, 1), _ways(((2, 1),), 1, 0, 47, 1), _ways(((2, 1),), 0, 1, 48, 1)
    (2, 3, 50)
    """
    ways = 0
    for (taken, lacking), among in _draws(kinds).items():
        for wild in range(max(0, lacking - held_wilds), min(wilds, drawn - taken) + 1):
            ways += among * comb(wilds, wild) * comb(rest, drawn - taken - wild)
    return ways


def _draws(kinds: Iterable[tuple[int, int]]) -> Mapping[tuple[int, int], int]:
    """Return the number of draws from the cards of some kinds, by the number drawn and the number still missing."""
    draws = Counter({(0, 0): 1})
    for left, need in kinds:
        longer: Counter[tuple[int, int]] = Counter()
        for (taken, lacking), among in draws.items():
            for more in range(left + 1):
                longer[taken + more, lacking + max(0, need - more)] += among * comb(left, more)
        draws = longer
    return draws
