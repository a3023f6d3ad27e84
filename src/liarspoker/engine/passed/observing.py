"""What the seat to act may know of its round, as a row of numbers for a net."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, card_text
from liarspoker.core.cards.hand_values import CATEGORIES
from liarspoker.engine.passed.dealing import piles_of
from liarspoker.engine.passed.rounds import Game
from liarspoker.engine.passed.stepping import State, course_in, heap_in
from liarspoker.engine.passed.worth import worth
from liarspoker.games.thorin.course import OVER, holds_hand, passes_left, spent_by
from liarspoker.games.thorin.listed import ALL_WORDS, WORD_BITS, floor_of
from liarspoker.games.thorin.options import PassedRules
from liarspoker.games.thorin.piles import stock_left

ROUND = ("declare", "respond", "discard", "worth", "floor", "claimant", "holder", "stock", "discards")
"""Columns that are the same for every table."""

CLAIM = (*CATEGORIES, *(f"key {place}" for place in range(1, WORD_BITS + 1)))
"""Columns for the standing claim: its category, and the ranks that it names, 1 for a 2; 0 where it names none."""

SEATS = ("living", "passes", "last", "thrown")
"""Columns for every seat, counted from the seat to act, which is 0."""


def feature_names(rules: PassedRules) -> list[str]:
    """What stands in each column of an observation.

    `has 2c` is 1 where the seat to act has the hand and in it that card, `has Jk` how many jokers are in it; `had` the
    same of the hand when that seat last declared in this round. `worth` is what the hand is worth, where it has it, and
    `floor` what the standing claim promises, both as values of the rules; `claimant` is whose claim that is, -1 for
    nobody's, and `holder` who has the hand, both counted from the seat to act. `stock` and `discards` are numbers of
    cards. `passes 1` is how many passes the next seat has left, `last 1` the value that it has promised last in this
    round, and `thrown 1` how many cards it threw last in this round, -1 for nothing.

    >>> from liarspoker.games.thorin.options import PassedOptions, packed
    >>> names = feature_names(packed(PassedOptions(), seats=2))
    >>> names[0], names[52:54], names[-4:], len(names)
    ('has 2c', ['has Jk', 'had 2c'], ['living 1', 'passes 1', 'last 1', 'thrown 1'], 140)
    """
    return [
        *(f"{when} {card_text(card)}" for when in ("has", "had") for card in range(JOKER + 1)),
        *ROUND,
        *CLAIM,
        *(f"{column} {seat}" for seat in range(rules.seats) for column in SEATS),
    ]


_HAD = JOKER + 1
_ROUND = 2 * _HAD
_CLAIM = _ROUND + len(ROUND)
_KEYS = _CLAIM + len(CATEGORIES)
_SEATS = _CLAIM + len(CLAIM)
_EACH = len(SEATS)


def observe_all(state: State, game: Game, features: NDArray[np.float32]) -> None:
    """Write each row's observation into `features`, `[n, len(feature_names)]`; zeros where the round is over."""
    seats, ladder = game.rules.seats, game.ladder
    for row in range(features.shape[0]):
        line = features[row]
        for column in range(line.size):
            line[column] = 0.0
        course = course_in(state.courses, row)
        if course.phase == OVER:
            continue
        seat, claim = course.to_act, course.claim
        if holds_hand(seat, course):
            _write_cards(state.hands[row], line, 0)
            line[_ROUND + 3] = worth(state.hands[row], game.worths)
        _write_cards(state.hads[row, seat], line, _HAD)
        line[_ROUND + course.phase] = 1.0
        line[_ROUND + 4] = floor_of(claim)
        line[_ROUND + 5] = -1.0
        line[_ROUND + 6] = (course.active - seat) % seats
        piles = piles_of(heap_in(state, row))
        line[_ROUND + 7] = stock_left(piles)
        line[_ROUND + 8] = piles.discards
        if claim != NO_CLAIM:
            line[_ROUND + 5] = (course.claimant - seat) % seats
            line[_CLAIM + ladder.categories[floor_of(claim)]] = 1.0
            keys = ladder.keys[floor_of(claim)]
            for place in range(WORD_BITS):
                bit = WORD_BITS - 1 - place
                if (claim & ALL_WORDS) >> bit & 1:
                    line[_KEYS + place] = keys >> 4 * bit & 15
        for other in range(seats):
            of = (seat + other) % seats
            column = _SEATS + _EACH * other
            line[column] = state.alive[row] >> of & 1
            line[column + 1] = passes_left(spent_by(of, course.spent), game.rules)
            last = state.lasts[row, of]
            line[column + 2] = -1.0 if last == NO_CLAIM else floor_of(last)
            line[column + 3] = state.thrown[row, of]


def _write_cards(cards: int, line: NDArray[np.float32], start: int) -> None:
    """Write a mask of cards, a column a card, from column `start` on."""
    for card in range(JOKER):
        line[start + card] = cards >> card & 1
    line[start + JOKER] = cards >> JOKER
