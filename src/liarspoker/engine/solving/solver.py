"""The solver: arrays of regrets over the public tree, and iterations that make them smaller."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.solving.algorithms import Algorithm
from liarspoker.engine.solving.automaton import automaton_of
from liarspoker.engine.solving.plan import LANES, best_cut, layout_of
from liarspoker.engine.solving.rooms import Floats, Room, Step, Store, cards_of, front_of, room_of
from liarspoker.engine.solving.sweeping import DESCEND, EXPECT, RESPOND_BEST, UPDATE, sweep_all
from liarspoker.engine.strategies.hands import hands_in, prior_of
from liarspoker.games.digits.options import Rules

WORTH_A_THREAD = 1 << 22
"""Numbers of a tree below which one thread is as fast as two."""

Job = tuple[int, int, int, int]
"""A row of what `sweep_all` takes."""

MOST_THREADS = 256
"""More of them are surely a mistake."""

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
        rules: the table's.
        algorithm: how regret is minimised.
        threads: how many work at once, 1 or more.

    Attributes:
        iterations: done so far.

    Raises:
        CannotPlay: the tree has no end: the order is loose, or the ladder has no top.

    >>> from liarspoker.engine.solving.algorithms import ALGORITHMS
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> flat = DigitOptions(hand_size=1, symbols=2, level_bonus=False, hero=False, none_wins=False)
    >>> solver = Solver(packed(flat, seats=2), ALGORITHMS[0])
    >>> solver.iterate(200)
    >>> solver.standing().exploitability < 1e-2
    True
    """

    def __init__(self, rules: Rules, algorithm: Algorithm, threads: int = 1) -> None:
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
        self._top = (self.layout.tasks, self.layout.tasks + 1)
        self._shares = self._shared_out(threads)
        self._rooms: SimpleQueue[Room] = SimpleQueue()
        for _ in range(max(1, threads if len(self._shares) > 1 else 1)):
            self._rooms.put(room_of(self.automaton, self.width))
        self._pool = ThreadPoolExecutor(threads) if len(self._shares) > 1 else None
        self._run([], [], self.store)  # compiles, where that is due

    @property
    def strategy_size(self) -> int:
        """Bytes of the table of average strategies."""
        return self.automaton.sizes[0] * (self.width // LANES) * 4

    def iterate(self, times: int = 1) -> None:
        """Do so many further iterations: each seat's regrets once, the seats one after the other."""
        steps = [self.algorithm.step(self.iterations + number) for number in range(1, times + 1)]
        sweeps = [(UPDATE, seat, step) for step in steps for seat in range(self.rules.seats)]
        if self._pool is None:
            self._sweep(sweeps, self.store)
        else:
            for sweep in sweeps:
                self._sweep([sweep], self.store)
        self.iterations += times

    def exploitability(self) -> float:
        """That of the average strategies, by exact best responses, as in `Standing`; nothing is changed."""
        if self.rules.seats == 2:
            return sum(self._worth(RESPOND_BEST, seat) for seat in (0, 1)) / 2
        return self.standing().exploitability

    def standing(self) -> Standing:
        """How good the average strategies are, by exact best responses; nothing is changed."""
        seats = range(self.rules.seats)
        best = tuple(self._worth(RESPOND_BEST, seat) for seat in seats)
        values = [self._worth(EXPECT, seat) for seat in seats[:-1]]
        return Standing((*values, -sum(values)), best)

    def forget_regrets(self) -> None:
        """Give back the memory that only further iterations would need; `iterate` must not be called any more."""
        nothing = np.zeros((0, self.width), np.float32)
        self.store = Store(nothing, nothing, self.store.sums)

    def _worth(self, mode: int, seat: int) -> float:
        """What a hand is worth to a seat before it sees its own, against the averages of the others."""
        self._sweep([(mode, seat, self.algorithm.step(1))], self.store._replace(played=self.store.sums))
        values: NDArray[np.float64] = self._front.values[-1, ::LANES].astype(np.float64)
        return float(values @ prior_of(self.rules))

    def _sweep(self, sweeps: Sequence[tuple[int, int, Step]], store: Store) -> None:
        """Sweep over the whole tree, by mode and seat; several times only without threads, and then in one call."""
        if self._pool is None:
            jobs = [job for mode, seat, _ in sweeps for job in self._jobs(mode, seat, self._shares[0])]
            self._run(jobs, [step for _, _, step in sweeps for _ in range(3)], store)
            return
        ((mode, seat, step),) = sweeps
        down, _, up = self._jobs(mode, seat, self._top)
        self._run([down], [step], store)
        for _ in self._pool.map(lambda share: self._run([(mode, seat, *share)], [step], store), self._shares):
            pass
        self._run([up], [step], store)

    def _jobs(self, mode: int, seat: int, share: tuple[int, int]) -> tuple[Job, Job, Job]:
        """Down through the top, over a share of the tasks, and up again."""
        return (DESCEND, seat, *self._top), (mode, seat, *share), (mode, seat, *self._top)

    def _run(self, jobs: Sequence[Job], steps: Sequence[Step], store: Store) -> None:
        """Do jobs in this thread."""
        numbers = np.array(steps, np.float32).reshape(-1, len(Step._fields))
        work = np.array(jobs, np.int64).reshape(-1, 4)
        room = self._rooms.get()
        try:
            self._kernel(work, numbers, self.layout.plan, self._cards, store, self._front, room)
        finally:
            self._rooms.put(room)

    def _shared_out(self, threads: int) -> list[tuple[int, int]]:
        """The tasks in parts of about equal size, first and end of each, or all in one where that is little work."""
        tasks = self.layout.tasks
        if threads == 1 or self.layout.rows * self.width < WORTH_A_THREAD:
            return [(0, tasks)]
        shares = threads * _SHARES
        done = self.layout.starts[:-2] / max(1, self.layout.starts[-2])
        begun = np.searchsorted(done, np.arange(shares) / shares).tolist()
        return [(first, end) for first, end in pairwise([*begun, tasks]) if first < end]

    def arrays(self) -> dict[str, Floats]:
        """All that is remembered between iterations, by name; the solver goes on with what is written into it.

        float32 `[rows, hands * LANES]` each.
        """
        store: dict[str, Any] = self.store._asdict()
        return store if self.algorithm.predicts else {name: store[name] for name in ("regrets", "sums")}
