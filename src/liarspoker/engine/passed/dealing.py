"""The stock of Thorin's game in compiled code: cards drawn one by one, and the discards that go into it again.

Each card that comes is a uniform one of those in the stock. Which discards are the next stock, and when, is asked of
`liarspoker.games.thorin.piles`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.deck import JOKER, cards_in, deck_size
from liarspoker.engine.chance import Chance, below
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.piles import Piles, after_drawing, after_exchange, whole_deck

Ints = NDArray[np.int64]

MOST_CARDS = JOKER + 2


class Heap(NamedTuple):
    """The cards of a round that nobody holds.

    Attributes:
        stock: `[54]`, the cards still to come, in no order.
        thrown: `[54]`, the discards, in the order in which they were thrown.
        piles: `[3]`, the fields of `Piles`.
        drawn: int8, the cards drawn, first to last, as far as there is room.
    """

    stock: Ints
    thrown: Ints
    piles: Ints
    drawn: NDArray[np.int8]


def new_heap(most_drawn: int) -> Heap:
    """Room for a round's cards, and for so many of those drawn; not for compiled code."""
    return Heap(
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(3, np.int64),
        np.zeros(most_drawn, np.int8),
    )


def piles_of(heap: Heap) -> Piles:
    """How many cards of a heap lie where."""
    return Piles(heap.piles[0], heap.piles[1], heap.piles[2])


def deal_hand(chance: Chance, heap: Heap, jokers: int) -> int:
    """Put all cards into the stock and draw the opening hand; a mask of `deck.mask_of`."""
    whole = whole_deck(deck_size(jokers))
    for place in range(whole.end):
        heap.stock[place] = min(place, JOKER)
    return _drawn(chance, whole, after_drawing(HAND_CARDS, whole), heap)


def exchange(chance: Chance, kept: int, thrown: int, heap: Heap) -> int:
    """Draw as many cards as were thrown, and put those with the discards; the hand then.

    Args:
        chance: the stream that deals.
        kept: what is left of the hand.
        thrown: what was thrown.
        heap: the round's other cards.
    """
    piles = piles_of(heap)
    place = piles.discards
    for card in range(JOKER):
        if thrown >> card & 1:
            heap.thrown[place] = card
            place += 1
    for _ in range(thrown >> JOKER):
        heap.thrown[place] = JOKER
        place += 1
    return kept + _drawn(chance, piles, after_exchange(cards_in(thrown), piles), heap)


def _drawn(chance: Chance, before: Piles, later: Piles, heap: Heap) -> int:
    """The cards that are drawn from some piles until they stand otherwise, as a mask."""
    cards = 0
    end = before.end
    for number in range(before.drawn, later.drawn):
        if number == end:
            _mix_in(later.end - end, later.discards, heap)
            end = later.end
        last = end - number - 1
        place = below(chance, last + 1)
        card = heap.stock[place]
        heap.stock[place] = heap.stock[last]
        if number < heap.drawn.size:
            heap.drawn[number] = card
        cards += 1 << card
    heap.piles[0], heap.piles[1], heap.piles[2] = later.drawn, later.end, later.discards
    return cards


def _mix_in(count: int, rest: int, heap: Heap) -> None:
    """The first `count` discards are the new stock; the `rest` of them stay where they lie."""
    for place in range(count):
        heap.stock[place] = heap.thrown[place]
    for place in range(rest):
        heap.thrown[place] = heap.thrown[count + place]
