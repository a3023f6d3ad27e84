"""Whether a named hand is in the pool, and which cards prove it.

Counts are at least: three sevens contain a pair of sevens. Better hands do not help, and wild cards fill what is
missing: a hand exists if the cards that are not wild lack no more of it than there are wild ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.core.cards.deck import JOKER, mask_of, rank_of, suit_of
from liarspoker.games.queen_annes.ladder import KIND_BITS, packed_wants, wanted
from liarspoker.games.queen_annes.options import QueenAnnesRules


class Proof(NamedTuple):
    """How far a pool makes a named hand.

    Attributes:
        cards: those that belong to it and are not wild, in the order in which the hand is named.
        wilds: the wild cards that fill it up.
        missing: how many cards it still lacks; 0 if the hand exists.
    """

    cards: tuple[int, ...]
    wilds: tuple[int, ...]
    missing: int

    @property
    def exists(self) -> bool:
        """Whether the hand is there."""
        return self.missing == 0


def is_wild(card: int, rules: QueenAnnesRules) -> bool:
    """Whether `card` is a joker or of a wild rank."""
    return card == JOKER or bool(rules.wild_ranks >> rank_of(card) & 1)


def prove(named: Spelling, pool: Iterable[int], rules: QueenAnnesRules) -> Proof:
    """How far `pool` makes the hand.

    >>> from liarspoker.core.cards.deck import read_cards
    >>> from liarspoker.games.queen_annes.options import packed
    >>> from liarspoker.games.queen_annes.presets import presets
    >>> queen_annes = presets()["queen-annes"]
    >>> rules = packed(queen_annes.options, queen_annes.dealing, seats=2)
    >>> prove(Spelling("two-pair", (9, 6)), read_cards(["Jc", "Js", "8d", "Ah"]), rules)
    Proof(cards=(36, 39, 25), wilds=(), missing=1)
    """
    natural: list[int] = []
    wild: list[int] = []
    for card in pool:
        (wild if is_wild(card, rules) else natural).append(card)
    made: list[int] = []
    for rank, suit, count in wanted(named):
        made += [card for card in natural if rank_of(card) == rank and suit in (NO_SUIT, suit_of(card))][:count]
    lacks = lacking(packed_wants(named), mask_of(natural))
    return Proof(tuple(made), tuple(wild[:lacks]), unfilled(lacks, len(wild)))


def lacking(want: int, naturals: int) -> int:
    """How many cards of a hand are not among the cards of a mask, none of which is wild.

    Args:
        want: what the hand needs, from `ladder.packed_wants`.
        naturals: the cards, from `deck.mask_of`.
    """
    lacks = 0
    while want > 0:
        lacks += max(0, (want >> 7 & 7) - held(want & 15, (want >> 4 & 7) - 1, naturals))
        want >>= KIND_BITS
    return lacks


def held(rank: int, suit: int, cards: int) -> int:
    """How many cards of a rank, and of a suit if it is not `NO_SUIT`, are in a mask."""
    if suit != NO_SUIT:
        return cards >> 4 * rank + suit & 1
    return _BITS[cards >> 4 * rank & 15]


_BITS = tuple(mask.bit_count() for mask in range(16))


def unfilled(lacks: int, wilds: int) -> int:
    """How many of the cards that a hand lacks so many wild cards do not stand for."""
    return max(0, lacks - wilds)


def wild_mask(rules: QueenAnnesRules) -> int:
    """Which of the 52 cards are of a wild rank."""
    wild = 0
    for rank in range(13):
        wild |= (rules.wild_ranks >> rank & 1) * (15 << 4 * rank)
    return wild


def missing(want: int, pool: int, rules: QueenAnnesRules) -> int:
    """How many cards a hand still lacks once the wild cards fill it up; 0 if it exists.

    Args:
        want: what the hand needs, from `ladder.packed_wants`.
        pool: all cards dealt, from `deck.mask_of`.
        rules: the table's rules.
    """
    wild = wild_mask(rules)
    wilds = pool >> JOKER
    for rank in range(13):
        wilds += _BITS[(pool & wild) >> 4 * rank & 15]
    return unfilled(lacking(want, pool & _PLAIN & ~wild), wilds)


_PLAIN = (1 << JOKER) - 1
