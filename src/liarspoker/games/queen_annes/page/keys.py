"""The keys with which a claim is put together: kinds, ranks and suits, each with why it cannot be chosen.

Everything here follows from the ladder: a key may be chosen if some hand that may be named begins so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_SUIT, SHAPES, Spelling
from liarspoker.core.cards.deck import RANKS, SUITS
from liarspoker.core.cards.hand_values import ACE
from liarspoker.games.cards.record_words import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS, rank_sign
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.page.seen import SeenRound, kind_titled, small_figure

FLUSH = "flush"
FLUSH_RANKS = SHAPES[FLUSH].ranks

Parts = tuple[int, ...]
"""A hand within its kind: its ranks as they are named, then its suit if it has one."""


class Block(NamedTuple):
    """The hands of one kind, which lie together on the ladder, with what each is made of, weakest first."""

    word: str
    claims: range
    parts: tuple[Parts, ...]


@lru_cache(maxsize=8)
def _blocks(length: int, rules: QueenAnnesRules) -> tuple[Block, ...]:
    by_word: dict[str, list[int]] = {}
    for claim in range(length):
        by_word.setdefault(named_hand(claim, rules).word, []).append(claim)
    return tuple(
        Block(word, range(claims[0], claims[-1] + 1), tuple(parts_of(named_hand(claim, rules)) for claim in claims))
        for word, claims in by_word.items()
    )


def blocks_of(rules: QueenAnnesRules) -> tuple[Block, ...]:
    """All kinds of hands, lowest first."""
    # Seats and what cards are dealt do not matter to the ladder.
    plain = rules._replace(seats=2, jokers=0, wild_ranks=0, next_opener=0, anyone_challenges=0)
    return _blocks(ladder_length(rules), plain)


def parts_of(named: Spelling) -> Parts:
    """A hand as its ranks and its suit.

    >>> parts_of(Spelling("full-house", (12, 8))), parts_of(Spelling("royal-flush", (), 3))
    ((12, 8), (3,))
    """
    return named.ranks if named.suit == NO_SUIT else (*named.ranks, named.suit)


def hand_of(word: str, parts: Parts) -> Spelling:
    """The hand that is made of `parts`; the opposite of `parts_of`."""
    return Spelling(word, parts[:-1], parts[-1]) if SHAPES[word].suited else Spelling(word, parts)


def above(block: Block, least: int) -> Sequence[Parts]:
    """The hands of a kind from `least` up, weakest first."""
    return block.parts[max(0, least - block.claims.start) :]


def nearest(hands: Sequence[Parts], chosen: Sequence[int | None]) -> Parts:
    """Of `hands`, which are some, the one that has as much of what is chosen as can be, from the first part on.

    Args:
        hands: weakest first.
        chosen: what is chosen for each part, `None` where nothing is.

    >>> nearest([(6, 4), (9, 5), (9, 7)], (9, 7)), nearest([(6, 4), (9, 5), (9, 7)], (9, 6)), nearest([(6, 4)], (9,))
    ((9, 7), (9, 5), (6, 4))
    """
    left = list(hands)
    for place in range(len(left[0])):
        wish = chosen[place] if place < len(chosen) else None
        value = wish if any(parts[place] == wish for parts in left) else left[0][place]
        left = [parts for parts in left if parts[place] == value]
    return left[0]


def following(hands: Iterable[Parts], begun: Parts) -> frozenset[int]:
    """What the part after `begun` may be."""
    place = len(begun)
    return frozenset(parts[place] for parts in hands if parts[:place] == begun)


def flushes_with(
    block: Block, least: int, ranks: Collection[int], suit: int | None
) -> tuple[frozenset[int], frozenset[int]]:
    """Of flushes from `least` up: which ranks may join those that are chosen, and which suits they may have."""
    chosen = sum(1 << rank for rank in ranks)
    joining, suits = 0, 0
    for mask, of_suit in _masks(block.parts)[max(0, least - block.claims.start) :]:
        if mask & chosen == chosen:
            suits |= 1 << of_suit
            if suit is None or of_suit == suit:
                joining |= mask
    return _members(joining & ~chosen), _members(suits)


@lru_cache(maxsize=4)
def _masks(hands: tuple[Parts, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((sum(1 << rank for rank in parts[:-1]), parts[-1]) for parts in hands)


def _members(mask: int) -> frozenset[int]:
    return frozenset(place for place in range(13) if mask >> place & 1)


_TOO_LOW = "too low"
_LABELS = {
    "high": ("Rank",),
    "pair": ("Rank of the pair",),
    "two-pair": ("High pair", "Low pair"),
    "three": ("Rank of the three",),
    "straight": ("Highest rank",),
    "full-house": ("The three", "The two"),
    "four": ("Rank of the four",),
    "straight-flush": ("Highest rank", "Suit"),
    "royal-flush": ("Suit",),
}
_SECOND = {"two-pair": "below the high pair only", "full-house": "another rank than the three"}


@dataclass(frozen=True, slots=True)
class Key:
    """A key: what it sends, its sign, its name, why it can't be chosen, and the chance of the hand that it makes."""

    value: str
    sign: str
    name: str
    chosen: bool
    refused: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Keys of one form field, of which one is chosen, or `many`; for a flush each rank has a field of its own."""

    field: str
    label: str
    keys: tuple[Key, ...]
    many: bool = False
    suits: bool = False


def kind_key(block: Block, lowest: int, chosen: str) -> Key:
    """The key of a kind; one of which every hand is too low cannot be chosen."""
    name = kind_titled(block.word)
    refused = "" if block.claims[-1] >= lowest else _TOO_LOW
    return Key(block.word, name, name, block.word == chosen, refused, "" if refused else _from(block, lowest))


def _from(block: Block, lowest: int) -> str:
    """Where a kind begins that has some hands that are too low: `from J-8`."""
    if lowest <= block.claims.start or block.word in (FLUSH, "royal-flush"):
        return ""
    hand = hand_of(block.word, above(block, lowest)[0])
    return f"from {'-'.join(map(rank_sign, hand.ranks))}"


def rows_of(block: Block, lowest: int, whole: Spelling, seen: SeenRound) -> tuple[Row, ...]:
    """One row for each part of a hand; what comes later may be anything that goes with what is chosen before."""
    parts, hands = parts_of(whole), above(block, lowest)
    rows = []
    for place, label in enumerate(_LABELS[block.word]):
        may, can = following(hands, parts[:place]), following(block.parts, parts[:place])
        made = {part: _changed(block.word, hands, parts, place, part) for part in may}
        figures = {part: _figure(hand, seen) for part, hand in made.items()}
        if label == "Suit":
            rows.append(_suit_row(figures, parts[place]))
            continue
        keys = tuple(
            Key(
                value=RANKS[rank],
                sign=rank_sign(rank),
                name=RANK_NAMES[rank],
                chosen=rank == parts[place],
                refused=_refused(block.word, place, rank, may, can),
                figure=figures.get(rank, ""),
            )
            for rank in range(ACE + 1)
        )
        rows.append(Row(f"rank{place + 1}", label, keys))
    return tuple(rows)


def _changed(word: str, hands: Sequence[Parts], parts: Parts, place: int, value: int) -> Spelling:
    """The hand that comes of another choice at one place."""
    return hand_of(word, nearest(hands, (*parts[:place], value, *parts[place + 1 :])))


def _refused(word: str, place: int, rank: int, may: Collection[int], can: Collection[int]) -> str:
    if rank in may:
        return ""
    if rank in can:
        return _TOO_LOW
    if place == 1:
        return _SECOND[word]
    return "that is the royal flush" if word == "straight-flush" and rank == ACE else "there is no such hand"


def _suit_row(figures: Mapping[int, str], chosen: int) -> Row:
    """The suits; those may be chosen that `figures` has."""
    keys = tuple(
        Key(
            value=sign,
            sign=SUIT_SIGNS[suit],
            name=SUIT_NAMES[suit],
            chosen=suit == chosen,
            refused="" if suit in figures else _TOO_LOW,
            figure=figures.get(suit, ""),
        )
        for suit, sign in enumerate(SUITS)
    )
    return Row("suit", "Suit", keys, suits=True)


def flush_rows(block: Block, lowest: int, wish: Spelling, seen: SeenRound) -> tuple[Row, ...]:
    """Thirteen ranks of which five are chosen, and the suit."""
    suit = None if wish.suit == NO_SUIT else wish.suit
    joining, suits = flushes_with(block, lowest, wish.ranks, suit)
    could, _ = flushes_with(block, block.claims.start, wish.ranks, suit)
    keys = tuple(
        Key(
            value=RANKS[rank],
            sign=rank_sign(rank),
            name=RANK_NAMES[rank],
            chosen=rank in wish.ranks,
            refused=_not_joining(rank, wish, joining, could),
        )
        for rank in range(ACE + 1)
    )
    complete = len(wish.ranks) == FLUSH_RANKS
    figures = {of: _figure(wish._replace(suit=of), seen) if complete else "" for of in suits}
    return Row("rank", "Five ranks", keys, many=True), _suit_row(figures, wish.suit)


def _not_joining(rank: int, wish: Spelling, joining: Collection[int], could: Collection[int]) -> str:
    """Why a rank may not be added to a flush."""
    if rank in wish.ranks or rank in joining:
        return ""
    if len(wish.ranks) == FLUSH_RANKS:
        return "five are chosen"
    return _TOO_LOW if rank in could else "that would be a straight flush"


def _figure(named: Spelling, seen: SeenRound) -> str:
    chance: Fraction | None = seen.chance(named)
    return "" if chance is None else small_figure(chance)
