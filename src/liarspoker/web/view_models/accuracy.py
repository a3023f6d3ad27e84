"""How good a player's reviewed decisions were: sums over hands that can be added up, by game and week."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import NamedTuple

from liarspoker.coach.verdicts import BAD
from liarspoker.core import catalogue
from liarspoker.language import number
from liarspoker.server.reviews import JudgedDecision
from liarspoker.web.view_models.profile import Rate
from liarspoker.web.words import MINUS

FEW_DECISIONS = 30
"""With fewer reviewed decisions than this, a page warns that the figures say little."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Sums over the reviewed decisions of a player.

    Attributes:
        hands: the number of hands in which the player decided.
        decisions: the number of decisions on which there is a verdict.
        good: how many of them were best or fine.
        loss: what the others cost, in units at stake 1; 0 or more.
    """

    hands: int = 0
    decisions: int = 0
    good: int = 0
    loss: float = 0.0

    def __add__(self, other: Accuracy) -> Accuracy:
        return Accuracy(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def rate(self) -> Rate:
        """The share of decisions that were best or fine."""
        return Rate(self.good, self.decisions)

    @property
    def loss_per_hand(self) -> str:
        """The mean loss per hand, with a sign unless it is 0.00; 0.00 of no hands."""
        mean = f"{self.loss / max(1, self.hands):.2f}"
        return number(mean if mean == "0.00" else f"{MINUS}{mean}")


NOTHING = Accuracy()
"""The sums over no hands."""


def accuracy_of(decisions: Iterable[JudgedDecision], seat: int) -> Accuracy:
    """Return the accuracy of a seat in one hand; other seats' decisions don't count.

    >>> accuracy_of([JudgedDecision(0, "best", 0.0), JudgedDecision(1, "blunder", 0.9)], 0)
    Accuracy(hands=1, decisions=1, good=1, loss=0.0)
    """
    own = [one for one in decisions if one.seat == seat]
    bad = [one.loss for one in own if one.verdict in BAD]
    return Accuracy(int(bool(own)), len(own), len(own) - len(bad), sum(bad, 0.0))


class Week(NamedTuple):
    """A week of ISO 8601: the year that most of its days belong to, and its number, 1 to 53."""

    year: int
    week: int

    @classmethod
    def of(cls, at: float) -> Week:
        """Return the week of a Unix timestamp, in UTC.

        >>> print(Week.of(0), Week.of(0).monday)
        1970-W01 1969-12-29
        """
        return cls(*datetime.fromtimestamp(at, UTC).isocalendar()[:2])

    def __str__(self) -> str:
        return f"{self.year}-W{self.week:02}"

    @property
    def monday(self) -> str:
        """Its first day, as YYYY-MM-DD."""
        return date.fromisocalendar(self.year, self.week, 1).isoformat()


@dataclass(frozen=True, slots=True)
class ReviewedHand:
    """The accuracy of a player in a reviewed hand.

    Attributes:
        game: the id of the game.
        at: when the hand was dealt, as a Unix timestamp.
        accuracy: the accuracy.
    """

    game: str
    at: float
    accuracy: Accuracy


@dataclass(frozen=True, slots=True)
class GameAccuracy:
    """The accuracy in a game, in all weeks together and in each week, the latest first."""

    game: catalogue.GamePreset
    total: Accuracy
    weeks: tuple[tuple[Week, Accuracy], ...]


def by_game_and_week(hands: Iterable[ReviewedHand]) -> tuple[GameAccuracy, ...]:
    """Return the accuracy in each game and week with a decision, the games in the order of the catalogue."""
    found = defaultdict[str, dict[Week, Accuracy]](dict)
    for hand in hands:
        if hand.accuracy.decisions:
            weeks, week = found[hand.game], Week.of(hand.at)
            weeks[week] = weeks.get(week, NOTHING) + hand.accuracy
    return tuple(
        GameAccuracy(row, sum(found[row.id].values(), NOTHING), tuple(sorted(found[row.id].items(), reverse=True)))
        for row in catalogue.games()
        if row.id in found
    )
