"""What somebody reads and does at a table without a script, from the waiting room to the same table again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liarspoker.web.app import mount_pages
from liarspoker.web.forms import command_of
from liarspoker.web.invitation import code_to_scan
from tests.server.inprocess import Running, running
from tests.web.rooms.reading import Reader
from tests.web.study.evenings import act, begun, to_act


def link(reader: Reader) -> str:
    return reader.page.one("copy-link").one("input").at["value"]


def playing(house: Running, **settings: Any) -> tuple[str, Reader, Reader]:
    """A table at which two people play: its id, its owner and the other."""
    table, people = begun(house, **settings)
    owner, other = (Reader(person).read(f"/t/{table}") for person in people)
    return table, owner, other


# ---------------------------------------------------------------------------------- the waiting room


def test_the_waiting_room_has_a_link_and_a_code_of_the_pages_own_host(house: Running, ann: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    assert link(ann) == ann.address == f"{house.url}/t/{ann.table}"
    assert ann.page.one("svg", cls="qr").one("path").at["d"] in code_to_scan(link(ann))
    host = f"{'x' * 3_000}.example"  # too long for a code
    assert link(ann.read(f"/t/{ann.table}", Host=host)) == f"http://{host}/t/{ann.table}"
    assert not ann.page.all("svg", cls="qr")
    from_a_terminal = ann.person.http.get(f"/tables/{ann.table}", follow_redirects=True)
    assert str(from_a_terminal.url) == f"{house.url}/t/{ann.table}"


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that knows its network."""
    with running(tmp_path_factory.mktemp("behind"), mount_pages, lan="192.0.2.7", tls=True) as house:
        yield house


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
def test_a_friend_on_the_network_can_follow_the_link_with_https_behind_a_proxy(
    behind: Running, host: str, shown: str
) -> None:
    ann = behind.person()
    made = ann.post("/api/guest", {"name": "Ann"})
    ann.http.headers["Cookie"] = made.headers["set-cookie"].partition(";")[0]
    table = behind.table(ann)
    assert link(Reader(ann).read(f"/t/{table}", Host=host)) == f"https://{shown}/t/{table}"


def test_the_owner_seats_bots_sends_them_away_and_starts(ann: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann", seats="3")
    assert "1 player is missing" in ann.page.one(cls="startbar").text
    assert "disabled" in ann.page.one("button", id="start").at
    ann.send("Bluffer").send("Beginner")
    assert "All 3 chairs are taken." in ann.page.one(cls="startbar").text
    assert "bot, Bluffer" in ann.page.one("li", id="chair-1").text
    ann.send("Send away", within=ann.page.one("li", id="chair-1"))
    assert "2 of 3 chairs are taken. Whoever comes later may still" in ann.page.one(cls="startbar").text
    assert "Free chair" in ann.page.one("li", id="chair-1").text
    assert "disabled" not in ann.page.one("button", id="start").at
    ann.send("Start")
    assert ann.view()["public"]["stage"] != "waiting"


def test_the_others_choose_a_chair_and_wait_for_the_owner(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    bob.read(f"/t/{ann.table}").send("Sit here", within=bob.page.one("li", id="chair-3"), name="Bob")
    assert bob.view()["you"]["chair"] == 3
    assert "Waiting for Ann to start." in bob.page.text
    assert not bob.page.all("button", id="start")
    assert not bob.page.all(cls="addbots")


def test_a_name_that_cannot_be_is_told_and_can_be_changed_at_once(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    bob.read(f"/t/{ann.table}").send("Sit down", name="x" * 30)
    assert (bob.status, "1 to 24 characters" in bob.page.text) == (409, True)
    bob.send("Sit down", name="Ann")
    assert bob.status == 409
    assert "Somebody called Ann sits here already" in bob.page.all("p", role="alert")[0].text
    bob.send("Sit down", name="Bob")
    assert bob.view()["you"]["chair"] == 1


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
    terms = {"name": "Ann", "option.hero": "false", "clock": "steady", "unit": "a bean"}
    about = ann.read("/new").send("Make the table", terms).page.one("section", cls="about").text
    assert "Hero off instead of on" in about
    assert "30 seconds for each decision, and 2 minutes in the bank" in about
    assert "A unit is a bean" in about
    assert "Nothing has been played" in ann.read(f"/t/{ann.table}/records").page.text


# ------------------------------------------------------------------------------------- while they play


def test_a_stake_is_proposed_and_the_other_is_asked_in_a_strip(house: Running) -> None:
    table, ann, bob = playing(house)
    ann.send("Propose", within=ann.page.one("form", cls="stake"), value="5")
    assert "You propose a stake of 5" in ann.page.one("section", id="votes").text
    assert ann.page.one("section", id="votes").one("button").text == "Take it back"
    bob.read(f"/t/{table}").send("Yes", within=bob.page.one("section", id="votes"))
    assert bob.view()["public"]["stake"] == 5
    assert "played for 5 units" in bob.page.one("section", id="more").text


def test_only_the_owner_pauses_and_who_sits_out_plays_again(house: Running) -> None:
    _, ann, bob = playing(house)
    assert "Pause" not in bob.page.one("section", id="more").text
    ann.send("Pause")
    assert ann.view()["public"]["paused"]
    ann.send("Let the clocks run")
    assert not ann.view()["public"]["paused"]
    ann.send("Sit out")
    assert ann.view()["public"]["chairs"][0]["away"]
    ann.send("Play again")
    assert not ann.view()["public"]["chairs"][0]["away"]


def test_what_is_said_is_heard_until_it_is_muted_or_the_chat_is_off(house: Running) -> None:
    table, ann, bob = playing(house)
    ann.send("Say", text="<b>seven sevens</b>")
    assert "<b>seven sevens</b>" in bob.read(f"/t/{table}").page.one("section", id="chat").text
    bob.send("Mute Ann")
    assert "seven sevens" not in bob.page.one("section", id="chat").text
    bob.send("Hear again Ann")
    assert "seven sevens" in bob.page.one("section", id="chat").text
    ann.read(f"/t/{table}").send("Turn the chat off")
    assert "The chat is off" in bob.read(f"/t/{table}").page.one("section", id="chat").text


def test_a_round_of_named_hands_is_played_by_forms_alone(house: Running) -> None:
    table, people = begun(house, "queen-annes")
    opener = to_act(table, people)
    first, other = Reader(opener), Reader(next(one for one in people if one is not opener))
    first.read(f"/t/{table}").send("Show this hand", kind="three")
    first.send("Show this hand", rank1="8")
    assert "It says: three eights." in first.page.one("div", id="judged").text
    first.send("Name Three eights")
    other.read(f"/t/{table}").send("Hear it", spoken="quad 2s")
    other.send("Name Four twos")
    first.read(f"/t/{table}").send("Challenge")
    assert "challenged" in first.page.one("section", id="standing").text
    first.send("Next round")
    assert first.view()["you"]["gathering"]["ready"]


# --------------------------------------------------------------------------------------------- the end


def test_the_end_tells_who_pays_whom_and_leads_to_the_same_again(house: Running) -> None:
    settings: dict[str, Any] = {"unit": "a bean", "title": "Friday Close", "seats": 3, "options": {"rebid": True}}
    table, people = begun(house, **settings)
    act(table, people, "9x9", "challenge")
    if people[0].view(table)["public"]["stage"] == "round":
        act(table, people, "count")
    ann = Reader(people[0]).read(f"/t/{table}").send("Yes, end it")
    ann.read(ann.page.one("a", id="to-end").at["href"])
    public = ann.view()["public"]
    names = {entry["user"]: entry["name"] for entry in public["units"]} | {people[0].user: "You"}
    text = ann.page.one("ul", cls="payments").text
    assert public["settle_up"]
    for payment in public["settle_up"]:
        assert names[payment["payee"]].lower() in text.lower()
        assert f"{payment['units']} × a bean" in text
    rows = [row.at["data-user"] for row in ann.page.one("section", cls="final").all("tr") if "data-user" in row.at]
    assert sorted(rows) == sorted(entry["user"] for entry in public["units"])
    ann.send("Same again")
    again = ann.view()["public"]
    assert ann.table != table
    assert (again["settings"], again["stage"]) == (public["settings"], "waiting")


def test_the_same_again_has_the_same_bots(ann: Reader) -> None:
    ann.read("/bots").send("Dollar bill", name="Ann", level="beginner", opponents="2")
    ann.send("Yes, end it").send("Same again")
    assert [chair["bot"] for chair in ann.view()["public"]["chairs"]] == [None, "beginner", "beginner"]


# ------------------------------------------------------------------------------------------- the forms


@pytest.mark.parametrize("name", ["a b", "é", "x" * 65])
def test_a_form_whose_id_is_none_does_nothing(ann: Reader, name: str) -> None:
    ann.read("/new").send("Make the table", name="Ann")
    version = ann.view()["version"]
    ann.post(f"/t/{ann.table}", do="say", text="hello", id=name)
    assert ann.status == 409
    assert "An id has" in ann.page.text
    assert ann.view()["version"] == version


def test_a_form_as_a_script_sends_it_may_carry_its_id() -> None:
    assert command_of({"do": "seat_bot", "id": "3", "bot": "bluffer"}) == {"do": "seat_bot", "bot": "bluffer"}
