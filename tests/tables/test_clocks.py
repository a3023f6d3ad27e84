"""Clocks: turns, time banks, pauses and expired deadlines."""

from __future__ import annotations

from functools import partial

import pytest

from liarspoker.protocol import events as e
from liarspoker.protocol.commands import Expire, Extend
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import next_deadline
from tests.tables import play
from tests.tables.play import Played, new_table

CLOCK = {"turn": 20, "bank": 30, "ready": 15}


in_round = partial(play.in_round, clock=CLOCK)


def bank(played: Played, user: str) -> float:
    chair = played.table.chair_of(user)
    assert chair is not None
    return chair.bank


def test_the_bank_is_used_only_after_the_turn_time() -> None:
    played = in_round()
    user = str(played.table.to_act)
    assert next_deadline(played.table) == played.now + 50
    played.now += 25
    played.act()
    assert bank(played, user) == 25
    other = str(played.table.to_act)
    played.now += 20
    played.act()
    assert bank(played, other) == 30


def test_a_pause_keeps_the_remaining_time_and_bank() -> None:
    played = in_round()
    user = str(played.table.to_act)
    played.now += 25
    played.do("user-0", "pause")
    assert next_deadline(played.table) is None
    played.now += 1000
    assert played.refused(user, "act", turn=played.table.turn, action="1x1") == "paused"
    played.do("user-0", "resume")
    assert next_deadline(played.table) == played.now + 25
    played.now += 3
    played.act()
    assert bank(played, user) == 22


def test_a_pause_at_the_last_moment_does_not_restart_the_turn() -> None:
    played = in_round()
    played.now += 50
    played.do("user-0", "pause")
    played.do("user-0", "resume")
    deadline = next_deadline(played.table)
    assert deadline is not None
    assert deadline < played.now + 1


def test_an_opener_who_runs_out_of_time_makes_the_lowest_bid_and_has_an_empty_bank() -> None:
    played = in_round()
    user = str(played.table.to_act)
    acted = played.expire()[0]
    assert isinstance(acted, e.Acted)
    assert (acted.user, acted.action, acted.by_clock) == (user, "1x0", True)
    assert bank(played, user) == 0
    assert next_deadline(played.table) == played.now + 50


def test_an_early_timer_is_refused() -> None:
    played = in_round()
    turn = played.table.turn
    for wait, named in ((49, turn), (2, turn - 1)):
        played.now += wait
        with pytest.raises(Refused):
            played.decided(Expire(turn=named), "")


def test_lost_time_is_added_to_turn_and_bank() -> None:
    played = in_round()
    user, stopped = str(played.table.to_act), played.now + 10
    played.now += 500
    played.decided(Extend(stopped=stopped), "")
    assert next_deadline(played.table) == played.now + 40
    played.now += 15
    played.act()
    assert bank(played, user) == 25


def test_a_player_who_rejoins_has_the_same_bank() -> None:
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


def test_players_who_are_not_ready_in_time_sit_out() -> None:
    played = new_table("dollar-bill", 4, 7, clock=CLOCK)
    played.do("user-1", "ready")
    played.expire()
    assert played.table.stage == "round"
    assert played.sitting.users == ("user-0", "user-1")
    assert [chair.user for chair in played.table.seated if chair.away] == ["user-2", "user-3"]


def test_a_single_ready_player_waits_without_a_clock() -> None:
    played = new_table("dollar-bill", 2, 7, clock=CLOCK)
    played.expire()
    assert next_deadline(played.table) is None
    assert played.table.stage == "gathering"
    assert "user-0" in (played.table.ready_phase.ready if played.table.ready_phase else ())


def test_each_face_down_choice_has_its_own_deadline() -> None:
    played = new_table("dollar-bill", 2, 7, clock=CLOCK, choose=True)
    played.now += 14
    played.do("user-1", "ready")
    assert next_deadline(played.table) == played.now + 20
    first = played.chooser()
    played.expire()
    assert played.chooser() not in (first, None)
    assert next_deadline(played.table) == played.now + 20
    played.expire()
    assert played.table.stage == "round"


def test_bots_have_a_deadline_without_a_clock() -> None:
    played = new_table("dollar-bill", 2, 7, start=False)
    played.do("user-1", "leave")
    played.do("user-0", "seat_bot", bot="bluffer")
    played.do("user-0", "start")
    while played.table.to_act == "user-0":
        assert next_deadline(played.table) is None
        played.act()
    assert next_deadline(played.table) == played.now + 10
