"""Views of a table: its score sheet, and what of them stays as it is from one version to the next."""

from __future__ import annotations

from typing import Any

import pytest

from liarspoker.protocol.codec import encode
from liarspoker.protocol.frames import EncodedPublic
from liarspoker.tables.state import SHEET_KEPT
from liarspoker.tables.view import lasts, passing, private, public, standings
from liarspoker.web.view_models.seats import sheet_of
from tests.tables.play import GAMES, new_table, replayed


@pytest.mark.parametrize("game", GAMES)
def test_the_score_sheet_tells_every_round(game: str) -> None:
    played = new_table(game, users=3, seed=8)
    for rounds in range(1, 4):
        played.play_round()
        sheet = public(played.table).sheet
        assert [line.round for line in sheet] == list(range(rounds))
        assert all(sum(line.units.values()) == 0 for line in sheet)
        assert all(bool(line.lost) == (game in GAMES[3:]) for line in sheet)
    assert public(replayed(played)).sheet == sheet


def test_old_rounds_leave_the_sheet_and_stay_in_the_totals() -> None:
    played = new_table("dollar-bill", users=3, seed=8)
    for _ in range(SHEET_KEPT + 3):
        played.play_round()
    told = public(played.table)
    assert [line.round for line in told.sheet] == list(range(3, SHEET_KEPT + 3))
    sheet = sheet_of(told, "user-1")
    assert [column.name for column in sheet.columns] == ["You", "User-2", "User-0"]
    assert (sheet.earlier, sheet.lines[0].number) == (3, 4)
    for at, column in enumerate(sheet.columns):
        assert column.before + sum(line.units[at] or 0 for line in sheet.lines) == column.total


@pytest.mark.parametrize("game", GAMES)
def test_as_long_as_the_standing_is_equal_nothing_new_is_known(game: str) -> None:
    options = {"who_may_challenge": "anyone"} if game.startswith("queen") else {}
    played = new_table(game, 4, 3, options=options)
    known: dict[str, tuple[object, Any]] = {}
    kept = {"gathering": 0, "round": 0}

    def look() -> None:
        for user in ("user-0", "user-1", "user-2", "user-3"):
            now, told = standings(played.table)(user), private(played.table, user)
            before, told_before = known.get(user, (None, None))
            if now is not None and now == before:
                assert told == told_before
                kept[played.table.stage] += 1
            known[user] = (now, told)

    for _ in range(6):
        look()
        for user in ("user-0", "user-1", "user-2"):
            wanted = private(played.table, user).gathering
            if wanted is not None and wanted.wanted:
                played.do(user, "ready")
                look()
        played.make_ready()
        while played.table.stage == "round":
            look()
            played.act()
    assert all(kept.values())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("behind", [False, True])
def test_as_long_as_it_lasts_only_what_passes_is_encoded_again(game: str, behind: bool) -> None:
    played = new_table(game, 3, 4, clock={"turn": 30, "bank": 5})
    before, known, kept = played.table, EncodedPublic(public(played.table, behind)), 0
    for _ in range(3):
        played.make_ready()
        while played.table.stage == "round":
            played.act()
            whole = public(played.table, behind)
            if lasts(before, played.table):
                known = known.after(passing(played.table, behind))
                assert known.message == whole
                assert known.text == encode(whole)
                assert known.version == whole.version
                kept += 1
            else:
                known = EncodedPublic(whole)
            before = played.table
    assert kept
