"""The states of the public tree: as many positions as the formulas predict, and the same as a walk by the rules."""

import pytest
from hypothesis import given

from liarspoker.engine.lanes import LANES
from liarspoker.games.digits.auction import OVER, after
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.solve.layout import best_cut, cut_at, layout_of
from liarspoker.solve.tree import ENDS, States, positions, rows_in, states_of
from tests.solve.tables import Small, small_games

SHAPES = pytest.mark.parametrize(("size", "symbols"), [(1, 2), (1, 3), (2, 2), (2, 3), (3, 3), (2, 5)])


def table(size: int, symbols: int, *, rebid: bool, seats: int = 2) -> Rules:
    return packed(DigitOptions(hand_size=size, symbols=symbols, rebid=rebid), seats)


def decisions_in(states: States) -> int:
    """Return the number of positions with a choice."""
    found = [0] * len(states.edges)
    for state in states.from_the_ends:
        found[state] = 1 + sum(found[edge.state] for edge in states.edges[state] if edge.state != ENDS)
    return found[0]


def endings_in(states: States) -> int:
    """Return the number of ways in which a hand can end."""
    found = [0] * len(states.edges)
    for state in states.from_the_ends:
        found[state] = sum(1 if edge.state == ENDS else found[edge.state] for edge in states.edges[state])
    return found[0]


def fibonacci(number: int) -> int:
    before, now = 0, 1
    for _ in range(number - 1):
        before, now = now, before + now
    return now


@SHAPES
def test_without_rebids_every_set_of_bids_is_a_position(size: int, symbols: int) -> None:
    rules = table(size, symbols, rebid=False)
    states = states_of(rules)
    # 2**bids, including the half of them in which the player faces the highest bid and has no choice.
    assert decisions_in(states) == 2 ** (ladder_length(rules) - 1)


@SHAPES
def test_with_rebids_the_positions_are_a_fibonacci_number(size: int, symbols: int) -> None:
    rules = table(size, symbols, rebid=True)
    states = states_of(rules)
    bids = ladder_length(rules)
    # F(2 * bids + 2), including those in which the player faces or counts the highest bid; F(2 * bids) without them.
    assert decisions_in(states) == fibonacci(2 * bids)
    if bids <= 10:
        assert sum(1 for _ in positions(rules)) == fibonacci(2 * bids + 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("size", "symbols"), [(1, 2), (1, 3), (2, 2)])
def test_without_rebids_the_endings_are_a_geometric_sum(seats: int, size: int, symbols: int) -> None:
    rules = table(size, symbols, rebid=False, seats=seats)
    assert endings_in(states_of(rules)) == (seats ** ladder_length(rules) - 1) // (seats - 1)


@given(small_games())
def test_the_states_agree_with_a_walk_by_the_rules(small: Small) -> None:
    rules, states = small.rules, states_of(small.rules)
    walked = list(positions(rules))
    decisions = [position for position in walked if position.rows]
    assert decisions_in(states) == len(decisions)
    assert states.sizes[0] == sum(len(position.actions) for position in decisions) == rows_in(rules)
    ends = (after(position.auction, action, rules) for position in walked for action in position.actions)
    assert endings_in(states) == sum(auction.phase == OVER for auction in ends)
    state, mover, waiting = 0, 0, []
    for position in decisions:  # depth first, like the states
        assert mover == position.auction.to_act
        assert states.auctions[state].claim == position.auction.claim
        assert tuple(edge.action for edge in states.edges[state]) == position.actions
        inner = [edge for edge in states.edges[state] if edge.state != ENDS]
        waiting += [(edge.state, (mover + edge.turn) % rules.seats) for edge in reversed(inner)]
        state, mover = waiting.pop() if waiting else (-1, -1)
    assert not waiting


@given(small_games())
def test_every_cut_contains_the_whole_tree(small: Small) -> None:
    states = states_of(small.rules)
    for claim in range(ladder_length(small.rules) + 1):
        cut = cut_at(states, claim)
        layout = layout_of(states, cut)
        assert (
            cut.top_sizes[0] + sum(states.sizes[layout.roots[place // LANES]] for place in layout.places)
            == states.sizes[0]
        )
        assert layout.rows == cut.rows
        assert len(layout.places) == cut.top_exits[0] == sum(cut.instances.values())
        assert len(set(layout.places.tolist())) == len(layout.places)
        assert all(layout.places < layout.tasks * LANES)


def test_the_best_cut_of_a_large_tree_wastes_little_memory() -> None:
    states = states_of(table(3, 3, rebid=True))
    assert best_cut(states).rows * LANES < 1.05 * states.sizes[0]
