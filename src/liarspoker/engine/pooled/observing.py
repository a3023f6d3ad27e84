"""What the seat to act may know of its round, as a row of numbers for a net."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, JOKER_TEXT, RANKS, SUITS, card_text, cards_in
from liarspoker.engine.pooled.dealing import Ints
from liarspoker.engine.pooled.stepping import State, course_in, ground_in
from liarspoker.games.queen_annes.course import OVER, losses_of
from liarspoker.games.queen_annes.dealing import cards_at_once
from liarspoker.games.queen_annes.ladder import KIND_BITS
from liarspoker.games.queen_annes.options import PooledRules

ROUND = ("respond", "hidden", "standing", "made", "claimant")
"""Columns that are the same for every table."""

WANTED = tuple(f"wants {rank}" for rank in RANKS) + tuple(f"wants {suit}" for suit in SUITS)
"""Columns for what the standing hand needs: how many of each rank, and of which suit all of them."""

SEATS = ("cards", "losses", "last")
"""Columns for every seat, counted from the seat to act, which is 0."""


def feature_names(rules: PooledRules) -> list[str]:
    """What stands in each column of an observation.

    `sees 2c` is 1 where the seat to act sees that card in the pool, `sees Jk` how many jokers it sees there; `hidden`,
    how many cards are in the pool that it does not see. `standing` is the claim's place on the ladder and `claimant`
    whose it is, counted from the seat to act, both -1 before the first; `made`, how many hands have been named.
    `cards 1` is how many cards the next seat was dealt at once, `last 1` what it has named last in this round, as a
    place on the ladder, -1 for nothing.

    >>> from liarspoker.games.queen_annes.options import packed
    >>> from liarspoker.games.queen_annes.presets import presets
    >>> stud = presets()["queen-annes-stud"]
    >>> names = feature_names(packed(stud.options, stud.dealing, seats=2))
    >>> names[:2], names[52:55], names[-3:], len(names)
    (['sees 2c', 'sees 2d'], ['sees Jk', 'respond', 'hidden'], ['cards 1', 'losses 1', 'last 1'], 81)
    """
    return [
        *(f"sees {card_text(card)}" for card in range(JOKER)),
        f"sees {JOKER_TEXT}",
        *ROUND,
        *WANTED,
        *(f"{column} {seat}" for seat in range(rules.seats) for column in SEATS),
    ]


_ROUND = JOKER + 1
_WANTED = _ROUND + len(ROUND)
_SUITS = _WANTED + len(RANKS)
_SEATS = _SUITS + len(SUITS)
_EACH = len(SEATS)


def observe_all(state: State, wants: Ints, rules: PooledRules, features: NDArray[np.float32]) -> None:
    """Write each row's observation into `features`, `[n, len(feature_names)]`; zeros where the round is over."""
    for row in range(features.shape[0]):
        line = features[row]
        for column in range(line.size):
            line[column] = 0.0
        course, ground = course_in(state.courses, row), ground_in(state.grounds, row)
        if course.phase == OVER:
            continue
        seat = course.to_act
        known = state.known[row, seat]
        for card in range(JOKER):
            line[card] = known >> card & 1
        line[JOKER] = known >> JOKER
        line[_ROUND] = 0.0 if course.claim == NO_CLAIM else 1.0
        line[_ROUND + 1] = state.dealt[row] - cards_in(known)
        line[_ROUND + 2] = course.claim
        line[_ROUND + 3] = course.made
        line[_ROUND + 4] = -1.0 if course.claim == NO_CLAIM else (course.claimant - seat) % rules.seats
        want = 0 if course.claim == NO_CLAIM else wants[course.claim]
        while want > 0:
            line[_WANTED + (want & 15)] = want >> 7 & 7
            if want >> 4 & 7:
                line[_SUITS + (want >> 4 & 7) - 1] = 1.0
            want >>= KIND_BITS
        for other in range(rules.seats):
            of = (seat + other) % rules.seats
            lost = losses_of(of, ground.losses)
            line[_SEATS + _EACH * other] = cards_at_once(lost, rules)
            line[_SEATS + _EACH * other + 1] = lost
            line[_SEATS + _EACH * other + 2] = state.lasts[row, of]
