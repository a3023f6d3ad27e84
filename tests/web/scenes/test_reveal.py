"""While a result is revealed nothing around it depends on it; and the last result of a table stays until it is read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from liarspoker.games.digits.messages import DigitsRound
from liarspoker.games.queen_annes.messages import QueenAnnesRound
from liarspoker.games.thorin.messages import ThorinRound
from liarspoker.protocol.frames import State
from liarspoker.web.view_models.table import Seen, TableScene, is_news, scene_of
from tests.tables.play import GAMES, new_table, state_of
from tests.web.rooms.reading import read_page
from tests.web.scenes.seen import drawn, table_seen

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


def around(scene: TableScene) -> tuple[object, ...]:
    """What stands around the cards and would tell who has won or lost."""
    marks = [(seat.user, seat.units, *{"out", "won", "ready"}.intersection(seat.marks)) for seat in scene.seats]
    return marks, scene.sheet.columns, [line for line in scene.sheet.lines if any(line.units) or any(line.lost)]


@EVERY_GAME
@pytest.mark.parametrize("user", ["user-0", None])
def test_while_a_result_is_revealed_everything_around_it_waits(game: str, user: str | None) -> None:
    told = 0
    for before, after in results(game, 6, user):
        scene = scene_of(Seen(after, before=before.public))
        assert scene.revealing
        assert around(scene) == around(scene_of(Seen(before)))
        told += around(scene) != around(scene_of(Seen(after)))
        now, later = read_page(drawn(scene)), read_page(drawn(scene_of(Seen(after))))
        assert now.one(cls="said-live").text == ""
        assert [button.text for button in now.one("section", cls="dock").all("button")] == ["Skip"]
        assert not now.all(id="naming")
        assert now.all("main", cls="counted")
        part = PARTS[type(after.public.round)]
        assert now.one(cls=part) == later.one(cls=part)  # what is revealed is the result as it stays
        assert is_news(after.public, before.public)
        for public, earlier in (
            (after.public, after.public),
            (before.public, before.public),
            (after.public, replace(before.public, round=None)),
        ):
            assert not is_news(public, earlier)
    assert told, "no result would have been told"


def test_who_is_put_out_in_thorins_game_is_nowhere_beside_the_cards() -> None:
    for before, after in results("thorin", 6, "user-0"):
        shown = after.public.round
        assert isinstance(shown, ThorinRound)
        result = shown.result
        if result is None or result.hand is None or result.loser is None:
            continue
        page = read_page(drawn(scene_of(Seen(after, before=before.public))))
        [loser] = page.one("ol", cls="seats").all("li", cls="seat", data_user=shown.users[result.loser])
        assert "out" not in loser.at["class"].split()
        assert "out" not in loser.text.split()
        told = page.text.replace(page.one(id="proof").text, "")
        assert f"{shown.names[result.loser]} is out" not in told
        assert "You are out" not in told


def test_a_round_of_thorins_game_that_ends_without_a_challenge_reveals_nothing() -> None:
    before, after = next(results("thorin", 1, None))
    shown = after.public.round
    assert isinstance(shown, ThorinRound)
    assert shown.result is not None
    thrown_in = replace(shown, result=replace(shown.result, hand=None))
    assert not is_news(replace(after.public, round=thrown_in), before.public)


@EVERY_GAME
def test_the_last_result_stays_for_whoever_followed_the_table(game: str) -> None:
    played = new_table(game, rounds=1)
    while played.table.stage != "ended":
        played.play_round()
    for user in ("user-0", None):
        told = state_of(played, user)
        followed, closed = scene_of(Seen(told, following=True)), scene_of(Seen(told))
        assert (followed.holds, closed.holds) == (True, False)
        assert closed.heading == "The table is closed"
        page = read_page(drawn(followed))
        assert page.one("a", id="to-end").at["href"] == f"/t/{played.table.id}"
        assert len(page.all(cls="counted")) == 1
        assert not page.all("section", cls="final")
        assert read_page(drawn(closed)).all("section", cls="final")


@EVERY_GAME
def test_the_result_stays_when_the_owner_ends_the_table_over_it_and_only_then(game: str) -> None:
    played = new_table(game)
    played.play_round()
    heading = table_seen(played, "user-1").heading
    played.do("user-0", "end")
    held = scene_of(Seen(state_of(played, "user-1"), following=True))
    assert (held.holds, held.heading) == (True, heading)
    assert "next round" not in read_page(drawn(held)).text
    unfinished = new_table(game)
    unfinished.make_ready()
    unfinished.do("user-0", "end")
    assert not scene_of(Seen(state_of(unfinished, "user-0"), following=True)).holds
