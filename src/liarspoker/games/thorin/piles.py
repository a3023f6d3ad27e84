"""Where the cards of a round of Thorin's game lie that nobody holds, as functions on their numbers alone.

The deck is a list, top first. Source 002 does not say what happens when it runs out; here it goes on with the discards
that lie there already, never with the cards just thrown. `stock` carries that out for people, card by card; the engine
compiles these functions as they stand.
"""

from __future__ import annotations

from typing import NamedTuple


class Piles(NamedTuple):
    """How many cards lie where.

    Attributes:
        drawn: how many cards of the list have been drawn.
        end: where the present stock ends in the list; once all before it are drawn, the stock has run out.
        discards: how many cards have been thrown and not been shuffled in, the first of them lowest.
    """

    drawn: int
    end: int
    discards: int


def whole_deck(cards: int) -> Piles:
    """The piles before any card is drawn, out of a deck of so many."""
    return Piles(0, cards, 0)


def stock_left(piles: Piles) -> int:
    """How many cards are in the stock."""
    return piles.end - piles.drawn


def after_drawing(count: int, piles: Piles) -> Piles:
    """The piles when `count` cards more have been drawn, no more than stock and discards have together.

    >>> after_drawing(2, Piles(drawn=49, end=52, discards=40)), after_drawing(5, Piles(drawn=49, end=52, discards=40))
    (Piles(drawn=51, end=52, discards=40), Piles(drawn=54, end=92, discards=0))
    """
    if count <= stock_left(piles):
        return Piles(piles.drawn + count, piles.end, piles.discards)
    return Piles(piles.drawn + count, piles.end + piles.discards, 0)


def after_exchange(count: int, piles: Piles) -> Piles:
    """The piles when a player has thrown `count` cards and drawn as many.

    >>> after_exchange(5, Piles(drawn=49, end=52, discards=40))
    Piles(drawn=54, end=92, discards=5)
    """
    drawn = after_drawing(count, piles)
    return Piles(drawn.drawn, drawn.end, drawn.discards + count)
