"""What a declaration says, and the weakest hand that it promises."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from liarspoker.core.cards.claims import OPEN_RANK, Spelling
from liarspoker.core.cards.deck import JOKER, rank_of, suit_of
from liarspoker.games.cards.record_words import SUIT_SIGNS, claim_in_words, rank_sign, value_in_ranks
from liarspoker.games.thorin.ladder import floor_of, full_claim, spelling_of
from liarspoker.games.thorin.notation import write_claim

KIND_NAMES = {
    "high": "High card",
    "pair": "Pair",
    "color-flush": "Color flush",
    "two-pair": "Two pair",
    "three": "Three of a kind",
    "straight": "Straight",
    "flush": "Flush",
    "full-house": "Full house",
    "color-straight-flush": "Color straight flush",
    "four": "Four of a kind",
    "straight-flush": "Straight flush",
    "five": "Five of a kind",
}
"""Every category of the game as a heading, lowest first."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A declaration.

    Attributes:
        words: as a heading: `Two pair, sevens over threes`.
        said: within a sentence: `two pair, sevens over threes`.
        action: as it is sent.
        ranks: of the weakest hand that fits it, a sign of `23456789TJQKA` each, those that decide first.
        at_least: the same in one word: `7-7-3-3-2`.
    """

    words: str
    said: str
    action: str
    ranks: tuple[str, ...]
    at_least: str


def promise_of(claim: int) -> Promise:
    """A claim of the ladder, told.

    >>> from liarspoker.core.cards.hand_values import PAIR, STARTS
    >>> promise_of(STARTS[PAIR] << 5)
    ... # doctest: +NORMALIZE_WHITESPACE
    Promise(words='Pair', said='a pair', action='declare pair', ranks=('2', '2', '5', '4', '3'), at_least='2-2-5-4-3')
    """
    said = said_so(spelling_of(claim))
    at_least = value_in_ranks(floor_of(claim))
    return Promise(
        words=heading(said),
        said=said,
        action=f"declare {write_claim(claim)}",
        ranks=tuple(sign.replace("10", "T") for sign in at_least.split("-")),
        at_least=at_least,
    )


def value_told(value: int) -> Promise:
    """What a hand is worth, told as the declaration that names every rank of it."""
    return promise_of(full_claim(value))


def heading(said: str) -> str:
    """Words for a declaration as they stand by themselves.

    >>> heading("a pair of sevens"), heading("three of a kind")
    ('Pair of sevens', 'Three of a kind')
    """
    bare = said.removeprefix("a ")
    return bare[:1].upper() + bare[1:]


def said_so(spelt: Spelling) -> str:
    """A declaration in words; ranks that are left open between others are `any`.

    >>> said_so(Spelling("two-pair", (5, 1))), said_so(Spelling("color-flush", (10, -1, 7)))
    ('two pair, sevens over threes', 'a color flush, Q-any-9')
    """
    ranks = spelt.ranks
    while ranks and ranks[-1] == OPEN_RANK:
        ranks = ranks[:-1]
    said = claim_in_words(spelt)
    if "_" not in said:
        return said
    listed = "-".join("any" if rank == OPEN_RANK else rank_sign(rank) for rank in ranks)
    return f"{claim_in_words(Spelling(spelt.word))}, {listed}"


def cards_told(cards: Iterable[int]) -> str:
    """Cards in signs, as they are.

    >>> cards_told((51, 34, 52))
    'A♠ 10♥ joker'
    """
    return " ".join(
        "joker" if card == JOKER else f"{rank_sign(rank_of(card))}{SUIT_SIGNS[suit_of(card)]}" for card in cards
    )
