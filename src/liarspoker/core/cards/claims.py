"""The spelling of claims in the notation: a category, its key ranks and, for some hands, a suit.

The ladder of each game maps a spelling to an int, or to `None` if there is no such hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from liarspoker.core.cards.deck import RANKS, SUITS

OPEN_RANK = -1
"""Takes the place of a rank left open."""
NO_SUIT = -1
"""Takes the place of the suit of a claim without one."""
NO_CLAIM = -1
"""Takes the place of a claim before the first one."""

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
"""The words of all categories; each game has most of them."""


class Shape(NamedTuple):
    """The parts that the full name of a hand needs.

    Attributes:
        ranks: the number of ranks.
        suited: a suit is named too.
    """

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
"""The shape of each category in Queen Anne's games. Source 004: "Poker hands must be specific"."""

_SPELT = re.compile(rf"({'|'.join(WORDS)})((?:\s+[{RANKS}_]+)*)(?:\s+([{SUITS}]))?")


class Spelling(NamedTuple):
    """A claim in parsed form.

    Attributes:
        word: the word of the category.
        ranks: the key ranks in order, 0 (two) to 12 (ace), or `OPEN_RANK`; trailing open ranks are omitted.
        suit: 0 to 3 (clubs, diamonds, hearts, spades), or `NO_SUIT`.
    """

    word: str
    ranks: tuple[int, ...] = ()
    suit: int = NO_SUIT


def read_spelling(text: str) -> Spelling | None:
    """Parse a claim in the notation; `None` if `text` isn't one. The hand need not exist.

    Ranks may be separated by spaces, and trailing open ranks may be written.

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
    """Return a claim in the notation: ranks together, without trailing open ranks.

    >>> write_spelling(Spelling("pair", (OPEN_RANK, 12, OPEN_RANK)))
    'pair _A'
    """
    ranks = "".join("_" if rank == OPEN_RANK else RANKS[rank] for rank in spelling.ranks).rstrip("_")
    suit = "" if spelling.suit == NO_SUIT else SUITS[spelling.suit]
    return " ".join(part for part in (spelling.word, ranks, suit) if part)
