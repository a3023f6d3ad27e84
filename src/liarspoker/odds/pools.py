"""The chance that a named hand is in a pool of which some cards are known and the rest is random.

A named hand asks for so many cards of each of a few kinds, a rank or one card, and no card is of two of them. The
random cards are a draw without replacement, so how many of each kind are among them, how many wild ones and how many
others is counted by products of binomial coefficients. Such a draw makes the hand if what it lacks of each kind comes
to no more than the wild cards; wild cards of a kind count as wild only.
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
from liarspoker.games.queen_annes.ladder import is_wild, wanted
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.odds.draws import cards_left


@dataclass(frozen=True, slots=True)
class HalfKnownPool:
    """Cards that are known, and some more that are a random draw from the cards not seen.

    Attributes:
        held: how many known cards of each kind there are, wild ones left out. A kind is a rank and a suit, or a rank
            and `NO_SUIT` for all of the rank, as `liarspoker.games.queen_annes.ladder.wanted` names it.
        held_wilds: known wild cards.
        left: how many cards of each kind are not seen, wild ones left out.
        left_wilds: wild cards not seen.
        unseen: all cards not seen.
        unknown: how many of those are in the pool, each as likely as any other.
    """

    held: Mapping[tuple[int, int], int]
    held_wilds: int
    left: Mapping[tuple[int, int], int]
    left_wilds: int
    unseen: int
    unknown: int

    def chance(self, named: Spelling) -> Fraction:
        """The chance that the pool holds the named hand.

        >>> from liarspoker.games.queen_annes.options import packed
        >>> from liarspoker.games.queen_annes.presets import presets
        >>> queen_annes = presets()["queen-annes"]
        >>> rules = packed(queen_annes.options, queen_annes.dealing, seats=2)
        >>> half_known_pool((48, 49), 1, rules).chance(Spelling("three", (12,)))  # two of the other 50 are aces
        Fraction(1, 25)
        """
        wants = wanted(named)
        kinds = sorted((self.left[rank, suit], max(0, count - self.held[rank, suit])) for rank, suit, count in wants)
        rest = self.unseen - self.left_wilds - sum(left for left, _ in kinds)
        ways = _ways(tuple(kinds), self.left_wilds, self.held_wilds, rest, self.unknown)
        return Fraction(ways, comb(self.unseen, self.unknown))


def half_known_pool(
    known: Sequence[int], unknown: int, rules: QueenAnnesRules, deck: Iterable[int] | None = None
) -> HalfKnownPool:
    """The pool of the `known` cards and `unknown` more.

    Args:
        known: cards of the deck, none but jokers twice.
        unknown: how many more, at most those that the deck has left.
        rules: of which only the wild cards matter.
        deck: another deck than the one with 52 cards and the jokers of `rules`.
    """
    unseen = cards_left(full_deck(rules.jokers) if deck is None else deck, known)
    held, held_wilds = _sorted_out(known, rules)
    left, left_wilds = _sorted_out(unseen, rules)
    return HalfKnownPool(held, held_wilds, left, left_wilds, len(unseen), unknown)


def _sorted_out(cards: Iterable[int], rules: QueenAnnesRules) -> tuple[Counter[tuple[int, int]], int]:
    """How many cards of each kind there are, and how many wild ones."""
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
    """In how many draws of `drawn` cards what is lacking comes to no more than the wild cards.

    >>> _ways(((2, 1),), 0, 0, 48, 1), _ways(((2, 1),), 1, 0, 47, 1), _ways(((2, 1),), 0, 1, 48, 1)
    (2, 3, 50)
    """
    ways = 0
    for (taken, lacking), among in _draws(kinds).items():
        for wild in range(max(0, lacking - held_wilds), min(wilds, drawn - taken) + 1):
            ways += among * comb(wilds, wild) * comb(rest, drawn - taken - wild)
    return ways


def _draws(kinds: Iterable[tuple[int, int]]) -> Mapping[tuple[int, int], int]:
    """The ways to draw from the cards of some kinds, by how many are drawn and how many then are lacking."""
    draws = Counter({(0, 0): 1})
    for left, need in kinds:
        longer: Counter[tuple[int, int]] = Counter()
        for (taken, lacking), among in draws.items():
            for more in range(left + 1):
                longer[taken + more, lacking + max(0, need - more)] += among * comb(left, more)
        draws = longer
    return draws
