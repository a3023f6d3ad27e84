"""Every page survives a preset for which nobody has written sample rounds, prose or a name for its badge."""

import pytest

from liarspoker.core.catalogue import GameRow
from liarspoker.web.words import typeset
from tests.another_preset import FAMILIES, add_preset
from tests.server.inprocess import Running
from tests.web.rooms.reading import Reader
from tests.web.study.evenings import played


@pytest.fixture(params=FAMILIES)
def row(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> GameRow:
    return add_preset(monkeypatch, str(request.param))


def test_a_new_preset_is_shown_wherever_games_are(house: Running, row: GameRow) -> None:
    ann = Reader(house.person())
    title = typeset(row.title)
    for page in ("/rules", f"/rules/{row.id}", "/new", f"/new?game={row.id}", "/bots"):
        assert title in ann.read(page).page.text, page
        assert ann.status == 200, page
    assert ann.read(f"/rules/{row.id}").page.one("h1").text == title
    assert not ann.page.all("article"), "there is no prose, so no panel for it"
    assert ann.read(f"/odds?game={row.id}").status in (200, 422)
    assert ann.person.http.get(f"/api/games/{row.id}").json()["game"] == row.id


def test_a_table_of_a_new_preset_is_opened_against_bots(house: Running, row: GameRow) -> None:
    ann = Reader(house.person())
    ann.read("/bots").send(typeset(row.title), name="Ann", opponents="9", level="beginner")
    assert ann.status == 200
    public = ann.view()["public"]
    assert (public["settings"]["game"], len(public["chairs"])) == (row.id, 4)
    ann.send("Yes, end it")


def test_a_new_preset_is_played_replayed_and_verified(house: Running, row: GameRow) -> None:
    person, table = played(house, row.id)
    ann = Reader(person)
    for page in ("", "/sheet", "/like", "/replay", "/replay/1?ply=2&as=0", "/records", "/verify"):
        ann.read(f"/t/{table}{page}")
        assert ann.status == 200, page
    assert ann.read("/you").status == ann.read("/replay").status == 200
