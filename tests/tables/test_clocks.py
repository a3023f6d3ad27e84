"""Time at a table: turns, banks, pauses, and what happens when it is up."""

from __future__ import annotations

from functools import partial

import pytest

from liarspoker.protocol import events as e
from liarspoker.protocol.commands import Expire, Extend
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import due
from tests.tables import play
from tests.tables.play import Played, new_table

CLOCK = {"turn": 20, "bank": 30, "ready": 15}


in_round = partial(play.in_round, clock=CLOCK)


def bank(played: Played, user: str) -> float:
    chair = played.table.chair_of(user)
    assert chair is not None
    return chair.bank


def test_a_bank_is_used_up_by_what_goes_beyond_the_turn() -> None:
    played = in_round()
    user = str(played.table.to_act)
    assert due(played.table) == played.now + 50
    played.now += 25
    played.act()
    assert bank(played, user) == 25
    other = str(played.table.to_act)
    played.now += 20
    played.act()
    assert bank(played, other) == 30


def test_a_pause_keeps_the_time_that_was_left_and_what_was_used_of_the_bank() -> None:
    played = in_round()
    user = str(played.table.to_act)
    played.now += 25
    played.do("user-0", "pause")
    assert due(played.table) is None
    played.now += 1000
    assert played.refused(user, "act", turn=played.table.turn, action="1x1") == "paused"
    played.do("user-0", "resume")
    assert due(played.table) == played.now + 25
    played.now += 3
    played.act()
    assert bank(played, user) == 22


def test_a_pause_in_the_last_moment_does_not_give_a_new_turn() -> None:
    played = in_round()
    played.now += 50
    played.do("user-0", "pause")
    played.do("user-0", "resume")
    deadline = due(played.table)
    assert deadline is not None
    assert deadline < played.now + 1


def test_who_lets_his_time_run_out_makes_the_lowest_bid_and_has_no_bank_any_more() -> None:
    played = in_round()
    user = str(played.table.to_act)
    acted = played.expire()[0]
    assert isinstance(acted, e.Acted)
    assert (acted.user, acted.action, acted.by_clock) == (user, "1x0", True)
    assert bank(played, user) == 0
    assert due(played.table) == played.now + 50


def test_time_is_not_up_before_it_is_up() -> None:
    played = in_round()
    turn = played.table.turn
    for wait, named in ((49, turn), (2, turn - 1)):
        played.now += wait
        with pytest.raises(Refused):
            played.decided(Expire(turn=named), "")


def test_time_that_was_lost_is_given_back_to_turn_and_bank_alike() -> None:
    played = in_round()
    user, stopped = str(played.table.to_act), played.now + 10
    played.now += 500
    played.decided(Extend(stopped=stopped), "")
    assert due(played.table) == played.now + 40
    played.now += 15
    played.act()
    assert bank(played, user) == 25


def test_who_leaves_and_comes_back_has_the_bank_that_he_left() -> None:
    played = in_round()
    user = str(played.table.to_act)
    played.now += 40
    played.act()
    played.play_out()
    left = bank(played, user)
    assert left <= 10
    played.do(user, "leave")
    played.do(user, "join")
    assert bank(played, user) == left


def test_who_is_not_ready_in_time_sits_out() -> None:
    played = new_table("dollar-bill", 4, 7, clock=CLOCK)
    played.do("user-1", "ready")
    played.expire()
    assert played.table.stage == "round"
    assert played.sitting.users == ("user-0", "user-1")
    assert [chair.user for chair in played.table.seated if chair.away] == ["user-2", "user-3"]


def test_a_single_player_who_is_ready_waits_without_a_clock() -> None:
    played = new_table("dollar-bill", 2, 7, clock=CLOCK)
    played.expire()
    assert due(played.table) is None
    assert played.table.stage == "gathering"
    assert "user-0" in (played.table.gathering.ready if played.table.gathering else ())


def test_everybody_who_chooses_has_time_of_his_own() -> None:
    played = new_table("dollar-bill", 2, 7, clock=CLOCK, choose=True)
    played.now += 14
    played.do("user-1", "ready")
    assert due(played.table) == played.now + 20
    first = played.chooser()
    played.expire()
    assert played.chooser() not in (first, None)
    assert due(played.table) == played.now + 20
    played.expire()
    assert played.table.stage == "round"


def test_a_bot_is_given_a_deadline_where_no_clock_runs() -> None:
    played = new_table("dollar-bill", 2, 7, start=False)
    played.do("user-1", "leave")
    played.do("user-0", "seat_bot", bot="bluffer")
    played.do("user-0", "start")
    while played.table.to_act == "user-0":
        assert due(played.table) is None
        played.act()
    assert due(played.table) == played.now + 10
