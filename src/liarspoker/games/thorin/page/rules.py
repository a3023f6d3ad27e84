"""The rules page of Thorin's game: the hands from the lowest, and sample rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import cast

from liarspoker.core.cards.deck import JOKER, RANKS, SUITS, card_text
from liarspoker.core.cards.hand_values import CATEGORIES, FIVE, STARTS, hand_value
from liarspoker.core.catalogue import GameRow
from liarspoker.games.cards.record_words import value_in_ranks, value_in_words
from liarspoker.games.thorin import record_text
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.odds.draws import chance_of_fresh_hand
from liarspoker.odds.figures import percent
from liarspoker.records.reader import Replay
from liarspoker.web.view_models.family import Difference, Holder, PlayedSample


@dataclass(frozen=True, slots=True)
class Category:
    """A category of hands: its weakest hand in words, ranks and cards; the chance that five fresh cards have it."""

    name: str
    weakest: str
    ranks: str
    cards: tuple[str, ...]
    chance: str


@cache
def tables(game: str, players: int) -> tuple[Category, ...]:
    """The categories of hands, the lowest first, each with its weakest hand."""
    return tuple(_category(place) for place in range(len(CATEGORIES)))


def _category(place: int) -> Category:
    weakest, jokers = STARTS[place], 1 if place == FIVE else 0
    return Category(
        name=CATEGORIES[place].replace("-", " "),
        weakest=value_in_words(weakest),
        ranks=value_in_ranks(weakest),
        cards=_cards_worth(weakest),
        chance=percent(_dealt(place, jokers)) if not jokers else "with a joker only",
    )


def _dealt(place: int, jokers: int) -> Fraction:
    return chance_of_fresh_hand(STARTS[place], jokers) - chance_of_fresh_hand(STARTS[place + 1], jokers)


def _cards_worth(value: int) -> tuple[str, ...]:
    """Five cards that are worth `value`, found by trying suits; four and a joker where no natural hand is."""
    ranks = value_in_ranks(value).replace("10", "T").split("-")
    for suits in product(range(len(SUITS)), repeat=len(ranks)):
        cards = tuple(4 * RANKS.index(rank) + suit for rank, suit in zip(ranks, suits, strict=True))
        if len(set(cards)) == len(cards) and hand_value(cards) == value:
            return tuple(map(card_text, cards))
    four = tuple(4 * RANKS.index(ranks[0]) + suit for suit in range(len(SUITS)))
    return tuple(map(card_text, (*four, JOKER)))


def differences(relatives: Sequence[GameRow]) -> list[Difference]:
    """None: the games are dealt alike."""
    return []


def sample(played: Replay) -> PlayedSample:
    """A sample round, played."""
    session, names = cast(ThorinSession, played.session), played.players
    result = session.round_result
    assert result is not None
    assert result.hand is not None
    lines = [line.strip() for line in record_text.tell_round(session, names)[1:]]
    cut = next(place for place, line in enumerate(lines) if line.endswith(": challenge")) + 1
    hand = tuple((card_text(card), bool(result.truthful)) for card in sorted(result.hand, reverse=True))
    return PlayedSample(tuple(lines[:cut]), (Holder(names[result.claimant], cards=hand),), tuple(lines[cut:-1]))
