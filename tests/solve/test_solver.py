"""The solver's results agree with best responses by enumeration, and with general properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarspoker.engine.errors import CannotPlay, CannotSolve
from liarspoker.games.digits.options import Rules
from liarspoker.solve import layout
from liarspoker.solve import solver as solving
from liarspoker.solve.algorithms import ALGORITHMS, EVALUATION, Algorithm, algorithm
from liarspoker.solve.best_response import certify
from liarspoker.solve.buffers import Step
from liarspoker.solve.runner import solve, solver_for, strategy_of
from liarspoker.solve.solver import MOST_THREADS, Solver, average_strategy
from liarspoker.solve.strategy import Strategy
from tests.effort import effort
from tests.solve.tables import TINY, Small, arrays_of, small_games
from tests.solve.worlds import best_value, chances_of, value, world

SMALL: dict[str, object] = {"hand_size": 1, "symbols": 3, "rebid": True}


def flat(size: int, symbols: int, *, rebid: bool, seats: int = 2) -> Rules:
    return Small("dollar-bill", seats, {"hand_size": size, "symbols": symbols, "rebid": rebid}).rules


@settings(max_examples=effort(10, quick=5, soak=500))
@given(small_games(TINY))
def test_values_and_best_responses_agree_with_enumeration(small: Small) -> None:
    solver = Solver(small.rules, ALGORITHMS[0])
    solver.iterate(3)
    found, played, chances = solver.evaluate(), world(small), chances_of(Strategy.of(*small, average_strategy(solver)))
    for seat in range(small.seats):
        assert found.best[seat] == pytest.approx(best_value(played, chances, seat), abs=2e-6)
        assert found.values[seat] == pytest.approx(value(played, chances, seat), abs=2e-6)


@pytest.mark.parametrize("method", ALGORITHMS, ids=lambda method: method.name)
@pytest.mark.parametrize("rebid", [False, True])
def test_every_algorithm_finds_the_equilibrium(method: Algorithm, rebid: bool) -> None:
    solver = Solver(flat(2, 2, rebid=rebid), method)
    solve(solver, 1e-4)
    found = solver.evaluate()
    assert found.exploitability <= 1e-4
    reference = Solver(solver.rules, algorithm("cfr+"))
    solve(reference, 1e-4)
    assert found.values[0] == pytest.approx(reference.evaluate().values[0], abs=2e-4)


@given(st.sampled_from(ALGORITHMS), st.integers(1, 10**6))
def test_positions_are_skipped_for_ever_smaller_reaches(method: Algorithm, iteration: int) -> None:
    now, later = method.step(iteration).rare, method.step(2 * iteration).rare
    assert EVALUATION.rare <= later <= now <= 5e-6
    if iteration >= 1000:
        assert later <= max(now / 3.9, EVALUATION.rare)  # summed over all iterations, it is bounded


@pytest.mark.parametrize("rare", [0.0, 1.0])
def test_what_is_too_rarely_reached_does_not_change(rare: float) -> None:
    class Skipping(Algorithm):
        def step(self, iteration: int) -> Step:
            return super().step(iteration)._replace(rare=np.float32(rare))

    solver = Solver(flat(2, 2, rebid=True), Skipping("cfr+", averaging=2))
    solver.iterate(3)
    openings = range(solver.layout.starts[-2], solver.layout.starts[-2] + len(solver.states.edges[0]))
    assert np.delete(solver.store.regrets, openings, axis=0).any() == (rare == 0)


def test_the_exploitability_on_the_way_agrees_with_the_certificate() -> None:
    solver = Solver(flat(2, 2, rebid=True), algorithm("dcfr"))
    solver.iterate(100)
    strategy = Strategy.of("dollar-bill", 2, {"hand_size": 2, "symbols": 2, "rebid": True}, average_strategy(solver))
    assert solver.exploitability() == pytest.approx(certify(strategy).exploitability, abs=5e-7)


def test_the_exploitability_of_a_solution_agrees_with_enumeration() -> None:
    small = Small("dollar-bill", 2, {"hand_size": 1, "symbols": 2})
    solver = solver_for(*small, method="pcfr+")
    strategy = strategy_of(solver, solve(solver, 1e-5), small.game, small.options)
    best = [best_value(world(small), chances_of(strategy), seat) for seat in (0, 1)]
    assert 0 <= sum(best) / 2 <= 1.1e-5


@pytest.mark.parametrize("method", ALGORITHMS, ids=lambda method: method.name)
def test_the_number_of_threads_does_not_change_the_result(method: Algorithm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "WORTH_A_THREAD", 0)
    alone, three = (Solver(flat(2, 2, rebid=True), method, threads) for threads in (1, 3))
    for solver in (alone, three):
        solver.iterate(20)
    for one, other in zip(arrays_of(alone).values(), arrays_of(three).values(), strict=True):
        assert np.array_equal(one, other)
    assert alone.evaluate() == three.evaluate()


def test_the_cut_of_the_tree_does_not_change_the_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = flat(2, 2, rebid=True)
    tables = []
    for claim in (0, 3, 5, 8):
        monkeypatch.setattr(solving, "best_cut", lambda states, claim=claim: layout.cut_at(states, claim))
        solver = Solver(rules, algorithm("cfr+"))
        solver.iterate(30)
        tables.append(average_strategy(solver))
    for table in tables[1:]:
        assert np.allclose(tables[0], table, atol=1e-5)


def test_three_players_get_each_seats_gain() -> None:
    solver = Solver(flat(1, 2, rebid=True, seats=3), ALGORITHMS[0])
    solver.iterate(200)
    found = solver.evaluate()
    assert sum(found.values) == pytest.approx(0)
    assert len(found.gains) == 3
    assert all(-1e-6 < gain < 0.05 for gain in found.gains)
    assert found.exploitability == max(found.gains)


def test_three_players_with_two_digits_agree_with_the_certificate() -> None:
    small = Small("salomon-1986", 3, {"hand_size": 2, "symbols": 2, "rebid": False})
    solver = Solver(small.rules, ALGORITHMS[0])
    solver.iterate(3)
    found, exact = solver.evaluate(), certify(Strategy.of(*small, average_strategy(solver)))
    assert found.best == pytest.approx([one.best for one in exact.responses], abs=2e-6)
    assert found.values == pytest.approx([one.on_policy for one in exact.responses], abs=2e-6)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"loose_order": True}, "loose_order"), ({"cap_level": False}, "cap_level")],
    ids=["loose", "no top"],
)
def test_an_infinite_tree_is_rejected(options: dict[str, object], said: str) -> None:
    with pytest.raises(CannotPlay, match=said):
        solver_for("dollar-bill", options={**SMALL, **options})


def test_invalid_arguments_are_rejected() -> None:
    for threads in (0, MOST_THREADS + 1):
        with pytest.raises(CannotSolve, match=f"threads: {threads}; it must be between 1 and {MOST_THREADS}"):
            solver_for("dollar-bill", options=SMALL, threads=threads)
    with pytest.raises(CannotSolve, match=r"'magic'; choose from dcfr, cfr\+"):
        solver_for("dollar-bill", options=SMALL, method="magic")
