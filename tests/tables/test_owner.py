"""What the owner of a table can do: remove, admit, hand over, lock, and let a bot play for an absent player."""

from __future__ import annotations

import pytest

from liarspoker.protocol import events as e
from liarspoker.tables.view import private, private_view_keys, public
from tests.tables.play import in_round, new_table


def test_a_removed_player_plays_default_actions_and_cannot_come_back_until_admitted() -> None:
    played = in_round()
    removed = "user-1"
    played.do("user-0", "remove", user=removed)
    assert played.table.chair_of(removed) is not None
    played.play_out()
    assert played.table.chair_of(removed) is None
    assert sum(played.table.units.values()) == 0
    assert private(played.table, "user-0").removed == (removed,)
    assert private(played.table, "user-2").removed == ()
    assert played.refused(removed, "join") == "removed"
    played.do("user-0", "admit", user=removed)
    played.do(removed, "join")
    assert played.refused("user-0", "admit", user=removed) == "no-such-player"


def test_the_owner_removes_others_only() -> None:
    played = in_round()
    assert played.refused("user-1", "remove", user="user-2") == "not-owner"
    assert played.refused("user-0", "remove", user="user-0") == "no-such-player"
    assert played.refused("user-0", "remove", user="stranger") == "no-such-player"


def test_a_removed_player_who_has_left_already_is_banned() -> None:
    played = in_round()
    played.do("user-1", "leave")
    played.do("user-0", "remove", user="user-1")
    played.play_out()
    assert played.refused("user-1", "join") == "removed"


def test_the_list_of_removed_players_is_up_to_date_during_a_round() -> None:
    played = in_round()
    played.do("user-1", "leave")
    played.play_out()
    played.make_ready()
    while played.table.to_act == "user-0":
        played.act()
    before = private_view_keys(played.table)("user-0")
    played.do("user-0", "remove", user="user-1")
    assert private_view_keys(played.table)("user-0") != before


def test_the_owner_hands_the_table_over() -> None:
    played = in_round()
    played.do("user-0", "transfer", user="user-2")
    assert played.table.owner == "user-2"
    assert played.refused("user-0", "lock", on=True) == "not-owner"
    assert played.refused("user-2", "transfer", user="user-2") == "no-such-player"


def test_nobody_new_joins_a_locked_table() -> None:
    played = new_table("dollar-bill", 1, start=False, seats=3)
    played.do("user-0", "lock", on=True)
    assert public(played.table).locked
    assert played.refused("user-1", "join") == "locked"
    assert played.refused("user-0", "lock", on=True) == "not-now"
    played.do("user-0", "lock", on=False)
    played.do("user-1", "join")


def test_former_players_can_join_a_locked_table_once_they_are_admitted() -> None:
    played = new_table("dollar-bill", 3, start=False)
    played.do("user-0", "lock", on=True)
    played.do("user-1", "leave")
    played.do("user-1", "join")
    played.do("user-0", "remove", user="user-2")
    assert played.refused("user-2", "join") == "removed"
    played.do("user-0", "admit", user="user-2")
    played.do("user-2", "join")


def test_a_bot_plays_for_an_absent_player_until_they_act() -> None:
    played = in_round()
    user = str(played.table.to_act)
    played.do("user-0", "stand_in", user=user, bot="bluffer")
    assert [chair.stand_in for chair in public(played.table).chairs if chair is not None and chair.user == user] == [
        "bluffer"
    ]
    assert played.table.deadline is not None  # a bot may not stop the game
    _, action = played.action()
    events = played.do(user, "act", turn=played.table.turn, action=action)
    assert e.StoodIn(user, "") in events
    chair = played.table.chair_of(user)
    assert chair is not None
    assert chair.stand_in == ""


def test_a_stand_in_is_ready_and_its_player_returns_at_will() -> None:
    played = in_round()
    played.play_out()
    played.do("user-2", "sit_out")
    played.do("user-0", "stand_in", user="user-2", bot="bluffer")
    played.do("user-0", "ready")
    played.do("user-1", "ready")
    assert played.table.stage == "round"
    assert "user-2" in played.sitting.users
    events = played.do("user-2", "sit_in")
    assert events[0] == e.StoodIn("user-2", "")
    assert played.table.deadline is None


@pytest.mark.parametrize(("user", "code"), [("stranger", "no-such-player"), ("user-1", "not-owner")])
def test_players_let_a_bot_play_for_themselves_only(user: str, code: str) -> None:
    played = in_round()
    assert played.refused("user-0" if user == "stranger" else "user-2", "stand_in", user=user, bot="bluffer") == code
    played.do("user-2", "stand_in", user="user-2", bot="bluffer")
