"""What each seat could gain from a strategy that all others keep to, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.auctions import put_auction
from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.responding.payments import payments
from liarspoker.engine.responding.walking import Floats, Game, Stack, count, respond
from liarspoker.engine.strategies.hands import counts_of, prior_of
from liarspoker.engine.strategies.strategy import Strategy
from liarspoker.engine.strategies.tree import Position, block_sizes, position_after
from liarspoker.games.digits.auction import OVER, PHASES, Auction, after
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules

MOST_STAKE = 1 << 40
"""As high as the engine counts."""


@dataclass(frozen=True, slots=True)
class Response:
    """What one seat gets from a strategy that all others keep to.

    Attributes:
        seat: whose it is, counted from the opener.
        kept: units a hand if it keeps to the strategy as well.
        best: units a hand if it plays its best response.
    """

    seat: int
    kept: float
    best: float

    @property
    def gain(self) -> float:
        """By how much the best response is better, 0 or more but for rounding."""
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
        """For two players what a best response wins a hand on average over both seats; `None` for more.

        It is half of `nash_conv`. Among more players nobody plays against all others at once, so there each seat's
        gain stands for itself.
        """
        return self.nash_conv / 2 if len(self.responses) == 2 else None

    @property
    def value(self) -> float:
        """Units a hand that the opener gets if all keep to the strategy."""
        return self.responses[0].kept

    @property
    def interval(self) -> tuple[float, float] | None:
        """For two players, between what the game's value to the opener lies; `None` for more."""
        if len(self.responses) != 2:
            return None
        opener, other = self.responses
        return -other.best, opener.best


@dataclass(frozen=True, slots=True)
class Choices:
    """What a seat may do at one position, and what each action is worth to it if the others keep to the strategy.

    Attributes:
        position: where it is to act.
        reached: how likely the others hold hands and play so that the position comes about, if this seat wants it.
        chances: float64 `[actions, hands]`, what the strategy does there.
        worth: float64 `[actions, hands]`, units a hand that each action is worth to each hand, if the seat plays its
            best from there on and the others keep to the strategy; not a number where they never come there.
    """

    position: Position
    reached: float
    chances: Floats
    worth: Floats


def certify(
    strategy: Strategy, stake: int = 1, threads: int = 1, into: NDArray[np.float32] | None = None
) -> Certificate:
    """What each seat can win from a strategy, by exact best responses in 64-bit floats.

    Args:
        strategy: what all seats play.
        stake: what the hand is played for, in units, 1 to 2**40.
        threads: how many seats are looked at at once.
        into: as `response` takes it; every seat's best response to the strategy is written into its rows.

    Raises:
        CannotPlay: a stake or a number of threads out of its range.
    """
    seats = range(strategy.seats)
    with ThreadPoolExecutor(_in_range("threads", threads, 1 << 10)) as pool:
        return Certificate(tuple(pool.map(lambda seat: response(strategy, seat, stake, into), seats)))


def response(strategy: Strategy, seat: int, stake: int = 1, into: NDArray[np.float32] | None = None) -> Response:
    """What one seat gets, by its best response and by the strategy itself.

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
    rules = strategy.rules
    _in_range("seat", seat + 1, rules.seats)
    game, stack = _game(rules, stake), _stack(rules)
    start, prior = position_after((), rules), prior_of(rules)
    _begin(stack, start.auction, np.tile(prior, (rules.seats, 1)))
    answers = np.zeros((0, prior.size), np.float32) if into is None else into
    _walk()(seat, start.row, strategy.probabilities, answers, game, stack, rules)
    return Response(seat, float(prior @ stack.kept[0]), float(prior @ stack.best[0]))


def choices_after(strategy: Strategy, moves: Sequence[int] = (), stake: int = 1) -> Choices:
    """What the seat to act after some moves may do, and what it is worth.

    Args:
        strategy: what all others play.
        moves: actions from the opening on.
        stake: what the hand is played for, in units.

    Raises:
        CannotPlay: a move is not legal, the auction is over, or the stake is out of its range.
    """
    rules, position = strategy.rules, strategy.at(moves)
    seat = position.auction.to_act
    game, stack, weights = _game(rules, stake), _stack(rules), _weights(strategy, position.moves)
    reached = float(np.delete(weights, seat, axis=0).sum(axis=1).prod())
    worth = np.full((len(position.actions), weights.shape[1]), np.nan)
    for place, action in enumerate(position.actions if reached else ()):
        following = after(position.auction, action, rules)
        _begin(stack, following, weights)
        if following.phase == OVER:
            count(0, seat, game, stack, rules)
        else:
            row = position_after((*position.moves, action), rules).row
            nobody = np.zeros((0, weights.shape[1]), np.float32)
            _walk()(seat, row, strategy.probabilities, nobody, game, stack, rules)
        worth[place] = stack.best[0] / reached
    return Choices(position, reached, strategy.chances_of(position), worth)


def first_choices(strategy: Strategy, stake: int = 1) -> tuple[Choices, ...]:
    """What each seat may do when it first acts, as far as all before it play what the strategy plays most often.

    The opener's choices come first. A seat that the strategy's likeliest play does not reach has none.

    Args:
        strategy: what all others play.
        stake: what the hand is played for, in units.
    """
    found: list[Choices] = []
    moves: tuple[int, ...] = ()
    auction = position_after((), strategy.rules).auction
    while auction.to_act == len(found):
        here = choices_after(strategy, moves, stake)
        found.append(here)
        weights = _weights(strategy, moves)[auction.to_act]
        likeliest = here.position.actions[int((here.chances @ weights).argmax())]
        moves, auction = (*moves, likeliest), after(auction, likeliest, strategy.rules)
    return tuple(found)


@cache
def _walk() -> Kernel:
    """The walk in machine code; its key is worked out once."""
    return compiled(respond)


def _weights(strategy: Strategy, moves: Sequence[int]) -> Floats:
    """How likely each seat holds each hand and then plays as it did: float64 `[seats, hands]`."""
    weights = np.tile(prior_of(strategy.rules), (strategy.seats, 1))
    for made, move in enumerate(moves):
        position = strategy.at(moves[:made])
        weights[position.auction.to_act] *= strategy.chances_of(position)[position.actions.index(move)]
    return weights


def _game(rules: Rules, stake: int) -> Game:
    """What the walk reads of a game."""
    sizes = np.zeros((ladder_length(rules) + 1, 2, rules.seats, len(PHASES)), np.int64)
    for kind, rows in block_sizes(rules).items():
        sizes[kind.claim + 1, kind.is_rebid, kind.challenges, kind.phase] = rows
    paid = payments(rules, _in_range("stake", stake, MOST_STAKE))
    return Game(np.ascontiguousarray(counts_of(rules).T), paid, sizes)


def _stack(rules: Rules) -> Stack:
    """Room for a walk: every bid may be made and challenged by all others; then it is counted."""
    depth, hands = ladder_length(rules) * rules.seats + 3, len(prior_of(rules))
    return Stack(
        auctions=np.zeros((depth, len(Auction._fields)), np.int64),
        actions=np.zeros(depth, np.int64),
        places=np.zeros(depth, np.int64),
        rows=np.zeros(depth, np.int64),
        scales=np.zeros((depth, hands)),
        weights=np.zeros((depth, rules.seats, hands)),
        best=np.zeros((depth, hands)),
        kept=np.zeros((depth, hands)),
        choices=np.zeros((depth, hands), np.int64),
        spread=np.zeros((3, rules.seats * rules.hand_size + 1)),
    )


def _begin(stack: Stack, auction: Auction, weights: Floats) -> None:
    """Put the position that a walk begins with into the first line."""
    put_auction(stack.auctions, 0, auction)
    stack.weights[0] = weights


def _in_range(name: str, number: int, most: int) -> int:
    if not 1 <= number <= most:
        raise CannotPlay(f"{name}: {number}; it is 1 to {most}")
    return number
