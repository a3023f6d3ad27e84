"""The ladder of named hands: a claim is an int, its place among all hands that can be named, weakest first.

Source 004: "Poker hands must be specific: e.g. pair of 7, two pair 8 and J, flush 2,5,7,J,K clubs, full house A over
10". Within a category the ranks decide as they are named, then the suit, clubs lowest.

Whether a hand is in the pool: counts are at least, so three sevens contain a pair of sevens. Better hands do not help,
and wild cards fill what is missing: a hand exists if the other cards lack no more of it than there are wild ones.
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
    """Every hand that can be named, weakest first."""
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
    """Every hand in every suit; ranks go before suits, or suits before ranks."""
    if suit_first:
        return (Spelling(word, ranks, suit) for suit, ranks in product(_SUITS, hands))
    return (Spelling(word, ranks, suit) for ranks, suit in product(hands, _SUITS))


@lru_cache(maxsize=8)
def _places(suit_first: int, wheel: int, flush_of_straight: int) -> dict[Spelling, int]:
    return {named: claim for claim, named in enumerate(_ladder(suit_first, wheel, flush_of_straight))}


def named_hand(claim: int, rules: QueenAnnesRules) -> Spelling:
    """The hand that `claim` names; royal flushes have no ranks."""
    return _ladder(rules.suit_first, rules.wheel, rules.flush_of_straight)[claim]


def claim_of(named: Spelling, rules: QueenAnnesRules) -> int | None:
    """The claim that names this hand; `None` where no such hand can be named."""
    return _places(rules.suit_first, rules.wheel, rules.flush_of_straight).get(named)


def ladder_length(rules: QueenAnnesRules) -> int:
    """How many hands can be named; claims are 0 to one less."""
    straights = _STRAIGHTS + rules.wheel
    flushes = _CHOICES_OF_FIVE if rules.flush_of_straight else _CHOICES_OF_FIVE - straights
    straight_flushes = straights  # the highest of them is the royal flush
    return _WITHOUT_SEQUENCE + straights + 4 * (flushes + straight_flushes)


_STRAIGHTS = ACE - WHEEL_TOP
"""Straights that are no wheel: up to six, and so on up to the ace."""
_CHOICES_OF_FIVE = comb(13, 5)
_WITHOUT_SEQUENCE = 4 * 13 + comb(13, 2) + perm(13, 2)
"""Single ranks, pairs, threes, fours; two pairs; full houses."""


@lru_cache(maxsize=1 << 13)
def wanted(named: Spelling) -> tuple[tuple[int, int, int], ...]:
    """What must be in the pool: (rank, suit or `NO_SUIT`, how many of it), in the order in which the hand is named.

    >>> wanted(Spelling("full-house", (12, 8)))
    ((12, -1, 3), (8, -1, 2))
    """
    if named.word in _COUNTS:
        return tuple((rank, NO_SUIT, count) for rank, count in zip(named.ranks, _COUNTS[named.word], strict=True))
    if named.word == "flush":
        return tuple((rank, named.suit, 1) for rank in named.ranks)
    top = named.ranks[0] if named.ranks else ACE
    return tuple(((top - step) % 13, named.suit, 1) for step in range(5))


@lru_cache(maxsize=1 << 13)
def packed_wants(named: Spelling) -> int:
    """The same in one int, ten bits for each kind of cards, the first lowest, as `pool.missing` reads it.

    A rank has four bits, a suit, one more than its number and 0 for any, three, and the number wanted three.
    """
    return sum(
        (rank | suit + 1 << 4 | count << 7) << KIND_BITS * place
        for place, (rank, suit, count) in enumerate(wanted(named))
    )


KIND_BITS = 10


@lru_cache(maxsize=8)
def _all_wants(suit_first: int, wheel: int, flush_of_straight: int) -> tuple[int, ...]:
    return tuple(map(packed_wants, _ladder(suit_first, wheel, flush_of_straight)))


def all_wants(rules: QueenAnnesRules) -> tuple[int, ...]:
    """What must be in the pool for every hand that can be named, packed, weakest hand first."""
    return _all_wants(rules.suit_first, rules.wheel, rules.flush_of_straight)


_COUNTS = {"high": (1,), "pair": (2,), "two-pair": (2, 2), "three": (3,), "full-house": (3, 2), "four": (4,)}


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
