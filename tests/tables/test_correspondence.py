"""Correspondence play: days for each decision, vacations, and hands that begin without waiting for everyone."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.protocol import events as e
from liarspoker.protocol.commands import Expire, TakeVacation
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import (
    BOT_SECONDS,
    DAY,
    FIRST_READY_SECONDS,
    READY_SECONDS,
    VACATION_LEAST_SECONDS,
    next_deadline,
)
from liarspoker.tables.view import public
from tests.tables import play
from tests.tables.play import Played, new_table, replayed

in_round = partial(play.in_round, days=3)
HOUR = 3600.0


def vacation(played: Played, user: str, until: float, begins: float | None = None) -> bool:
    """Tell the table about a vacation, by default one that begins now; return whether it changed anything."""
    begins = played.now if begins is None else begins
    try:
        return bool(played.decided(TakeVacation(user=user, begins=begins, until=until), ""))
    except Refused:
        return False


def to_act(played: Played) -> str:
    return str(played.table.to_act)


def away(played: Played) -> list[str]:
    return [chair.user for chair in played.table.seated if chair.away]


@pytest.mark.parametrize("days", [1, 3, 7])
def test_a_turn_lasts_its_days_and_then_the_default_action_is_played(days: int) -> None:
    played = play.in_round(days=days)
    user = to_act(played)
    assert next_deadline(played.table) == played.now + days * DAY
    acted = played.expire()[0]
    assert isinstance(acted, e.Acted)
    assert (acted.user, acted.by_clock, acted.bank) == (user, True, None)
    assert next_deadline(played.table) == played.now + days * DAY


@pytest.mark.parametrize("wrong", [{"days": 2}, {"days": 0}, {"days": 3, "clock": {"turn": 30}}])
def test_a_table_has_one_three_or_seven_days_or_a_clock(wrong: dict[str, object]) -> None:
    with pytest.raises(Refused, match="days"):
        read_settings({"game": "dollar-bill", **wrong})


def test_a_bot_gets_seconds_and_not_days() -> None:
    played = new_table("dollar-bill", 1, start=False, seats=2, days=7)
    played.do("user-0", "seat_bot", bot="bluffer")
    played.do("user-0", "start")
    if to_act(played) == "user-0":
        played.act()
    assert next_deadline(played.table) == played.now + BOT_SECONDS


@given(st.lists(st.tuples(st.floats(0, 2 * DAY), st.floats(0, 20 * DAY)), max_size=8))
def test_a_vacation_never_costs_or_gives_time_on_the_clock(steps: list[tuple[float, float]]) -> None:
    played = in_round()
    user, served, until = to_act(played), 0.0, 0.0
    for wait, length in steps:
        runs = max(0.0, wait - max(0.0, until - played.now))
        if served + runs > 3 * DAY - VACATION_LEAST_SECONDS:
            break
        served += runs
        played.now += wait
        until = played.now + length
        vacation(played, user, until)
    deadline = next_deadline(played.table)
    assert deadline is not None
    assert deadline == pytest.approx(max(played.now, until) + 3 * DAY - served, abs=1e-3)
    assert replayed(played)._replace(version=0) == played.table._replace(version=0)


@given(st.floats(0, 3 * DAY), st.floats(1, 20 * DAY), st.floats(0, 3 * DAY))
def test_it_does_not_matter_when_the_table_hears_of_a_vacation(wait: float, length: float, delay: float) -> None:
    def deadline(delay: float) -> float | None:
        played = in_round()
        user, begins = to_act(played), played.now + wait
        played.now = begins + delay
        vacation(played, user, begins + length, begins)
        return next_deadline(played.table)

    assert deadline(delay) == deadline(0)


def test_a_vacation_that_ends_early_restarts_the_clock() -> None:
    played = in_round()
    user = to_act(played)
    played.now += DAY
    vacation(played, user, played.now + 10 * DAY)
    played.now += 2 * DAY
    vacation(played, user, played.now)
    assert next_deadline(played.table) == played.now + 2 * DAY


def test_a_vacation_does_not_save_a_turn_in_its_last_hour() -> None:
    played = in_round()
    user = to_act(played)
    deadline = next_deadline(played.table)
    played.now += 3 * DAY - HOUR + 1
    vacation(played, user, played.now + 5 * DAY)
    assert next_deadline(played.table) == deadline
    vacation(played, user, played.now)
    assert next_deadline(played.table) == deadline


def test_a_turn_that_begins_during_a_vacation_starts_after_it() -> None:
    played = in_round(users=2)
    other = next(user for user in played.sitting.users if user != to_act(played))
    until = played.now + 5 * DAY
    vacation(played, other, until)
    assert next_deadline(played.table) == played.now + 3 * DAY, "the clock of the seat to act still runs"
    played.act()
    assert next_deadline(played.table) == until + 3 * DAY


def test_a_pause_during_a_vacation_keeps_the_time_left() -> None:
    played = in_round()
    user = to_act(played)
    until = played.now + 5 * DAY
    vacation(played, user, until)
    played.now += DAY
    played.do("user-0", "pause")
    played.now += DAY
    played.do("user-0", "resume")
    assert next_deadline(played.table) == until + 3 * DAY


def test_everyone_sees_who_is_on_vacation_and_nobody_else_can_take_one_at_a_live_table() -> None:
    played = in_round()
    assert vacation(played, "user-1", 5000.0)
    assert not vacation(played, "user-1", 5000.0), "nothing changed"
    assert not vacation(played, "stranger", 5000.0)
    shown = {chair.user: chair.vacation for chair in public(played.table).chairs if chair is not None}
    assert shown == {"user-0": None, "user-1": 5000.0, "user-2": None}
    live = play.in_round(clock={"turn": 30})
    assert not vacation(live, "user-1", 5000.0)


def test_the_first_hand_is_dealt_to_everyone_soon_after_the_start() -> None:
    played = new_table("dollar-bill", 3, days=7)
    assert next_deadline(played.table) == played.now + FIRST_READY_SECONDS
    played.expire()
    assert (played.table.stage, len(played.sitting.users), away(played)) == ("round", 3, [])


@pytest.mark.parametrize("game", ["dollar-bill", "thorin", "queen-annes"])
def test_the_next_hand_waits_some_hours_for_those_who_have_not_seen_the_last(game: str) -> None:
    played = in_round(game)
    played.play_out()
    assert next_deadline(played.table) == played.now + READY_SECONDS
    played.do("user-1", "ready")
    assert played.table.stage == "gathering"
    played.expire()
    assert (played.table.stage, away(played)) == ("round", [])


def test_the_next_hand_is_dealt_at_once_when_everyone_is_ready() -> None:
    played = in_round()
    played.play_out()
    played.make_ready()
    assert played.table.stage == "round"


def test_who_let_the_time_run_out_and_does_not_come_back_sits_out() -> None:
    played = in_round()
    late = to_act(played)
    played.expire()
    while played.table.stage == "round":
        if to_act(played) == late:
            played.expire()
        else:
            played.act()
    played.expire()
    assert (played.table.stage, away(played)) == ("round", [late])


def test_who_acts_again_after_a_timeout_plays_on() -> None:
    played = in_round()
    played.expire()
    for bid in ("1x1", "1x2", "1x3"):
        played.do(to_act(played), "act", turn=played.table.turn, action=bid)
    while played.table.stage == "round":
        played.do(to_act(played), "act", turn=played.table.turn, action="challenge")
    played.expire()
    assert away(played) == []


def test_two_others_play_without_a_player_on_vacation() -> None:
    played = in_round()
    played.play_out()
    vacation(played, "user-2", played.now + 9 * DAY)
    played.expire()
    assert (played.sitting.users, away(played)) == (("user-0", "user-1"), ["user-2"])


@pytest.mark.parametrize(("game", "users"), [("dollar-bill", 2), ("thorin", 3)])
def test_a_vacation_stops_a_match_or_a_game_of_two(game: str, users: int) -> None:
    played = in_round(game, users)
    played.play_out()
    until = played.now + 9 * DAY
    vacation(played, "user-1", until)
    played.expire()
    assert (played.table.stage, away(played)) == ("round", [])
    while to_act(played) != "user-1":
        played.act()
    assert next_deadline(played.table) == until + 3 * DAY


def test_face_down_choices_do_not_wait_for_days() -> None:
    played = new_table("dollar-bill", 3, days=7, choose=True)
    for _ in range(4):
        waited, deadline = played.now, next_deadline(played.table)
        assert deadline is not None
        assert deadline - waited <= FIRST_READY_SECONDS
        played.now = deadline
        played.decided(Expire(turn=played.table.turn), "")
    assert played.table.stage == "round"
