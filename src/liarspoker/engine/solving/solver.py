"""The solver: arrays of regrets over the public tree, and iterations that make them smaller."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.errors import CannotSolve
from liarspoker.engine.solving.algorithms import Algorithm
from liarspoker.engine.solving.automaton import automaton_of
from liarspoker.engine.solving.plan import LANES, Ints, best_cut, layout_of
from liarspoker.engine.solving.rooms import Floats, Room, Step, Store, cards_of, front_of, room_of
from liarspoker.engine.solving.sweeping import DESCEND, EXPECT, RESPOND_BEST, UPDATE, sweep_all
from liarspoker.engine.strategies.hands import hands_in, prior_of
from liarspoker.rules.digits.options import Rules

WORTH_A_THREAD = 1 << 22
"""Numbers of a tree below which one thread is as fast as two."""

_SHARES = 16
"""Parts for each thread into which the tasks are cut, so that no thread waits long for another."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How good the average strategies are, in units a hand at stake 1.

    Attributes:
        values: what each seat wins if all play by them; seat 0 opens. They sum to 0.
        best: what each seat would win with its best response to the others.
    """

    values: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """What each seat would win more with its best response."""
        return tuple(best - value for best, value in zip(self.best, self.values, strict=True))

    @property
    def exploitability(self) -> float:
        """For two players NashConv / 2; for more, the greatest gain of a seat."""
        return sum(self.best) / 2 if len(self.best) == 2 else max(self.gains)


class Solver:
    """Regret minimisation over the public tree of one table.

    After `iterate` has been called often enough, the average strategies are close to an equilibrium of two players.
    For more players there is no such promise, and `standing` tells how much each seat could still gain.

    What comes out follows from the rules, the algorithm and the number of iterations; threads change only the time.

    Args:
        rules: the table's, with a top to the ladder and a strict order.
        algorithm: how regret is minimised.
        threads: how many work at once, 1 or more.

    Attributes:
        iterations: done so far.

    Raises:
        CannotSolve: the order is loose, or the ladder has no top.

    >>> from liarspoker.engine.solving.algorithms import ALGORITHMS
    >>> from liarspoker.rules.digits.options import DigitOptions, packed
    >>> flat = DigitOptions(hand_size=1, symbols=2, level_bonus=False, hero=False, none_wins=False)
    >>> solver = Solver(packed(flat, seats=2), ALGORITHMS[0])
    >>> solver.iterate(200)
    >>> solver.standing().exploitability < 1e-4
    True
    """

    def __init__(self, rules: Rules, algorithm: Algorithm, threads: int = 1) -> None:
        check_finite(rules)
        self.rules = rules
        self.algorithm = algorithm
        self.iterations = 0
        self.automaton = automaton_of(rules)
        self.layout = layout_of(self.automaton, best_cut(self.automaton))
        self.width = hands_in(rules) * LANES
        self._cards = cards_of(rules)
        self._front = front_of(self.layout, rules)
        shape = (self.layout.rows, self.width)
        regrets, sums = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.store = Store(regrets, np.zeros(shape, np.float32) if algorithm.predicts else regrets, sums)
        self._kernel: Kernel = compiled(sweep_all)
        self._top = np.array([self.layout.tasks], np.int64)
        self._shares = self._shared_out(threads)
        self._rooms: SimpleQueue[Room] = SimpleQueue()
        for _ in range(max(1, threads if len(self._shares) > 1 else 1)):
            self._rooms.put(room_of(self.automaton, self.width))
        self._pool = ThreadPoolExecutor(threads) if len(self._shares) > 1 else None
        self._run(np.zeros(0, np.int64), UPDATE, 0, self.store, algorithm.step(1))  # compiles, where that is due

    @property
    def strategy_size(self) -> int:
        """Bytes of the table of average strategies."""
        return self.automaton.sizes[0] * (self.width // LANES) * 4

    def iterate(self, times: int = 1) -> None:
        """Do so many further iterations: each seat's regrets once, the seats one after the other."""
        for _ in range(times):
            step = self.algorithm.step(self.iterations + 1)
            for seat in range(self.rules.seats):
                self._sweep(UPDATE, seat, self.store, step)
            self.iterations += 1

    def standing(self) -> Standing:
        """How good the average strategies are, by exact best responses; nothing is changed."""
        step, averages = self.algorithm.step(1), self.store._replace(played=self.store.sums)
        seats = range(self.rules.seats)
        best = tuple(self._sweep(RESPOND_BEST, seat, averages, step) for seat in seats)
        values = [self._sweep(EXPECT, seat, averages, step) for seat in seats[:-1]]
        return Standing((*values, -sum(values)), best)

    def forget_regrets(self) -> None:
        """Give back the memory that only further iterations would need; `iterate` must not be called any more."""
        nothing = np.zeros((0, self.width), np.float32)
        self.store = Store(nothing, nothing, self.store.sums)

    def _sweep(self, mode: int, seat: int, store: Store, step: Step) -> float:
        """One sweep of a seat; what the hand is worth to it before it sees its own."""
        self._front.reaches[:-1] = 0
        self._run(self._top, DESCEND, seat, store, step)
        if self._pool is None:
            self._run(self._shares[0], mode, seat, store, step)
        else:
            for _ in self._pool.map(lambda share: self._run(share, mode, seat, store, step), self._shares):
                pass
        self._run(self._top, mode, seat, store, step)
        values: NDArray[np.float64] = self._front.values[-1, ::LANES].astype(np.float64)
        return float(values @ prior_of(self.rules))

    def _run(self, tasks: Ints, mode: int, seat: int, store: Store, step: Step) -> None:
        room = self._rooms.get()
        try:
            self._kernel(tasks, mode, seat, step, self.layout.plan, self._cards, store, self._front, room)
        finally:
            self._rooms.put(room)

    def _shared_out(self, threads: int) -> list[Ints]:
        """The tasks in parts of about equal size, or all in one where that is little work."""
        tasks = np.arange(self.layout.tasks)
        if threads == 1 or self.layout.rows * self.width < WORTH_A_THREAD:
            return [tasks]
        done = self.layout.starts[:-2] / max(1, self.layout.starts[-2])
        part = np.minimum(done * threads * _SHARES, threads * _SHARES - 1).astype(np.int64)
        return [share for number in range(threads * _SHARES) if (share := tasks[part == number]).size]

    def arrays(self) -> dict[str, Floats]:
        """All that is remembered between iterations, by name; the solver goes on with what is written into it.

        float32 `[rows, hands * LANES]` each.
        """
        store: dict[str, Any] = self.store._asdict()
        return store if self.algorithm.predicts else {name: store[name] for name in ("regrets", "sums")}


def check_finite(rules: Rules) -> None:
    """Refuse a ladder that has no end.

    Raises:
        CannotSolve: the order is loose, or the ladder has no top.
    """
    if rules.loose:
        raise CannotSolve("loose_order = true: that order has cycles, so bidding has no tree; solve a strict one")
    if not rules.capped:
        raise CannotSolve("cap_level = false: the ladder has no top, so its tree has no end; solve a capped one")
