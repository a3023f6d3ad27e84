"""The solver: regrets over the public tree, iterations that minimize them, and the average strategy."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.lanes import LANES
from liarspoker.games.digits.options import Rules
from liarspoker.solve.algorithms import EVALUATION, Algorithm
from liarspoker.solve.buffers import Buffers, Floats, Step, Store, cards_of, front_of, new_buffers
from liarspoker.solve.hands import all_hands, hands_in, kernel, quickest
from liarspoker.solve.layout import EXIT, Layout, best_cut, layout_of
from liarspoker.solve.traversal import DESCEND, EXPECT, ONE, RESPOND_BEST, UPDATE, ZERO, traverse_all
from liarspoker.solve.tree import ENDS, Ints, states_of

WORTH_A_THREAD = 1 << 22
"""For a tree with fewer numbers, a second thread saves no time."""

Job = tuple[int, int, int, int]
"""A row of the jobs that `traverse_all` takes."""

MOST_THREADS = 256
"""The maximum number of threads."""

_SHARES = 16
"""The number of shares per thread into which the tasks are cut, so that no thread waits long for another."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How good the average strategies are, in units per hand at stake 1.

    Attributes:
        values: the expected value of each seat if all play them; seat 0 opens. They sum to 0.
        best: the expected value of each seat's best response to the others.
    """

    values: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """Each seat's gain from its best response."""
        return tuple(best - value for best, value in zip(self.best, self.values, strict=True))

    @property
    def exploitability(self) -> float:
        """NashConv / 2 for two players; for more, the largest gain of a seat."""
        return sum(self.best) / 2 if len(self.best) == 2 else max(self.gains)


class Solver:
    """Counterfactual regret minimization over the public tree of one table.

    For two players, the average strategies converge to an equilibrium. For more players there is no such guarantee, and
    :meth:`evaluate` returns how much each seat could still gain.

    The result depends only on the rules, the algorithm and the number of iterations, not on the number of threads.

    Args:
        rules: the table's rules.
        algorithm: the regret minimization algorithm.
        threads: the number of threads, 1 or more.

    Attributes:
        iterations: the number of iterations done.

    Raises:
        CannotPlay: the tree is infinite: the order is loose, or the ladder has no top.

    >>> from liarspoker.solve.algorithms import ALGORITHMS
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> flat = DigitOptions(hand_size=1, symbols=2, level_bonus=False, hero=False, none_wins=False)
    >>> solver = Solver(packed(flat, seats=2), ALGORITHMS[0])
    >>> solver.iterate(200)
    >>> solver.evaluate().exploitability < 1e-2
    True
    """

    def __init__(self, rules: Rules, algorithm: Algorithm, threads: int = 1) -> None:
        self.rules = rules
        self.algorithm = algorithm
        self.iterations = 0
        self.states = states_of(rules)
        self.layout = layout_of(self.states, best_cut(self.states))
        self.width = hands_in(rules) * LANES
        self._cards = cards_of(rules)
        self._front = front_of(self.layout, rules)
        self._stored = self._tasks_stored()
        begin, end = (int(self.layout.starts[task]) for task in self._stored)
        self._own_layout = self.layout._replace(starts=self.layout.starts - begin)
        shape = (end - begin, self.width)
        regrets, sums = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.store = Store(regrets, np.zeros(shape, np.float32) if algorithm.predicts else regrets, sums)
        self._top = (self.layout.tasks, self.layout.tasks + 1)
        self._shares = self._shared_out(threads)
        self._buffers: SimpleQueue[Buffers] = SimpleQueue()
        for _ in range(max(1, threads if len(self._shares) > 1 else 1)):
            self._buffers.put(new_buffers(self.states, self.width))
        self._pool = ThreadPoolExecutor(threads) if len(self._shares) > 1 else None
        self._run([], [], self.store)  # compiles the traversal if necessary

    def _tasks_stored(self) -> tuple[int, int]:
        """Return the first task and the end of those whose regrets and sums are stored here; the top is the last."""
        return 0, self.layout.tasks + 1

    def iterate(self, times: int = 1) -> None:
        """Run further iterations. Each one updates each seat's regrets once, one seat after the other."""
        steps = [self.algorithm.step(self.iterations + number) for number in range(1, times + 1)]
        sweeps = [(UPDATE, seat, step) for step in steps for seat in range(self.rules.seats)]
        if self._pool is None:
            self._sweep(sweeps, self.store)
        else:
            for sweep in sweeps:
                self._sweep([sweep], self.store)
        self.iterations += times

    def exploitability(self) -> float:
        """Compute the exploitability of the average strategies by exact best responses; see :class:`Evaluation`."""
        if self.rules.seats == 2:
            return sum(self._value(RESPOND_BEST, seat) for seat in (0, 1)) / 2
        return self.evaluate().exploitability

    def evaluate(self) -> Evaluation:
        """Evaluate the average strategies by exact best responses."""
        seats = range(self.rules.seats)
        best = tuple(self._value(RESPOND_BEST, seat) for seat in seats)
        values = [self._value(EXPECT, seat) for seat in seats[:-1]]
        return Evaluation((*values, -sum(values)), best)

    def forget_regrets(self) -> None:
        """Free the memory that only further iterations need; don't call :meth:`iterate` afterwards."""
        nothing = np.zeros((0, self.width), np.float32)
        self.store = Store(nothing, nothing, self.store.sums)

    def _value(self, mode: int, seat: int) -> float:
        """Return the expected value of a hand to a seat before the deal, against the averages of the others."""
        self._sweep([(mode, seat, EVALUATION)], self.store._replace(played=self.store.sums))
        values: NDArray[np.float64] = self._front.values[-1, ::LANES].astype(np.float64)
        return float(values @ all_hands(self.rules).prior)

    def _sweep(self, sweeps: Sequence[tuple[int, int, Step]], store: Store) -> None:
        """Traverse the whole tree, by mode and seat; several sweeps are done in one call, without threads only."""
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
        """Return the jobs of a sweep: down through the top, over a share of the tasks, and up again."""
        return (DESCEND, seat, *self._top), (mode, seat, *share), (mode, seat, *self._top)

    def _run(self, jobs: Sequence[Job], steps: Sequence[Step], store: Store) -> None:
        """Run jobs in this thread."""
        numbers = np.array(steps, np.float32).reshape(-1, len(Step._fields))
        work = np.array(jobs, np.int64).reshape(-1, 4)
        buffers = self._buffers.get()
        try:
            kernel(traverse_all)(work, numbers, self._own_layout, self._cards, store, self._front, buffers)
        finally:
            self._buffers.put(buffers)

    def _shared_out(self, threads: int) -> list[tuple[int, int]]:
        """Return the first task and the end of shares of about equal size; a single share if there is little work."""
        if threads == 1 or self.layout.rows * self.width < WORTH_A_THREAD:
            return [(0, self.layout.tasks)]
        return [(first, end) for first, end in shares_of(self.layout, threads * _SHARES) if first < end]

    @property
    def array_names(self) -> tuple[str, ...]:
        """The names of the arrays that are stored between iterations."""
        return Store._fields if self.algorithm.predicts else ("regrets", "sums")

    @property
    def block_rows(self) -> list[int]:
        """The numbers of rows of the blocks of each array, in order."""
        return [self.store.sums.shape[0]]

    def block(self, number: int, name: str) -> Floats:
        """Return a block of an array, float32 `[rows, hands * LANES]`."""
        array: Floats = getattr(self.store, name)
        return array

    def set_block(self, number: int, name: str, array: Floats) -> None:
        """Replace a block of an array."""
        self.store = self.store._replace(**{name: array})
        if name == "regrets" and not self.algorithm.predicts:
            self.store = self.store._replace(played=array)


def shares_of(layout: Layout, number: int) -> list[tuple[int, int]]:
    """Return the first task and the end of a number of shares of about equal size; some may be empty."""
    done = layout.starts[:-2] / max(1, layout.starts[-2])
    begun = np.searchsorted(done, np.arange(number) / number).tolist()
    return list(pairwise([*begun, layout.tasks]))


def average_strategy(solver: Solver) -> Floats:
    """Return the average strategy of every seat, with each hand in each public position.

    Returns:
        float32 `[rows, hands]`, probabilities, in the order of :mod:`liarspoker.solve.tree`. If a hand has never
        reached a position by its own play, all actions are equally likely.
    """
    layout, states = solver.layout, solver.states
    probabilities = np.zeros((states.sizes[0], solver.width // LANES), np.float32)
    waiting = np.zeros((1 + sum(map(len, states.edges)), 4), np.int64)
    waiting[0] = layout.roots[-1], layout.starts[-2], 0, 0
    quickest(write_probabilities, probabilities.size)(layout, solver.store.sums, probabilities, waiting)
    return probabilities


def write_probabilities(layout: Layout, sums: Floats, probabilities: Floats, waiting: Ints) -> None:
    """Traverse the tree in its canonical order and write each position's probabilities.

    Args:
        layout: the tree.
        sums: float32 `[rows, hands * LANES]`.
        probabilities: float32 `[rows, hands]`, the result.
        waiting: int64 `[waiting positions, 4]`: state, row in `sums`, lane and first exit of each position still to be
            written. The first one is the opening.
    """
    left, row = 1, 0
    while left:
        left -= 1
        state, base, lane, met = waiting[left, 0], waiting[left, 1], waiting[left, 2], waiting[left, 3]
        first, end = layout.first[state], layout.first[state + 1]
        for hand in range(probabilities.shape[1]):
            place, total = hand * LANES + lane, ZERO
            for edge in range(first, end):
                total += sums[base + edge - first, place]
            for edge in range(first, end):
                chance = sums[base + edge - first, place] / total if total > ZERO else ONE / np.float32(end - first)
                probabilities[row + edge - first, hand] = chance
        row += end - first
        for edge in range(end - 1, first - 1, -1):
            later = layout.state[edge]
            if later == ENDS:
                continue
            number = met + layout.exits[edge]
            if later == EXIT:
                task = layout.places[number] // LANES
                waiting[left, 0], waiting[left, 1] = layout.roots[task], layout.starts[task]
                waiting[left, 2] = layout.places[number] % LANES
            else:
                waiting[left, 0], waiting[left, 1], waiting[left, 2] = later, base + layout.skip[edge], lane
            waiting[left, 3] = number
            left += 1
