"""The check of a table's numbers finds every fault, and its list of waiting positions is long enough."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from liarspoker.engine.errors import BadStrategy
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.solve.hands import hands_in, kernel
from liarspoker.solve.strategy import check_table, first_fault, most_waiting
from liarspoker.solve.tree import ENDS, positions, states_of

TABLES = [
    packed(DigitOptions(hand_size=hand, symbols=symbols, rebid=rebid), seats=seats)
    for hand, symbols, seats in [(1, 2, 2), (2, 2, 2), (1, 3, 2), (1, 2, 3), (1, 2, 4), (1, 2, 5), (2, 3, 6)]
    for rebid in (False, True)
]
SMALL = TABLES[:8]


def uniform(rules: Rules) -> NDArray[np.float32]:
    sizes = [position.rows for position in positions(rules) if position.rows]
    return np.concatenate([np.full((size, hands_in(rules)), 1 / size, np.float32) for size in sizes])


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.seats}p-{rules.hand_size}x{rules.symbols}")
def test_the_buffer_has_room_for_all_waiting_positions(rules: Rules) -> None:
    states = states_of(rules)
    waiting = [0] * len(states.edges)  # the most positions that wait at once in the subtree
    for state in states.from_the_ends:
        later = [edge.state for edge in states.edges[state] if edge.state != ENDS]
        left = range(len(later) - 1, -1, -1)
        waiting[state] = max([len(later), *(many + waiting[one] for many, one in zip(left, later, strict=True))])
    assert waiting[0] <= most_waiting(states)


@given(data=st.data(), rules=st.sampled_from(SMALL))
def test_a_changed_number_is_found_at_its_position(data: st.DataObject, rules: Rules) -> None:
    table = uniform(rules)
    check_table(table, rules)
    row, hand = data.draw(st.integers(0, table.shape[0] - 1)), data.draw(st.integers(0, table.shape[1] - 1))
    begin = max(position.row for position in positions(rules) if position.rows and position.row <= row)
    table[row, hand] = data.draw(st.sampled_from([2.0, float("inf")]))
    with pytest.raises(BadStrategy, match=rf"^row {begin}, hand {hand}: "):
        check_table(table, rules)
    table[row, hand] = data.draw(st.sampled_from([-0.5, float("nan")]))
    with pytest.raises(BadStrategy, match=rf"^row \d+, hand {hand}: "):
        check_table(table, rules)


@given(data=st.data())
def test_small_and_large_tables_are_checked_alike(data: st.DataObject) -> None:
    rules = SMALL[3]
    table, states = uniform(rules), states_of(rules)
    row, hand = data.draw(st.integers(0, table.shape[0] - 1)), data.draw(st.integers(0, table.shape[1] - 1))
    table[row, hand] += data.draw(st.floats(-1, 1, width=32))

    def found(check: Callable[..., tuple[int, int]]) -> tuple[int, int]:
        return check(table, states.tree, np.zeros(most_waiting(states), np.int64))

    assert found(first_fault) == found(kernel(first_fault))
