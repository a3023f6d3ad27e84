"""What both kinds of card games share at a live table: a match that goes on, and the cut of the deck."""

from __future__ import annotations

from typing import Any

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.errors import NotNow
from liarspoker.tables.games.family import Carry, Choice, Terms


def carry(session: Any) -> Carry:
    """Who begins the next round, who is still in, and what they have lost."""
    return Carry(
        session.next_opener if session.rounds_played else None,
        losses=tuple(getattr(session, "losses", ())),
        living=session.alive,
    )


def units(session: Any) -> tuple[int, ...]:
    """None: a round costs cards or the match."""
    return (0,) * int(session.seats)


def choice(session: Any, opener: int | None) -> Choice | None:
    """The cut, by the seat before the one that opens; that is the dealer's right-hand neighbour at a card table."""
    needs = session.needs()
    alive: tuple[int, ...] = session.alive
    begins = session.next_opener if opener is None else opener
    first = alive[alive.index(begins) - 1]
    return Choice("cut", len(full_deck(needs.jokers)), first, everybody=False)


def check_stake(terms: Terms) -> None:
    """Refuse a stake that is agreed on.

    Raises:
        NotNow: there is one.
    """
    if terms.stake is not None:
        raise NotNow("wrong-phase", "stake: a match is played for one unit from each player")
