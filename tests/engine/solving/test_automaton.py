"""The public tree as an automaton: as many positions as the mathematics says, and the same as a walk by the rules."""

import pytest
from hypothesis import given

from liarspoker.engine.solving.automaton import ENDS, automaton_of
from liarspoker.engine.solving.plan import LANES, best_cut, cut_at, layout_of
from liarspoker.engine.strategies.tree import rows_in
from liarspoker.games.digits.auction import OVER
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from tests.engine.solving.plainly import actions, auctions, tables

SHAPES = pytest.mark.parametrize(("size", "symbols"), [(1, 2), (1, 3), (2, 2), (2, 3), (3, 3), (2, 5)])


def table(size: int, symbols: int, *, rebid: bool, seats: int = 2) -> Rules:
    return packed(DigitOptions(hand_size=size, symbols=symbols, rebid=rebid), seats)


def fibonacci(number: int) -> int:
    before, now = 0, 1
    for _ in range(number - 1):
        before, now = now, before + now
    return now


@SHAPES
def test_without_rebids_every_set_of_bids_is_a_position(size: int, symbols: int) -> None:
    rules = table(size, symbols, rebid=False)
    automaton = automaton_of(rules)
    # 2**bids with those that face the highest bid, who have no choice; they are one half.
    assert automaton.positions[0] == 2 ** (ladder_length(rules) - 1)


@SHAPES
def test_with_rebids_the_positions_are_a_fibonacci_number(size: int, symbols: int) -> None:
    rules = table(size, symbols, rebid=True)
    automaton = automaton_of(rules)
    bids = ladder_length(rules)
    # F(2 * bids + 2) with those who face the highest bid, or count it; without them F(2 * bids).
    assert automaton.positions[0] == fibonacci(2 * bids)
    if bids <= 10:
        assert sum(auction.phase != OVER for auction in auctions(rules)) == fibonacci(2 * bids + 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("size", "symbols"), [(1, 2), (1, 3), (2, 2)])
def test_without_rebids_the_endings_are_a_geometric_sum(seats: int, size: int, symbols: int) -> None:
    rules = table(size, symbols, rebid=False, seats=seats)
    assert automaton_of(rules).endings[0] == (seats ** ladder_length(rules) - 1) // (seats - 1)


@given(tables())
def test_the_automaton_is_the_walk_by_the_rules(rules: Rules) -> None:
    automaton = automaton_of(rules)
    walked = list(auctions(rules))
    decisions = [auction for auction in walked if auction.phase != OVER and len(actions(auction, rules)) > 1]
    assert automaton.positions[0] == len(decisions)
    assert automaton.sizes[0] == sum(len(actions(auction, rules)) for auction in decisions) == rows_in(rules)
    assert automaton.endings[0] == sum(auction.phase == OVER for auction in walked)
    state, mover, waiting = 0, 0, []
    for auction in decisions:  # depth first, like the automaton
        assert mover == auction.to_act
        assert automaton.auctions[state].claim == auction.claim
        assert [edge.action for edge in automaton.edges[state]] == actions(auction, rules)
        inner = [edge for edge in automaton.edges[state] if edge.state != ENDS]
        waiting += [(edge.state, (mover + edge.turn) % rules.seats) for edge in reversed(inner)]
        state, mover = waiting.pop() if waiting else (-1, -1)
    assert not waiting


@given(tables(most_bids=6))
def test_wherever_a_tree_is_cut_all_of_it_is_there(rules: Rules) -> None:
    automaton = automaton_of(rules)
    for claim in range(ladder_length(rules) + 1):
        cut = cut_at(automaton, claim)
        layout = layout_of(automaton, cut)
        assert cut.top_sizes[0] + layout.sizes.sum() == automaton.sizes[0]
        assert layout.rows == cut.rows
        assert len(layout.places) == cut.top_exits[0] == sum(cut.instances.values())
        assert len(set(layout.places.tolist())) == len(layout.places)
        assert all(layout.places < layout.tasks * LANES)


def test_the_best_cut_wastes_little_of_a_large_tree() -> None:
    automaton = automaton_of(table(3, 3, rebid=True))
    assert best_cut(automaton).rows * LANES < 1.05 * automaton.sizes[0]
