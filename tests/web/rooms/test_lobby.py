import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.web.rooms.reading import Node, Reader


def row(reader: Reader, table: str) -> Node:
    return reader.read("/").page.one("li", id=f"table-{table}")


def test_one_click_leads_to_a_table_with_four_bots_and_no_account(ann: Reader) -> None:
    ann.read("/").send("Quick table", name="Ann")
    chairs = [chair for chair in ann.view()["public"]["chairs"] if chair is not None]
    assert [chair["name"] for chair in chairs if chair["bot"] is None] == ["Ann"]
    assert sum(chair["bot"] is not None for chair in chairs) == 4
    assert ann.view()["public"]["stage"] != "waiting"


@pytest.mark.parametrize("game", [row.id for row in catalogue.games()])
def test_it_is_two_clicks_from_the_lobby_into_a_game_with_bots(ann: Reader, game: str) -> None:
    ann.read("/").send("Play bots", name="Ann")
    button = ann.page.one("button", value=game)
    ann.send(button.text, level="bluffer", opponents="2")
    public = ann.view()["public"]
    assert public["settings"]["game"] == game
    assert [chair["bot"] for chair in public["chairs"]] == [None, "bluffer", "bluffer"]


def test_the_name_goes_along_to_the_next_page(ann: Reader) -> None:
    ann.read("/").send("Private table", name="Ann of Green Gables")
    assert ann.page.one("input", name="name").at["value"] == "Ann of Green Gables"


def test_a_name_that_is_none_is_told_beside_it_and_kept(ann: Reader) -> None:
    ann.read("/").send("Quick table", name="x" * 30)
    assert ann.status == 422
    assert "1 to 24 characters" in ann.mistake("name")
    assert ann.page.one("input", name="name").at["value"] == "x" * 30


def test_who_comes_by_sits_down_from_the_lobby_with_his_name(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann", visibility="open", title="By the door")
    found = row(bob, ann.table)
    assert "By the door" in found.text
    assert "1 of 6" in found.text
    bob.send("Sit down", within=found, name="Bob")
    assert bob.table == ann.table
    assert bob.view()["you"]["chair"] == 1


def test_your_turn_comes_first_and_says_so(house: Running, ann: Reader, bob: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    bob.read("/you").send("Be a guest", name="Bob")
    for title in ("first", "second"):
        house.table(ann.person, title=title, visibility="open")
    table = house.table(ann.person, bob.person, title="third", seats=2)
    for reader in (ann, bob):
        reader.person.ask(table, do="start" if reader is ann else "ready")
    to_act = ann if ann.person.view(table)["public"]["to_act"] == ann.person.view(table)["you"]["user"] else bob
    rows = to_act.read("/").page.one("ol", cls="board").all("li")
    assert rows[0].at["id"] == f"table-{table}"
    assert "Your turn" in rows[0].text
    assert "1 table waits for you" in to_act.page.text
    assert "Hand 1 Stake 1" in rows[0].text


def test_a_private_table_stands_in_the_lobby_of_its_people_alone(ann: Reader, bob: Reader) -> None:
    table = ann.read("/new").send("Make the table", name="Ann").table
    assert "private" in row(ann, table).text
    assert not bob.read("/").page.all("li", id=f"table-{table}")


def test_who_has_left_a_table_finds_it_no_more(house: Running, ann: Reader, bob: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    bob.read("/you").send("Be a guest", name="Bob")
    table = house.table(ann.person, bob.person)
    row(bob, table)
    bob.person.ask(table, do="leave")
    assert not bob.read("/").page.all("li", id=f"table-{table}")


def test_a_table_that_has_ended_is_not_listed(house: Running, ann: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    table = house.table(ann.person, visibility="open")
    row(ann, table)
    ann.person.ask(table, do="end")
    assert not ann.read("/").page.all("li", id=f"table-{table}")


def test_an_open_table_that_is_quiet_for_a_day_is_listed_no_more(house: Running, ann: Reader, bob: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    table = house.table(ann.person, visibility="open")
    house.clock.ahead += 90_000
    assert not bob.read("/").page.all("li", id=f"table-{table}")
    row(ann, table)


def test_the_part_that_changes_can_be_had_alone(ann: Reader) -> None:
    ann.read("/").send("Quick table", name="Ann")
    table = ann.table
    assert "Quick table" in ann.read("/lobby/tables").page.one("li", id=f"table-{table}").text
    assert not ann.page.all("html")
