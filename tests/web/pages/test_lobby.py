import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.web.pages.reading import Node, Reader
from tests.web.study.played_tables import begun, to_act


def row(reader: Reader, table: str) -> Node:
    return reader.read("/").page.one("li", id=f"table-{table}")


def is_listed(reader: Reader, table: str) -> bool:
    return bool(reader.read("/").page.all("li", id=f"table-{table}"))


def test_one_click_starts_a_table_with_bots_without_an_account(ann: Reader) -> None:
    ann.read("/").send("Play your first hand", name="x" * 30)
    assert ann.status == 422
    assert "1 to 24 characters" in ann.mistake("name")
    assert ann.page.one("input", name="name").at["value"] == "x" * 30
    ann.post("/quick", name="Ann", game="salomon-1986")
    chairs = [chair for chair in ann.view()["public"]["chairs"] if chair is not None]
    assert [chair["name"] for chair in chairs if chair["bot"] is None] == ["Ann"]
    assert sum(chair["bot"] is not None for chair in chairs) == 4
    assert ann.view()["public"]["stage"] != "waiting"
    table = ann.table
    assert "Quick table" in ann.read("/lobby/tables").page.one("li", id=f"table-{table}").text
    assert not ann.page.all("html")  # the list of tables is available separately


@pytest.mark.parametrize("game", [row.id for row in catalogue.games()])
def test_two_clicks_start_a_game_with_bots(ann: Reader, game: str) -> None:
    ann.read("/").send("Play bots", name="Ann")
    ann.send(ann.page.one("button", value=game).text, level="bluffer", opponents="2")
    public = ann.view()["public"]
    assert public["settings"]["game"] == game
    assert [chair["bot"] for chair in public["chairs"]] == [None, "bluffer", "bluffer"]


def test_a_visitor_joins_from_the_lobby_with_a_name(ann: Reader, bob: Reader) -> None:
    ann.read("/").send("Private table", name="Ann of Green Gables")
    assert ann.page.one("input", name="name").at["value"] == "Ann of Green Gables"
    ann.send("Create table", visibility="open", title="By the door")
    found = row(bob, ann.table)
    assert "By the door" in found.text
    assert "1/6" in found.text
    bob.send("Join", within=found, name="Bob")
    assert bob.table == ann.table
    assert bob.view()["you"]["chair"] == 1


def test_tables_that_await_your_turn_come_first(site: Running) -> None:
    table, people = begun(site, title="third")
    mover = Reader(to_act(table, people))
    for title in ("first", "second"):
        site.table(mover.person, title=title, visibility="open")
    first = mover.read("/").page.one("ol", cls="board").all("li")[0]
    assert first.at["id"] == f"table-{table}"
    assert "Your turn" in first.text
    assert "Hand 1 Stake 1" in first.text
    assert "your move at 1 table" in mover.page.text


def test_a_private_table_is_listed_for_its_players_until_they_leave(site: Running, bob: Reader) -> None:
    ann, cleo = Reader(site.person("Ann")), Reader(site.person("Cleo"))
    table = site.table(ann.person, cleo.person)
    assert "private" in row(ann, table).text
    assert [is_listed(reader, table) for reader in (ann, cleo, bob)] == [True, True, False]
    cleo.person.ask(table, do="leave")
    assert not is_listed(cleo, table)


def test_an_open_table_is_listed_until_it_is_idle_for_a_day_or_closed(
    site: Running, bob: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Reader(site.person("Ann"))
    table = site.table(ann.person, visibility="open")
    assert is_listed(bob, table)
    monkeypatch.setattr(site.clock, "ahead", site.clock.ahead + 90_000)
    assert [is_listed(reader, table) for reader in (ann, bob)] == [True, False]
    ann.person.ask(table, do="end")
    assert not is_listed(ann, table)
