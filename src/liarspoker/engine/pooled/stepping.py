"""A batch of rounds action by action, in compiled code: every function goes once over all rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.elimination import is_won
from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import DEALS, begin
from liarspoker.engine.pooled.dealing import Ints, deal_extras, deal_hands, pool_of
from liarspoker.engine.pooled.rounds import challenged
from liarspoker.engine.running import NO_ROW
from liarspoker.games.queen_annes.course import (
    CHALLENGE,
    NOBODY,
    OVER,
    Course,
    Ground,
    after,
    challenge_by,
    opening,
    refusal,
)
from liarspoker.games.queen_annes.ladder import ladder_length
from liarspoker.games.queen_annes.options import PooledRules
from liarspoker.games.queen_annes.outcome import living_mask


class State(NamedTuple):
    """All rounds of a batch, a row each.

    Attributes:
        streams: uint64 `[n, 1]`, from which each match is dealt.
        grounds: int64 `[n, 3]`, the fields of `Ground`: of the round on the table.
        nexts: int64 `[n, 3]`, the same of the round that comes after it.
        courses: int64 `[n, 8]`, the fields of `Course`.
        decks: int64 `[n, 54]`, secret.
        dealt: int64 `[n]`, how many of those cards have been dealt.
        known: int64 `[n, seats]`, masks of the cards in the pool that each seat sees; secret.
        lasts: int64 `[n, seats]`, what each seat has named last in this round, -1 for nothing.
        results: int32 `[n, 2]`, of the last challenge: who lost, and how many cards the hand lacked.
        decisions: int32 `[n]`, actions of this round so far.
        numbers: int32 `[n]`, rounds of the match so far.
    """

    streams: NDArray[np.uint64]
    grounds: Ints
    nexts: Ints
    courses: Ints
    decks: Ints
    dealt: Ints
    known: Ints
    lasts: Ints
    results: NDArray[np.int32]
    decisions: NDArray[np.int32]
    numbers: NDArray[np.int32]


def ground_in(grounds: Ints, row: int) -> Ground:
    """The ground of a row."""
    line = grounds[row]
    return Ground(line[0], line[1], line[2])


def _put_ground(grounds: Ints, row: int, ground: Ground) -> None:
    grounds[row, 0] = ground.opener
    grounds[row, 1] = ground.alive
    grounds[row, 2] = ground.losses


def course_in(courses: Ints, row: int) -> Course:
    """The course of a row."""
    line = courses[row]
    return Course(line[0], line[1], line[2], line[3], line[4], line[5], line[6], line[7])


def _put_course(courses: Ints, row: int, course: Course) -> None:
    courses[row, 0] = course.claim
    courses[row, 1] = course.claimant
    courses[row, 2] = course.challenger
    courses[row, 3] = course.to_act
    courses[row, 4] = course.phase
    courses[row, 5] = course.made
    courses[row, 6] = course.drawn
    courses[row, 7] = course.came


def begin_all(state: State, seed: Any, first: int, opener: int, losses: int, rules: PooledRules) -> None:
    """Begin every match; no round is dealt yet."""
    for row in range(state.dealt.size):
        begin(state.streams[row], seed, first + row, DEALS)
        ground = Ground(opener, living_mask(losses, rules), losses)
        _put_ground(state.grounds, row, ground)
        _put_ground(state.nexts, row, ground)
        _put_course(state.courses, row, Course(NO_CLAIM, NOBODY, NOBODY, NOBODY, OVER, 0, 0, 0))


def deal_all(state: State, rules: PooledRules) -> None:
    """Deal the next round of every match that has not been won."""
    for row in range(state.dealt.size):
        ground = ground_in(state.nexts, row)
        if is_won(ground.alive):
            continue
        _put_ground(state.grounds, row, ground)
        state.dealt[row] = deal_hands(state.streams[row], ground, rules, state.decks[row], state.known[row])
        state.decisions[row] = 0
        state.numbers[row] += 1
        for seat in range(rules.seats):
            state.lasts[row, seat] = NO_CLAIM
        _turn(state, row, opening(ground, rules), ground, rules)


def judge_all(state: State, actions: Ints, rules: PooledRules, refusals: NDArray[np.int32]) -> int:
    """Why each row's action is refused, 0 where it is not or the round is over; the first row with a refusal."""
    found = NO_ROW
    for row in range(actions.size):
        course = course_in(state.courses, row)
        refusals[row] = LEGAL
        if course.phase != OVER:
            refusals[row] = refusal(course, actions[row], state.grounds[row, 1], rules)
        if refusals[row] != LEGAL and found == NO_ROW:
            found = row
    return found


def step_all(state: State, actions: Ints, wants: Ints, rules: PooledRules) -> None:
    """Play each row's action, which must be legal; rows whose round is over stay as they are."""
    for row in range(actions.size):
        course = course_in(state.courses, row)
        if course.phase == OVER:
            continue
        ground = ground_in(state.grounds, row)
        if actions[row] >= 0:
            state.lasts[row, course.to_act] = actions[row]
        state.decisions[row] += 1
        course = after(course, actions[row], ground, rules)
        _turn(state, row, course, ground, rules)
        if course.phase == OVER:
            lacks, led_to = challenged(course, pool_of(state.decks[row], state.dealt[row]), ground, wants, rules)
            state.results[row, 0] = led_to.loser
            state.results[row, 1] = lacks
            _put_ground(state.nexts, row, led_to.ground)


def _turn(state: State, row: int, course: Course, ground: Ground, rules: PooledRules) -> None:
    """A turn has begun, or the round is over: deal what comes with it."""
    dealt = state.dealt[row]
    chance, deck, known = state.streams[row], state.decks[row], state.known[row]
    state.dealt[row] = deal_extras(chance, course, ground, rules, deck, dealt, known)
    _put_course(state.courses, row, course)


def mask_all(state: State, rules: PooledRules, mask: NDArray[np.bool_]) -> None:
    """Which actions are legal in each row, `[n, actions]`: claims, the challenge, then each seat's challenge."""
    claims = ladder_length(rules)
    for row in range(mask.shape[0]):
        course, alive = course_in(state.courses, row), state.grounds[row, 1]
        for column in range(claims):
            mask[row, column] = refusal(course, column, alive, rules) == LEGAL
        mask[row, claims] = refusal(course, CHALLENGE, alive, rules) == LEGAL
        for seat in range(mask.shape[1] - claims - 1):
            mask[row, claims + 1 + seat] = refusal(course, challenge_by(seat), alive, rules) == LEGAL
