"""What does not fit is refused before anything is begun, and what would fit is told."""

import re

import pytest

from liarspoker.engine.errors import CannotFit
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.solve.algorithms import ALGORITHMS, Algorithm, algorithm
from liarspoker.solve.memory import check_need, need_of
from liarspoker.solve.runner import solver_for


@pytest.mark.parametrize("method", ALGORITHMS, ids=lambda method: method.name)
def test_what_is_said_to_be_needed_is_what_is_taken(method: Algorithm) -> None:
    solver = solver_for("dollar-bill", options={"hand_size": 2, "symbols": 3}, method=method.name)
    assert sum(array.nbytes for array in solver.arrays().values()) == need_of(solver.rules, method).size


def test_the_largest_game_that_is_promised_fits_into_six_gigabytes() -> None:
    need = need_of(packed(DigitOptions(hand_size=3, symbols=3), seats=2), algorithm("cfr+"))
    assert need.rows * need.hands == 390_881_670
    assert need.size < 3.3e9


def test_a_full_game_is_refused_with_the_memory_it_would_take_and_what_would_fit() -> None:
    with pytest.raises(CannotFit) as caught:
        solver_for("dollar-bill", memory=6 * 10**9)
    said = str(caught.value)
    assert "takes 4.2e+53 bytes" in said
    assert "6.0 GB are free" in said
    size, symbols = map(int, re.findall(r"room for 2 players, (\d) digits of (\d)", said)[0])
    check_need(packed(DigitOptions(rebid=False, hand_size=size, symbols=symbols), 2), algorithm("cfr+"), 6 * 10**9)


def test_of_a_game_beyond_counting_a_bound_is_told() -> None:
    with pytest.raises(CannotFit, match=r"16 players.* takes more than \d\.\de\+39\d bytes"):
        solver_for("salomon-1986", 16)


def test_where_nothing_fits_it_is_said() -> None:
    with pytest.raises(CannotFit, match="room for nothing of this kind"):
        solver_for("dollar-bill", options={"hand_size": 2, "symbols": 2}, memory=100)
