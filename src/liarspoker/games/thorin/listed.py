"""The declarations of a table as lists of ints, and what the rules ask of them; functions on ints alone.

`ladder` makes the lists once for each table, and spells what stands in them. A claim is 32 times the value that it
promises, plus a mask of the key ranks that were named: 16 for the first, 8 for the second, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM

WORD_BITS = 5
ALL_WORDS = (1 << WORD_BITS) - 1
NO_VALUE = -1

NAMED_KEYS = tuple(sum(15 << 4 * bit for bit in range(WORD_BITS) if mask >> bit & 1) for mask in range(ALL_WORDS + 1))
"""For every mask of words, where the key ranks that it names stand among `Ladder.keys`: all four bits of each."""


class Ladder(NamedTuple):
    """Every claim of a table, and what is to be known of values.

    Attributes:
        claims: all claims, the weakest promise first.
        bests: for each of them, the best value that fits its words.
        starts: for every value, and one beyond, where in `claims` those begin that promise it or more.
        words: for every value, a mask of the words with which a claim promises it: bit m for the words of mask m.
        keys: the key ranks of every value, four bits each, 1 for a rank of 0: the first rank above all others.
        categories: the category of every value.
    """

    claims: Sequence[int]
    bests: Sequence[int]
    starts: Sequence[int]
    words: Sequence[int]
    keys: Sequence[int]
    categories: Sequence[int]


def floor_of(claim: int) -> int:
    """The value that a claim promises at least; before the first claim, that of 7-5-4-3-2, the worst hand."""
    return 0 if claim == NO_CLAIM else claim >> WORD_BITS


def is_claim(claim: int, ladder: Ladder) -> bool:
    """Whether an int of 0 or more is a claim of the table."""
    value = claim >> WORD_BITS
    return value < len(ladder.words) and ladder.words[value] >> (claim & ALL_WORDS) & 1 == 1


def first_above(value: int, ladder: Ladder) -> int:
    """The place of the first claim that promises more than `value`; as many as there are claims if none does."""
    return ladder.starts[value + 1]


def value_above(value: int, ladder: Ladder) -> int:
    """The weakest value above `value` that a hand at the table can have; `NO_VALUE` above the best.

    Every such value is promised by the claim that names all its ranks.
    """
    if value + 1 >= len(ladder.starts):
        return NO_VALUE
    place = first_above(value, ladder)
    return NO_VALUE if place == len(ladder.claims) else ladder.claims[place] >> WORD_BITS


def best_fitting(claim: int, ladder: Ladder) -> int:
    """The best value that fits the words of a claim."""
    place = ladder.starts[claim >> WORD_BITS]
    while ladder.claims[place] != claim:
        place += 1
    return ladder.bests[place]


def fits_words(value: int, claim: int, ladder: Ladder) -> bool:
    """Whether a hand of `value` fits the words of a claim: its category, and the ranks that it names."""
    promised, words = claim >> WORD_BITS, NAMED_KEYS[claim & ALL_WORDS]
    if ladder.categories[value] != ladder.categories[promised]:
        return False
    return ladder.keys[value] & words == ladder.keys[promised] & words


def keeps_promise(value: int, claim: int, by_words: int, ladder: Ladder) -> bool:
    """Whether a hand of `value` makes a claim true.

    Args:
        value: what the hand is worth.
        claim: what was declared.
        by_words: 1 where the words count, so that the hand must fit them, or be better than every hand that does; 0
            where it must be as good as the worst hand that fits them.
        ladder: the table's claims.
    """
    if not by_words:
        return value >= floor_of(claim)
    return fits_words(value, claim, ladder) or value > best_fitting(claim, ladder)
