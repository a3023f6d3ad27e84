from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from liarspoker.server.config import Config
from liarspoker.web.app import mount_pages
from liarspoker.web.forms import command_of
from liarspoker.web.invitation import code_to_scan
from tests.server.inprocess import Running, running
from tests.web.rooms.reading import Reader


def link(reader: Reader) -> str:
    return reader.page.one("copy-link").one("input").at["value"]


def test_the_waiting_room_has_a_link_and_a_code_of_the_pages_own_host(house: Running, ann: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    assert link(ann) == ann.address == f"{house.url}/t/{ann.table}"
    path = ann.page.one("svg", cls="qr").one("path").at["d"]
    assert path in code_to_scan(link(ann))


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("localhost:8000", "192.0.2.7:8000"),
        ("127.0.0.1:8000", "192.0.2.7:8000"),
        ("[::1]:8000", "192.0.2.7:8000"),
        ("localhost", "192.0.2.7"),
        ("192.0.2.9:8000", "192.0.2.9:8000"),
        ("poker.example", "poker.example"),
    ],
)
def test_a_friend_on_the_network_can_follow_the_link(tmp_path: Path, host: str, shown: str) -> None:
    with running(tmp_path, mount_pages, lan="192.0.2.7") as house:
        ann = Reader(house.person("Ann"))
        table = house.table(ann.person)
        assert link(ann.read(f"/t/{table}", Host=host)) == f"http://{shown}/t/{table}"


def test_behind_a_proxy_with_https_the_link_has_it_too(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, tls=True) as house:
        ann = house.person()
        made = ann.post("/api/guest", {"name": "Ann"})
        ann.http.headers["Cookie"] = made.headers["set-cookie"].partition(";")[0]
        table = house.table(ann)
        assert link(Reader(ann).read(f"/t/{table}", Host="poker.example")) == f"https://poker.example/t/{table}"


def test_the_owner_seats_bots_sends_them_away_and_starts(ann: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    assert "1 player is missing" in ann.page.one(cls="startbar").text
    assert "disabled" in ann.page.one("button", id="start").at
    ann.send("Bluffer").send("Beginner")
    assert "bot, Bluffer" in ann.page.one("li", id="chair-1").text
    ann.send("Send away", within=ann.page.one("li", id="chair-1"))
    assert "Free chair" in ann.page.one("li", id="chair-1").text
    assert "disabled" not in ann.page.one("button", id="start").at
    ann.send("Start")
    assert ann.view()["public"]["stage"] != "waiting"


def test_the_owner_hears_whether_there_is_a_chair_for_a_friend(house: Running) -> None:
    ann = Reader(house.person("Ann"))
    full = house.table(ann.person, seats=3, bots=("beginner", "bluffer"))
    assert "All 3 chairs are taken." in ann.read(f"/t/{full}").page.one(cls="startbar").text
    ann.send("Send away", within=ann.page.one("li", id="chair-2"))
    assert "2 of 3 chairs are taken. Whoever comes later may still" in ann.page.one(cls="startbar").text


def test_the_others_choose_a_chair_and_wait_for_the_owner(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    bob.read(f"/t/{ann.table}").send("Sit here", within=bob.page.one("li", id="chair-3"), name="Bob")
    assert bob.view()["you"]["chair"] == 3
    assert "Waiting for Ann to start." in bob.page.text
    assert not bob.page.all("button", id="start")
    assert not bob.page.all(cls="addbots")


def test_a_name_that_sits_here_already_can_be_changed_at_once(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    bob.read(f"/t/{ann.table}").send("Sit down", name="Ann")
    assert bob.status == 409
    assert "Somebody called Ann sits here already" in bob.page.all("p", role="alert")[0].text
    bob.send("Sit down", name="Bob")
    assert bob.view()["you"]["chair"] == 1


def test_who_is_new_is_told_what_is_wrong_with_his_name(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    bob.read(f"/t/{ann.table}").send("Sit down", name="x" * 30)
    assert bob.status == 409
    assert "1 to 24 characters" in bob.page.text


def test_at_a_closed_door_a_name_is_all_that_is_asked(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann", spectators="none", title="Behind the door")
    bob.read(f"/t/{ann.table}")
    assert "Behind the door" not in bob.page.text
    assert "already" in bob.send("Sit down", name="Ann").mistake("name")
    assert "Behind the door" not in bob.page.text
    alike = bob.send("Sit down", name="\N{CYRILLIC CAPITAL LETTER A}nn").page.text
    assert "a name like yours is here already" in alike
    assert "Ann" not in alike
    assert "Behind the door" in bob.send("Sit down", name="Bob").page.text


def test_the_terms_are_told_in_words_with_what_differs(ann: Reader) -> None:
    ann.read("/new").send(
        "Make the table", {"name": "Ann", "option.hero": "false", "clock": "steady", "unit": "a bean"}
    )
    about = ann.page.one("section", cls="about").text
    assert "Hero off instead of on" in about
    assert "30 seconds for each decision, and 2 minutes in the bank" in about
    assert "A unit is a bean" in about


def playing(house: Running, *readers: Reader, **settings: Any) -> str:
    """A table at which these people play."""
    for number, reader in enumerate(readers):
        reader.read("/you").send("Be a guest", name=f"Player {number}")
    table = house.table(*(reader.person for reader in readers), **settings)
    for reader in readers:
        reader.person.ask(table, do="start" if reader is readers[0] else "ready")
    for reader in readers:
        reader.read(f"/t/{table}")
    return table


def test_a_stake_is_proposed_and_the_other_is_asked_in_a_strip(house: Running, ann: Reader, bob: Reader) -> None:
    table = playing(house, ann, bob)
    ann.send("Propose", within=ann.page.one("form", cls="stake"), value="5")
    assert "You propose a stake of 5" in ann.page.one("section", id="votes").text
    assert ann.page.one("section", id="votes").one("button").text == "Take it back"
    bob.read(f"/t/{table}").send("Yes", within=bob.page.one("section", id="votes"))
    assert bob.view()["public"]["stake"] == 5
    assert "played for 5 units" in bob.page.one("section", id="more").text


def test_the_owner_pauses_and_lets_go_on_the_others_cannot(house: Running, ann: Reader, bob: Reader) -> None:
    playing(house, ann, bob)
    assert "Pause" not in bob.page.one("section", id="more").text
    ann.send("Pause")
    assert ann.view()["public"]["paused"]
    ann.send("Let the clocks run")
    assert not ann.view()["public"]["paused"]


def test_who_sits_out_plays_again(house: Running, ann: Reader, bob: Reader) -> None:
    playing(house, ann, bob)
    ann.send("Sit out").send("Play again")
    assert not ann.view()["public"]["chairs"][0]["away"]


def test_what_is_said_is_heard_until_it_is_muted_or_the_chat_is_off(house: Running, ann: Reader, bob: Reader) -> None:
    table = playing(house, ann, bob)
    ann.send("Say", text="<b>seven sevens</b>")
    assert "<b>seven sevens</b>" in bob.read(f"/t/{table}").page.one("section", id="chat").text
    bob.send("Mute Player 0")
    assert "seven sevens" not in bob.page.one("section", id="chat").text
    bob.send("Hear again Player 0")
    assert "seven sevens" in bob.page.one("section", id="chat").text
    ann.read(f"/t/{table}").send("Turn the chat off")
    assert "The chat is off" in bob.read(f"/t/{table}").page.one("section", id="chat").text


def test_the_end_tells_who_pays_whom_and_leads_to_the_same_again(house: Running, ann: Reader, bob: Reader) -> None:
    table = playing(house, ann, bob, unit="a bean", title="Friday Close", seats=3, options={"rebid": True})
    one, other = (ann, bob) if ann.view()["public"]["to_act"] == ann.view()["you"]["user"] else (bob, ann)
    one.person.ask(table, do="act", turn=one.view()["public"]["turn"], action="9x9")
    other.person.ask(table, do="act", turn=other.view()["public"]["turn"], action="challenge")
    while one.view()["public"]["stage"] == "round":
        acting = one if one.view()["public"]["to_act"] == one.view()["you"]["user"] else other
        acting.person.ask(table, do="act", turn=acting.view()["public"]["turn"], action="count")
    ann.read(f"/t/{table}").send("Yes, end it")
    ann.read(ann.page.one("a", id="to-end").at["href"])
    public = ann.view()["public"]
    for payment in public["settle_up"]:
        names = {entry["user"]: entry["name"] for entry in public["units"]} | {ann.view()["you"]["user"]: "You"}
        text = ann.page.one("ul", cls="payments").text
        assert names[payment["payee"]].lower() in text.lower()
        assert f"{payment['units']} × a bean" in text
    rows = {
        row.at["data-user"]: row.text for row in ann.page.one("section", cls="final").all("tr") if "data-user" in row.at
    }
    assert set(rows) == {entry["user"] for entry in public["units"]}
    ann.send("Same again")
    assert ann.table != table
    assert ann.view()["public"]["settings"] == public["settings"]
    assert ann.view()["public"]["stage"] == "waiting"


def test_records_are_files_once_something_was_played(house: Running, ann: Reader, bob: Reader) -> None:
    table = playing(house, ann, bob)
    assert "Nothing has been played" in ann.read(f"/t/{table}/records").page.text


def test_the_same_again_has_the_same_bots(ann: Reader) -> None:
    ann.read("/bots").send("Dollar bill", name="Ann", level="beginner", opponents="2")
    ann.send("Yes, end it").send("Same again")
    assert [chair["bot"] for chair in ann.view()["public"]["chairs"]] == [None, "beginner", "beginner"]


def test_the_configuration_knows_no_network_by_itself(tmp_path: Path) -> None:
    assert replace(Config("", tmp_path)).lan == ""


def test_a_link_from_a_terminal_leads_to_the_table(house: Running, ann: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    response = ann.person.http.get(f"/tables/{ann.table}", follow_redirects=True)
    assert str(response.url) == f"{house.url}/t/{ann.table}"


@pytest.mark.parametrize("name", ["a b", "é", "x" * 65])
def test_a_form_whose_id_is_none_does_nothing(house: Running, ann: Reader, name: str) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    version = ann.view()["version"]
    ann.post(f"/t/{ann.table}", do="say", text="hello", id=name)
    assert ann.status == 409
    assert "An id has" in ann.page.text
    assert ann.view()["version"] == version


def test_a_form_that_is_sent_twice_acts_once(ann: Reader) -> None:
    before = ann.read("/new").send("Make the table", name="Ann").page
    ann.send("Bluffer")
    ann.page = before
    ann.send("Bluffer")
    assert sum(chair is not None for chair in ann.view()["public"]["chairs"]) == 2
    before = ann.page
    ann.send("Say", text="well")
    ann.page = before
    ann.send("Say", text="well").send("Say", text="well").send("Say", text="now")
    lines = ann.page.one("section", id="chat").one("ol").all("li")
    assert [line.text for line in lines] == ["You well", "You well", "You now"]
    ann.send("Bluffer")
    assert sum(chair is not None for chair in ann.view()["public"]["chairs"]) == 3


def test_a_form_as_a_script_sends_it_may_carry_its_id() -> None:
    assert command_of({"do": "seat_bot", "id": "3", "bot": "bluffer"}) == {"do": "seat_bot", "bot": "bluffer"}


def test_a_link_too_long_for_a_code_comes_without_one(house: Running, ann: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    host = f"{'x' * 3_000}.example"
    assert link(ann.read(f"/t/{ann.table}", Host=host)) == f"http://{host}/t/{ann.table}"
    assert not ann.page.all("svg", cls="qr")


def test_a_round_of_named_hands_is_played_by_forms_alone(house: Running, ann: Reader, bob: Reader) -> None:
    table = playing(house, ann, bob, game="queen-annes", seats=2)
    public = ann.view()["public"]
    opener, other = (ann, bob) if public["to_act"] == ann.view()["you"]["user"] else (bob, ann)
    opener.read(f"/t/{table}").send("Show this hand", kind="three")
    opener.send("Show this hand", rank1="8")
    assert "It says: three eights." in opener.page.one("div", id="judged").text
    opener.send("Name Three eights")
    other.read(f"/t/{table}").send("Hear it", spoken="quad 2s")
    other.send("Name Four twos")
    opener.read(f"/t/{table}").send("Challenge")
    assert "challenged" in opener.page.one("section", id="standing").text
    opener.send("Next round")
    assert opener.view()["you"]["gathering"]["ready"]
