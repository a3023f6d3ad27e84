"""A batch of rounds action by action, in compiled code: every function goes once over all rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, cards_in
from liarspoker.core.cards.elimination import is_won
from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import DEALS, begin
from liarspoker.engine.passed.choices import ANSWERS
from liarspoker.engine.passed.dealing import Heap, Ints, deal_hand, exchange
from liarspoker.engine.passed.rounds import Game, outcome_of
from liarspoker.engine.running import NO_ROW
from liarspoker.games.thorin.actions import DISCARD, is_discard, is_held, without
from liarspoker.games.thorin.course import NOBODY, OVER, Course, after, opening, refusal
from liarspoker.games.thorin.deal import HAND_CARDS

NOTHING_THROWN = -1
NO_ACTION = 0
"""What stands in a column that is no action of a row: a discard of cards that its hand has not."""


class State(NamedTuple):
    """All rounds of a batch, a row each.

    Attributes:
        streams: uint64 `[n, 1]`, from which each match is dealt.
        courses: int64 `[n, 7]`, the fields of `Course`.
        alive: int64 `[n]`, masks of the seats that play the round on the table.
        nexts: int64 `[n, 3]`, of the round that comes after it: who opens it, who plays it, what all have spent.
        hands: int64 `[n]`, the hand that goes around; secret.
        hads: int64 `[n, seats]`, what each seat had when it last declared in this round, 0 for nothing; secret.
        stocks: int64 `[n, 54]`, cards still to come; secret.
        throwns: int64 `[n, 54]`, discards; secret.
        piles: int64 `[n, 3]`, the fields of `Piles`.
        drawns: int8 `[n, some]`, the cards drawn in this round, first to last, as far as there is room; secret.
        lasts: int64 `[n, seats]`, what each seat has declared last in this round, -1 for nothing.
        thrown: int64 `[n, seats]`, how many cards each seat threw last in this round, -1 if it has not had to.
        results: int32 `[n, 2]`, of the last round: who is out, -1 for nobody, and what the hand was worth, -1 if it was
            not shown.
        decisions: int32 `[n]`, actions of this round so far.
        numbers: int32 `[n]`, rounds of the match so far.
    """

    streams: NDArray[np.uint64]
    courses: Ints
    alive: Ints
    nexts: Ints
    hands: Ints
    hads: Ints
    stocks: Ints
    throwns: Ints
    piles: Ints
    drawns: NDArray[np.int8]
    lasts: Ints
    thrown: Ints
    results: NDArray[np.int32]
    decisions: NDArray[np.int32]
    numbers: NDArray[np.int32]


def course_in(courses: Ints, row: int) -> Course:
    """The course of a row."""
    line = courses[row]
    return Course(line[0], line[1], line[2], line[3], line[4], line[5], line[6])


def _put_course(courses: Ints, row: int, course: Course) -> None:
    courses[row, 0] = course.claim
    courses[row, 1] = course.claimant
    courses[row, 2] = course.active
    courses[row, 3] = course.challenger
    courses[row, 4] = course.to_act
    courses[row, 5] = course.phase
    courses[row, 6] = course.spent


def heap_in(state: State, row: int) -> Heap:
    """The cards of a row that nobody holds."""
    return Heap(state.stocks[row], state.throwns[row], state.piles[row], state.drawns[row])


def begin_all(state: State, seed: Any, first: int, opener: int, game: Game) -> None:
    """Begin every match; no round is dealt yet."""
    for row in range(state.hands.size):
        begin(state.streams[row], seed, first + row, DEALS)
        state.alive[row] = (1 << game.rules.seats) - 1
        state.nexts[row, 0] = opener
        state.nexts[row, 1] = state.alive[row]
        state.nexts[row, 2] = 0
        _put_course(state.courses, row, Course(NO_CLAIM, NOBODY, NOBODY, NOBODY, NOBODY, OVER, 0))


def deal_all(state: State, game: Game) -> None:
    """Deal the next round of every match that has not been won."""
    for row in range(state.hands.size):
        if is_won(state.nexts[row, 1]):
            continue
        state.alive[row] = state.nexts[row, 1]
        state.hands[row] = deal_hand(state.streams[row], heap_in(state, row), game.rules.jokers)
        for seat in range(game.rules.seats):
            state.hads[row, seat] = 0
            state.lasts[row, seat] = NO_CLAIM
            state.thrown[row, seat] = NOTHING_THROWN
        state.decisions[row] = 0
        state.numbers[row] += 1
        _put_course(state.courses, row, opening(state.nexts[row, 0], state.nexts[row, 2]))


def judge_all(state: State, actions: Ints, game: Game, refusals: NDArray[np.int32]) -> int:
    """Why each row's action is refused, 0 where it is not or the round is over; the first row with a refusal."""
    found = NO_ROW
    for row in range(actions.size):
        course = course_in(state.courses, row)
        refusals[row] = LEGAL
        if course.phase != OVER:
            refusals[row] = _refused(course, actions[row], state.hands[row], game)
        if refusals[row] != LEGAL and found == NO_ROW:
            found = row
    return found


def _refused(course: Course, action: int, hand: int, game: Game) -> int:
    held = is_discard(action) and is_held(action, hand)
    return refusal(course, action, held, game.ladder, game.rules)


def step_all(state: State, actions: Ints, game: Game) -> None:
    """Play each row's action, which must be legal; rows whose round is over stay as they are."""
    for row in range(actions.size):
        course, action = course_in(state.courses, row), actions[row]
        if course.phase == OVER:
            continue
        seat = course.to_act
        if is_discard(action):
            thrown = DISCARD - action
            kept = without(action, state.hands[row])
            state.hands[row] = exchange(state.streams[row], kept, thrown, heap_in(state, row))
            state.thrown[row, seat] = cards_in(thrown)
        if action >= 0:
            state.hads[row, seat] = state.hands[row]
            state.lasts[row, seat] = action
        state.decisions[row] += 1
        course = after(course, action, state.alive[row], True, game.ladder)
        _put_course(state.courses, row, course)
        if course.phase == OVER:
            outcome = outcome_of(course, state.hands[row], state.alive[row], game)
            state.results[row, 0] = outcome.loser
            state.results[row, 1] = outcome.value
            state.nexts[row, 0] = outcome.opener
            state.nexts[row, 1] = outcome.alive
            state.nexts[row, 2] = course.spent


def mask_all(state: State, game: Game, mask: NDArray[np.bool_]) -> None:
    """Which actions are legal in each row, `[n, actions]`: claims, answers, then the choices of the hand's cards."""
    claims = len(game.ladder.claims)
    discards = claims + len(ANSWERS)
    for row in range(mask.shape[0]):
        course, hand = course_in(state.courses, row), state.hands[row]
        for column in range(claims):
            mask[row, column] = _refused(course, game.ladder.claims[column], hand, game) == LEGAL
        place = claims
        for answer in ANSWERS:
            mask[row, place] = _refused(course, answer, hand, game) == LEGAL
            place += 1
        for choice in range(1 << HAND_CARDS):
            action = discard_at(choice, hand)
            mask[row, discards + choice] = action != NO_ACTION and _refused(course, action, hand, game) == LEGAL


def discard_at(choice: int, hand: int) -> int:
    """The discard of a choice of the hand's cards: bit i for its i-th lowest card, jokers last.

    Of two jokers the first goes first, so that no discard is there twice: otherwise it is `NO_ACTION`.
    """
    thrown, place = 0, 0
    for card in range(JOKER):
        if hand >> card & 1:
            thrown |= (choice >> place & 1) << card
            place += 1
    jokers = choice >> place
    if jokers == 2:
        return NO_ACTION
    return DISCARD - (thrown + (jokers + 1 >> 1 << JOKER))


def actions_all(state: State, columns: Ints, game: Game, actions: Ints) -> None:
    """Write the actions that stand in these columns of the mask, a column a row, into `actions`."""
    claims = len(game.ladder.claims)
    for row in range(columns.size):
        column = columns[row]
        if column < claims:
            actions[row] = game.ladder.claims[column]
        elif column < claims + len(ANSWERS):
            actions[row] = ANSWERS[column - claims]
        else:
            actions[row] = discard_at(column - claims - len(ANSWERS), state.hands[row])
