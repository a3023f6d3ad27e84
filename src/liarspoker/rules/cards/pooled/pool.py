"""Whether a named hand is in the pool, and which cards prove it.

Counts are at least: three sevens contain a pair of sevens. Better hands do not help, and wild cards fill what is
missing: a hand exists if the cards that are not wild lack no more of it than there are wild ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from liarspoker.rules.cards.claims import NO_SUIT, Spelling
from liarspoker.rules.cards.deck import JOKER, rank_of, suit_of
from liarspoker.rules.cards.pooled.ladder import wanted
from liarspoker.rules.cards.pooled.options import PooledRules


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


def is_wild(card: int, rules: PooledRules) -> bool:
    """Whether `card` is a joker or of a wild rank."""
    return card == JOKER or bool(rules.wild_ranks >> rank_of(card) & 1)


def prove(named: Spelling, pool: Iterable[int], rules: PooledRules) -> Proof:
    """How far `pool` makes the hand.

    >>> from liarspoker.rules.cards.deck import read_cards
    >>> from liarspoker.rules.cards.pooled.options import packed
    >>> from liarspoker.rules.cards.pooled.presets import PRESETS
    >>> queen_annes = PRESETS["queen-annes"]
    >>> rules = packed(queen_annes.options, queen_annes.dealing, seats=2)
    >>> prove(Spelling("two-pair", (9, 6)), read_cards(["Jc", "Js", "8d", "Ah"]), rules)
    Proof(cards=(36, 39, 25), wilds=(), missing=1)
    """
    natural: list[int] = []
    wild: list[int] = []
    for card in pool:
        (wild if is_wild(card, rules) else natural).append(card)
    made: list[int] = []
    lacking = 0
    for rank, suit, count in wanted(named):
        fitting = [card for card in natural if rank_of(card) == rank and suit in (NO_SUIT, suit_of(card))][:count]
        made += fitting
        lacking += count - len(fitting)
    return Proof(tuple(made), tuple(wild[:lacking]), max(0, lacking - len(wild)))
