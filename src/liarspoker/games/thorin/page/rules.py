"""Rules page of Thorin's game: the hand categories, and sample rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import cast

from liarspoker.core.cards.deck import JOKER, RANKS, SUITS, card_text
from liarspoker.core.cards.hand_values import CATEGORIES, FIVE, STARTS, hand_value
from liarspoker.core.catalogue import GamePreset
from liarspoker.games.cards.wording import describe_value, format_value_ranks, name_category
from liarspoker.games.thorin import record_text
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.language import _, per_language
from liarspoker.odds.draws import fresh_hand_probability
from liarspoker.odds.figures import percent
from liarspoker.records.reader import Replay
from liarspoker.web.view_models.family import Difference, Holder, PlayedSample


@dataclass(frozen=True, slots=True)
class Category:
    """A category: its weakest hand in words, ranks and cards, and the probability that five random cards have it."""

    name: str
    weakest: str
    ranks: str
    cards: tuple[str, ...]
    chance: str


@per_language()
def tables(game: str, players: int) -> tuple[Category, ...]:
    """Return the categories of hands, lowest first, each with its weakest hand."""
    return tuple(_category(place) for place in range(len(CATEGORIES)))


def _category(place: int) -> Category:
    weakest, jokers = STARTS[place], 1 if place == FIVE else 0
    return Category(
        name=name_category(CATEGORIES[place]),
        weakest=describe_value(weakest),
        ranks=format_value_ranks(weakest),
        cards=_example_cards(weakest),
        chance=percent(_dealt(place, jokers)) if not jokers else _("only with a joker"),
    )


def _dealt(place: int, jokers: int) -> Fraction:
    return fresh_hand_probability(STARTS[place], jokers) - fresh_hand_probability(STARTS[place + 1], jokers)


def _example_cards(value: int) -> tuple[str, ...]:
    """Return five cards of hand rank `value`, by trying suits; four of a kind and a joker if no natural hand exists."""
    ranks = format_value_ranks(value).replace("10", "T").split("-")
    for suits in product(range(len(SUITS)), repeat=len(ranks)):
        cards = tuple(4 * RANKS.index(rank) + suit for rank, suit in zip(ranks, suits, strict=True))
        if len(set(cards)) == len(cards) and hand_value(cards) == value:
            return tuple(map(card_text, cards))
    four = tuple(4 * RANKS.index(ranks[0]) + suit for suit in range(len(SUITS)))
    return tuple(map(card_text, (*four, JOKER)))


def differences(relatives: Sequence[GamePreset]) -> list[Difference]:
    """Return no differences: there is one game."""
    return []


def sample(played: Replay) -> PlayedSample:
    """Return a sample round with its result."""
    session, names = cast(ThorinSession, played.session), played.players
    result = session.round_result
    assert result is not None
    assert result.hand is not None
    lines = [line.strip() for line in record_text.describe_round(session, names)[1:]]
    cut = len(lines) - len(record_text.describe_outcome(result, names))
    hand = tuple((card_text(card), bool(result.truthful)) for card in sorted(result.hand, reverse=True))
    return PlayedSample(tuple(lines[:cut]), (Holder(names[result.claimant], cards=hand),), tuple(lines[cut:-1]))
