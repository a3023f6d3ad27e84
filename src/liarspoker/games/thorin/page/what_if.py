"""Playing on in Thorin's game: cards that were never drawn are shuffled."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from liarspoker.core.cards.deck import UNKNOWN, full_deck, shuffled
from liarspoker.games.thorin.session import ThorinSession


def completed(session: ThorinSession, ended: ThorinSession, chance: Random) -> ThorinSession | None:
    """Return a session with a whole deck: after the cards that are known, the others in a random order.

    `None` if the hand or a card drawn later isn't known.
    """
    dealt, later = session.round, ended.round
    if dealt is None or later is None or later.stock.deck is None:
        return None
    end = dealt.stock.end
    deck = later.stock.deck[:end]  # what follows are discards that were shuffled in later
    if UNKNOWN in (*deck, *dealt.hand, *dealt.stock.discards):
        return None
    if len(deck) < end:
        unseen = Counter(full_deck(dealt.stock.jokers)) - Counter(deck)
        deck += shuffled(tuple(unseen.elements()), chance.randrange)[: end - len(deck)]
    stock = replace(dealt.stock, deck=deck, seed=dealt.stock.seed or chance.randbytes(32))
    return replace(session, round=replace(dealt, stock=stock))
