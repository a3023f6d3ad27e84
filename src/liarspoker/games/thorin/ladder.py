"""The ladder of declarations: what a declaration promises is a value, the weakest hand that fits it.

"The worst possible hand the active player could hold and still be telling the truth must be better than the worst
possible hand the previous active player could have held" (source 002). A claim is an int that keeps both promise and
words: 32 times the value of that worst hand, plus a mask of the key ranks that were named (16 for the first, 8 for
the second, and so on). The ranks themselves are those of the worst hand. Two claims can promise the same, as "K high"
and "K-5 high" do; neither may follow the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import overload

from liarspoker.core.cards.claims import NO_SUIT, OPEN_RANK, Spelling
from liarspoker.core.cards.hand_values import ACE, CATEGORIES, FIVE, FLUSH, FLUSH_STOPS, KEY_LENGTHS, KEYS, STARTS
from liarspoker.games.thorin import listed
from liarspoker.games.thorin.listed import ALL_WORDS, NAMED_KEYS, NO_VALUE, WORD_BITS, Ladder, floor_of
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
"""What people call a declaration, and what it is in Thorin's game; it is read so, and never written."""

_PACKED_KEYS = tuple(sum(rank + 1 << 16 - 4 * place for place, rank in enumerate(keys)) for _, keys in KEYS)
_CATEGORIES = tuple(category for category, _ in KEYS)


def category_of(claim: int) -> int:
    """The category that a claim names."""
    return KEYS[claim >> WORD_BITS][0]


def full_claim(value: int) -> int:
    """The claim that names every rank of `value`."""
    return value << WORD_BITS | _full_mask(KEYS[value][0])


def spelling_of(claim: int) -> Spelling:
    """How a claim is spelt."""
    category, keys = KEYS[claim >> WORD_BITS]
    named = (rank if claim >> 4 - place & 1 else OPEN_RANK for place, rank in enumerate(keys))
    return Spelling(CATEGORIES[category], tuple(named))


def claim_of(named: Spelling, rules: ThorinRules) -> int | None:
    """The claim that is spelt so; `None` if no hand fits it, or Thorin's game has no such words.

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
    """Whether `claim` is a claim of this table: its value the worst that fits its words, and one that can be held."""
    return listed.is_claim(claim, ladder_of(rules))


def next_value(value: int, rules: ThorinRules) -> int | None:
    """The weakest value above `value` that a hand at this table can have; `None` above the best."""
    above = listed.value_above(value, ladder_of(rules))
    return None if above == NO_VALUE else above


def keeps_promise(value: int, claim: int, rules: ThorinRules) -> bool:
    """Whether a hand of `value` makes the claim true.

    It does when it is as good as the worst hand that fits the words; where the words count, when it fits them or is
    better than every hand that does.
    """
    return listed.keeps_promise(value, claim, rules.by_words, ladder_of(rules))


def fit(value: int, claim: int, rules: ThorinRules) -> tuple[bool, int]:
    """Whether a hand of `value` fits the words of a claim, and the best value that does."""
    ladder = ladder_of(rules)
    return listed.fits_words(value, claim, ladder), listed.best_fitting(claim, ladder)


@dataclass(frozen=True, slots=True)
class ClaimsAbove(Sequence[int]):
    """All claims that promise more than the value `floor`, weakest promise first; some fifty thousand on top of 0.

    They are not looked up before somebody asks for one.
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
        return ladder.claims, listed.first_above(self.floor, ladder)


def ladder_of(rules: ThorinRules) -> Ladder:
    """Every claim of a table, listed for the rule functions on ints."""
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
    """The mask that names every key rank of a category."""
    return ALL_WORDS ^ (ALL_WORDS >> KEY_LENGTHS[category])


def _stop(category: int, jokers: int, double_any: int) -> int:
    """Where the values of a category end at a table: without jokers there is no five of a kind, and so on."""
    if category == FLUSH:
        return FLUSH_STOPS[jokers if double_any else 0]
    return STARTS[FIVE if category == FIVE and not jokers else category + 1]


@cache
def _fitting(category: int, mask: int, stop: int) -> dict[int, tuple[int, int]]:
    """For the ranks that may be named in the places of `mask`: the worst and the best value that have them."""
    worst: dict[int, int] = {}
    best: dict[int, int] = {}
    words = NAMED_KEYS[mask]
    for value in range(STARTS[category], stop):
        named = _PACKED_KEYS[value] & words
        worst.setdefault(named, value)
        best[named] = value
    return {named: (value, best[named]) for named, value in worst.items()}
