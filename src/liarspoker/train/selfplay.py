"""Hands played by a network against itself and against other bots, with everything that training needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance, below, random_float
from liarspoker.engine.compiling import compiled
from liarspoker.engine.lineup import Policy
from liarspoker.engine.network import Network, Weights, buffers_for, draw, evaluate
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.games.digits.features import action_of
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.kernel import counts_in
from liarspoker.games.digits.kernel_network import arrays_of, see
from liarspoker.games.digits.kernel_policies import Observation
from liarspoker.games.digits.ladder import digit_of, ladder_length
from liarspoker.games.digits.options import Rules

_MOST_MOVES = 192
"""Hands with more moves than this aren't learned from."""

_WILD = -1
"""In place of the column of a wild bid."""

_WILD_LEVELS = 8
"""How many levels a wild bid may be above the standing one."""


class Temperaments(NamedTuple):
    """A distribution of temperaments.

    Attributes:
        least, most: its range.
        power: of the uniform random number that is scaled to the range; below 1, high temperaments are more likely.
    """

    least: float
    most: float
    power: float = 1.0


class Decisions(NamedTuple):
    """Decisions of a network, in the order in which they were made.

    Attributes:
        features: float32 `[n, features]`, as in :class:`~liarspoker.engine.network.Buffers`.
        legal: bool `[n, columns]`.
        columns: int32 `[n]`, the chosen columns.
        probabilities: float32 `[n]`, with which they were chosen.
        seats: int32 `[n]`, who chose.
    """

    features: Weights
    legal: NDArray[np.bool_]
    columns: NDArray[np.int32]
    probabilities: Weights
    seats: NDArray[np.int32]


class Sample(NamedTuple):
    """Decisions with what came of them.

    Attributes:
        decisions: the decisions.
        hands: int64 `[n]`, the number of each decision's hand.
        units: float32 `[n]`, what the deciding seat won in that hand, at stake 1.
        secrets: float32 `[n, symbols, seats]`, how many of each digit each seat holds, counted from the deciding one.
    """

    decisions: Decisions
    hands: NDArray[np.int64]
    units: Weights
    secrets: Weights


def no_decisions(network: Network, items: int, capacity: int) -> Decisions:
    """Return arrays for the decisions of one call of :meth:`Recorder.play`; more of them than `capacity` are ignored.

    Args:
        network: the network that decides.
        items: the number of digits in play.
        capacity: the number of decisions.
    """
    buffers = buffers_for(network, items)
    return Decisions(
        np.zeros((capacity, buffers.features.size), np.float32),
        np.zeros((capacity, buffers.legal.size), np.bool_),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.float32),
        np.zeros(capacity, np.int32),
    )


class Recorder:
    """Plays hands with a network and records its decisions.

    Args:
        table: the table.
        network: the weights; training changes them in place.
        decisions: the arrays in which it records, from :func:`no_decisions`; several recorders can share them.
        wild: the probability that a random bid is made instead of the network's, so that it learns to answer bids which
            it would never make. Nothing is learned from the wild bid itself.
    """

    def __init__(self, table: Table, network: Network, decisions: Decisions, wild: float) -> None:
        rules, buffers = table.rules, buffers_for(network, table.rules.symbols)
        self.table = table
        self._drawn_from = np.zeros(3)
        self._cursor = np.zeros(1, np.int64)
        self._decisions = decisions
        temperaments = np.zeros(rules.seats)
        recorded = (wild, buffers, temperaments, self._cursor, self._decisions)
        self._policy = Policy(recorded_action, (network, arrays_of(rules), self._drawn_from, *recorded))

    def play(self, hands: int, seed: int, others: Sequence[str], temperaments: Temperaments) -> Sample:
        """Play hands and return the network's decisions.

        Args:
            hands: their number.
            seed: of all random numbers.
            others: the names of the bots in all seats but one; if there are none, the network plays in every seat.
            temperaments: from which every seat of the network draws its temperament in each hand.
        """
        rules, symbols = self.table.rules, self.table.rules.symbols
        self._drawn_from[:] = temperaments
        self._cursor[0] = 0
        played = play(
            self.table,
            hands,
            seed,
            [self._policy, *others],
            rotate=True,
            keep_deals=1,
            keep_moves=_MOST_MOVES,
        )
        seats, made = played.moves[:, 0, :, 0], played.decisions[:, 0]
        recorded = np.arange(seats.shape[1]) < made[:, None]
        if others:
            recorded &= seats == (np.arange(hands) % rules.seats)[:, None]
        found = min(int(self._cursor[0]), self._decisions.columns.size)
        numbers = np.repeat(np.arange(hands), recorded.sum(axis=1))
        long = np.flatnonzero(made > seats.shape[1])
        if long.size:  # rows and hands can't be matched from here on
            found = min(found, int(np.searchsorted(numbers, long[0])))
        found = min(found, numbers.size)
        learned = np.flatnonzero(self._decisions.columns[:found] != _WILD)
        recorded_arrays: Any = (array[learned] for array in self._decisions)
        decisions, numbers = Decisions(*recorded_arrays), numbers[learned]
        counts = np.zeros((hands, rules.seats, symbols), np.float32)
        compiled(_count_all)(played.numbers[:, 0], rules, counts)
        around = (decisions.seats[:, None] + np.arange(rules.seats)) % rules.seats
        units = played.payoffs[:, 0] / played.stakes[:, 0, None]
        return Sample(
            decisions,
            numbers,
            units[numbers, decisions.seats].astype(np.float32),
            counts[numbers[:, None], around].transpose(0, 2, 1),
        )


def recorded_action(observation: Observation, chance: Chance, data: Any) -> int:
    """Return the network's action and record the decision."""
    network, tails, limits, wild, buffers, temperaments, cursor, decisions = data
    seat = observation.auction.to_act
    if random_float(chance) < wild:
        claim = observation.auction.claim + 1 + below(chance, _WILD_LEVELS * observation.rules.symbols)
        if claim < ladder_length(observation.rules):
            if cursor[0] < decisions.columns.size:
                decisions.columns[cursor[0]] = _WILD
                cursor[0] += 1
            return claim
    if _is_first(seat, observation):
        temperaments[seat] = limits[0] + (limits[1] - limits[0]) * random_float(chance) ** limits[2]
    see(observation, tails, temperaments[seat], buffers)
    evaluate(network, buffers)
    column = draw(buffers.probabilities, chance)
    at = cursor[0]
    if at < decisions.columns.size:
        for place in range(buffers.features.size):
            decisions.features[at, place] = buffers.features[place]
        for place in range(buffers.legal.size):
            decisions.legal[at, place] = buffers.legal[place]
        decisions.columns[at] = column
        decisions.probabilities[at] = buffers.probabilities[column]
        decisions.seats[at] = seat
        cursor[0] += 1
    return action_of(column, observation.auction, observation.rules)


def _is_first(seat: int, observation: Observation) -> bool:
    """Return whether a seat hasn't acted in this hand."""
    acted = 0
    for place in range(observation.made):
        acted += observation.moves[place, 0] == seat
    return acted == 0


def _count_all(numbers: NDArray[np.int64], rules: Rules, counts: Weights) -> None:
    for hand in range(numbers.shape[0]):
        for seat in range(rules.seats):
            packed = counts_in(numbers[hand, seat], rules)
            for rank in range(rules.symbols):
                counts[hand, seat, rank] = count_of(packed, digit_of(rank, rules))


def advantages(sample: Sample, values: Weights, trace: float) -> tuple[Weights, Weights]:
    """Return how much better each decision turned out than expected, and what its value should have been.

    Generalized advantage estimation: `trace` is its lambda, 0 to 1; rewards come only at the end of a hand.
    """
    better, targets = np.zeros_like(values), np.zeros_like(values)
    seats = sample.secrets.shape[2]
    compiled(_estimate)(
        sample.hands, sample.decisions.seats, sample.units, values, trace, np.zeros((3, seats)), better, targets
    )
    return better, targets


def _estimate(
    hands: Any, deciders: Any, units: Any, values: Any, trace: float, later: Any, better: Any, targets: Any
) -> None:
    """Go backwards through the decisions; `later` holds each seat's hand, next value and next advantage."""
    for seat in range(later.shape[1]):
        later[0, seat] = -1.0
    for place in range(hands.size - 1, -1, -1):
        seat = deciders[place]
        if later[0, seat] == hands[place]:
            difference = later[1, seat] - values[place] + trace * later[2, seat]
        else:
            difference = units[place] - values[place]
        later[0, seat], later[1, seat], later[2, seat] = hands[place], values[place], difference
        better[place] = difference
        targets[place] = values[place] + difference
