"""Sums over many hands: those of the hands themselves, however they are cut; and a policy that plays by values."""

from __future__ import annotations

import numpy as np
import pytest

from liarspoker.engine.chance import seed_of
from liarspoker.engine.digits.play import play
from liarspoker.engine.digits.pricing import best_by_value, priced
from liarspoker.engine.digits.seen import Seen
from liarspoker.engine.digits.table import Table
from liarspoker.engine.digits.totals import CHUNK, Totals, totals
from liarspoker.engine.errors import CannotPlay
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, RESPOND, Auction, opening
from liarspoker.games.digits.hands import packed_counts


def added(parts: list[Totals]) -> tuple[list[int], list[int], list[int], int]:
    """Units, squares, outcomes and decisions of all parts."""
    sums = [np.sum([getattr(part, name) for part in parts], axis=0).tolist() for name in ("won", "squares", "outcomes")]
    return sums[0], sums[1], sums[2], sum(part.decisions for part in parts)


def test_totals_are_those_of_the_hands_whoever_sits_where() -> None:
    table, hands = Table.of("salomon-1986", seats=3), CHUNK + 100
    parts = list(totals(table, hands, 5, ["uniform"]))
    assert [part.sessions for part in parts] == [CHUNK, 100]
    rounds = play(table, hands, 5, rotate=True)
    won = np.zeros((hands, 3), np.int64)
    for number in range(3):
        for player in range(3):
            won[number::3, player] = rounds.scores[number::3, (player + number) % 3]
    outcomes = np.bincount(rounds.outcomes.ravel(), minlength=4)
    squares = (won**2).sum(axis=0)
    assert added(parts) == (
        won.sum(axis=0).tolist(),
        squares.tolist(),
        outcomes.tolist(),
        int(rounds.decisions.sum()),
    )


def test_threads_change_nothing() -> None:
    table = Table.of("slips", seats=4)
    one, five = (list(totals(table, 2_005, 5, ["uniform"], session=10, threads=threads)) for threads in (1, 5))
    assert one == five
    assert [(part.sessions, part.hands) for part in one] == [(200, 10), (1, 5)]


def test_stakes_that_outgrow_all_sums_are_refused() -> None:
    table = Table.of("salomon-1986", seats=2, options={"compound_carry": True})
    with pytest.raises(CannotPlay, match="compound_carry"):
        list(totals(table, 10, 1, ["uniform"], session=10))


def test_what_is_worth_most_is_played_and_the_strongest_among_equals() -> None:
    rules = Table.of("salomon-1986", seats=2, options={"hand_size": 2, "symbols": 2}).rules
    worth = {0: 1.0, 1: 3.0, 2: 3.0, 3: 9.0, 4: 2.0, 5: 0.0, 6: 0.0, 7: 0.0}
    policy = priced(rules, lambda claim, own: worth[claim] + 10 * own, lambda claim, own: 2.5 - own, 3, 2)
    nobody, nothing = np.zeros((1, 2), np.int32), np.zeros(0, np.bool_)

    def asked(auction: Auction, number: str) -> int:
        seen = Seen(rules, auction, 0, packed_counts(number), 0, 1, 0, nobody, nothing)
        return best_by_value(seen, np.array([seed_of(1)]), policy.data)

    assert asked(opening(0), "33") == 2  # it holds none; of three bids weighed, the stronger of the best two
    assert asked(opening(0), "22") == 1  # two twos are worth twenty more
    assert asked(Auction(3, 0, 0, 0, 1, RESPOND), "33") == CHALLENGE  # 2.5, over 2 and 0
    assert asked(Auction(2, 0, 0, 0, 1, RESPOND), "33") == 3  # 9, over 2.5
    assert asked(Auction(5, 0, 0, 1, 0, DECIDE), "33") == COUNT  # all are worth nothing
    assert asked(Auction(7, 0, 0, 0, 1, RESPOND), "22") == CHALLENGE  # there is no bid
