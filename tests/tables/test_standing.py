"""What somebody alone may know changes only when what it follows from changes."""

from __future__ import annotations

from typing import Any

import pytest

from liarspoker.tables.view import after_move, lasts, private, public, standings
from tests.tables.play import GAMES, new_table


@pytest.mark.parametrize("game", GAMES)
def test_as_long_as_the_standing_is_equal_nothing_new_is_known(game: str) -> None:
    options = {"who_may_challenge": "anyone"} if game.startswith("queen") else {}
    played = new_table(game, 4, 3, options=options)
    known: dict[str, tuple[object, Any]] = {}
    kept = 0
    for _ in range(6):
        played.make_ready()
        while played.table.stage == "round":
            for user in ("user-0", "user-1", "user-2", "user-3"):
                now, told = standings(played.table)(user), private(played.table, user)
                before, told_before = known.get(user, (None, None))
                if now is not None and now == before:
                    assert told == told_before
                    kept += 1
                known[user] = (now, told)
            played.act()
    assert kept


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("behind", [False, True])
def test_as_long_as_it_lasts_a_move_changes_nothing_else(game: str, behind: bool) -> None:
    played = new_table(game, 3, 4, clock={"turn": 30, "bank": 5})
    before, kept = played.table, 0
    for _ in range(3):
        played.make_ready()
        while played.table.stage == "round":
            played.act()
            if lasts(before, played.table):
                assert after_move(public(before, behind), played.table, behind) == public(played.table, behind)
                kept += 1
            before = played.table
    assert kept
