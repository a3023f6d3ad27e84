"""The order of positions and rows agrees with a plain walk through sessions, however a position is found."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given

from liarspoker.engine.errors import CannotPlay
from liarspoker.games.digits.auction import OVER, after
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.games.digits.round import DigitRound, Terms
from liarspoker.solve.hands import all_hands
from liarspoker.solve.tree import actions_at, position_after, positions, rows_in
from tests.solve.tables import Small, small_games


@given(small_games())
def test_rows_are_numbered_without_gaps_and_counted_exactly(small: Small) -> None:
    found = list(positions(small.rules))
    ends = list(accumulate((position.rows for position in found), initial=0))
    assert [position.row for position in found] == ends[:-1]
    assert ends[-1] == rows_in(small.rules)


@given(small_games())
def test_a_position_is_found_directly_where_the_walk_finds_it(small: Small) -> None:
    found = list(positions(small.rules))
    for position in found[:: max(1, len(found) // 60)]:
        assert position_after(position.moves, small.rules) == position


@given(small_games())
def test_positions_are_in_depth_first_order(small: Small) -> None:
    """Each list of moves is the smallest one that is greater than the previous one."""
    rules = small.rules

    def order(moves: tuple[int, ...]) -> list[int]:
        places, auction = [], positions_first.auction
        for move in moves:
            places.append(actions_at(auction, rules).index(move))
            auction = after(auction, move, rules)
        return places

    found = list(positions(rules))
    positions_first = found[0]
    orders = [order(position.moves) for position in found]
    assert orders == sorted(orders)
    assert len({position.moves for position in found}) == len(found)


@given(small_games())
def test_actions_agree_with_a_round_with_the_answer_first(small: Small) -> None:
    terms = Terms(0, 0, 1, 1, ())
    for position in list(positions(small.rules))[:200]:
        hand = DigitRound.begin(small.rules, terms, (), None)
        for move in position.moves:
            hand = hand.apply(move)
        assert position.auction == hand.auction
        assert position.auction.phase != OVER
        assert position.actions == (*hand.legal().answers, *hand.legal().claims)


def test_the_rows_of_large_games_are_counted() -> None:
    three = packed(DigitOptions(hand_size=3, symbols=3), seats=2)
    assert rows_in(three) == 39_088_167
    assert rows_in(packed(DigitOptions(), seats=2)) > 10**66
    assert rows_in(packed(DigitOptions(), seats=5)) > 10**66


@pytest.mark.parametrize("options", [{"loose_order": True}, {"cap_level": False}])
def test_options_whose_positions_cannot_be_enumerated_are_rejected(options: dict[str, object]) -> None:
    rules = packed(DigitOptions().with_values(options), seats=2)
    for ask in (rows_in, lambda rules: next(positions(rules))):
        with pytest.raises(CannotPlay, match=next(iter(options))):
            ask(rules)


@pytest.mark.parametrize("moves", [(5, 5), (-1,), (7, -1, -1), (7, -1, 8), (8,)])
def test_illegal_moves_are_rejected(moves: tuple[int, ...]) -> None:
    with pytest.raises(CannotPlay):
        position_after(moves, packed(DigitOptions(hand_size=2, symbols=2, rebid=False), seats=2))


def test_the_prior_of_a_hand_is_the_share_of_its_numbers() -> None:
    rules = packed(DigitOptions(hand_size=3, symbols=3), seats=2)
    numbers: dict[tuple[int, ...], int] = dict.fromkeys(all_hands(rules).vectors, 0)
    for number in range(27):
        digits = (number // 9, number // 3 % 3, number % 3)
        numbers[digits.count(0), digits.count(1), digits.count(2)] += 1
    assert [count / 27 for count in numbers.values()] == pytest.approx(all_hands(rules).prior.tolist(), abs=1e-15)
