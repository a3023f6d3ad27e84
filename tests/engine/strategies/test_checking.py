"""The check of a table's numbers: where it finds a fault, and that its list of what waits is long enough."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from liarspoker.engine.errors import BadStrategy
from liarspoker.engine.strategies.checking import check_chances, most_waiting
from liarspoker.engine.strategies.hands import hands_in
from liarspoker.engine.strategies.tree import action_listed, actions_listed, positions
from liarspoker.games.digits.auction import OVER, Auction, after, opening
from liarspoker.games.digits.options import DigitOptions, Rules, packed

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
def test_all_that_waits_has_room(rules: Rules) -> None:
    @cache
    def waiting(auction: Auction) -> int:
        """The most that wait at once on the way through all that follows; equal auctions have equal futures."""
        followings = [
            after(auction, action_listed(place, auction, rules), rules)
            for place in range(actions_listed(auction, rules))
        ]
        going_on = [following for following in followings if following.phase != OVER]
        later = range(len(going_on) - 1, -1, -1)
        return max([len(going_on), *(left + waiting(one) for left, one in zip(later, going_on, strict=True))])

    assert waiting(opening(0)) <= most_waiting(rules)


@given(data=st.data(), rules=st.sampled_from(SMALL))
def test_a_number_that_is_changed_is_found_at_its_position(data: st.DataObject, rules: Rules) -> None:
    table = uniform(rules)
    check_chances(table, rules)
    row, hand = data.draw(st.integers(0, table.shape[0] - 1)), data.draw(st.integers(0, table.shape[1] - 1))
    begin = max(position.row for position in positions(rules) if position.rows and position.row <= row)
    table[row, hand] = data.draw(st.sampled_from([2.0, float("inf")]))
    with pytest.raises(BadStrategy, match=rf"^row {begin}, hand {hand}: "):
        check_chances(table, rules)
    table[row, hand] = data.draw(st.sampled_from([-0.5, float("nan")]))
    with pytest.raises(BadStrategy, match=rf"^row \d+, hand {hand}: "):
        check_chances(table, rules)
