"""The exact best response to a strategy, and so its exploitability.

One seat responds; all others play the strategy. In every position, each of the others has a vector over its hands: the
probability that it was dealt the hand and then acted as it did. These vectors are independent, since hands are dealt
independently and all actions are public. So the value of a position to each hand of the responder is a sum over them,
and a count needs only the distribution of the number of one digit in each hand.

This module doesn't know how a strategy was made. It checks solutions, so it shares no computation with the solver. It
traverses the tree once for each responder, in 64-bit floats and compiled code, and skips branches that the others never
reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import CannotPlay
from liarspoker.games.digits.auction import Auction, after, opening
from liarspoker.solve.hands import Floats, Small, all_hands, kernel, tally
from liarspoker.solve.payoffs import expect, new_buffer, payoff_table
from liarspoker.solve.strategy import Strategy
from liarspoker.solve.tree import ENDS, Ints, Position, States, Tree, ranks_of_bids, states_of

MOST_STAKE = 1 << 40
"""The highest stake that the engine counts."""


@dataclass(frozen=True, slots=True)
class Response:
    """What one seat wins when all others play a strategy.

    Attributes:
        seat: the responder, counted from the opener.
        on_policy: its expected value in units per hand if it plays the strategy too.
        best: its expected value in units per hand if it plays its best response.
    """

    seat: int
    on_policy: float
    best: float

    @property
    def gain(self) -> float:
        """The gain from the best response, 0 or more except for rounding."""
        return self.best - self.on_policy


@dataclass(frozen=True, slots=True)
class Certificate:
    """What each seat can win from a strategy.

    Attributes:
        responses: one for each seat, the opener first.
    """

    responses: tuple[Response, ...]

    @property
    def nash_conv(self) -> float:
        """The sum of all seats' gains (NashConv); 0 at an equilibrium."""
        return sum(response.gain for response in self.responses)

    @property
    def exploitability(self) -> float | None:
        """The exploitability, `nash_conv / 2`, for two players; `None` for more.

        It is what a best response wins on average over both seats. With more than two players, exploitability isn't
        defined, and each seat's gain must be considered separately.
        """
        return self.nash_conv / 2 if len(self.responses) == 2 else None

    @property
    def value(self) -> float:
        """The expected value to the opener in units per hand, if everyone plays the strategy."""
        return self.responses[0].on_policy

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds of the game's value to the opener for two players; `None` for more."""
        if len(self.responses) != 2:
            return None
        opener, other = self.responses
        return -other.best, opener.best


@dataclass(frozen=True, slots=True)
class Choices:
    """The actions of a seat in one position, with their values if the others play the strategy.

    Attributes:
        position: the public position.
        reached: the probability that the others' hands and actions lead to the position, if this seat plays to reach
            it.
        probabilities: float64 `[actions, hands]`, the strategy's action probabilities.
        values: float64 `[actions, hands]`, the expected value of each action with each hand in units per hand, if the
            seat plays its best response afterwards and the others play the strategy; NaN if they never reach the
            position.
    """

    position: Position
    reached: float
    probabilities: Floats
    values: Floats


def certify(
    strategy: Strategy, stake: int = 1, threads: int = 1, into: NDArray[np.float32] | None = None
) -> Certificate:
    """Compute what each seat can win from a strategy, by exact best responses in 64-bit floats.

    Args:
        strategy: the strategy of all seats.
        stake: the stake of the hand in units, 1 to 2**40.
        threads: the number of seats evaluated in parallel.
        into: as for :func:`response`; every seat's best response is written to its rows.

    Raises:
        CannotPlay: `stake` or `threads` is out of range.
    """
    with ThreadPoolExecutor(_in_range("threads", threads, 1 << 10)) as pool:
        seats = range(strategy.seats)
        return Certificate(tuple(pool.map(lambda seat: response(strategy, seat, stake, into), seats)))


def response(strategy: Strategy, seat: int, stake: int = 1, into: NDArray[np.float32] | None = None) -> Response:
    """Compute what one seat wins, by its best response and by the strategy itself.

    Args:
        strategy: the strategy of all others.
        seat: the responder, counted from the opener.
        stake: the stake of the hand in units, 1 to 2**40.
        into: a float32 array of the shape of the strategy's table. A best response is written to the responder's rows:
            1 for the action played and 0 for the others. Rows of the other seats, and of positions that the others
            never reach, don't change.

    Raises:
        CannotPlay: `seat` or `stake` is out of range.
    """
    _in_range("seat", seat + 1, strategy.seats)
    prior, walk = all_hands(strategy.rules).prior, _new_walk(strategy, stake)
    walk.weights[0] = prior
    best, on_policy = _walk_from(walk, seat, opening(0), 0, states_of(strategy.rules), into)
    return Response(seat, float(prior @ on_policy), float(prior @ best))


def choices_after(strategy: Strategy, moves: Sequence[int | str] = (), stake: int = 1) -> Choices:
    """Return the actions of the seat to act after some moves, with their values.

    Args:
        strategy: the strategy of all others.
        moves: actions from the opening on, as ints or text.
        stake: the stake of the hand in units.

    Raises:
        CannotPlay: a move isn't legal, the auction is over, or the stake is out of range.
    """
    rules, position = strategy.rules, strategy.at(moves)
    seat = position.auction.to_act
    weights, walk, states = _weights(strategy, position.moves), _new_walk(strategy, stake), states_of(rules)
    reached = float(np.delete(weights, seat, axis=0).sum(axis=1).prod())
    values = np.full((len(position.actions), weights.shape[1]), np.nan)
    row = position.row + position.rows
    for number, action in enumerate(position.actions if reached else ()):
        following = after(position.auction, action, rules)
        walk.weights[0] = weights
        values[number] = _walk_from(walk, seat, following, row, states)[0] / reached
        state, _ = states.locate(following)
        row += 0 if state == ENDS else states.sizes[state]
    return Choices(position, reached, strategy.probabilities_of(position), values)


def first_choices(strategy: Strategy, stake: int = 1) -> tuple[Choices, ...]:
    """Return the actions of each seat at its first decision on the most frequent line of play.

    On this line, all seats before it play the strategy's most frequent action. The opener's actions come first. Seats
    that don't act on this line have none.

    Args:
        strategy: the strategy of all others.
        stake: the stake of the hand in units.
    """
    found: list[Choices] = []
    moves: tuple[int, ...] = ()
    auction = opening(0)
    while auction.to_act == len(found):
        here = choices_after(strategy, moves, stake)
        found.append(here)
        weights = _weights(strategy, moves)[auction.to_act]
        likeliest = here.position.actions[int((here.probabilities @ weights).argmax())]
        moves, auction = (*moves, likeliest), after(auction, likeliest, strategy.rules)
    return tuple(found)


def _weights(strategy: Strategy, moves: Sequence[int]) -> Floats:
    """Return the probability that each seat holds each hand and then acts as it did: float64 `[seats, hands]`."""
    weights = np.tile(all_hands(strategy.rules).prior, (strategy.seats, 1))
    for made, move in enumerate(moves):
        position = strategy.at(moves[:made])
        weights[position.auction.to_act] *= strategy.probabilities_of(position)[position.actions.index(move)]
    return weights


def _in_range(name: str, number: int, most: int) -> int:
    if not 1 <= number <= most:
        raise CannotPlay(f"{name}: {number}; it must be between 1 and {most}")
    return number


class Walk(NamedTuple):
    """What the traversal reads, and its buffers: one line for each position from the root (line 0) to the current one.

    Attributes:
        table: float32 `[rows, hands]`, the strategy.
        by_digit: uint8 `[symbols, hands]`, how many of each digit in play a hand holds.
        ranks: int64 `[claims]`, the rank of each bid's digit.
        payoffs: float64 `[claims, 2, own, total]`, from `payoff_table`, times the stake.
        state: int64 `[depth]`, the position's state in the tree, or `ENDS`.
        mover: int64 `[depth]`, the seat to act; at an end, the bidder.
        edge: int64 `[depth]`, the next edge to follow; at an end, the bid that is counted.
        row: int64 `[depth]`, the position's first row.
        scales: float64 `[depth, hands]`, the factor that makes the position's numbers sum to 1.
        weights: float64 `[depth, seats, hands]`, the probability that each seat except the responder holds a hand and
            acted so as to reach the position.
        best: float64 `[depth, hands]`, the value of the position to each hand of the responder, times the probability
            that the others reach it, if the responder plays its best response.
        on_policy: float64 `[depth, hands]`, the same if the responder plays the strategy.
        choices: int64 `[depth, hands]`, the edge of the best action found so far.
        counts: float64 `[seats, hand_size + 1]`, for counts.
        buffer: from `new_buffer`, for counts.
        expected: float64 `[hand_size + 1]`, for counts.
    """

    table: NDArray[np.float32]
    by_digit: Small
    ranks: Ints
    payoffs: Floats
    state: Ints
    mover: Ints
    edge: Ints
    row: Ints
    scales: Floats
    weights: Floats
    best: Floats
    on_policy: Floats
    choices: Ints
    counts: Floats
    buffer: Floats
    expected: Floats


def _new_walk(strategy: Strategy, stake: int) -> Walk:
    """Return a traversal against a strategy, with buffers for the longest line of decisions and its end."""
    rules, hands, seats = strategy.rules, all_hands(strategy.rules), strategy.seats
    depth = states_of(rules).depth + 1
    state, mover, edge, row = (np.zeros(depth, np.int64) for _ in range(4))
    return Walk(
        table=strategy.probabilities,
        by_digit=hands.by_digit,
        ranks=ranks_of_bids(rules),
        payoffs=payoff_table(rules) * _in_range("stake", stake, MOST_STAKE),
        state=state,
        mover=mover,
        edge=edge,
        row=row,
        scales=np.zeros((depth, hands.size)),
        weights=np.zeros((depth, seats, hands.size)),
        best=np.zeros((depth, hands.size)),
        on_policy=np.zeros((depth, hands.size)),
        choices=np.zeros((depth, hands.size), np.int64),
        counts=np.zeros((seats, rules.hand_size + 1)),
        buffer=new_buffer(rules),
        expected=np.zeros(rules.hand_size + 1),
    )


def _walk_from(
    walk: Walk, seat: int, auction: Auction, row: int, states: States, into: NDArray[np.float32] | None = None
) -> tuple[Floats, Floats]:
    """Return the values of a best response and of the strategy from an auction on, by hand, times the others' weights.

    Args:
        walk: its line 0 of `weights` is set.
        seat: the responder.
        auction: where the traversal begins.
        row: the first row of its first decision.
        states: of the game.
        into: as for :func:`response`.
    """
    state, auction = states.locate(auction)
    walk.mover[0] = auction.bidder if state == ENDS else auction.to_act
    walk.state[0], walk.edge[0], walk.row[0] = state, auction.claim, row
    kernel(respond)(seat, np.zeros((0, 0), np.float32) if into is None else into, states.tree, walk)
    return walk.best[0], walk.on_policy[0]


def respond(seat: int, answers: NDArray[np.float32], tree: Tree, walk: Walk) -> None:
    """Compute the values to `seat` of the position in line 0 of the traversal, into `best[0]` and `on_policy[0]`.

    Args:
        seat: the responder.
        answers: float32 of the shape of the strategy's table, to which the responder's best actions are written, 1 for
            each best one and 0 for the others; or without rows, if they aren't needed.
        tree: the game's states.
        walk: line 0 of `state`, `mover`, `edge`, `row` and `weights` is set; the rest is working memory.
    """
    # Each step is called in only one place: all of them are inlined, and would be compiled again for every call.
    depth, is_new = 0, True
    while depth >= 0:
        state, mover, edge = walk.state[depth], walk.mover[depth], walk.edge[depth]
        if state == ENDS:
            count(depth, seat, mover, edge, walk)
        elif is_new:
            edge = enter(depth, seat, tree, walk)
        is_new = False
        if state == ENDS or edge == tree.first[state + 1]:
            if state != ENDS and mover == seat and answers.shape[0]:
                write_best(depth, answers, tree, walk)
            depth -= 1
            if depth >= 0:
                gather(depth, seat, tree, walk)
            continue
        walk.edge[depth] = edge + 1
        if follow(depth, seat, tree, walk):
            acts, row = mover + tree.turn[edge], walk.row[depth] + tree.skip[edge]
            depth, is_new = depth + 1, True
            walk.state[depth], walk.edge[depth], walk.row[depth] = tree.state[edge], tree.claim[edge], row
            walk.mover[depth] = acts if acts < walk.counts.shape[0] else acts - walk.counts.shape[0]


def enter(depth: int, seat: int, tree: Tree, walk: Walk) -> int:
    """Enter a position and return its first edge."""
    state, row = walk.state[depth], walk.row[depth]
    first: int = tree.first[state]
    end = tree.first[state + 1]
    worst = -np.inf if walk.mover[depth] == seat else 0.0
    for hand in range(walk.best.shape[1]):
        total = 0.0
        for action in range(row, row + end - first):
            total += walk.table[action, hand]
        walk.scales[depth, hand] = 1 / total
        walk.best[depth, hand] = worst
        walk.on_policy[depth, hand] = 0.0
        walk.choices[depth, hand] = first
    return first


def follow(depth: int, seat: int, tree: Tree, walk: Walk) -> bool:
    """Compute the weights after the current action; return whether the others ever reach that position."""
    mover, row = walk.mover[depth], row_begun(depth, tree, walk)
    for other in range(walk.weights.shape[1]):
        if other not in (seat, mover):
            for hand in range(walk.best.shape[1]):
                walk.weights[depth + 1, other, hand] = walk.weights[depth, other, hand]
    if mover == seat:
        return True
    reached = 0.0
    for hand in range(walk.best.shape[1]):
        weight = walk.weights[depth, mover, hand] * (walk.table[row, hand] * walk.scales[depth, hand])
        walk.weights[depth + 1, mover, hand] = weight
        reached += weight
    return reached > 0


def row_begun(depth: int, tree: Tree, walk: Walk) -> int:
    """Return the row of the current action."""
    row: int = walk.row[depth] + walk.edge[depth] - 1 - tree.first[walk.state[depth]]
    return row


def gather(depth: int, seat: int, tree: Tree, walk: Walk) -> None:
    """Add the value of the current action, which is one line below, to that of its position."""
    mover, row = walk.mover[depth], row_begun(depth, tree, walk)
    for hand in range(walk.best.shape[1]):
        best, on_policy = walk.best[depth + 1, hand], walk.on_policy[depth + 1, hand]
        if mover != seat:
            walk.best[depth, hand] += best
            walk.on_policy[depth, hand] += on_policy
            continue
        walk.on_policy[depth, hand] += walk.table[row, hand] * walk.scales[depth, hand] * on_policy
        if best > walk.best[depth, hand]:
            walk.best[depth, hand] = best
            walk.choices[depth, hand] = walk.edge[depth] - 1


def count(depth: int, seat: int, bidder: int, claim: int, walk: Walk) -> None:
    """Compute the value of a count to each hand of the responder."""
    held = walk.by_digit[walk.ranks[claim]]
    for other in range(walk.counts.shape[0]):
        if other != seat:
            for kind in range(walk.counts.shape[1]):
                walk.counts[other, kind] = 0.0
            tally(held, walk.weights[depth, other], walk.counts[other])
    expect(seat, bidder, walk.counts, walk.payoffs[claim], walk.buffer, walk.expected)
    for hand in range(held.size):
        walk.best[depth, hand] = walk.expected[held[hand]]
        walk.on_policy[depth, hand] = walk.expected[held[hand]]


def write_best(depth: int, answers: NDArray[np.float32], tree: Tree, walk: Walk) -> None:
    """Write the best action of every hand into the rows of a position."""
    row, state = walk.row[depth], walk.state[depth]
    first, end = tree.first[state], tree.first[state + 1]
    for hand in range(answers.shape[1]):
        for edge in range(first, end):
            answers[row + edge - first, hand] = 1.0 if edge == walk.choices[depth, hand] else 0.0
