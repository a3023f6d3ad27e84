"""What doesn't fit into memory is rejected before the work starts, with what would fit."""

import re

import pytest

from liarspoker.engine.errors import CannotFit
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.solve.algorithms import ALGORITHMS, Algorithm, algorithm
from liarspoker.solve.memory import check_need, need_of
from liarspoker.solve.runner import solver_for
from tests.solve.tables import arrays_of


@pytest.mark.parametrize("method", ALGORITHMS, ids=lambda method: method.name)
def test_the_predicted_memory_is_the_memory_used(method: Algorithm) -> None:
    solver = solver_for("dollar-bill", options={"hand_size": 2, "symbols": 3}, method=method.name)
    assert sum(array.nbytes for array in arrays_of(solver).values()) == need_of(solver.rules, method).size


def test_the_largest_documented_game_fits_into_six_gigabytes() -> None:
    need = need_of(packed(DigitOptions(hand_size=3, symbols=3), seats=2), algorithm("cfr+"))
    assert need.rows * need.hands == 390_881_670
    assert need.size < 3.3e9


def test_a_full_size_game_is_rejected_with_the_memory_needed_and_what_would_fit() -> None:
    with pytest.raises(CannotFit) as caught:
        solver_for("dollar-bill", memory=6 * 10**9)
    said = str(caught.value)
    assert "takes 4.2e+53 bytes" in said
    assert "6.0 GB are free" in said
    size, symbols = map(int, re.findall(r"fit: 2 players, (\d) digits of (\d)", said)[0])
    check_need(packed(DigitOptions(rebid=False, hand_size=size, symbols=symbols), 2), algorithm("cfr+"), 6 * 10**9)


def test_a_huge_game_is_reported_with_a_lower_bound() -> None:
    with pytest.raises(CannotFit, match=r"16 players.* takes more than \d\.\de\+39\d bytes"):
        solver_for("salomon-1986", 16)


def test_the_error_says_if_no_game_fits() -> None:
    with pytest.raises(CannotFit, match="fit: no game of this kind"):
        solver_for("dollar-bill", options={"hand_size": 2, "symbols": 2}, memory=100)
