"""The reveal of a result: the rest of the page doesn't show it yet, and a table's last result stays until dismissed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from liarspoker.games.digits.messages import DigitsRound
from liarspoker.games.queen_annes.messages import QueenAnnesRound
from liarspoker.games.thorin.messages import ThorinRound
from liarspoker.protocol.frames import State
from liarspoker.web.view_models.table import TableSnapshot, TableViewModel, is_new_result, table_view_model
from tests.tables.play import GAMES, new_table, state_of
from tests.web.pages.reading import read_page
from tests.web.view_models.snapshots import drawn, table_seen

PARTS: dict[object, str] = {DigitsRound: "hand-count", QueenAnnesRound: "hand-proved", ThorinRound: "thorin-proof"}
EVERY_GAME = pytest.mark.parametrize("game", GAMES)


def results(game: str, rounds: int, user: str | None) -> Iterator[tuple[State, State]]:
    """The view before each result, and the view that shows it."""
    played = new_table(game)
    for _ in range(rounds):
        played.make_ready()
        while played.table.stage == "round":
            before = state_of(played, user)
            played.act()
        yield before, state_of(played, user)


def around(model: TableViewModel) -> tuple[object, ...]:
    """The parts of a page that would show who has won or lost."""
    marks = [(seat.user, seat.units, *{"out", "won", "ready"}.intersection(seat.marks)) for seat in model.seats]
    return marks, model.sheet.columns, [line for line in model.sheet.lines if any(line.units) or any(line.lost)]


@EVERY_GAME
@pytest.mark.parametrize("user", ["user-0", None])
def test_during_a_reveal_the_rest_of_the_page_does_not_show_the_result(game: str, user: str | None) -> None:
    changed = 0
    for before, after in results(game, 6, user):
        model = table_view_model(TableSnapshot(after, before=before.public))
        assert model.revealing
        assert around(model) == around(table_view_model(TableSnapshot(before)))
        changed += around(model) != around(table_view_model(TableSnapshot(after)))
        now, later = read_page(drawn(model)), read_page(drawn(table_view_model(TableSnapshot(after))))
        assert now.one(cls="said-live").text == ""
        assert [button.text for button in now.one("section", cls="dock").all("button")] == ["Skip"]
        assert not now.all(id="naming")
        assert now.all("main", cls="counted")
        part = PARTS[type(after.public.round)]
        assert now.one(cls=part) == later.one(cls=part)  # the revealed result is the final one
        assert is_new_result(after.public, before.public)
        for public, earlier in (
            (after.public, after.public),
            (before.public, before.public),
            (after.public, replace(before.public, round=None)),
        ):
            assert not is_new_result(public, earlier)
    assert changed, "no result changed the rest of the page"


def test_during_a_reveal_of_thorins_game_the_eliminated_player_is_not_shown() -> None:
    for before, after in results("thorin", 6, "user-0"):
        shown = after.public.round
        assert isinstance(shown, ThorinRound)
        result = shown.result
        if result is None or result.hand is None or result.loser is None:
            continue
        page = read_page(drawn(table_view_model(TableSnapshot(after, before=before.public))))
        [loser] = page.one("ol", cls="seats").all("li", cls="seat", data_user=shown.users[result.loser])
        assert "out" not in loser.at["class"].split()
        assert "out" not in loser.text.split()
        text = page.text.replace(page.one(id="proof").text, "")
        assert f"{shown.names[result.loser]} is out" not in text
        assert "You are out" not in text


def test_a_round_without_a_challenge_reveals_nothing() -> None:
    before, after = next(results("thorin", 1, None))
    shown = after.public.round
    assert isinstance(shown, ThorinRound)
    assert shown.result is not None
    thrown_in = replace(shown, result=replace(shown.result, hand=None))
    assert not is_new_result(replace(after.public, round=thrown_in), before.public)


@EVERY_GAME
def test_the_last_result_stays_on_pages_that_followed_the_table(game: str) -> None:
    played = new_table(game, rounds=1)
    while played.table.stage != "ended":
        played.play_round()
    for user in ("user-0", None):
        state = state_of(played, user)
        followed, closed = (
            table_view_model(TableSnapshot(state, following=True)),
            table_view_model(TableSnapshot(state)),
        )
        assert (followed.holds, closed.holds) == (True, False)
        assert closed.heading == "Table closed"
        page = read_page(drawn(followed))
        assert page.one("a", id="to-end").at["href"] == f"/t/{played.table.id}"
        assert len(page.all(cls="counted")) == 1
        assert not page.all("section", cls="final")
        assert read_page(drawn(closed)).all("section", cls="final")


@EVERY_GAME
def test_the_result_stays_when_the_owner_closes_the_table_after_it_and_only_then(game: str) -> None:
    played = new_table(game)
    played.play_round()
    heading = table_seen(played, "user-1").heading
    played.do("user-0", "end")
    held = table_view_model(TableSnapshot(state_of(played, "user-1"), following=True))
    assert (held.holds, held.heading) == (True, heading)
    assert "next round" not in read_page(drawn(held)).text
    unfinished = new_table(game)
    unfinished.make_ready()
    unfinished.do("user-0", "end")
    assert not table_view_model(TableSnapshot(state_of(unfinished, "user-0"), following=True)).holds
