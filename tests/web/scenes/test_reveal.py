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
from tests.web.scenes.hands import drawn

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


def revealing(before: State, after: State) -> TableScene:
    return scene_of(Seen(after, before=before.public))


def around(scene: TableScene) -> tuple[object, ...]:
    """What stands around the cards and would tell who has won or lost."""
    marks = [(seat.user, seat.units, *{"out", "won", "ready"}.intersection(seat.marks)) for seat in scene.seats]
    return marks, scene.sheet.columns, [line for line in scene.sheet.lines if any(line.units) or any(line.lost)]


@EVERY_GAME
@pytest.mark.parametrize("user", ["user-0", None])
def test_seats_and_the_score_sheet_wait_until_the_result_is_revealed(game: str, user: str | None) -> None:
    told = 0
    for before, after in results(game, 6, user):
        scene = revealing(before, after)
        assert scene.revealing
        assert around(scene) == around(scene_of(Seen(before)))
        told += around(scene) != around(scene_of(Seen(after)))
    assert told, "no result would have been told"


@EVERY_GAME
def test_the_dock_and_the_sentence_for_everybody_wait_too(game: str) -> None:
    for before, after in results(game, 3, "user-0"):
        page = read_page(drawn(revealing(before, after)))
        assert page.one(cls="said-live").text == ""
        assert [button.text for button in page.one("section", cls="dock").all("button")] == ["Skip"]
        assert not page.all(id="naming")
        assert page.all("main", cls="counted")


def test_who_is_put_out_in_thorins_game_is_nowhere_beside_the_cards() -> None:
    for before, after in results("thorin", 6, "user-0"):
        shown = after.public.round
        assert isinstance(shown, ThorinRound)
        result = shown.result
        if result is None or result.hand is None or result.loser is None:
            continue
        name = shown.names[result.loser]
        page = read_page(drawn(revealing(before, after)))
        seats = {seat.at["data-user"]: seat for seat in page.one("ol", cls="seats").all("li", cls="seat")}
        loser = seats[shown.users[result.loser]]
        assert "out" not in loser.at["class"].split()
        assert "out" not in loser.text.split()
        told = page.text.replace(page.one(id="proof").text, "")
        assert f"{name} is out" not in told
        assert "You are out" not in told


@EVERY_GAME
def test_what_is_revealed_is_the_result_as_it_stays(game: str) -> None:
    for before, after in results(game, 3, "user-0"):
        parts: dict[object, str] = {
            DigitsRound: "hand-count",
            QueenAnnesRound: "hand-proved",
            ThorinRound: "thorin-proof",
        }
        part = parts[type(after.public.round)]
        now, later = (read_page(drawn(scene)) for scene in (revealing(before, after), scene_of(Seen(after))))
        (shown,), (stays,) = (page.all(cls=part) for page in (now, later))
        assert shown == stays


@EVERY_GAME
def test_a_result_is_news_once_and_only_to_who_saw_its_round(game: str) -> None:
    for before, after in results(game, 2, None):
        assert is_news(after.public, before.public)
        assert not is_news(after.public, after.public)
        assert not is_news(before.public, before.public)
        assert not is_news(after.public, replace(before.public, round=None))


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
        assert followed.holds
        assert not closed.holds
        assert closed.heading == "The table is closed"
        page = read_page(drawn(followed))
        assert page.one("a", id="to-end").at["href"] == f"/t/{played.table.id}"
        assert len(page.all(cls="counted")) == 1
        assert "final" not in {name for one in page.all("section") for name in one.at.get("class", "").split()}
        assert read_page(drawn(closed)).all("section", cls="final")


@EVERY_GAME
def test_the_result_stays_when_the_owner_ends_the_table_over_it(game: str) -> None:
    played = new_table(game)
    played.play_round()
    shown = scene_of(Seen(state_of(played, "user-1")))
    played.do("user-0", "end")
    held = scene_of(Seen(state_of(played, "user-1"), following=True))
    assert held.holds
    assert held.heading == shown.heading
    assert "next round" not in read_page(drawn(held)).text


@EVERY_GAME
def test_a_table_that_ends_without_a_result_is_closed_at_once(game: str) -> None:
    played = new_table(game)
    played.make_ready()
    played.do("user-0", "end")
    assert not scene_of(Seen(state_of(played, "user-0"), following=True)).holds
