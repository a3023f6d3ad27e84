"""Uniform play: every legal action is as likely as any other."""

from __future__ import annotations

from random import Random

from liarspoker.rules.protocol import View


def uniform(view: View, chance: Random) -> int:
    """One of the legal actions, each with the same chance; of an endless ladder, of those that `legal` lists.

    >>> from liarspoker.rules import catalogue
    >>> session = catalogue.load("slips").session(seats=2, from_slips=False)
    >>> session = session.deal(session.needs().draw(Random(1).randrange))
    >>> session.write(uniform(session.view(0), Random(2)))
    '2x5'
    """
    claims, answers = view.legal.claims, view.legal.answers
    pick = chance.randrange(len(claims) + len(answers))
    return claims[pick] if pick < len(claims) else answers[pick - len(claims)]
