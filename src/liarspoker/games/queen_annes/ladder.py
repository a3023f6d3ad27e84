"""The ladder of named hands: a claim is an int, the index among all hands that can be named, weakest first.

Source 004: "Poker hands must be specific: e.g. pair of 7, two pair 8 and J, flush 2,5,7,J,K clubs, full house A over
10". Within a category, hands compare by ranks in the order named, then by suit, clubs lowest.

A hand exists if the pool has at least the required cards: three sevens contain a pair of sevens, but a better hand
doesn't count. Wild cards fill in: the hand exists if no more cards are missing than there are wild cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb, perm
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.core.cards.deck import JOKER, mask_of, rank_of, suit_of
from liarspoker.core.cards.hand_values import ACE, WHEEL_TOP, straight_ranks
from liarspoker.games.queen_annes.options import QueenAnnesRules

_SUITS = range(4)
_Ranks = tuple[int, ...]


@lru_cache(maxsize=8)
def _ladder(suit_first: int, wheel: int, flush_of_straight: int) -> tuple[Spelling, ...]:
    """Return all hands that can be named, weakest first."""
    singles = [(rank,) for rank in range(13)]
    twos = sorted((high, low) for low, high in combinations(range(13), 2))
    tops = [(top,) for top in range(WHEEL_TOP if wheel else WHEEL_TOP + 1, ACE + 1)]
    straights = {straight_ranks(top) for (top,) in tops}
    fives = sorted(tuple(sorted(ranks, reverse=True)) for ranks in combinations(range(13), 5))
    flushes = [ranks for ranks in fives if flush_of_straight or frozenset(ranks) not in straights]
    return (
        *(Spelling("high", ranks) for ranks in singles),
        *(Spelling("pair", ranks) for ranks in singles),
        *(Spelling("two-pair", ranks) for ranks in twos),
        *(Spelling("three", ranks) for ranks in singles),
        *(Spelling("straight", ranks) for ranks in tops),
        *_suited("flush", flushes, suit_first),
        *(Spelling("full-house", ranks) for ranks in permutations(range(13), 2)),
        *(Spelling("four", ranks) for ranks in singles),
        *_suited("straight-flush", tops[:-1], 0),
        *_suited("royal-flush", [()], 0),
    )


def _suited(word: str, hands: Sequence[_Ranks], suit_first: int) -> Iterator[Spelling]:
    """Yield all hands in all suits, ordered by ranks then suit, or by suit then ranks."""
    if suit_first:
        return (Spelling(word, ranks, suit) for suit, ranks in product(_SUITS, hands))
    return (Spelling(word, ranks, suit) for ranks, suit in product(hands, _SUITS))


@lru_cache(maxsize=8)
def _places(suit_first: int, wheel: int, flush_of_straight: int) -> dict[Spelling, int]:
    return {named: claim for claim, named in enumerate(_ladder(suit_first, wheel, flush_of_straight))}


def named_hand(claim: int, rules: QueenAnnesRules) -> Spelling:
    """Return the hand that `claim` names; royal flushes have no ranks."""
    return _ladder(rules.suit_first, rules.wheel, rules.flush_of_straight)[claim]


def claim_of(named: Spelling, rules: QueenAnnesRules) -> int | None:
    """Return the claim that names this hand; `None` if it can't be named."""
    return _places(rules.suit_first, rules.wheel, rules.flush_of_straight).get(named)


def ladder_length(rules: QueenAnnesRules) -> int:
    """Return the number of hands that can be named; claims are from 0 to one less."""
    straights = _STRAIGHTS + rules.wheel
    flushes = _CHOICES_OF_FIVE if rules.flush_of_straight else _CHOICES_OF_FIVE - straights
    straight_flushes = straights  # the highest of them is the royal flush
    return _WITHOUT_SEQUENCE + straights + 4 * (flushes + straight_flushes)


_STRAIGHTS = ACE - WHEEL_TOP
"""Number of straights, from six high to ace high; without A-2-3-4-5."""
_CHOICES_OF_FIVE = comb(13, 5)
_WITHOUT_SEQUENCE = 4 * 13 + comb(13, 2) + perm(13, 2)
"""Single ranks, pairs, threes, fours; two pairs; full houses."""


@lru_cache(maxsize=1 << 13)
def required_cards(named: Spelling) -> tuple[tuple[int, int, int], ...]:
    """Return the required cards as (rank, suit or `NO_SUIT`, count), in the order in which the hand is named.

    >>> required_cards(Spelling("full-house", (12, 8)))
    ((12, -1, 3), (8, -1, 2))
    """
    if named.word in _COUNTS:
        return tuple((rank, NO_SUIT, count) for rank, count in zip(named.ranks, _COUNTS[named.word], strict=True))
    if named.word == "flush":
        return tuple((rank, named.suit, 1) for rank in named.ranks)
    top = named.ranks[0] if named.ranks else ACE
    return tuple(((top - step) % 13, named.suit, 1) for step in range(5))


@lru_cache(maxsize=1 << 13)
def packed_requirement(named: Spelling) -> int:
    """Pack the required cards into one int for `missing`: ten bits per (rank, suit, count), the first lowest.

    Each entry has four bits for the rank, three for the suit plus one (0 for any suit), and three for the count.
    """
    return sum(
        (rank | suit + 1 << 4 | count << 7) << KIND_BITS * place
        for place, (rank, suit, count) in enumerate(required_cards(named))
    )


KIND_BITS = 10


@lru_cache(maxsize=8)
def _all_requirements(suit_first: int, wheel: int, flush_of_straight: int) -> tuple[int, ...]:
    return tuple(map(packed_requirement, _ladder(suit_first, wheel, flush_of_straight)))


def all_requirements(rules: QueenAnnesRules) -> tuple[int, ...]:
    """Return the packed required cards of all claims, weakest first."""
    return _all_requirements(rules.suit_first, rules.wheel, rules.flush_of_straight)


_COUNTS = {"high": (1,), "pair": (2,), "two-pair": (2, 2), "three": (3,), "full-house": (3, 2), "four": (4,)}


class Proof(NamedTuple):
    """The cards of a pool that make a named hand.

    Attributes:
        cards: the matching cards that aren't wild, in the order in which the hand is named.
        wilds: the wild cards that fill in.
        missing: number of cards still missing; 0 if the hand exists.
    """

    cards: tuple[int, ...]
    wilds: tuple[int, ...]
    missing: int

    @property
    def exists(self) -> bool:
        """Whether the hand exists."""
        return self.missing == 0


def is_wild(card: int, rules: QueenAnnesRules) -> bool:
    """Return whether `card` is a joker or of a wild rank."""
    return card == JOKER or bool(rules.wild_ranks >> rank_of(card) & 1)


def prove(named: Spelling, pool: Iterable[int], rules: QueenAnnesRules) -> Proof:
    """Return the cards of `pool` that make the hand.

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
    for rank, suit, count in required_cards(named):
        made += [card for card in natural if rank_of(card) == rank and suit in (NO_SUIT, suit_of(card))][:count]
    lacks = lacking(packed_requirement(named), mask_of(natural))
    return Proof(tuple(made), tuple(wild[:lacks]), unfilled(lacks, len(wild)))


def lacking(requirement: int, naturals: int) -> int:
    """Return how many required cards are missing from a mask of cards without wild cards.

    Args:
        requirement: the required cards, from `ladder.packed_requirement`.
        naturals: the cards, from `deck.mask_of`.
    """
    lacks = 0
    while requirement > 0:
        lacks += max(0, (requirement >> 7 & 7) - held(requirement & 15, (requirement >> 4 & 7) - 1, naturals))
        requirement >>= KIND_BITS
    return lacks


def held(rank: int, suit: int, cards: int) -> int:
    """Return how many cards of a rank, and of a suit unless it is `NO_SUIT`, are in a mask."""
    if suit != NO_SUIT:
        return cards >> 4 * rank + suit & 1
    return _BITS[cards >> 4 * rank & 15]


_BITS = tuple(mask.bit_count() for mask in range(16))


def unfilled(lacks: int, wilds: int) -> int:
    """Return how many of the missing cards remain after the wild cards fill in."""
    return max(0, lacks - wilds)


def wild_mask(rules: QueenAnnesRules) -> int:
    """Return a mask of the cards of wild ranks."""
    wild = 0
    for rank in range(13):
        wild |= (rules.wild_ranks >> rank & 1) * (15 << 4 * rank)
    return wild


def missing(requirement: int, pool: int, rules: QueenAnnesRules) -> int:
    """Return how many cards of a hand are missing after wild cards fill in; 0 if it exists.

    Args:
        requirement: the required cards, from `ladder.packed_requirement`.
        pool: all cards dealt, from `deck.mask_of`.
        rules: the table's rules.
    """
    wild = wild_mask(rules)
    wilds = pool >> JOKER
    for rank in range(13):
        wilds += _BITS[(pool & wild) >> 4 * rank & 15]
    return unfilled(lacking(requirement, pool & _PLAIN & ~wild), wilds)


_PLAIN = (1 << JOKER) - 1
