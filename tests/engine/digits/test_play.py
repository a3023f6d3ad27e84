"""Whole sessions between policies: what holds of all of them, and what is refused."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from liarspoker.core.errors import BadOption, BadSeats, UnknownGame
from liarspoker.engine.chance import Chance
from liarspoker.engine.digits.play import Rounds, play
from liarspoker.engine.digits.policies import Policy, uniform
from liarspoker.engine.digits.seen import Seen
from liarspoker.engine.digits.table import Table
from liarspoker.engine.errors import CannotCompile, CannotPlay, EndlessRound, IllegalActions, OutgrownStake
from liarspoker.games.digits.auction import CHALLENGE, OPEN
from tests.engine.digits.puppets import BRAGGART, CHEAT, HASTY, MODEST, OPENER, TOP_BID, UNIFORM, playing

GAME = Table.of("salomon-1986", seats=3)


def same(left: Rounds, right: Rounds) -> bool:
    return all(np.array_equal(getattr(left, field.name), getattr(right, field.name)) for field in fields(Rounds))


def joined(*parts: Rounds) -> Rounds:
    arrays = ([getattr(part, field.name) for part in parts] for field in fields(Rounds))
    return Rounds(*map(np.concatenate, arrays))


def kept(table: Table, sessions: int, **more: Any) -> Rounds:
    return play(
        table,
        sessions,
        11,
        (playing(HASTY), playing(UNIFORM)),
        hands=12,
        rotate=True,
        keep_deals=True,
        keep_moves=40,
        **more,
    )


def test_the_same_sessions_come_out_however_they_are_cut() -> None:
    whole = kept(GAME, 60)
    assert same(whole, joined(kept(GAME, 7), kept(GAME, 53, first=7)))
    assert same(whole, kept(GAME, 60, threads=3))
    assert not same(whole, kept(GAME, 60, first=1))


def test_more_hands_a_session_begin_as_fewer_do() -> None:
    long, short = (play(GAME, 50, 5, (playing(HASTY),), hands=hands) for hands in (12, 3))
    assert np.array_equal(long.payoffs[:, :3], short.payoffs)


def test_what_one_wins_others_lose() -> None:
    for game, slips in (("dollar-bill", False), ("salomon-1986", True), ("slips", True)):
        for seats in (2, 3, 4, 7, 16):
            rounds = play(Table.of(game, seats, from_slips=slips), 200, 1, (playing(HASTY),), hands=11)
            assert not rounds.payoffs.sum(axis=2).any()
            assert (abs(rounds.payoffs).max(axis=2) == rounds.multipliers * rounds.stakes * (seats - 1)).all()
            assert rounds.claims.min() >= 0
            assert (rounds.totals >= rounds.owns).all()
            assert ((rounds.rows >= 0) == slips).all()


def test_a_single_hand_is_for_one_unit_and_the_first_seat_opens() -> None:
    rounds = play(Table.of("slips", seats=4), 500, 2)
    assert (rounds.stakes == 1).all()
    assert (rounds.openers == 0).all()
    assert (play(GAME, 10, 1, opener=2).openers == 2).all()


def test_ten_rows_of_a_slip_are_played_and_none_twice() -> None:
    rows = play(Table.of("slips", seats=3), 300, 2, (playing(HASTY),), hands=20).rows
    assert (rows[:, [0, 10]] == 0).all()
    assert all(len(set(slip)) == 10 for session in rows for slip in (session[:10], session[10:]))


def test_in_turn_everybody_sits_everywhere() -> None:
    lineup = (playing(OPENER, 17), playing(UNIFORM), playing(UNIFORM))
    still = play(GAME, 30, 8, lineup, keep_moves=1)
    turning = play(GAME, 30, 8, lineup, keep_moves=1, rotate=True)
    assert (still.moves[:, 0, 0, 1] == 17).all()
    assert (turning.moves[::3, 0, 0, 1] == 17).all()
    assert not (turning.moves[1::3, 0, 0, 1] == 17).all()


def test_policies_are_told_their_own_data() -> None:
    rounds = play(Table.of("dollar-bill", seats=2), 10, 1, (playing(MODEST, 3), playing(MODEST, 7)), rotate=True)
    assert (rounds.claims[::2] == 4).all()
    assert (rounds.claims[1::2] == 7).all()


def test_letters_choose_the_first_opener_alike_and_the_lowest_seat_in_a_tie() -> None:
    table = Table.of("salomon-1986", seats=4, letters=True)
    openers = np.bincount(play(table, 20_000, 3).openers.ravel(), minlength=4)
    assert abs(openers - 5000).max() < 5 * 61
    assert table.source.letter_pairs == 300
    assert Table.of("dollar-bill", seats=4, letters=True).source.letter_pairs == 0


def test_uniform_play_takes_every_legal_action_alike() -> None:
    table = Table.of("dollar-bill", seats=2, options={"hand_size": 2, "symbols": 2})
    moves = play(table, 40_000, 6, keep_moves=2).moves[:, 0, :2, 1]
    openings = np.bincount(moves[:, 0], minlength=8)
    assert abs(openings - 5000).max() < 5 * 67
    answers = moves[moves[:, 0] == 4, 1]
    assert set(answers) == {CHALLENGE, 5, 6, 7}
    assert all(
        abs((answers == answer).sum() - answers.size / 4) < 5 * (answers.size * 3 / 16) ** 0.5
        for answer in set(answers)
    )


@pytest.mark.parametrize(
    "change",
    [
        {"sessions": 0},
        {"hands": 0},
        {"first": -1},
        {"threads": 0},
        {"opener": 3},
        {"keep_moves": -1},
        {"policies": ()},
        {"policies": ("uniform",) * 4},
        {"policies": ("deep-thought",)},
    ],
    ids=str,
)
def test_what_is_no_batch_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(CannotPlay, match=next(iter(change)) if "deep" not in str(change) else "deep-thought"):
        play(GAME, **({"sessions": 1, "seed": 1} | change))


def test_tables_that_are_none_are_refused() -> None:
    with pytest.raises(CannotPlay, match="thorin is no digit game"):
        Table.of("thorin", seats=3)
    with pytest.raises(CannotPlay, match="loose_order without cap_level"):
        Table.of("slips", seats=3, options={"loose_order": True, "cap_level": False})
    with pytest.raises(UnknownGame):
        Table.of("bridge", seats=3)
    with pytest.raises(BadSeats):
        Table.of("slips", seats=17)
    with pytest.raises(BadOption):
        Table.of("dollar-bill", seats=3, from_slips=True)
    endless = Table.of("slips", seats=3, options={"cap_level": False})
    with pytest.raises(CannotPlay, match="no top"):
        assert endless.actions


def test_a_policy_that_cheats_is_named_with_the_session() -> None:
    with pytest.raises(IllegalActions, match="round 4: action -2: wrong-phase") as caught:
        play(GAME, 3, 1, (playing(CHEAT),), first=4)
    assert (caught.value.row, caught.value.action, caught.value.code) == (4, -2, "wrong-phase")


def test_hands_without_end_and_stakes_without_bounds_are_stopped() -> None:
    with pytest.raises(EndlessRound, match="session 0"):
        play(Table.of("slips", seats=3, options={"cap_level": False}), 1, 1, (playing(BRAGGART),))
    compound = Table.of("salomon-1986", seats=3, options={"compound_carry": True, "none_carry": "bid"})
    with pytest.raises(OutgrownStake, match="session 0"):
        play(compound, 1, 1, (playing(TOP_BID, 239),), hands=25)


def test_a_policy_that_reads_what_may_change_unseen_is_refused() -> None:
    with pytest.raises(CannotCompile, match="TABLE is neither a function nor a constant"):
        play(GAME, 1, 1, (Policy(unclear),))
    bid = 5

    def enclosed(seen: Seen, chance: Chance, data: Any) -> int:
        return bid

    with pytest.raises(CannotCompile, match="variables of the function around it"):
        play(GAME, 1, 1, (Policy(enclosed),))


TABLE = {1: 2}


def unclear(seen: Seen, chance: Chance, data: Any) -> int:
    return TABLE[1]


def allocating(seen: Seen, chance: Chance, data: Any) -> int:
    """Works on an array of its own, as policies may."""
    bids = np.zeros(4, np.int64)
    bids[:] = 9
    return int(bids[2]) if seen.auction.phase == OPEN else uniform(seen, chance, data)


def test_different_policies_are_asked_each_in_its_place() -> None:
    played = play(GAME, 20, 3, (playing(OPENER, 17), Policy(allocating), "uniform"), keep_moves=1, rotate=True)
    assert (played.moves[::3, 0, 0, 1] == 17).all()
    assert (played.moves[1::3, 0, 0, 1] != 17).any()
    assert (played.moves[2::3, 0, 0, 1] == 9).all()
