"""The ladder of declarations: a declaration promises the hand rank of the weakest hand that fits it.

"The worst possible hand the active player could hold and still be telling the truth must be better than the worst
possible hand the previous active player could have held" (source 002). A claim is an int that encodes both the
promise and the words: 32 times the hand rank of that worst hand, plus a mask of the key ranks that were named (16 for
the first, 8 for the second, and so on). The ranks themselves are those of the worst hand. Two claims can promise the
same, like "K high" and "K-5 high"; neither may follow the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import overload

from liarspoker.core.cards.claims import NO_SUIT, OPEN_RANK, Spelling
from liarspoker.core.cards.hand_values import ACE, CATEGORIES, FIVE, FLUSH, FLUSH_STOPS, KEY_LENGTHS, KEYS, STARTS
from liarspoker.games.thorin import claim_table
from liarspoker.games.thorin.claim_table import ALL_WORDS, NAMED_KEYS, NO_VALUE, WORD_BITS, Ladder, floor_of
from liarspoker.games.thorin.options import ThorinRules

__all__ = [
    "SYNONYMS",
    "ClaimsAbove",
    "category_of",
    "claim_of",
    "fit",
    "floor_of",
    "full_claim",
    "is_claim",
    "keeps_promise",
    "ladder_of",
    "next_value",
    "spelling_of",
]

SYNONYMS = {Spelling("royal-flush", ()): Spelling("straight-flush", (ACE,))}
"""Names that are accepted on input, and what they mean in Thorin's game."""

_PACKED_KEYS = tuple(sum(rank + 1 << 16 - 4 * place for place, rank in enumerate(keys)) for _, keys in KEYS)
_CATEGORIES = tuple(category for category, _ in KEYS)


def category_of(claim: int) -> int:
    """Return the category that a claim names."""
    return KEYS[claim >> WORD_BITS][0]


def full_claim(value: int) -> int:
    """Return the claim that names every rank of hand rank `value`."""
    return value << WORD_BITS | _full_mask(KEYS[value][0])


def spelling_of(claim: int) -> Spelling:
    """Return a claim as category and ranks."""
    category, keys = KEYS[claim >> WORD_BITS]
    named = (rank if claim >> 4 - place & 1 else OPEN_RANK for place, rank in enumerate(keys))
    return Spelling(CATEGORIES[category], tuple(named))


def claim_of(named: Spelling, rules: ThorinRules) -> int | None:
    """Return the claim for a category and ranks; `None` if no hand fits it.

    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> rules = packed(ThorinOptions(), seats=4)
    >>> claim_of(Spelling("two-pair", (1, 5)), rules) is None
    True
    >>> from liarspoker.core.cards.claims import write_spelling
    >>> write_spelling(spelling_of(full_claim(floor_of(claim_of(Spelling("two-pair"), rules)))))
    'two-pair 324'
    """
    if named.word not in CATEGORIES or named.suit != NO_SUIT:
        return None
    category = CATEGORIES.index(named.word)
    if len(named.ranks) > KEY_LENGTHS[category]:
        return None
    places = [(4 - place, rank) for place, rank in enumerate(named.ranks) if rank != OPEN_RANK]
    mask = sum(1 << bit for bit, _ in places)
    stop = _stop(category, rules.jokers, rules.double_any)
    fitting = _fitting(category, mask, stop).get(sum(rank + 1 << 4 * bit for bit, rank in places))
    return None if fitting is None else fitting[0] << WORD_BITS | mask


def is_claim(claim: int, rules: ThorinRules) -> bool:
    """Return whether `claim` is valid at this table: it encodes the weakest possible hand that fits its words."""
    return claim_table.is_claim(claim, ladder_of(rules))


def next_value(value: int, rules: ThorinRules) -> int | None:
    """Return the next higher hand rank that is possible at this table; `None` above the best."""
    above = claim_table.value_above(value, ladder_of(rules))
    return None if above == NO_VALUE else above


def keeps_promise(value: int, claim: int, rules: ThorinRules) -> bool:
    """Return whether a hand of rank `value` makes the claim true.

    By default it must be at least as good as the weakest hand that fits the words. Under `or_better = "words"` it must
    fit the words or beat every hand that does.
    """
    return claim_table.keeps_promise(value, claim, rules.by_words, ladder_of(rules))


def fit(value: int, claim: int, rules: ThorinRules) -> tuple[bool, int]:
    """Return whether a hand of rank `value` fits the words of a claim, and the best hand rank that does."""
    ladder = ladder_of(rules)
    return claim_table.fits_words(value, claim, ladder), claim_table.best_fitting(claim, ladder)


@dataclass(frozen=True, slots=True)
class ClaimsAbove(Sequence[int]):
    """All claims that promise more than hand rank `floor`, weakest first; about 50,000 above 0.

    The list is only computed on access.
    """

    floor: int
    rules: ThorinRules

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        claims, start = self._all()
        if isinstance(index, slice):
            return claims[start:][index]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return claims[index + start if index >= 0 else index]

    def __len__(self) -> int:
        claims, start = self._all()
        return len(claims) - start

    def _all(self) -> tuple[Sequence[int], int]:
        ladder = ladder_of(self.rules)
        return ladder.claims, claim_table.first_above(self.floor, ladder)


def ladder_of(rules: ThorinRules) -> Ladder:
    """Return all claims of a table for the rule functions on ints."""
    return _ladder_of(rules.jokers, rules.double_any)


@lru_cache(maxsize=8)
def _ladder_of(jokers: int, double_any: int) -> Ladder:
    stops = tuple(_stop(category, jokers, double_any) for category in range(len(CATEGORIES)))
    fitting = {
        worst << WORD_BITS | mask: best
        for category, stop in enumerate(stops)
        for mask in range(ALL_WORDS + 1)
        if not mask & ~_full_mask(category)
        for worst, best in _fitting(category, mask, stop).values()
    }
    claims = tuple(sorted(fitting))
    starts = [len(claims)] * (len(KEYS) + 1)
    words = [0] * len(KEYS)
    for place in range(len(claims) - 1, -1, -1):
        starts[claims[place] >> WORD_BITS] = place
        words[claims[place] >> WORD_BITS] |= 1 << (claims[place] & ALL_WORDS)
    for value in range(len(KEYS) - 1, -1, -1):
        starts[value] = min(starts[value], starts[value + 1])
    bests = tuple(fitting[claim] for claim in claims)
    return Ladder(claims, bests, tuple(starts), tuple(words), _PACKED_KEYS, _CATEGORIES)


def _full_mask(category: int) -> int:
    """Return the mask that names every key rank of a category."""
    return ALL_WORDS ^ (ALL_WORDS >> KEY_LENGTHS[category])


def _stop(category: int, jokers: int, double_any: int) -> int:
    """Return the end of a category's hand ranks at a table: without jokers there is no five of a kind, for example."""
    if category == FLUSH:
        return FLUSH_STOPS[jokers if double_any else 0]
    return STARTS[FIVE if category == FIVE and not jokers else category + 1]


@cache
def _fitting(category: int, mask: int, stop: int) -> dict[int, tuple[int, int]]:
    """Return the lowest and highest hand rank for each combination of ranks named by `mask`."""
    worst: dict[int, int] = {}
    best: dict[int, int] = {}
    words = NAMED_KEYS[mask]
    for value in range(STARTS[category], stop):
        named = _PACKED_KEYS[value] & words
        worst.setdefault(named, value)
        best[named] = value
    return {named: (value, best[named]) for named, value in worst.items()}
