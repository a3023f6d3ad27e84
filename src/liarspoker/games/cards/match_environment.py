"""Shared parts of the card games' research environments: the undealt cards, and the units won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from liarspoker.core.cards.deck import JOKER, UNKNOWN, card_text, copies, full_deck
from liarspoker.research.blocks import Vector
from liarspoker.research.rules import EnvironmentRules

Session = TypeVar("Session", bound=Any)
View = TypeVar("View")

KINDS = JOKER + 1
"""Number of distinct cards: 52 and the joker."""


def left(placed: Iterable[int], jokers: int) -> dict[int, int]:
    """Return the undealt cards with their counts, given the cards already placed.

    >>> left(range(1, 52), jokers=2)
    {0: 1, 52: 2}
    """
    gone = Counter(placed)
    counts = {card: copies(card, jokers) - gone[card] for card in sorted(set(full_deck(jokers)))}
    return {card: count for card, count in counts.items() if count > 0}


class MatchEnvironment(EnvironmentRules[Session, View]):
    """Environment rules of matches."""

    def units(self, session: Session, whole: bool) -> tuple[int, ...]:
        """Return the units won or lost by each seat so far.

        In a whole match, the winner gets one unit from every other player. Where rounds count separately, the loser of
        a round pays one unit to every other player in it; a round without a loser pays nothing.
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
        """Return a bound on the units that one seat can win or lose."""
        others: int = session.seats - 1
        return others * (rounds or 1)

    def most_outcomes(self, session: Session) -> int:
        """Return the number of distinct cards."""
        return KINDS

    def outcome_text(self, outcome: int) -> str:
        """Return the card's notation."""
        return card_text(outcome)


def mark(part: Vector, cards: Iterable[int]) -> None:
    """Count known cards into `part`, `[..., 53]`."""
    for card in cards:
        if card != UNKNOWN:
            part[card] += 1


def from_seat(values: Iterable[float], seat: int) -> Vector:
    """Return the values of the seats, clockwise from `seat`."""
    rolled: Vector = np.roll(np.array(list(values), np.float32), -seat)
    return rolled
