"""Local best response: a player who knows the others' policies, holds exact beliefs, and looks one step ahead.

At each of its turns the responder values the answer and the weakest bids as in `looking_ahead`, and plays the best.
That need not be the best response to a policy, so what it wins is a lower bound on what a best response wins. But
nothing that it knows is estimated, so it can measure policies at tables of any size.

What it wins is estimated over deals of its own hand. The others' hands are never dealt: they act with the probabilities
of the beliefs, and what the count pays is the exact mean over all hands that they may hold by then.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from random import Random
from typing import TypeVar

import numpy as np

from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import OPEN
from liarspoker.processes import in_order
from liarspoker.solve.beliefs.looking_ahead import worth_of
from liarspoker.solve.beliefs.policies import MixedPolicy, Split
from liarspoker.solve.beliefs.positions import Moves, action_at
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import Floats, index_of

LEVELS = 2
"""The default number of levels of each digit that the responder evaluates, from the weakest bid on."""

CHUNK = 50
"""Hands of each seat between two reports of the gain so far."""

_CACHED = 256

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Gain:
    """What the responder wins from a table of others, in units a hand at stake 1.

    Attributes:
        rounds: the number of hands played.
        mean: what it won a hand, averaged over the seats. Players of the same policy win nothing from each other on
            average over the seats, so this is a gain, and a lower bound on that of a best response.
        half_width: half the width of the 95% confidence interval, 1.96 standard errors; `None` where a seat has had
            fewer than two hands, or all of a seat's were alike.
        seats: the same for each seat of the responder, counted from the opener, as (mean, half width).
    """

    rounds: int
    mean: float
    half_width: float | None
    seats: tuple[tuple[float, float | None], ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """The actions of the responder in a position, and their values.

    Attributes:
        actions: those it evaluates: the answer, if there is one, and the weakest bids.
        worth: float64 `[actions, symbols, hand_size + 1]`, from `looking_ahead.worth_of`.
    """

    actions: tuple[int, ...]
    worth: Floats

    def values(self, counts: tuple[int, ...]) -> Floats:
        """Return the value of each action with a hand in units at stake 1: float64 `[actions]`.

        Args:
            counts: how many of each digit the hand holds, the lowest first.
        """
        return self.worth[:, np.arange(len(counts)), counts].sum(axis=1)  # type: ignore[no-any-return]

    def best(self, counts: tuple[int, ...]) -> int:
        """Return the best action with a hand; of equal ones the first."""
        return self.actions[int(self.values(counts).argmax())]


@dataclass(slots=True)
class Responder:
    """The player who responds to a policy of all others. It caches positions, which changes only the time.

    Attributes:
        table: what is played.
        policy: how all others play.
        seat: its own seat.
        levels: levels of each digit that it evaluates, from the weakest bid on.
    """

    table: Table
    policy: MixedPolicy
    seat: int
    levels: int = LEVELS
    _beliefs: OrderedDict[Moves, Beliefs] = field(default_factory=OrderedDict, repr=False)
    _splits: OrderedDict[Moves, Split] = field(default_factory=OrderedDict, repr=False)
    _advice: OrderedDict[Moves, Advice] = field(default_factory=OrderedDict, repr=False)

    def begin(self) -> Beliefs:
        """Return what it knows of the others before the first bid, which seat 0 makes."""
        policies = [None if seat == self.seat else self.policy for seat in range(self.table.rules.seats)]
        return _cached(self._beliefs, (), lambda: Beliefs.at(self.table, policies))

    def after(self, beliefs: Beliefs, action: int) -> Beliefs:
        """Return what it knows once the seat to act has played `action`.

        Raises:
            IllegalAction: the rules refuse it.
            NeverPlayed: the policy of the others never plays it.
        """
        moves = (*beliefs.position.moves, (beliefs.position.to_act, action))
        return _cached(self._beliefs, moves, lambda: beliefs.after(action))

    def split(self, beliefs: Beliefs) -> Split:
        """Return how the hands of the seat to act, which isn't its own, split by what that does."""
        position = beliefs.position
        return _cached(
            self._splits, position.moves, lambda: self.policy.split(position, beliefs.seats[position.to_act])
        )

    def advise(self, beliefs: Beliefs) -> Advice:
        """Return what it may do at its turn, and the value of that with any hand."""
        legal = beliefs.position.legal
        evaluated = self.levels * self.table.rules.symbols
        if beliefs.position.auction.phase == OPEN:  # as many levels as a hand may hold are as good as the first
            evaluated = max(evaluated, self.table.rules.hand_size * self.table.rules.symbols)
        actions = (*legal.answers, *legal.claims[:evaluated])
        return _cached(
            self._advice,
            beliefs.position.moves,
            lambda: Advice(actions, worth_of(beliefs, self.seat, actions, self.split)),
        )

    def play(self, chance: Random) -> float:
        """Play one hand; return its expected payoff over the others' hands, given its own and what was played."""
        rules = self.table.rules
        dealt = [chance.randrange(rules.symbols) for _ in range(rules.hand_size)]
        counts = tuple(dealt.count(rank) for rank in range(rules.symbols))
        beliefs = self.begin()
        while not beliefs.position.is_over:
            if beliefs.position.to_act == self.seat:
                action = self.advise(beliefs).best(counts)
            else:
                chances = self.split(beliefs).chances
                action = action_at(_drawn(chances, chance), rules)
            beliefs = self.after(beliefs, action)
        return float(beliefs.count_by_hand(self.seat)[index_of(counts)])


def local_best_response(
    table: Table, policy: MixedPolicy, rounds: int, seed: int, *, jobs: int = 1, levels: int = LEVELS
) -> Gain:
    """Return what a local best responder wins from a table at which all others play the same policy.

    Args:
        table: what is played, with a top to the ladder; single hands at stake 1.
        policy: how all others play; it can be pickled if there is more than one job.
        rounds: how many hands, 2 or more; in hand i the responder sits in seat i mod players, and seat 0 opens.
        seed: of all random draws; any integer.
        jobs: processes; they change only the time.
        levels: levels of each digit that the responder evaluates, from the weakest bid on; more take more time, and may
            win more.

    Raises:
        CannotPlay: an argument out of its range, or the ladder has no top.
        CannotBelieve: the policy reads what isn't public or returns no probabilities.

    >>> from liarspoker.games.digits.weighing import weighing
    >>> from liarspoker.solve.beliefs.bot_policy import BotPolicy
    >>> table = Table.of("dollar-bill", seats=2, options={"hand_size": 2, "symbols": 3})
    >>> gain = local_best_response(table, BotPolicy(weighing("binomial")), rounds=200, seed=1)
    >>> round(gain.mean, 2), gain.rounds, len(gain.seats)
    (0.53, 200, 2)
    """
    *_, gain = gains(table, policy, rounds, seed, jobs=jobs, levels=levels)
    return gain


def gains(
    table: Table, policy: MixedPolicy, rounds: int, seed: int, *, jobs: int = 1, levels: int = LEVELS
) -> Iterator[Gain]:
    """Yield the same after every `CHUNK` hands of each seat: what was won so far. The last is the whole."""
    for name, number, least in (("rounds", rounds, 2), ("jobs", jobs, 1), ("levels", levels, 1)):
        if number < least:
            raise CannotPlay(f"{name}: {number}; it is {least} or more")
    seats = table.rules.seats
    chunks = [range(first, min(rounds, first + CHUNK * seats)) for first in range(0, rounds, CHUNK * seats)]
    work = partial(_played, table, policy, seed, levels)
    won: list[list[float]] = [[] for _ in range(seats)]
    for chunk, units in zip(chunks, in_order(work, chunks, jobs), strict=True):
        for number, each in zip(chunk, units, strict=True):
            won[number % seats].append(each)
        yield _gain(won)


def _played(table: Table, policy: MixedPolicy, seed: int, levels: int, numbers: range) -> list[float]:
    """What the responder wins in the hands of these numbers; each has a random stream of its own."""
    won = dict.fromkeys(numbers, 0.0)
    for seat in range(table.rules.seats):
        responder = Responder(table, policy, seat, levels)
        for number in numbers:
            if number % table.rules.seats == seat:
                won[number] = responder.play(Random(f"{seed} local response, hand {number}"))
    return list(won.values())


def _gain(won: list[list[float]]) -> Gain:
    """What was won so far, by seat and in all."""
    seats = tuple(map(_mean, won))
    widths = [half for _, half in seats if half is not None]
    known = len(widths) == len(seats)
    return Gain(
        rounds=sum(map(len, won)),
        mean=sum(mean for mean, _ in seats) / len(seats),
        half_width=sqrt(sum(half**2 for half in widths)) / len(seats) if known else None,
        seats=seats,
    )


def _mean(won: list[float]) -> tuple[float, float | None]:
    """The mean of some hands, and half the width of its 95% confidence interval; `None` if they don't differ."""
    if not won:
        return 0.0, None
    mean = sum(won) / len(won)
    if min(won) == max(won):
        return mean, None
    return mean, 1.96 * sqrt(sum((units - mean) ** 2 for units in won) / (len(won) - 1) / len(won))


def _drawn(chances: Floats, chance: Random) -> int:
    """A column, drawn with these probabilities."""
    sums = np.cumsum(chances)
    return int(np.searchsorted(sums, chance.random() * sums[-1], side="right").clip(max=sums.size - 1))


def _cached(cache: OrderedDict[Moves, _Found], moves: Moves, find: Callable[[], _Found]) -> _Found:
    """What is cached for a position, or found now; the least recently used entry is dropped."""
    if moves in cache:
        cache.move_to_end(moves)
        return cache[moves]
    found = cache[moves] = find()
    if len(cache) > _CACHED:
        cache.popitem(last=False)
    return found
