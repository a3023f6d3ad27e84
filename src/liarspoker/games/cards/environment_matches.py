"""What the card games share: cards that are left to be dealt, and what rounds and matches are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from liarspoker.core.cards.deck import JOKER, UNKNOWN, card_text, copies, full_deck
from liarspoker.research.blocks import Vector
from liarspoker.research.family import StudyRules

Session = TypeVar("Session", bound=Any)
View = TypeVar("View")

KINDS = JOKER + 1
"""Different cards: 52, and jokers, which are alike."""


def left(placed: Iterable[int], jokers: int) -> dict[int, int]:
    """The cards of the deck that lie nowhere else, each with how many of it there are.

    >>> left(range(1, 52), jokers=2)
    {0: 1, 52: 2}
    """
    gone = Counter(placed)
    counts = {card: copies(card, jokers) - gone[card] for card in sorted(set(full_deck(jokers)))}
    return {card: count for card, count in counts.items() if count > 0}


class MatchStudy(StudyRules[Session, View]):
    """How matches with cards are studied."""

    def units(self, session: Session, whole: bool) -> tuple[int, ...]:
        """Units won or lost by each seat so far.

        In a match, who drops out has lost one, and whoever wins it has one from every other. Where rounds count by
        themselves, who loses one pays a unit to every other player who was in it; nobody pays where the hand is thrown
        in.
        """
        seats = session.seats
        if whole:
            won = [seats - 1 if session.winner == seat else 0 for seat in range(seats)]
            return tuple(won[seat] if seat in session.alive else -1 for seat in range(seats))
        total = [0] * seats
        for played, result in session.rounds:
            if result.loser is not None:
                for seat in played.terms.alive:
                    total[seat] += 1
                total[result.loser] -= len(played.terms.alive)
        return tuple(total)

    def most_units(self, session: Session, rounds: int | None) -> int:
        """A bound on what one seat may win or lose."""
        others: int = session.seats - 1
        return others * (rounds or 1)

    def most_outcomes(self, session: Session) -> int:
        """Cards."""
        return KINDS

    def outcome_text(self, outcome: int) -> str:
        """A card."""
        return card_text(outcome)


def mark(part: Vector, cards: Iterable[int]) -> None:
    """Count known cards into `part`, `[..., 53]`."""
    for card in cards:
        if card != UNKNOWN:
            part[card] += 1


def from_seat(values: Iterable[float], seat: int) -> Vector:
    """Values of the seats in the order clockwise from `seat`."""
    rolled: Vector = np.roll(np.array(list(values), np.float32), -seat)
    return rolled
