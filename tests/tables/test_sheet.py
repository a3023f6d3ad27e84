import pytest

from liarspoker.tables.state import SHEET_KEPT
from liarspoker.tables.view import public
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
