"""The keys with which a claim is put together: kinds, ranks and suits, each with why it cannot be chosen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.core.cards.deck import RANKS, SUITS
from liarspoker.core.cards.hand_values import ACE
from liarspoker.games.cards.record_words import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS, rank_sign
from liarspoker.games.queen_annes.page.choices import (
    FLUSH,
    FLUSH_RANKS,
    Block,
    Parts,
    above,
    flushes_with,
    following,
    hand_of,
    nearest,
    parts_of,
)
from liarspoker.games.queen_annes.page.sayings import kind_titled, small_figure
from liarspoker.games.queen_annes.page.seen import SeenRound

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
    """A key that can be chosen.

    Attributes:
        value: what it sends.
        sign: what stands on it.
        name: the same in words.
        chosen: it is chosen.
        refused: why it cannot be chosen, in a few words; empty if it can.
        figure: the chance in per cent of the hand that it makes, as a small figure; empty where none is told.
    """

    value: str
    sign: str
    name: str
    chosen: bool
    refused: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Keys of which one is chosen, or of ranks of a flush five.

    Attributes:
        field: the name that they send; for a flush each rank has its own, `field` with the rank's sign behind.
        label: what is chosen.
        keys: in order.
        many: several may be chosen.
        suits: they are suits.
    """

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
