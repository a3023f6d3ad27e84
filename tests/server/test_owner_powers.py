"""What the owner of a table can do to players who are connected, and to those who aren't."""

from __future__ import annotations

import pytest

from tests.server.inprocess import Running, eventually


def test_an_owner_lets_a_bot_play_only_for_absent_players(server: Running) -> None:
    owner, friend, table = server.in_a_round()
    command = {"do": "stand_in", "user": friend.user, "bot": "binomial"}
    with friend.socket(table) as socket:
        socket.until("state")
        refused = owner.ask(table, **command)
        assert (refused["ok"], refused["code"]) == (False, "present")
        assert friend.ask(table, **command)["ok"], "players can do this for themselves"
        assert friend.ask(table, do="sit_in")["ok"]
        assert friend.ask(table, do="sit_out")["ok"]
        assert owner.ask(table, **command)["ok"], "they sit out"
        assert friend.ask(table, do="sit_in")["ok"]
    eventually(lambda: owner.ask(table, **command)["ok"])


@pytest.mark.parametrize("visibility", ["private", "open"])
def test_removed_players_cannot_watch_an_open_private_table(server: Running, visibility: str) -> None:
    owner, friend, table = server.in_a_round(visibility=visibility)
    with friend.socket(table) as socket:
        socket.until("state")
        assert owner.ask(table, do="remove", user=friend.user)["ok"]
        if visibility == "private":
            assert socket.end() == (4404, "no-such-table")
        else:
            socket.until("state")
    seen = friend.http.get(f"/api/tables/{table}")
    assert seen.status_code == (404 if visibility == "private" else 200)
    assert friend.ask(table, do="join")["code"] in ("removed", "leaving")
    assert owner.ask(table, do="end")["ok"]
    assert friend.view(table)["public"]["stage"] == "ended"
