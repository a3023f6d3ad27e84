"""How a claim is spelt: a category, its key ranks and, where the hand names one, a suit.

Each of the two ladders turns such a spelling into an int, or finds that it names no hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from liarspoker.core.cards.deck import RANKS, SUITS

OPEN_RANK = -1
NO_SUIT = -1
NO_CLAIM = -1

WORDS = (
    "high",
    "pair",
    "color-flush",
    "two-pair",
    "three",
    "straight",
    "flush",
    "full-house",
    "color-straight-flush",
    "four",
    "straight-flush",
    "royal-flush",
    "five",
)
"""Every category's word; each game has all but one or a few."""


class Shape(NamedTuple):
    """What makes a named hand whole: how many ranks are named, and whether a suit is."""

    ranks: int
    suited: bool = False


SHAPES: Mapping[str, Shape] = {
    "high": Shape(1),
    "pair": Shape(1),
    "two-pair": Shape(2),
    "three": Shape(1),
    "straight": Shape(1),
    "flush": Shape(5, suited=True),
    "full-house": Shape(2),
    "four": Shape(1),
    "straight-flush": Shape(1, suited=True),
    "royal-flush": Shape(0, suited=True),
}
"""Of every category that can be named in Queen Anne's games. Source 004: "Poker hands must be specific"."""

_SPELT = re.compile(rf"({'|'.join(WORDS)})((?:\s+[{RANKS}_]+)*)(?:\s+([{SUITS}]))?")


class Spelling(NamedTuple):
    """A claim as it is spelt.

    Attributes:
        word: the category's.
        ranks: 0 for 2 to 12 for the ace, as they are named, `OPEN_RANK` for one left open; none at the end.
        suit: 0 to 3, clubs to spades, or `NO_SUIT`.
    """

    word: str
    ranks: tuple[int, ...] = ()
    suit: int = NO_SUIT


def read_spelling(text: str) -> Spelling | None:
    """The claim that `text` spells, whether there is such a hand or not; `None` if it spells none.

    Ranks may stand apart, and ranks left open may be written at the end.

    >>> read_spelling("two-pair 7 3 _"), read_spelling("flush KJ752 c").suit, read_spelling("all red")
    (Spelling(word='two-pair', ranks=(5, 1), suit=-1), 0, None)
    """
    match = _SPELT.fullmatch(text.strip())
    if match is None:
        return None
    named = "".join(match[2].split()).rstrip("_")
    suit = SUITS.index(match[3]) if match[3] else NO_SUIT
    return Spelling(match[1], tuple(RANKS.find(rank) for rank in named), suit)


def write_spelling(spelling: Spelling) -> str:
    """The claim as records write it: ranks together, nothing for ranks left open at the end.

    >>> write_spelling(Spelling("pair", (OPEN_RANK, 12, OPEN_RANK)))
    'pair _A'
    """
    ranks = "".join("_" if rank == OPEN_RANK else RANKS[rank] for rank in spelling.ranks).rstrip("_")
    suit = "" if spelling.suit == NO_SUIT else SUITS[spelling.suit]
    return " ".join(part for part in (spelling.word, ranks, suit) if part)
