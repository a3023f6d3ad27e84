"""The kinds of question about the card games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from liarspoker.core.cards.deck import full_deck
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import floor_of
from liarspoker.odds.card_texts import (
    declaration,
    hand_and_discard,
    named_in_pool,
    pool_cards,
    pooled_rules,
)
from liarspoker.odds.draws import reach
from liarspoker.odds.pools import half_known_pool
from liarspoker.odds.questions import Answer, Check, Kind, whole

MOST_JOKERS = 2
MOST_CARDS = len(full_deck(MOST_JOKERS))


def _are_texts(value: object, most: int) -> bool:
    return isinstance(value, list) and len(value) <= most and all(isinstance(card, str) for card in value)


_CLAIM = Check("a claim, a string", lambda value: isinstance(value, str))
_CARDS = Check('a list of cards such as "As", "Td" or "Jk"', lambda value: _are_texts(value, MOST_CARDS))
_HAND = Check('a list of five cards such as "As", "Td" or "Jk"', lambda value: _are_texts(value, HAND_CARDS))
_JOKERS = whole(0, MOST_JOKERS)
_WILD_RANKS = Check('ranks, a string such as "2" or "29"', lambda value: isinstance(value, str))


def _pooled_exists(hand: str, known: Sequence[str], unknown: int, jokers: int, wild_ranks: str = "") -> Answer:
    rules = pooled_rules(jokers, wild_ranks)
    cards = pool_cards(known, unknown, jokers)
    named = named_in_pool(hand, rules)
    return Answer(half_known_pool(cards, unknown, rules).chance(named))


def _thorin_reach(hand: Sequence[str], discard: Sequence[str], claim: str, jokers: int) -> Answer:
    held, thrown = hand_and_discard(hand, discard, jokers)
    return Answer(reach(held, thrown, floor_of(declaration(claim, jokers)), jokers))


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "pooled_exists": Kind(
            _pooled_exists,
            {"hand": _CLAIM, "known": _CARDS, "unknown": whole(0, MOST_CARDS), "jokers": _JOKERS},
            {"wild_ranks": _WILD_RANKS},
        ),
        "thorin_reach": Kind(_thorin_reach, {"hand": _HAND, "discard": _CARDS, "claim": _CLAIM, "jokers": _JOKERS}),
    }
)
"""Every kind of this room, by name."""
