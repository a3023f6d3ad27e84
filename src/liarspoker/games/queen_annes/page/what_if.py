"""Playing on in Queen Anne's games: extra cards that were never dealt are shuffled."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from liarspoker.core.cards.deck import UNKNOWN, full_deck, shuffled
from liarspoker.games.queen_annes.session import QueenAnnesSession


def completed(session: QueenAnnesSession, ended: QueenAnnesSession, chance: Random) -> QueenAnnesSession | None:
    """Return a session with all extra cards: after those that are known, the others in a random order.

    `None` if a hand isn't known.
    """
    dealt = session.round
    held = () if dealt is None else (*(card for hand in dealt.hands for card in hand), *dealt.deck)
    if dealt is None or UNKNOWN in held:
        return None
    if not dealt.rules.extras:
        return session
    unseen = Counter(full_deck(dealt.rules.jokers)) - Counter(held)
    deck = (*dealt.deck, *shuffled(tuple(unseen.elements()), chance.randrange))
    return replace(session, round=replace(dealt, deck=deck))
