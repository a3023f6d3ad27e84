"""Dealing the cards of a pooled game, in compiled code: off a deck that is shuffled as far as it is dealt.

Each card that comes is a uniform one of those that are left, as Fisher and Yates have it, from the top down.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.deck import JOKER, deck_size
from liarspoker.engine.chance import Chance, below
from liarspoker.games.queen_annes.course import Course, Ground, first_receiver, losses_of, slot_of
from liarspoker.games.queen_annes.dealing import cards_at_once, face_up, sees_extra, sees_hand
from liarspoker.games.queen_annes.options import PooledRules

Ints = NDArray[np.int64]

MOST_CARDS = JOKER + 2


def next_card(chance: Chance, deck: Ints, dealt: int, size: int) -> int:
    """The card that comes when so many have been dealt; of `deck`, `[size]`, they are the first."""
    place = dealt + below(chance, size - dealt)
    card: int = deck[place]
    deck[place] = deck[dealt]
    deck[dealt] = card
    return card


def deal_hands(chance: Chance, ground: Ground, rules: PooledRules, deck: Ints, known: Ints) -> int:
    """Deal the hands of a round off a whole deck; how many cards that are.

    Args:
        chance: the stream that deals.
        ground: what the round is played on.
        rules: the table's.
        deck: `[54]` at least; is written.
        known: `[seats]`; the cards that each living seat sees are written into it, as masks of the rules.
    """
    size = deck_size(rules.jokers)
    for place in range(size):
        deck[place] = min(place, JOKER)
    for seat in range(rules.seats):
        known[seat] = 0
    dealt = 0
    for owner in range(rules.seats):
        cards = 0
        for _ in range(cards_at_once(losses_of(owner, ground.losses), rules)):
            cards += 1 << next_card(chance, deck, dealt, size)
            dealt += 1
        for seat in range(rules.seats):
            if ground.alive >> seat & 1 and sees_hand(seat, owner, rules.blind == 1):
                known[seat] += cards
    return dealt


def deal_extras(
    chance: Chance, course: Course, ground: Ground, rules: PooledRules, deck: Ints, dealt: int, known: Ints
) -> int:
    """Deal the cards that come with the turn that has just begun; how many cards have been dealt then."""
    came = course.came
    while came:
        owner = first_receiver(course.to_act, came)
        card = next_card(chance, deck, dealt, deck_size(rules.jokers))
        dealt += 1
        slot = slot_of(owner, course.made, ground, rules)
        for seat in range(rules.seats):
            if ground.alive >> seat & 1 and sees_extra(seat, owner, face_up(slot, rules)):
                known[seat] += 1 << card
        came ^= 1 << owner
    return dealt


def pool_of(deck: Ints, dealt: int) -> int:
    """All cards dealt, as a mask of the rules."""
    pool = 0
    for place in range(dealt):
        pool += 1 << deck[place]
    return pool
