"""What the reviews of all games say alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from liarspoker.coach.decisions import Appraisal, Decision
from liarspoker.coach.verdicts import BAD, BLUNDER, MISTAKE
from liarspoker.language import N_, _, number
from liarspoker.odds import figures

EVEN = 0.5

NOTABLE = 0.1
"""A difference between two probabilities that is mentioned."""


class Wording(Protocol):
    """How a family words a reviewed hand. A `place` is the index of an action of the hand."""

    def shown(self) -> list[tuple[int, str]]:
        """Return the seats with the hands that they were dealt."""

    def said(self, place: int, action: int) -> str:
        """Return an action that was possible at a place, in words."""

    def write(self, place: int, action: int) -> str:
        """Return an action that was possible at a place, in the notation."""

    def reasons(self, place: int) -> list[str]:
        """Return why the decision at a place was good or bad, as sentences."""

    def about_bluff(self, place: int) -> str:
        """Return what is said of a bluff; empty if the action at a place isn't one."""


def by_other(decision: Decision, appraisal: Appraisal, better: str) -> Iterator[str]:
    """Yield how the verdict depends on the model, if it does; `better` is the best action by the second model."""
    other = decision.other
    if other is None:
        return
    if appraisal.verdict in BAD and other.verdict not in BAD:
        yield _("Against players like the Calculator, it would have been right.")
    if appraisal.verdict not in BAD and other.verdict in (MISTAKE, BLUNDER):
        message = N_("Against players like the Calculator, {better} would be worth {loss} more.")
        yield _(message, better=better, loss=number(f"{other.loss:.2f}"))


def percent(probability: float) -> str:
    """Return a probability in whole percent; only certain events are written as 0 or 100."""
    return figures.percent(probability, 0)
