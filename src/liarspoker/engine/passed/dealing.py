"""The stock of Thorin's game in compiled code: cards drawn one by one, and the discards that go into it again.

Each card that comes is a uniform one of those in the stock. When none is left, the cards that lie with the discards are
the new stock.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance, below
from liarspoker.rules.cards.deck import JOKER, deck_size
from liarspoker.rules.cards.passed.deal import HAND_CARDS

Ints = NDArray[np.int64]

MOST_CARDS = JOKER + 2
_LEFT, _THROWN, _DRAWN = range(3)


class Heap(NamedTuple):
    """The cards of a round that nobody holds.

    Attributes:
        stock: `[54]`, the cards still to come, in no order.
        thrown: `[54]`, the discards.
        sizes: `[3]`, how many are in the stock and among the discards, and how many have been drawn in the round.
        drawn: int8, the cards drawn, first to last, as far as there is room.
    """

    stock: Ints
    thrown: Ints
    sizes: Ints
    drawn: NDArray[np.int8]


def new_heap(most_drawn: int) -> Heap:
    """Room for a round's cards, and for so many of those drawn; not for compiled code."""
    return Heap(
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(3, np.int64),
        np.zeros(most_drawn, np.int8),
    )


def deal_hand(chance: Chance, heap: Heap, jokers: int) -> int:
    """Put all cards into the stock and draw the opening hand; a mask of `deck.mask_of`."""
    size = deck_size(jokers)
    for place in range(size):
        heap.stock[place] = min(place, JOKER)
    heap.sizes[_LEFT] = size
    heap.sizes[_THROWN] = 0
    heap.sizes[_DRAWN] = 0
    return _drawn(chance, HAND_CARDS, heap)


def exchange(chance: Chance, kept: int, thrown: int, heap: Heap) -> int:
    """Draw as many cards as were thrown, and put those with the discards; the hand then.

    Args:
        chance: the stream that deals.
        kept: what is left of the hand.
        thrown: what was thrown.
        heap: the round's other cards.
    """
    count = 0
    for card in range(JOKER):
        count += thrown >> card & 1
    jokers = thrown >> JOKER
    hand = kept + _drawn(chance, count + jokers, heap)
    for card in range(JOKER):
        if thrown >> card & 1:
            _throw(card, heap)
    for _ in range(jokers):
        _throw(JOKER, heap)
    return hand


def stock_left(heap: Heap) -> int:
    """How many cards are in the stock."""
    left: int = heap.sizes[_LEFT]
    return left


def discards(heap: Heap) -> int:
    """How many cards lie with the discards."""
    count: int = heap.sizes[_THROWN]
    return count


def cards_drawn(heap: Heap) -> int:
    """How many cards have been drawn in the round."""
    count: int = heap.sizes[_DRAWN]
    return count


def _drawn(chance: Chance, count: int, heap: Heap) -> int:
    """The next cards of the stock, as a mask."""
    cards = 0
    for _ in range(count):
        if heap.sizes[_LEFT] == 0:
            _shuffle_in(heap)
        left = heap.sizes[_LEFT] - 1
        place = below(chance, left + 1)
        card = heap.stock[place]
        heap.stock[place] = heap.stock[left]
        heap.sizes[_LEFT] = left
        if heap.sizes[_DRAWN] < heap.drawn.size:
            heap.drawn[heap.sizes[_DRAWN]] = card
        heap.sizes[_DRAWN] += 1
        cards += 1 << card
    return cards


def _throw(card: int, heap: Heap) -> None:
    heap.thrown[heap.sizes[_THROWN]] = card
    heap.sizes[_THROWN] += 1


def _shuffle_in(heap: Heap) -> None:
    """The discards are the new stock."""
    for place in range(heap.sizes[_THROWN]):
        heap.stock[place] = heap.thrown[place]
    heap.sizes[_LEFT] = heap.sizes[_THROWN]
    heap.sizes[_THROWN] = 0
