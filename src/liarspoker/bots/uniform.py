"""Uniform random play: every legal action has the same probability."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from liarspoker.bots.protocol import ActionProbabilities
from liarspoker.core.session import PlayerView


@dataclass(frozen=True, slots=True)
class Uniform:
    """A bot that plays uniformly at random."""

    def __call__(self, view: PlayerView, chance: Random) -> int:
        """Return a random legal action; on an endless ladder, one of those that `view.legal` lists.

        >>> from liarspoker.core import catalogue
        >>> session = catalogue.load("slips").session(seats=2, from_slips=False)
        >>> session = session.deal(session.chance_spec().draw(Random(1).randrange))
        >>> session.write(uniform(session.view(0), Random(2)))
        '2x5'
        """
        claims, answers = view.legal.claims, view.legal.answers
        pick = chance.randrange(len(claims) + len(answers))
        return claims[pick] if pick < len(claims) else answers[pick - len(claims)]

    def action_probabilities(self, view: PlayerView) -> ActionProbabilities:
        """Return every legal action with equal probability."""
        actions = view.legal.actions
        return tuple((action, 1 / len(actions)) for action in actions)

    def history_key(self, view: PlayerView) -> None:
        """Return `None`: the bot ignores the moves."""


uniform = Uniform()
"""The bot that plays uniformly at random."""
