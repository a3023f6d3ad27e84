"""What both kinds of card games share at the table: lots for the first seat, players who drop out, kinds of hands."""

from __future__ import annotations

from random import Random
from typing import Any

from liarspoker.records.words import subject
from liarspoker.terminal.screen import Screen

ROUND = "round"

KINDS = {
    "high": "high card",
    "pair": "pair",
    "color-flush": "color flush (five cards all red or all black)",
    "two-pair": "two pair",
    "three": "three of a kind",
    "straight": "straight (five ranks in a row)",
    "flush": "flush (five cards of one suit)",
    "full-house": "full house (three and a pair)",
    "color-straight-flush": "color straight flush",
    "four": "four of a kind",
    "straight-flush": "straight flush",
    "royal-flush": "royal flush (ace high)",
    "five": "five of a kind",
}
"""Every kind of hand by the word that records write for it."""


def lot(session: Any, chance: Random) -> int | None:
    """The seat that begins the match; later the rules say."""
    return int(session.alive[chance.randrange(len(session.alive))]) if session.rounds_played == 0 else None


def watching(view: Any) -> bool:
    """Whether the seat is out while others play on."""
    return view.winner is None and view.seat not in view.alive


def begins(view: Any, names: tuple[str, ...], verb: str, what: str = "") -> str:
    """How a round begins: `Bea opens`, with the lots of the first round."""
    terms = view.terms
    drawn = " (drawn by lot)" if terms.opener_agreed and terms.number == 0 else ""
    return f"Round {terms.number + 1}: {subject(names[terms.opener], verb)}{what and f' {what}'}{drawn}."


def tell_standings(screen: Screen, view: Any, names: tuple[str, ...], told: tuple[str, ...]) -> None:
    """A line for each seat: what it has left, or that it is out; and the winner.

    Args:
        screen: where.
        view: what the seat knows.
        names: the players.
        told: for each seat what it has left.
    """
    width = max(map(len, names))
    screen.say("The match is won:" if view.winner is not None else "The match so far:")
    for seat, name in enumerate(names):
        alive = "won" if seat == view.winner else told[seat]
        screen.say(f"{name:<{width}}  {alive if seat in view.alive else 'out'}", indent="  ")
