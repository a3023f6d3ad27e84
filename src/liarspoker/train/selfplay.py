"""Hands played by a network against itself and against other bots, with everything that training needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance, random_float
from liarspoker.engine.compiling import compiled
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.lineup import Choose, Policy, bound
from liarspoker.engine.network import Network, Weights, buffers_for, draw, evaluate
from liarspoker.engine.networks import NOTHING_WILD, Inputs
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table

_MOST_MOVES = 192
"""Rounds with more moves than this aren't learned from."""

_WILD = -1
"""In place of the column of a wild action."""


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
        rounds: int64 `[n]`, the number of each decision's round.
        units: float32 `[n]`, what the deciding seat won in that round, at stake 1.
        secrets: float32 `[n, items, secret features]`, what only the critic sees.
        played: the number of rounds that were played.
    """

    decisions: Decisions
    rounds: NDArray[np.int64]
    units: Weights
    secrets: Weights
    played: int


def no_decisions(network: Network, items: int, capacity: int) -> Decisions:
    """Return arrays for the decisions of one call of :meth:`Recorder.play`; more of them than `capacity` are ignored.

    Args:
        network: the network that decides.
        items: the number of items that it compares.
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
        wild: the probability that a random action is taken instead of the network's, so that it learns to answer claims
            which it would never make. Nothing is learned from the wild action itself.
    """

    def __init__(self, table: Table, network: Network, decisions: Decisions, wild: float) -> None:
        rules, inputs = table.rules, inputs_of(table)
        self.table, self._inputs = table, inputs
        self._drawn_from = np.zeros(3)
        self._cursor = np.zeros(1, np.int64)
        self._decisions = decisions
        buffers = buffers_for(network, inputs.sizes(rules).items)
        recorded = (wild, buffers, np.zeros(rules.seats), self._cursor, self._decisions)
        sources = inputs.sources(rules)
        self._policy = Policy(_recording(inputs.see, inputs.wild), (network, sources, self._drawn_from, *recorded))

    def play(self, matches: int, seed: int, others: Sequence[str], temperaments: Temperaments) -> Sample:
        """Play hands, or whole matches, and return the network's decisions.

        Args:
            matches: their number.
            seed: of all random numbers.
            others: the names of the bots in all seats but one; if there are none, the network plays in every seat.
            temperaments: from which every seat of the network draws its temperament in each round.
        """
        seats = self.table.rules.seats
        self._drawn_from[:] = temperaments
        self._cursor[0] = 0
        played = play(
            self.table,
            matches,
            seed,
            [self._policy, *others],
            rotate=True,
            keep_deals=1,
            keep_moves=_MOST_MOVES,
        )
        each, most = played.decisions.shape[1], played.moves.shape[2]
        movers, made = played.moves[..., 0].reshape(-1, most), played.decisions.reshape(-1)
        recorded = np.arange(most) < made[:, None]
        if others:
            recorded &= movers == (np.arange(made.size) // each % seats)[:, None]
        found = min(int(self._cursor[0]), self._decisions.columns.size)
        numbers = np.repeat(np.arange(made.size), recorded.sum(axis=1))
        long = np.flatnonzero(made > most)
        if long.size:  # rows and rounds can't be matched from here on
            found = min(found, int(np.searchsorted(numbers, long[0])))
        found = min(found, numbers.size)
        learned = np.flatnonzero(self._decisions.columns[:found] != _WILD)
        recorded_arrays: Any = (array[learned] for array in self._decisions)
        decisions, numbers = Decisions(*recorded_arrays), numbers[learned]
        won = self._inputs.won(played).reshape(-1, seats)
        secrets = self._inputs.secrets(played, numbers, decisions.seats)
        return Sample(decisions, numbers, won[numbers, decisions.seats], secrets, int(played.lengths.sum()))


def inputs_of(table: Table) -> Inputs:
    """Return how networks see the games of a table.

    Raises:
        CannotPlay: networks can't be trained for them.
    """
    if table.kernel.networks is None:
        raise CannotPlay(f"{table.game}: networks can't be trained for this game")
    return table.kernel.networks()


if TYPE_CHECKING:  # bound by `_recording`

    def _see(observation: Any, sources: Any, buffers: Any) -> int: ...

    def _wild_action(observation: Any, chance: Chance) -> int: ...


@lru_cache(maxsize=16)
def _recording(see: Any, wild: Any) -> Choose:
    return bound(_recorded_action, _see=see, _wild_action=wild)


def _recorded_action(observation: Any, chance: Chance, data: Any) -> int:
    """Return the network's action and record the decision."""
    network, sources, limits, wild, buffers, temperaments, cursor, decisions = data
    if random_float(chance) < wild:
        action = _wild_action(observation, chance)
        if action != NOTHING_WILD:
            if cursor[0] < decisions.columns.size:
                decisions.columns[cursor[0]] = _WILD
                cursor[0] += 1
            return action
    seat = _see(observation, sources, buffers)
    if _is_first(seat, observation):
        temperaments[seat] = limits[0] + (limits[1] - limits[0]) * random_float(chance) ** limits[2]
    buffers.features[-1] = temperaments[seat]
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
    chosen: int = buffers.actions[column]
    return chosen


def _is_first(seat: int, observation: Any) -> bool:
    """Return whether a seat hasn't acted in this round."""
    acted = 0
    for place in range(observation.made):
        acted += observation.moves[place, 0] == seat
    return acted == 0


def advantages(sample: Sample, values: Weights, trace: float) -> tuple[Weights, Weights]:
    """Return how much better each decision turned out than expected, and what its value should have been.

    Generalized advantage estimation: `trace` is its lambda, 0 to 1; rewards come only at the end of a round.
    """
    better, targets = np.zeros_like(values), np.zeros_like(values)
    seats = int(sample.decisions.seats.max(initial=0)) + 1
    compiled(_estimate)(
        sample.rounds, sample.decisions.seats, sample.units, values, trace, np.zeros((3, seats)), better, targets
    )
    return better, targets


def _estimate(
    rounds: Any, deciders: Any, units: Any, values: Any, trace: float, later: Any, better: Any, targets: Any
) -> None:
    """Go backwards through the decisions; `later` holds each seat's round, next value and next advantage."""
    for seat in range(later.shape[1]):
        later[0, seat] = -1.0
    for place in range(rounds.size - 1, -1, -1):
        seat = deciders[place]
        if later[0, seat] == rounds[place]:
            difference = later[1, seat] - values[place] + trace * later[2, seat]
        else:
            difference = units[place] - values[place]
        later[0, seat], later[1, seat], later[2, seat] = rounds[place], values[place], difference
        better[place] = difference
        targets[place] = values[place] + difference
