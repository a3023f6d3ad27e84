"""The claims of a table as sequences of ints, and rule functions on them.

`ladder` builds them once for each set of rules. A claim is 32 times the hand rank that it promises, plus a mask of the
key ranks that were named: 16 for the first, 8 for the second, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM

WORD_BITS = 5
ALL_WORDS = (1 << WORD_BITS) - 1
NO_VALUE = -1

NAMED_KEYS = tuple(sum(15 << 4 * bit for bit in range(WORD_BITS) if mask >> bit & 1) for mask in range(ALL_WORDS + 1))
"""For every mask of named ranks, the bits of these ranks in `Ladder.keys`, four bits each."""


class Ladder(NamedTuple):
    """The claims of a table, and properties of hand ranks.

    Attributes:
        claims: all claims, weakest promise first.
        bests: for each claim, the best hand rank that fits its words.
        starts: for every hand rank, and one beyond, the index of the first claim that promises at least it.
        words: for every hand rank, the claims that promise it: bit m for the mask m of named ranks.
        keys: the key ranks of every hand rank plus one, four bits each, the first rank highest.
        categories: the category of every hand rank.
    """

    claims: Sequence[int]
    bests: Sequence[int]
    starts: Sequence[int]
    words: Sequence[int]
    keys: Sequence[int]
    categories: Sequence[int]


def floor_of(claim: int) -> int:
    """Return the hand rank that a claim promises; before the first claim 0, which is 7-5-4-3-2."""
    return 0 if claim == NO_CLAIM else claim >> WORD_BITS


def is_claim(claim: int, ladder: Ladder) -> bool:
    """Return whether a non-negative int is a claim of the table."""
    value = claim >> WORD_BITS
    return value < len(ladder.words) and ladder.words[value] >> (claim & ALL_WORDS) & 1 == 1


def first_above(value: int, ladder: Ladder) -> int:
    """Return the index of the first claim that promises more than `value`; the number of claims if none does."""
    return ladder.starts[value + 1]


def value_above(value: int, ladder: Ladder) -> int:
    """Return the next higher hand rank that is possible at the table; `NO_VALUE` above the best.

    The claim that names all ranks of a hand promises exactly its hand rank.
    """
    if value + 1 >= len(ladder.starts):
        return NO_VALUE
    place = first_above(value, ladder)
    return NO_VALUE if place == len(ladder.claims) else ladder.claims[place] >> WORD_BITS


def best_fitting(claim: int, ladder: Ladder) -> int:
    """Return the best hand rank that fits the words of a claim."""
    place = ladder.starts[claim >> WORD_BITS]
    while ladder.claims[place] != claim:
        place += 1
    return ladder.bests[place]


def fits_words(value: int, claim: int, ladder: Ladder) -> bool:
    """Return whether a hand of rank `value` fits the words of a claim: its category and named ranks."""
    promised, words = claim >> WORD_BITS, NAMED_KEYS[claim & ALL_WORDS]
    if ladder.categories[value] != ladder.categories[promised]:
        return False
    return ladder.keys[value] & words == ladder.keys[promised] & words


def keeps_promise(value: int, claim: int, by_words: int, ladder: Ladder) -> bool:
    """Return whether a hand of rank `value` makes a claim true.

    Args:
        value: the hand rank.
        claim: the declaration.
        by_words: 1 if the hand must fit the words or beat every hand that does; 0 if it must be at least as good as
            the weakest hand that fits them.
        ladder: the table's claims.
    """
    if not by_words:
        return value >= floor_of(claim)
    return fits_words(value, claim, ladder) or value > best_fitting(claim, ladder)
