"""Keys of the claim builder: categories, ranks and suits, each with the reason if it can't be selected.

A key can be selected if some legal hand starts with it.
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
from liarspoker.games.cards.wording import SUIT_SIGNS, format_rank, format_ranks, rank_names, suit_names
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.page.seen import SeenRound, kind_titled, small_figure
from liarspoker.language import N_, _

FLUSH = "flush"
FLUSH_RANKS = SHAPES[FLUSH].ranks

Parts = tuple[int, ...]
"""A hand within its category: its ranks in the order named, then its suit if it has one."""


class Block(NamedTuple):
    """The hands of one category, contiguous on the ladder, and their parts; weakest first."""

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
    """Return all categories of hands, lowest first."""
    # The ladder doesn't depend on the seats or the cards dealt.
    plain = rules._replace(seats=2, jokers=0, wild_ranks=0, next_opener=0, anyone_challenges=0)
    return _blocks(ladder_length(rules), plain)


def parts_of(named: Spelling) -> Parts:
    """Return a hand's ranks, then its suit.

    >>> parts_of(Spelling("full-house", (12, 8))), parts_of(Spelling("royal-flush", (), 3))
    ((12, 8), (3,))
    """
    return named.ranks if named.suit == NO_SUIT else (*named.ranks, named.suit)


def hand_of(word: str, parts: Parts) -> Spelling:
    """Return the hand with these parts; the inverse of `parts_of`."""
    return Spelling(word, parts[:-1], parts[-1]) if SHAPES[word].suited else Spelling(word, parts)


def above(block: Block, least: int) -> Sequence[Parts]:
    """Return the hands of a category from `least` up, weakest first."""
    return block.parts[max(0, least - block.claims.start) :]


def nearest(hands: Sequence[Parts], chosen: Sequence[int | None]) -> Parts:
    """Return the hand that matches most of the selection, from the first part on.

    Args:
        hands: at least one hand, weakest first.
        chosen: the selection for each part, `None` where nothing is selected.

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
    """Return the possible values of the part after `begun`."""
    place = len(begun)
    return frozenset(parts[place] for parts in hands if parts[:place] == begun)


def flushes_with(
    block: Block, least: int, ranks: Collection[int], suit: int | None
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the ranks that can join the selected ones in a flush of at least `least`, and its possible suits."""
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


_TOO_LOW = N_("too low")
_SUIT = N_("Suit")
# Translators: labels of rows of keys, each with a rank.
_LABELS = {
    "high": (N_("Rank"),),
    "pair": (N_("Rank of the pair"),),
    "two-pair": (N_("High pair"), N_("Low pair")),
    "three": (N_("Rank of the three"),),
    "straight": (N_("Highest rank"),),
    "full-house": (N_("Three of"), N_("Two of")),
    "four": (N_("Rank of the four"),),
    "straight-flush": (N_("Highest rank"), _SUIT),
    "royal-flush": (_SUIT,),
}
_SECOND = {"two-pair": N_("must be below the high pair"), "full-house": N_("must differ from the three")}


@dataclass(frozen=True, slots=True)
class Key:
    """A key: form value, label, name, why it can't be selected, and the probability of the resulting hand."""

    value: str
    sign: str
    name: str
    chosen: bool
    refused: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Keys of one form field; one can be selected, or several if `many`. A flush has one field per rank."""

    field: str
    label: str
    keys: tuple[Key, ...]
    many: bool = False
    suits: bool = False


def kind_key(block: Block, lowest: int, chosen: str) -> Key:
    """Return the key of a category; it can't be selected if all its hands are too low."""
    name = kind_titled(block.word)
    refused = "" if block.claims[-1] >= lowest else _(_TOO_LOW)
    return Key(block.word, name, name, block.word == chosen, refused, "" if refused else _from(block, lowest))


def _from(block: Block, lowest: int) -> str:
    """Return the lowest legal hand of a category if some are too low: `from J-8`."""
    if lowest <= block.claims.start or block.word in (FLUSH, "royal-flush"):
        return ""
    hand = hand_of(block.word, above(block, lowest)[0])
    return _("from {ranks}", ranks=format_ranks(hand.ranks))


def rows_of(block: Block, lowest: int, whole: Spelling, seen: SeenRound) -> tuple[Row, ...]:
    """Return one row of keys per part of a hand; later parts depend on the earlier selections."""
    parts, hands = parts_of(whole), above(block, lowest)
    rows = []
    for place, label in enumerate(_LABELS[block.word]):
        may, can = following(hands, parts[:place]), following(block.parts, parts[:place])
        made = {part: _changed(block.word, hands, parts, place, part) for part in may}
        figures = {part: _figure(hand, seen) for part, hand in made.items()}
        if label == _SUIT:
            rows.append(_suit_row(figures, parts[place]))
            continue
        keys = tuple(
            Key(
                value=RANKS[rank],
                sign=format_rank(rank),
                name=rank_names()[rank],
                chosen=rank == parts[place],
                refused=_refused(block.word, place, rank, may, can),
                figure=figures.get(rank, ""),
            )
            for rank in range(ACE + 1)
        )
        rows.append(Row(f"rank{place + 1}", _(label), keys))
    return tuple(rows)


def _changed(word: str, hands: Sequence[Parts], parts: Parts, place: int, value: int) -> Spelling:
    """Return the hand after changing one part."""
    return hand_of(word, nearest(hands, (*parts[:place], value, *parts[place + 1 :])))


def _refused(word: str, place: int, rank: int, may: Collection[int], can: Collection[int]) -> str:
    if rank in may:
        return ""
    if rank in can:
        return _(_TOO_LOW)
    if place == 1:
        return _(_SECOND[word])
    return _("this is the royal flush") if word == "straight-flush" and rank == ACE else _("no such hand")


def _suit_row(figures: Mapping[int, str], chosen: int) -> Row:
    """Return the row of suits; those in `figures` can be selected."""
    keys = tuple(
        Key(
            value=sign,
            sign=SUIT_SIGNS[suit],
            name=suit_names()[suit],
            chosen=suit == chosen,
            refused="" if suit in figures else _(_TOO_LOW),
            figure=figures.get(suit, ""),
        )
        for suit, sign in enumerate(SUITS)
    )
    return Row("suit", _(_SUIT), keys, suits=True)


def flush_rows(block: Block, lowest: int, wish: Spelling, seen: SeenRound) -> tuple[Row, ...]:
    """Return the rows of a flush: thirteen ranks, of which five are selected, and the suits."""
    suit = None if wish.suit == NO_SUIT else wish.suit
    joining, suits = flushes_with(block, lowest, wish.ranks, suit)
    could, _suits = flushes_with(block, block.claims.start, wish.ranks, suit)
    keys = tuple(
        Key(
            value=RANKS[rank],
            sign=format_rank(rank),
            name=rank_names()[rank],
            chosen=rank in wish.ranks,
            refused=_not_joining(rank, wish, joining, could),
        )
        for rank in range(ACE + 1)
    )
    complete = len(wish.ranks) == FLUSH_RANKS
    figures = {of: _figure(wish._replace(suit=of), seen) if complete else "" for of in suits}
    return Row("rank", _("Five ranks"), keys, many=True), _suit_row(figures, wish.suit)


def _not_joining(rank: int, wish: Spelling, joining: Collection[int], could: Collection[int]) -> str:
    """Explain why a rank can't be added to a flush."""
    if rank in wish.ranks or rank in joining:
        return ""
    if len(wish.ranks) == FLUSH_RANKS:
        return _("five ranks selected")
    return _(_TOO_LOW) if rank in could else _("would be a straight flush")


def _figure(named: Spelling, seen: SeenRound) -> str:
    chance: Fraction | None = seen.chance(named)
    return "" if chance is None else small_figure(chance)
