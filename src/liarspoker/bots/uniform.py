"""Uniform play: every legal action is as likely as any other."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from liarspoker.bots.protocol import Chances
from liarspoker.core.session import PlayerView


@dataclass(frozen=True, slots=True)
class Uniform:
    """A player who knows no strategy at all."""

    def __call__(self, view: PlayerView, chance: Random) -> int:
        """One of the legal actions, each with the same chance; of an endless ladder, of those that `legal` lists.

        >>> from liarspoker.core import catalogue
        >>> session = catalogue.load("slips").session(seats=2, from_slips=False)
        >>> session = session.deal(session.chance_spec().draw(Random(1).randrange))
        >>> session.write(uniform(session.view(0), Random(2)))
        '2x5'
        """
        claims, answers = view.legal.claims, view.legal.answers
        pick = chance.randrange(len(claims) + len(answers))
        return claims[pick] if pick < len(claims) else answers[pick - len(claims)]

    def chances(self, view: PlayerView) -> Chances:
        """The same chance for each of them."""
        actions = view.legal.actions
        return tuple((action, 1 / len(actions)) for action in actions)

    def heard(self, view: PlayerView) -> None:
        """Nothing: it does not listen."""


uniform = Uniform()
