import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.web.rooms.reading import Node, Reader
from tests.web.study.evenings import begun, to_act


def row(reader: Reader, table: str) -> Node:
    return reader.read("/").page.one("li", id=f"table-{table}")


def is_listed(reader: Reader, table: str) -> bool:
    return bool(reader.read("/").page.all("li", id=f"table-{table}"))


def test_one_click_leads_to_a_table_with_four_bots_and_no_account(ann: Reader) -> None:
    ann.read("/").send("Quick table", name="x" * 30)
    assert ann.status == 422
    assert "1 to 24 characters" in ann.mistake("name")
    assert ann.page.one("input", name="name").at["value"] == "x" * 30
    ann.send("Quick table", name="Ann")
    chairs = [chair for chair in ann.view()["public"]["chairs"] if chair is not None]
    assert [chair["name"] for chair in chairs if chair["bot"] is None] == ["Ann"]
    assert sum(chair["bot"] is not None for chair in chairs) == 4
    assert ann.view()["public"]["stage"] != "waiting"
    table = ann.table
    assert "Quick table" in ann.read("/lobby/tables").page.one("li", id=f"table-{table}").text
    assert not ann.page.all("html")  # the part that changes can be had alone


@pytest.mark.parametrize("game", [row.id for row in catalogue.games()])
def test_it_is_two_clicks_from_the_lobby_into_a_game_with_bots(ann: Reader, game: str) -> None:
    ann.read("/").send("Play bots", name="Ann")
    ann.send(ann.page.one("button", value=game).text, level="bluffer", opponents="2")
    public = ann.view()["public"]
    assert public["settings"]["game"] == game
    assert [chair["bot"] for chair in public["chairs"]] == [None, "bluffer", "bluffer"]


def test_who_comes_by_sits_down_from_the_lobby_with_his_name(ann: Reader, bob: Reader) -> None:
    ann.read("/").send("Private table", name="Ann of Green Gables")
    assert ann.page.one("input", name="name").at["value"] == "Ann of Green Gables"
    ann.send("Make the table", visibility="open", title="By the door")
    found = row(bob, ann.table)
    assert "By the door" in found.text
    assert "1 of 6" in found.text
    bob.send("Sit down", within=found, name="Bob")
    assert bob.table == ann.table
    assert bob.view()["you"]["chair"] == 1


def test_your_turn_comes_first_and_says_so(house: Running) -> None:
    table, people = begun(house, title="third")
    mover = Reader(to_act(table, people))
    for title in ("first", "second"):
        house.table(mover.person, title=title, visibility="open")
    first = mover.read("/").page.one("ol", cls="board").all("li")[0]
    assert first.at["id"] == f"table-{table}"
    assert "Your turn" in first.text
    assert "Hand 1 Stake 1" in first.text
    assert "1 table waits for you" in mover.page.text


def test_a_private_table_is_listed_for_its_people_until_they_leave(house: Running, bob: Reader) -> None:
    ann, cleo = Reader(house.person("Ann")), Reader(house.person("Cleo"))
    table = house.table(ann.person, cleo.person)
    assert "private" in row(ann, table).text
    assert [is_listed(reader, table) for reader in (ann, cleo, bob)] == [True, True, False]
    cleo.person.ask(table, do="leave")
    assert not is_listed(cleo, table)


def test_an_open_table_is_listed_until_it_is_quiet_for_a_day_or_ends(
    house: Running, bob: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Reader(house.person("Ann"))
    table = house.table(ann.person, visibility="open")
    assert is_listed(bob, table)
    monkeypatch.setattr(house.clock, "ahead", 90_000)
    assert [is_listed(reader, table) for reader in (ann, bob)] == [True, False]
    ann.person.ask(table, do="end")
    assert not is_listed(ann, table)
