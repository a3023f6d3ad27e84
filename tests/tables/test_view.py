"""Views of a table: the score sheet, and the parts that are reused between versions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import asdict, replace

from liarspoker.core import catalogue
from liarspoker.protocol.codec import encode
from liarspoker.protocol.frames import EncodedPublic
from liarspoker.tables.state import SHEET_KEPT
from liarspoker.tables.view import private, private_view_keys, public, same_except_turn, turn_view
from liarspoker.web.view_models.seats import sheet_of
from tests.tables.play import GAMES, new_table, replayed
from tests.tables.random_walks import STRANGER, RandomWalk, random_walks


@pytest.mark.parametrize("game", GAMES)
def test_the_score_sheet_lists_every_round(game: str) -> None:
    played = new_table(game, users=3, seed=8)
    for rounds in range(1, 4):
        played.play_round()
        sheet = public(played.table).sheet
        assert [line.round for line in sheet] == list(range(rounds))
        assert all(sum(line.units.values()) == 0 for line in sheet)
        assert all(bool(line.lost) == (game in GAMES[3:]) for line in sheet)
    assert public(replayed(played)).sheet == sheet


def test_old_rounds_leave_the_sheet_but_stay_in_the_totals() -> None:
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
def test_private_views_with_equal_keys_are_equal(game: str) -> None:
    options = {"who_may_challenge": "anyone"} if game.startswith("queen") else {}
    played = new_table(game, 4, 3, options=options)
    known: dict[str, tuple[object, Any]] = {}
    kept = {"gathering": 0, "round": 0}

    def look() -> None:
        for user in ("user-0", "user-1", "user-2", "user-3"):
            now, told = private_view_keys(played.table)(user), private(played.table, user)
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


@given(random_walks())
def test_whatever_happens_a_cached_view_is_up_to_date(walk: RandomWalk) -> None:
    for moment in walk.moments:
        before, after = moment.before, moment.after
        keys, new_keys = private_view_keys(before), private_view_keys(after)
        for user in (*before.names, STRANGER):
            if keys(user) is not None and keys(user) == new_keys(user):
                assert private(before, user) == private(after, user), moment.command
        for behind in (False, True) if same_except_turn(before, after) else ():
            assert replace(public(before, behind), **asdict(turn_view(after, behind))) == public(after, behind)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("behind", [False, True])
def test_only_the_turn_view_is_encoded_again_after_an_action(game: str, behind: bool) -> None:
    options = {"reveal": "counts"} if catalogue.preset(game).family == "digits" else {}
    played = new_table(game, 3, 4, clock={"turn": 30, "bank": 5}, options=options)
    played.do("user-0", "lock", on=True)
    before, known, kept = played.table, EncodedPublic(public(played.table, behind)), 0
    for _ in range(3):
        played.make_ready()
        while played.table.stage == "round":
            played.act()
            whole = public(played.table, behind)
            if same_except_turn(before, played.table):
                known = known.after(turn_view(played.table, behind))
                assert known.message == whole
                assert known.text == encode(whole)
                assert known.version == whole.version
                kept += 1
            else:
                known = EncodedPublic(whole)
            before = played.table
        if private(played.table, "user-1").show:
            played.do("user-1", "show")
    assert kept
