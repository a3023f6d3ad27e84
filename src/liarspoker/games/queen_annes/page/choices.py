"""What may be named, taken apart: kinds of hands, then ranks one by one, then a suit.

Everything here follows from the ladder: a key may be chosen if some hand that may be named begins so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_SUIT, SHAPES, Spelling
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules

FLUSH = "flush"
FLUSH_RANKS = SHAPES[FLUSH].ranks

Parts = tuple[int, ...]
"""A hand within its kind: its ranks as they are named, then its suit if it has one."""


class Block(NamedTuple):
    """The hands of one kind, which lie together on the ladder.

    Attributes:
        word: the kind.
        claims: their places.
        parts: what each is made of, weakest first.
    """

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
    """Of flushes from `least` up: which ranks may join those that are chosen, and which suits they may have.

    Args:
        block: the flushes.
        least: a claim.
        ranks: chosen so far, at most five.
        suit: chosen already, or `None`.
    """
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
