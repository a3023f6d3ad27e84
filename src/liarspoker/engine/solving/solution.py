"""From a game's name to a solver, and from a solver to a strategy that can be kept."""

from __future__ import annotations

from collections.abc import Mapping

from liarspoker.engine.errors import CannotSolve
from liarspoker.engine.memory import free_memory
from liarspoker.engine.solving.algorithms import DEFAULT, algorithm
from liarspoker.engine.solving.driving import Progress
from liarspoker.engine.solving.needs import check_need
from liarspoker.engine.solving.policy import average_strategy
from liarspoker.engine.solving.solver import MOST_THREADS, Solver
from liarspoker.engine.strategies.strategy import Strategy
from liarspoker.engine.strategies.tree import check_finite
from liarspoker.engine.table import Table


def solver_for(
    game: str,
    seats: int = 2,
    options: Mapping[str, object] | None = None,
    *,
    method: str = DEFAULT,
    threads: int = 1,
    memory: int | None = None,
) -> Solver:
    """A solver for one hand of a digit game at stake 1.

    Another fixed stake multiplies every payoff: the same strategies are in equilibrium, and the values are multiplied.
    What a hand leaves to the next one, such as a carried stake, is not looked at.

    Args:
        game: `dollar-bill` (flat payoffs, no rebids), `salomon-1986` or `slips`.
        seats: 2 to 16.
        options: those that differ from the game's own, names and values as in a record.
        method: an algorithm's name.
        threads: how many work at once, 1 to `MOST_THREADS`; they change nothing but the time.
        memory: bytes that it may take; by default what is free.

    Raises:
        UnknownGame, BadSeats, BadOption: as the rules have it.
        CannotPlay: it is no digit game, or its tree has no end.
        CannotFit: it takes more memory than there is; the message tells what would fit.
        CannotSolve: there is no such algorithm, or nobody can use so many threads.

    >>> from liarspoker.engine.solving.driving import solve
    >>> solver = solver_for("dollar-bill", options={"hand_size": 1, "symbols": 2, "rebid": True})
    >>> progress = solve(solver, target=1e-3)
    >>> strategy = strategy_of(solver, progress, "dollar-bill", {"hand_size": 1, "symbols": 2, "rebid": True})
    >>> strategy.probabilities.shape
    (53, 2)
    """
    if not 1 <= threads <= MOST_THREADS:
        raise CannotSolve(f"threads: {threads}; it takes 1 to {MOST_THREADS}")
    changes = dict(options or {})
    if changes.get("loose_order") and changes.get("cap_level") is False:
        changes.pop("cap_level")  # of two reasons to refuse, the first is told
    rules = Table.of(game, seats, changes, family="digits", from_slips=False).rules
    check_finite(rules)
    chosen = algorithm(method)
    limit = free_memory() if memory is None else memory
    if limit is not None:
        check_need(rules, chosen, limit)
    return Solver(rules, chosen, threads)


def strategy_of(solver: Solver, progress: Progress, game: str, options: Mapping[str, object] | None = None) -> Strategy:
    """The average strategies with the record of how they were found, to be saved or played.

    Args:
        solver: when it has done its work; its regrets are thrown away first, to make room.
        progress: what `solve` has answered.
        game: as it was for `solver_for`.
        options: as they were for `solver_for`.
    """
    solver.forget_regrets()
    table, record = average_strategy(solver), record_of(solver, progress)
    if not table.min(initial=0) >= 0:  # NaN too
        raise CannotSolve("the average strategies hold a number that is no probability: please report this as a bug")
    return Strategy.of(game, solver.rules.seats, options, table, record, normalized=True)


def record_of(solver: Solver, progress: Progress) -> dict[str, object]:
    """How a strategy was found, as `liarspoker solve --json` tells it."""
    if progress.standing is None:
        raise CannotSolve("nothing has been solved yet")
    return {
        "algorithm": solver.algorithm.name,
        "iterations": progress.iterations,
        "seconds": progress.seconds,
        "exploitability": progress.exploitability,
        "value": progress.standing.values[0],
        "values": list(progress.standing.values),
        "gains": list(progress.standing.gains),
        "curve": [list(look) for look in progress.curve],
    }
