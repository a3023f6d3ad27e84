"""Local best response: a player who knows the others' policies, holds exact beliefs, and looks one step ahead.

At each of its turns, the responder evaluates the answer and the weakest bids with
:func:`~liarspoker.solve.beliefs.lookahead.action_values`, and plays the best one. This need not be the best response,
so what it wins is a lower bound on what a best response wins. But nothing that it knows is estimated, so it can measure
policies at tables of any size.

With a :class:`Search`, it takes the best few of these actions and those that the others' policy plays most often, plays
the hand on after each of them many times, with everybody playing by that policy, and plays the action that has won
most. So it sees further ahead, but with the luck of the playouts.

No hand is ever dealt. The others act with the probabilities of the beliefs, and so does the responder: it finds the
best action for each hand that it may hold, one of these actions is drawn, and from then on it holds one of the hands
with which it plays that. The payoff of the count is its exact expectation over all hands of everybody, so only the
public actions are left to chance, and of these only the ones that don't end the hand. A search takes too long for all
hands, so there the responder's own hand is dealt.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from random import Random
from typing import TypeVar

import numpy as np

from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.running import check_int
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import OPEN
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.processes import in_order
from liarspoker.solve.beliefs.lookahead import action_values
from liarspoker.solve.beliefs.playouts import dealt, play_out
from liarspoker.solve.beliefs.policies import MixedPolicy, Split
from liarspoker.solve.beliefs.positions import Moves, action_at, column_of
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import Floats, Small, all_hands, index_of
from liarspoker.solve.tree import Ints

LEVELS = 2
"""The default number of levels of each digit that the responder evaluates, from the weakest bid on."""

CHUNK = 50
"""The number of hands of each seat between two reports."""

_CACHED = 256

_IMPROBABLE = 0.3
"""A hand whose actions so far have a lower probability than this ends with the next action that ends it."""

_NEVER = 1e-12
"""Probabilities below this are rounding errors."""

_ALIKE = 1e-9
"""Hands whose winnings differ by less than this differ by rounding errors only."""

_SEARCHED = 5
"""A search plays out this many actions with the highest values, and this many that the others play most often."""

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Gain:
    """What the responder wins from a table of others, in units per hand at stake 1.

    Attributes:
        rounds: the number of hands played.
        mean: its mean winnings per hand over all seats. Players with the same policy win nothing from each other on
            average over the seats, so this is a gain, and a lower bound on the gain of a best response.
        half_width: half the width of the 95% confidence interval, 1.96 standard errors; `None` if a seat has had fewer
            than two hands, or all of its hands were alike.
        seats: (mean, half width) for each seat of the responder, counted from the opener.
    """

    rounds: int
    mean: float
    half_width: float | None
    seats: tuple[tuple[float, float | None], ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """The responder's actions in a position, with their values.

    Attributes:
        actions: the actions that it evaluates: the answer, if there is one, and the weakest bids.
        summands: float64 `[actions, symbols, hand_size + 1]`, from
            :func:`~liarspoker.solve.beliefs.lookahead.action_values`.
    """

    actions: tuple[int, ...]
    summands: Floats

    def values(self, counts: tuple[int, ...]) -> Floats:
        """Return the expected value of each action with a hand, in units at stake 1: float64 `[actions]`.

        Args:
            counts: how many of each digit the hand holds, the lowest digit first.
        """
        return self.summands[:, np.arange(len(counts)), counts].sum(axis=1)  # type: ignore[no-any-return]

    def best(self, counts: tuple[int, ...]) -> int:
        """Return the best action with a hand; the first one of several equal ones."""
        return self.actions[int(self.values(counts).argmax())]

    def best_of_each(self, counts: Small) -> Ints:
        """Return the index of the best action with each hand: int64 `[hands]`; `counts` is uint8 `[hands, symbols]`."""
        values = np.zeros((len(self.actions), counts.shape[0]))
        for rank in range(counts.shape[1]):
            values += self.summands[:, rank, counts[:, rank]]
        return values.argmax(axis=0)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Search:
    """How a responder looks further ahead than one step.

    Attributes:
        bot: the name of the bot whose policy the others play, which the engine must have.
        playouts: how often each action is played out.
    """

    bot: str
    playouts: int


@dataclass(slots=True)
class Responder:
    """The player who responds to a policy of all others. It caches positions, which affects only the speed.

    Attributes:
        table: the table.
        policy: the policy of all others.
        seat: the responder's seat.
        levels: the number of levels of each digit that it evaluates, from the weakest bid on.
        search: how it looks further ahead; `None` if it doesn't.
    """

    table: Table
    policy: MixedPolicy
    seat: int
    levels: int = LEVELS
    search: Search | None = None
    _beliefs: OrderedDict[Moves, Beliefs] = field(default_factory=OrderedDict, repr=False)
    _splits: OrderedDict[Moves, Split] = field(default_factory=OrderedDict, repr=False)
    _sketches: OrderedDict[Moves, Split] = field(default_factory=OrderedDict, repr=False)
    _advice: OrderedDict[Moves, Advice] = field(default_factory=OrderedDict, repr=False)
    _played: OrderedDict[Moves, Ints] = field(default_factory=OrderedDict, repr=False)

    def begin(self) -> Beliefs:
        """Return its beliefs before the first bid, which seat 0 makes."""
        policies = [None if seat == self.seat else self.policy for seat in range(self.table.rules.seats)]
        return _cached(self._beliefs, (), lambda: Beliefs.at(self.table, policies))

    def after(self, beliefs: Beliefs, action: int) -> Beliefs:
        """Return its beliefs after the seat to act has played `action`.

        Raises:
            IllegalAction: the action isn't legal.
            NeverPlayed: the others' policy never plays it.
        """
        moves = (*beliefs.position.moves, (beliefs.position.to_act, action))
        return _cached(self._beliefs, moves, lambda: beliefs.after(action))

    def split(self, beliefs: Beliefs) -> Split:
        """Return how the hands of the seat to act, another one than its own, split by the action."""
        position = beliefs.position
        return _cached(
            self._splits, position.moves, lambda: self.policy.split(position, beliefs.seats[position.to_act])
        )

    def sketch(self, beliefs: Beliefs) -> Split:
        """Return an estimate of the split, with which the responder chooses."""
        position = beliefs.position
        return _cached(
            self._sketches, position.moves, lambda: self.policy.sketch(position, beliefs.seats[position.to_act])
        )

    def advise(self, beliefs: Beliefs) -> Advice:
        """Return its actions with their values for all hands, when it is to act."""
        legal = beliefs.position.legal
        evaluated = self.levels * self.table.rules.symbols
        if beliefs.position.auction.phase == OPEN:
            # An opening at any level that a hand may hold can be as good as one at the first level.
            evaluated = max(evaluated, self.table.rules.hand_size * self.table.rules.symbols)
        actions = (*legal.answers, *legal.claims[:evaluated])
        return _cached(
            self._advice,
            beliefs.position.moves,
            lambda: Advice(actions, action_values(beliefs, self.seat, actions, self.sketch)),
        )

    def choose(self, beliefs: Beliefs, counts: tuple[int, ...], chance: Random) -> int:
        """Return the action that it plays.

        Args:
            beliefs: its beliefs, when it is to act.
            counts: how many of each digit its hand holds, the lowest digit first.
            chance: the random numbers of a search.
        """
        advice = self.advise(beliefs)
        if self.search is None:
            return advice.best(counts)
        hand, position, rules = index_of(counts), beliefs.position, self.table.rules
        ranked = [advice.actions[place] for place in np.argsort(-advice.values(counts))[:_SEARCHED].tolist()]
        plays, numbers = self.policy.row(position, hand), np.random.default_rng(chance.getrandbits(64))
        usual = [action_at(column, rules) for column in np.argsort(-plays)[:_SEARCHED].tolist() if plays[column] > 0.0]
        actions: list[int] = list(dict.fromkeys([*ranked, *usual]))
        if len(actions) == 1:
            return actions[0]
        deals = dealt(beliefs, hand, self.search.playouts, numbers)
        won = play_out(self.table, position, actions, deals, [self.search.bot], chance.getrandbits(62))
        return actions[int(won.mean(axis=1).argmax())]

    def play(self, chance: Random) -> float:
        """Play one hand; return its expected payoff, in units at stake 1.

        Where an action would end the hand, its payoff counts with the action's probability, and the hand goes on with
        another action, unless it has become too improbable to go on.
        """
        rules, beliefs, own = self.table.rules, self.begin(), self._dealt(chance)
        won, reached = 0.0, 1.0
        while not beliefs.position.is_over:
            if beliefs.position.to_act == self.seat:
                columns = self._columns(beliefs, own, chance)
                probabilities = np.asarray(np.bincount(columns, own, ladder_length(rules) + 2), np.float64)
            else:
                columns = None
                probabilities = self.split(beliefs).probabilities.copy()
            if reached > _IMPROBABLE:
                for answer in beliefs.position.legal.answers:
                    column = column_of(answer, rules)
                    if probabilities[column] > 0.0 and beliefs.position.after(answer).is_over:
                        ended = self.after(beliefs, answer).count_by_hand(self.seat)
                        won += reached * float(probabilities[column] * _expected(ended, _given(own, columns, column)))
                        probabilities[column] = 0.0
                left = float(probabilities.sum())
                if left <= _NEVER:
                    return won
                reached *= left
            column = _drawn(probabilities, chance)
            own = _given(own, columns, column)
            beliefs = self.after(beliefs, action_at(column, rules))
        return won + reached * float(_expected(beliefs.count_by_hand(self.seat), own))

    def _dealt(self, chance: Random) -> Floats:
        """Return the probability of each of its own hands after the deal; in a search, it knows its hand."""
        rules, hands = self.table.rules, all_hands(self.table.rules)
        if self.search is None:
            return hands.prior
        dealt = [chance.randrange(rules.symbols) for _ in range(rules.hand_size)]
        own = np.zeros(hands.size)
        own[index_of([dealt.count(rank) for rank in range(rules.symbols)])] = 1.0
        return own

    def _columns(self, beliefs: Beliefs, own: Floats, chance: Random) -> Ints:
        """Return the column of what it plays with each hand that it may hold: int64 `[hands]`, 0 elsewhere."""
        if self.search is None:  # then its own hands follow from the actions, too
            return _cached(self._played, beliefs.position.moves, lambda: self._best_columns(beliefs, own))
        columns, hand = np.zeros(own.size, np.int64), int(own.argmax())
        action = self.choose(beliefs, tuple(beliefs.hands.counts[hand].tolist()), chance)
        columns[hand] = column_of(action, self.table.rules)
        return columns

    def _best_columns(self, beliefs: Beliefs, own: Floats) -> Ints:
        held, advice, columns = np.flatnonzero(own), self.advise(beliefs), np.zeros(own.size, np.int64)
        found = np.array([column_of(action, self.table.rules) for action in advice.actions])
        columns[held] = found[advice.best_of_each(beliefs.hands.counts[held])]
        return columns


def local_best_response(
    table: Table,
    policy: MixedPolicy,
    rounds: int,
    seed: int,
    *,
    jobs: int = 1,
    levels: int = LEVELS,
    search: Search | None = None,
    report: Callable[[Gain], None] | None = None,
) -> Gain:
    """Estimate what a local best responder wins from a table at which all others play the same policy.

    Args:
        table: a table with a finite ladder; single hands at stake 1 are played.
        policy: the policy of all others; it must be picklable if there is more than one job.
        rounds: the number of hands, 2 or more; in hand i the responder sits in seat i mod players, and seat 0 opens.
        seed: of all random numbers; any int.
        jobs: the number of processes; the result doesn't depend on it.
        levels: the number of levels of each digit that the responder evaluates, from the weakest bid on. More levels
            take more time, and may win more.
        search: how the responder looks further ahead than one step; `None` if it doesn't.
        report: called with the results so far after every :data:`CHUNK` hands of each seat.

    Raises:
        CannotPlay: a number isn't an int or is out of range, the ladder has no top, or the engine has no policy of the
            search's bot.
        CannotBelieve: the policy reads what isn't public, or doesn't return probabilities.

    >>> from liarspoker.solve.beliefs.bot_policy import bot_policy
    >>> table = Table.of("dollar-bill", seats=2, options={"hand_size": 2, "symbols": 3})
    >>> gain = local_best_response(table, bot_policy("binomial"), rounds=200, seed=1)
    >>> round(gain.mean, 2), gain.rounds, len(gain.seats)
    (0.5, 200, 2)
    """
    playouts = 1 if search is None else search.playouts
    check_int("seed", seed)
    for name, number, least in (
        ("rounds", rounds, 2),
        ("jobs", jobs, 1),
        ("levels", levels, 1),
        ("playouts", playouts, 1),
    ):
        check_int(name, number)
        if number < least:
            raise CannotPlay(f"{name}: {number}; it must be {least} or more")
    seats = table.rules.seats
    chunks = [range(first, min(rounds, first + CHUNK * seats)) for first in range(0, rounds, CHUNK * seats)]
    work = partial(_played, table, policy, seed, levels, search)
    won: list[list[float]] = [[] for _ in range(seats)]
    for chunk, units in zip(chunks, in_order(work, chunks, jobs), strict=True):
        for number, each in zip(chunk, units, strict=True):
            won[number % seats].append(each)
        if report is not None:
            report(_gain(won))
    return _gain(won)


def _played(
    table: Table, policy: MixedPolicy, seed: int, levels: int, search: Search | None, numbers: range
) -> list[float]:
    """Return what the responder wins in the hands with these numbers; each has its own random stream."""
    won = dict.fromkeys(numbers, 0.0)
    for seat in range(table.rules.seats):
        responder = Responder(table, policy, seat, levels, search)
        for number in numbers:
            if number % table.rules.seats == seat:
                won[number] = responder.play(Random(f"{seed} local response, hand {number}"))
    return list(won.values())


def _gain(won: list[list[float]]) -> Gain:
    """Return the results so far, by seat and in total."""
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
    """Return the mean and half the width of its 95% confidence interval; `None` if the hands don't differ."""
    if not won:
        return 0.0, None
    mean = sum(won) / len(won)
    if max(won) - min(won) < _ALIKE:
        return mean, None
    return mean, 1.96 * sqrt(sum((units - mean) ** 2 for units in won) / (len(won) - 1) / len(won))


def _expected(payoffs: Floats, own: Floats) -> np.float64:
    """Return the mean payoff of the responder's hands; NumPy's `@` would start threads that take longer."""
    return (payoffs * own).sum()  # type: ignore[no-any-return]


def _given(own: Floats, columns: Ints | None, column: int) -> Floats:
    """Return the responder's hands given its action; `columns` is `None` if another player has acted."""
    if columns is None:
        return own
    kept = np.where(columns == column, own, 0.0)
    return kept / kept.sum()  # type: ignore[no-any-return]


def _drawn(probabilities: Floats, chance: Random) -> int:
    """Return a column drawn with these probabilities."""
    sums = np.cumsum(probabilities)
    return int(np.searchsorted(sums, chance.random() * sums[-1], side="right").clip(max=sums.size - 1))


def _cached(cache: OrderedDict[Moves, _Found], moves: Moves, find: Callable[[], _Found]) -> _Found:
    """Return the cached entry of a position, or compute it; the least recently used entry is dropped."""
    if moves in cache:
        cache.move_to_end(moves)
        return cache[moves]
    found = cache[moves] = find()
    if len(cache) > _CACHED:
        cache.popitem(last=False)
    return found
