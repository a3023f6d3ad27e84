"""The exact best response to a strategy, and so what the strategy can be exploited for.

One seat responds; the others play the strategy. At every position each of the others has a vector over its hands: the
probability that it was dealt the hand and then played as it did. These vectors don't depend on each other, for hands
are dealt independently and all actions are public. So the value of a position to each hand of the responder is a sum
over them, and a count needs of each vector only the probability of each count of one digit.

Nothing here knows how a strategy was made: it checks solutions, and shares no computation with the solver. The walk
goes through the tree once for each responder, in 64-bit floats and compiled code. It skips branches that the others
never enter.
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
    """What one seat gets from a strategy that all others keep to.

    Attributes:
        seat: whose it is, counted from the opener.
        kept: units a hand if it plays the strategy as well, its on-policy value.
        best: units a hand if it plays its best response.
    """

    seat: int
    kept: float
    best: float

    @property
    def gain(self) -> float:
        """By how much the best response is better, 0 or more except for rounding."""
        return self.best - self.kept


@dataclass(frozen=True, slots=True)
class Certificate:
    """What can be won from a strategy, seat by seat.

    Attributes:
        responses: one for each seat, the opener first.
    """

    responses: tuple[Response, ...]

    @property
    def nash_conv(self) -> float:
        """The sum of all seats' gains, 0 at an equilibrium."""
        return sum(response.gain for response in self.responses)

    @property
    def exploitability(self) -> float | None:
        """For two players the expected win of a best response over both seats; `None` for more.

        It is half of `nash_conv`. Among more players nobody plays against all others at once, so there each seat's
        gain is a figure of its own.
        """
        return self.nash_conv / 2 if len(self.responses) == 2 else None

    @property
    def value(self) -> float:
        """Units a hand that the opener gets if all play the strategy."""
        return self.responses[0].kept

    @property
    def interval(self) -> tuple[float, float] | None:
        """For two players, bounds of the game's value to the opener; `None` for more."""
        if len(self.responses) != 2:
            return None
        opener, other = self.responses
        return -other.best, opener.best


@dataclass(frozen=True, slots=True)
class Choices:
    """What a seat may do at one position, and the value of each action if the others play the strategy.

    Attributes:
        position: where it is to act.
        reached: the probability that the others hold hands and play so that the position comes about, if this seat
            wants it.
        chances: float64 `[actions, hands]`, what the strategy does there.
        worth: float64 `[actions, hands]`, the value of each action to each hand in units a hand, if the seat plays its
            best from there on and the others play the strategy; not a number where they never come there.
    """

    position: Position
    reached: float
    chances: Floats
    worth: Floats


def certify(
    strategy: Strategy, stake: int = 1, threads: int = 1, into: NDArray[np.float32] | None = None
) -> Certificate:
    """Return what each seat can win from a strategy, by exact best responses in 64-bit floats.

    Args:
        strategy: what all seats play.
        stake: what the hand is played for, in units, 1 to 2**40.
        threads: seats evaluated in parallel.
        into: as in `response`; every seat's best response to the strategy is written into its rows.

    Raises:
        CannotPlay: a stake or a number of threads out of its range.
    """
    with ThreadPoolExecutor(_in_range("threads", threads, 1 << 10)) as pool:
        seats = range(strategy.seats)
        return Certificate(tuple(pool.map(lambda seat: response(strategy, seat, stake, into), seats)))


def response(strategy: Strategy, seat: int, stake: int = 1, into: NDArray[np.float32] | None = None) -> Response:
    """Return what one seat gets, by its best response and by the strategy itself.

    Args:
        strategy: what all others play.
        seat: the responder, counted from the opener.
        stake: what the hand is played for, in units.
        into: float32 of the shape of the strategy's table; in the responder's rows of it a best response is written,
            1 for the action that is played and 0 for the others. Positions to which the others never come, and the
            others' own, stay as they are.

    Raises:
        CannotPlay: there is no such seat, or a stake out of its range.
    """
    _in_range("seat", seat + 1, strategy.seats)
    prior, walk = all_hands(strategy.rules).prior, _new_walk(strategy, stake)
    walk.weights[0] = prior
    best, kept = _walk_from(walk, seat, opening(0), 0, states_of(strategy.rules), into)
    return Response(seat, float(prior @ kept), float(prior @ best))


def choices_after(strategy: Strategy, moves: Sequence[int] = (), stake: int = 1) -> Choices:
    """Return what the seat to act after some moves may do, and the value of each action.

    Args:
        strategy: what all others play.
        moves: actions from the opening on.
        stake: what the hand is played for, in units.

    Raises:
        CannotPlay: a move isn't legal, the auction is over, or the stake is out of its range.
    """
    rules, position = strategy.rules, strategy.at(moves)
    seat = position.auction.to_act
    weights, walk, states = _weights(strategy, position.moves), _new_walk(strategy, stake), states_of(rules)
    reached = float(np.delete(weights, seat, axis=0).sum(axis=1).prod())
    worth = np.full((len(position.actions), weights.shape[1]), np.nan)
    row = position.row + position.rows
    for number, action in enumerate(position.actions if reached else ()):
        following = after(position.auction, action, rules)
        walk.weights[0] = weights
        worth[number] = _walk_from(walk, seat, following, row, states)[0] / reached
        state, _ = states.locate(following)
        row += 0 if state == ENDS else states.sizes[state]
    return Choices(position, reached, strategy.chances_of(position), worth)


def first_choices(strategy: Strategy, stake: int = 1) -> tuple[Choices, ...]:
    """Return what each seat may do when it first acts, if all before it make the strategy's most frequent play.

    The opener's choices come first. A seat that this play doesn't reach has none.

    Args:
        strategy: what all others play.
        stake: what the hand is played for, in units.
    """
    found: list[Choices] = []
    moves: tuple[int, ...] = ()
    auction = opening(0)
    while auction.to_act == len(found):
        here = choices_after(strategy, moves, stake)
        found.append(here)
        weights = _weights(strategy, moves)[auction.to_act]
        likeliest = here.position.actions[int((here.chances @ weights).argmax())]
        moves, auction = (*moves, likeliest), after(auction, likeliest, strategy.rules)
    return tuple(found)


def _weights(strategy: Strategy, moves: Sequence[int]) -> Floats:
    """The probability that each seat holds each hand and then plays as it did: float64 `[seats, hands]`."""
    weights = np.tile(all_hands(strategy.rules).prior, (strategy.seats, 1))
    for made, move in enumerate(moves):
        position = strategy.at(moves[:made])
        weights[position.auction.to_act] *= strategy.chances_of(position)[position.actions.index(move)]
    return weights


def _in_range(name: str, number: int, most: int) -> int:
    if not 1 <= number <= most:
        raise CannotPlay(f"{name}: {number}; it is 1 to {most}")
    return number


class Walk(NamedTuple):
    """What the walk reads, and its buffers: a line for each position on the way to the current one, from line 0 on.

    Attributes:
        table: float32 `[rows, hands]`, the strategy.
        by_digit: uint8 `[symbols, hands]`, how many of each digit in play a hand holds.
        ranks: int64 `[claims]`, the rank of the digit that each bid names.
        payoffs: float64 `[claims, 2, own, total]`, from `payoff_table`, times the stake.
        state: int64 `[depth]`, the position's state in the tree, or `ENDS`.
        mover: int64 `[depth]`, the seat to act; at an end, the bidder.
        edge: int64 `[depth]`, the next edge to follow; at an end, the bid that is counted.
        row: int64 `[depth]`, where the position's rows begin.
        scales: float64 `[depth, hands]`, what its numbers are multiplied by to add up to 1.
        weights: float64 `[depth, seats, hands]`, the probability that each seat but the responder holds a hand and
            came here.
        best: float64 `[depth, hands]`, the value of the position to each hand of the responder, in units times the
            probability that the others came here, if it plays its best.
        kept: float64 `[depth, hands]`, the same if it plays the strategy.
        choices: int64 `[depth, hands]`, the edge of the best action found so far.
        counts: float64 `[seats, hand_size + 1]`, for counts.
        buffer: of `new_buffer`, for counts.
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
    kept: Floats
    choices: Ints
    counts: Floats
    buffer: Floats
    expected: Floats


def _new_walk(strategy: Strategy, stake: int) -> Walk:
    """A walk against a strategy, with buffers for the longest line of decisions and its end."""
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
        kept=np.zeros((depth, hands.size)),
        choices=np.zeros((depth, hands.size), np.int64),
        counts=np.zeros((seats, rules.hand_size + 1)),
        buffer=new_buffer(rules),
        expected=np.zeros(rules.hand_size + 1),
    )


def _walk_from(
    walk: Walk, seat: int, auction: Auction, row: int, states: States, into: NDArray[np.float32] | None = None
) -> tuple[Floats, Floats]:
    """The values of a best response and of the strategy from an auction on, by hand, times the others' weights.

    Args:
        walk: its line 0 of `weights` is given.
        seat: the responder.
        auction: where the walk begins.
        row: where the rows of its first decision begin.
        states: of the game.
        into: as in `response`.
    """
    state, auction = states.locate(auction)
    walk.mover[0] = auction.bidder if state == ENDS else auction.to_act
    walk.state[0], walk.edge[0], walk.row[0] = state, auction.claim, row
    kernel(respond)(seat, np.zeros((0, 0), np.float32) if into is None else into, states.tree, walk)
    return walk.best[0], walk.kept[0]


def respond(seat: int, answers: NDArray[np.float32], tree: Tree, walk: Walk) -> None:
    """Work out the values to `seat` of the position in line 0 of the walk, into `best[0]` and `kept[0]`.

    Args:
        seat: the responder.
        answers: float32 of the shape of the strategy's table, into which the responder's best actions are written, 1
            for each best one and 0 for the others; or of no rows, if nobody wants them.
        tree: its states.
        walk: line 0 of `state`, `mover`, `edge`, `row` and `weights` is given, the rest is for use here.
    """
    # Each step is called in one place alone: all of them are inlined, and compiled anew at every call.
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
    """Begin with a position, none of whose actions has been followed; its first edge."""
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
        walk.kept[depth, hand] = 0.0
        walk.choices[depth, hand] = first
    return first


def follow(depth: int, seat: int, tree: Tree, walk: Walk) -> bool:
    """Work out the weights after the action that was begun; whether the others ever come there."""
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
    """The row of the action that was begun."""
    row: int = walk.row[depth] + walk.edge[depth] - 1 - tree.first[walk.state[depth]]
    return row


def gather(depth: int, seat: int, tree: Tree, walk: Walk) -> None:
    """Add the value of the action that was begun, which is one line below, to its position's."""
    mover, row = walk.mover[depth], row_begun(depth, tree, walk)
    for hand in range(walk.best.shape[1]):
        best, kept = walk.best[depth + 1, hand], walk.kept[depth + 1, hand]
        if mover != seat:
            walk.best[depth, hand] += best
            walk.kept[depth, hand] += kept
            continue
        walk.kept[depth, hand] += walk.table[row, hand] * walk.scales[depth, hand] * kept
        if best > walk.best[depth, hand]:
            walk.best[depth, hand] = best
            walk.choices[depth, hand] = walk.edge[depth] - 1


def count(depth: int, seat: int, bidder: int, claim: int, walk: Walk) -> None:
    """Work out the value of a count to each hand of the responder."""
    held = walk.by_digit[walk.ranks[claim]]
    for other in range(walk.counts.shape[0]):
        if other != seat:
            for kind in range(walk.counts.shape[1]):
                walk.counts[other, kind] = 0.0
            tally(held, walk.weights[depth, other], walk.counts[other])
    expect(seat, bidder, walk.counts, walk.payoffs[claim], walk.buffer, walk.expected)
    for hand in range(held.size):
        walk.best[depth, hand] = walk.expected[held[hand]]
        walk.kept[depth, hand] = walk.expected[held[hand]]


def write_best(depth: int, answers: NDArray[np.float32], tree: Tree, walk: Walk) -> None:
    """Write the best action of every hand into the rows of a position."""
    row, state = walk.row[depth], walk.state[depth]
    first, end = tree.first[state], tree.first[state + 1]
    for hand in range(answers.shape[1]):
        for edge in range(first, end):
            answers[row + edge - first, hand] = 1.0 if edge == walk.choices[depth, hand] else 0.0
