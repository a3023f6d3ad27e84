"""What both questions about cards have in common: how cards and jokers are asked for, and read."""

from __future__ import annotations

from collections.abc import Mapping

from liarspoker.web.view_models.odds_fields import Field, Question, whole

_JOKERS = (("0", "no jokers"), ("1", "one joker"), ("2", "two jokers"))


def asked_of_cards(given: Mapping[str, str], first: Mapping[str, str]) -> Question:
    """The question of an address: on the first visit, without a claim, `first`; else what it leaves out is empty."""
    return Question.of(given, first if "claim" not in given else dict.fromkeys(first, "") | {"jokers": "0"})


def jokers_field(asked: Question) -> Field:
    """How many jokers there are."""
    return asked.field("jokers", "Jokers in the deck", choices=_JOKERS)


def jokers_of(asked: Question) -> int:
    """How many jokers there are; none, and why among the errors, where that cannot be read."""
    jokers = whole(asked.typed["jokers"], 0, len(_JOKERS) - 1)
    if jokers is None:
        asked.errors["jokers"] = "There are 0, 1 or 2 jokers in a deck."
    return jokers or 0


def cards_typed(text: str) -> list[str]:
    """The cards that somebody types, together or apart.

    >>> cards_typed("As 10d, 2cJk")
    ['As', 'Td', '2c', 'Jk']
    """
    joined = "".join(text.replace(",", " ").replace("10", "T").split())
    return [joined[start : start + 2] for start in range(0, len(joined), 2)]
