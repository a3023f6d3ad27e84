"""A rematch: the same players at a new table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from liarspoker.protocol.commands import Announce, Close
from liarspoker.tables.decide import decide, make
from liarspoker.tables.refused import Refused
from liarspoker.tables.rematch import chair_in_rematch
from liarspoker.tables.state import ENDED, Table
from liarspoker.tables.view import may_watch, public
from tests.tables.play import Played, new_table, rematch_of, replayed
from tests.tables.random_walks import STRANGER, USERS, RandomWalk, random_walks


def ended(users: int = 3, **settings: Any) -> Played:
    """A table of `users` people and a bot, closed after one round."""
    played = new_table("dollar-bill", users, start=False, seats=users + 2, **settings)
    played.do("user-0", "seat_bot", bot="bluffer")
    played.do("user-0", "start")
    played.make_ready()
    played.do("user-0", "end")
    return played


def seats(table: Table) -> list[tuple[int, str]]:
    """The numbers of the seats that are taken or reserved, with the names of their players."""
    taken = [(number, chair.name) for number, chair in enumerate(table.chairs) if chair is not None]
    return sorted([*taken, *((one.chair, one.name) for one in table.reserved)])


@given(random_walks())
def test_everyone_who_sat_at_the_end_has_the_same_seat_and_nobody_who_was_removed_has_one(walk: RandomWalk) -> None:
    if walk.table.stage != ENDED:
        walk.decided(Close(reason=""), "")
    before = walk.table
    back = {number: chair for number, chair in enumerate(before.chairs) if chair is not None and not chair.leaving}
    taken = {chair.user for chair in before.seated}
    for user in (*USERS, STRANGER):
        if user in before.removed or user not in before.names or not (user in taken or len(back) < len(before.chairs)):
            with pytest.raises(Refused, match=r"removed|only players|all its seats"):
                chair_in_rematch(before, user)
            continue
        context = replace(walk.context(user), name=before.names[user])
        _, table = make("other", before.settings, context, before)
        chair = table.chair_number(user)
        assert user not in taken or chair == before.chair_number(user)
        assert table.owner == user
        assert table.settings == before.settings
        kept = {one.chair: one.user for one in table.reserved}
        people = {number: one.user for number, one in back.items() if not one.bot and one.user != user}
        bots = {number: (one.name, one.bot) for number, one in back.items() if one.bot}
        assert kept == people
        seated = {number: one for number, one in enumerate(table.chairs) if one is not None}
        assert {number: (one.name, one.bot) for number, one in seated.items() if one.bot} == bots
        assert [number for number, one in seated.items() if not one.bot] == [chair]
        assert table.removed == before.removed
        assert not table.removed.intersection(kept.values())


def test_the_others_join_their_own_seats_and_the_rematch_is_replayed_from_its_log() -> None:
    before = ended(4)
    again = rematch_of(before, "user-1")
    assert seats(again.table) == seats(before.table)
    again.do("user-3", "join")
    again.do("user-0", "join", chair=5)
    assert again.table.chair_number("user-3") == 3
    assert again.table.chair_number("user-0") == 5
    assert [one.user for one in public(again.table).reserved] == ["user-2"]
    assert replayed(again).reserved == again.table.reserved
    rematch = public(replayed(before)).rematch
    assert rematch is not None
    assert (rematch.user, rematch.name) == ("user-1", "User-1")


def test_a_reserved_seat_is_kept_until_the_owner_frees_it() -> None:
    again = rematch_of(ended(2), "user-0")
    assert again.refused("user-5", "join", chair=1) == "no-chair"
    assert again.refused("user-0", "seat_bot", bot="bluffer", chair=1) == "no-chair"
    again.do("user-0", "seat_bot", bot="bluffer")
    assert again.refused("user-5", "join") == "no-chair"
    assert again.refused("user-5", "unseat", chair=1) == "not-owner"
    again.do("user-0", "lock", on=True)
    again.do("user-0", "unseat", chair=1)
    assert again.refused("user-1", "join") == "locked"
    again.do("user-0", "lock", on=False)
    again.do("user-5", "join")
    assert again.table.chair_number("user-5") == 1


def test_a_reserved_seat_lets_its_player_into_a_locked_table_without_spectators() -> None:
    again = rematch_of(ended(3, spectators="none"), "user-0")
    again.do("user-0", "lock", on=True)
    assert may_watch(again.table, "user-1")
    assert not may_watch(again.table, STRANGER)
    again.do("user-1", "join")
    again.do("user-0", "remove", user="user-2")
    assert again.refused("user-2", "join") == "removed"
    assert not again.table.reserved


def test_a_removed_player_gets_no_seat_and_cannot_open_a_rematch() -> None:
    before = new_table("dollar-bill", 3)
    before.do("user-0", "remove", user="user-2")
    before.do("user-0", "end")
    with pytest.raises(Refused, match="removed"):
        rematch_of(before, "user-2")
    again = rematch_of(before, "user-1")
    assert [one.user for one in again.table.reserved] == ["user-0"]
    assert again.refused("user-2", "join") == "removed"


def test_a_rematch_with_bots_only_starts_at_once() -> None:
    before = ended(1)
    again = rematch_of(before, "user-0")
    assert again.table.stage == "round"
    assert replayed(again).sitting == again.table.sitting


def test_only_a_table_that_has_ended_has_a_rematch_and_only_one() -> None:
    played, before = new_table("dollar-bill", 3), ended()
    rematch_of(before, "user-0")
    for table in (played.table, before.table):
        with pytest.raises(Refused):
            decide(table, Announce(table="other"), played.context("user-0"))
    with pytest.raises(Refused, match="ended"):
        make("other", played.table.settings, played.context("user-0"), played.table)


def test_a_player_whose_new_name_is_that_of_another_cannot_open_a_rematch() -> None:
    before = ended()
    context = replace(before.context("user-0"), name="User-1")
    with pytest.raises(Refused, match="name"):
        make("other", before.table.settings, context, before.table)
