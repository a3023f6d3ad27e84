"""A table without JavaScript, from the waiting room to the rematch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liarspoker.web.app import mount_pages
from liarspoker.web.forms import command_of
from liarspoker.web.invitation import qr_code
from tests.server.inprocess import Running, running
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import act, begun, played, to_act


def link(reader: Reader) -> str:
    return reader.page.one("copy-link").one("input").at["value"]


def playing(site: Running, **settings: Any) -> tuple[str, Reader, Reader]:
    """A table of two players: its id, its owner and the other player."""
    table, people = begun(site, **settings)
    owner, other = (Reader(person).read(f"/t/{table}") for person in people)
    return table, owner, other


# ---------------------------------------------------------------------------------- the waiting room


def test_the_waiting_room_has_a_link_and_a_qr_code_with_the_request_host(site: Running, ann: Reader) -> None:
    ann.read("/new").send("Create table", name="Ann")
    assert link(ann) == ann.address == f"{site.url}/t/{ann.table}"
    assert ann.page.one("svg", cls="qr").one("path").at["d"] in qr_code(link(ann))
    host = f"{'x' * 3_000}.example"  # too long for a QR code
    assert link(ann.read(f"/t/{ann.table}", Host=host)) == f"http://{host}/t/{ann.table}"
    assert not ann.page.all("svg", cls="qr")
    from_a_terminal = ann.person.http.get(f"/tables/{ann.table}", follow_redirects=True)
    assert str(from_a_terminal.url) == f"{site.url}/t/{ann.table}"


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that listens on the local network."""
    with running(tmp_path_factory.mktemp("behind"), mount_pages, lan="192.0.2.7", tls=True) as site:
        yield site


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
def test_the_link_works_on_the_local_network_and_with_https_behind_a_proxy(
    behind: Running, host: str, shown: str
) -> None:
    ann = behind.person()
    made = ann.post("/api/guest", {"name": "Ann"})
    ann.http.headers["Cookie"] = made.headers["set-cookie"].partition(";")[0]
    table = behind.table(ann)
    assert link(Reader(ann).read(f"/t/{table}", Host=host)) == f"https://{shown}/t/{table}"


def test_the_owner_adds_and_removes_bots_and_starts(ann: Reader) -> None:
    ann.read("/new").send("Create table", name="Ann", seats="3")
    assert "1 more player needed" in ann.page.one(cls="startbar").text
    assert "disabled" in ann.page.one("button", id="start").at
    ann.send("Bluffer").send("Beginner")
    assert "All 3 seats taken." in ann.page.one(cls="startbar").text
    assert "bot, Bluffer" in ann.page.one("li", id="chair-1").text
    ann.send("Remove", within=ann.page.one("li", id="chair-1"))
    assert "2 of 3 seats taken. Players can also join later" in ann.page.one(cls="startbar").text
    assert "Open seat" in ann.page.one("li", id="chair-1").text
    assert "disabled" not in ann.page.one("button", id="start").at
    ann.send("Start")
    assert ann.view()["public"]["stage"] != "waiting"


@pytest.mark.parametrize(("options", "named"), [({"hand_size": 3}, True), ({}, False)])
def test_the_owner_sees_which_bots_were_not_trained_for_the_table(
    site: Running, options: dict[str, Any], named: bool
) -> None:
    owner, table = site.hosted(game="dollar-bill", options=options)
    page = owner.http.get(f"/t/{table}").text
    note = "Not trained for this table, so playing as the Bluffer: Pip, Hal, Mae, Ivy, Gus, Rex, Champion, Shark."
    assert (note in page) == named


def test_the_result_leads_to_the_review_of_the_players_decisions(site: Running) -> None:
    owner, table = played(site, "dollar-bill")
    link = f'href="/t/{table}/review"'
    assert link in owner.http.get(f"/t/{table}").text
    assert link not in site.person("Cy").http.get(f"/t/{table}").text


def test_other_players_choose_a_seat_and_wait_for_the_owner(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Create table", name="Ann")
    bob.read(f"/t/{ann.table}").send("Sit here", within=bob.page.one("li", id="chair-3"), name="Bob")
    assert bob.view()["you"]["chair"] == 3
    assert "Waiting for Ann to start." in bob.page.text
    assert not bob.page.all("button", id="start")
    assert not bob.page.all(cls="addbots")


def test_an_invalid_or_taken_name_is_reported_and_can_be_changed(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Create table", name="Ann")
    bob.read(f"/t/{ann.table}").send("Join", name="x" * 30)
    assert (bob.status, "1 to 24 characters" in bob.page.text) == (409, True)
    bob.send("Join", name="Ann")
    assert bob.status == 409
    assert "The name Ann is already taken" in bob.page.all("p", role="alert")[0].text
    bob.send("Join", name="Bob")
    assert bob.view()["you"]["chair"] == 1


def test_a_table_without_spectators_shows_only_the_join_form(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Create table", name="Ann", spectators="none", title="Behind the door")
    bob.read(f"/t/{ann.table}")
    assert "Behind the door" not in bob.page.text
    assert "already" in bob.send("Join", name="Ann").mistake("name")
    assert "Behind the door" not in bob.page.text
    alike = bob.send("Join", name="\N{CYRILLIC CAPITAL LETTER A}nn").page.text
    assert "already has that name or a similar one" in alike
    assert "Ann" not in alike
    assert "Behind the door" in bob.send("Join", name="Bob").page.text


def test_settings_and_house_rules_are_shown_in_words(ann: Reader) -> None:
    terms = {"name": "Ann", "option.hero": "false", "clock": "normal", "unit": "a bean"}
    about = ann.read("/new").send("Create table", terms).page.one("section", cls="about").text
    assert "Hero off instead of on" in about
    assert "30 seconds per decision, plus a time bank of 2 minutes" in about
    assert "1 unit a bean" in about
    assert "No round has been completed" in ann.read(f"/t/{ann.table}/records").page.text


# ------------------------------------------------------------------------------------------ during play


def test_a_stake_is_proposed_and_the_other_player_votes(site: Running) -> None:
    table, ann, bob = playing(site)
    ann.send("Propose", within=ann.page.one("form", cls="stake"), value="5")
    assert "You propose a stake of 5" in ann.page.one("section", id="votes").text
    assert ann.page.one("section", id="votes").one("button").text == "Withdraw"
    bob.read(f"/t/{table}").send("Yes", within=bob.page.one("section", id="votes"))
    assert bob.view()["public"]["stake"] == 5
    assert "Stake of the next hand: 5 units" in bob.page.one("section", id="more").text


def test_only_the_owner_pauses_and_a_player_sits_out_and_returns(site: Running) -> None:
    _, ann, bob = playing(site)
    assert "Pause" not in bob.page.one("section", id="more").text
    ann.send("Pause")
    assert ann.view()["public"]["paused"]
    ann.send("Resume")
    assert not ann.view()["public"]["paused"]
    ann.send("Sit out")
    assert ann.view()["public"]["chairs"][0]["away"]
    ann.send("Return to play")
    assert not ann.view()["public"]["chairs"][0]["away"]


def test_the_owner_locks_the_table_lets_a_bot_play_and_removes_and_admits_players(site: Running) -> None:
    table, owner, other = playing(site)
    name = "Ben"
    owner.send("Lock table")
    assert "Unlock table" in owner.page.text
    owner.send(f"Let a bot play for {name}")
    assert "bot plays" in other.read(f"/t/{table}").page.text
    other.send("Return to play")
    assert "bot plays" not in other.page.text
    owner.read(f"/t/{table}").send(f"Remove {name}")
    assert "Admit Ben again" in owner.page.text
    owner.send(f"Admit {name} again")
    assert "Admit Ben again" not in owner.page.text
    other.read(f"/t/{table}")
    assert "Lock table" not in other.page.text


def test_chat_is_shown_until_a_player_is_muted_or_chat_is_off(site: Running) -> None:
    table, ann, bob = playing(site)
    ann.send("Send", text="<b>seven sevens</b>")
    assert "<b>seven sevens</b>" in bob.read(f"/t/{table}").page.one("section", id="chat").text
    bob.send("Mute Ann")
    assert "seven sevens" not in bob.page.one("section", id="chat").text
    bob.send("Unmute Ann")
    assert "seven sevens" in bob.page.one("section", id="chat").text
    ann.read(f"/t/{table}").send("Turn chat off")
    assert "Chat is off" in bob.read(f"/t/{table}").page.one("section", id="chat").text


def test_a_round_of_claims_is_played_by_forms_alone(site: Running) -> None:
    table, people = begun(site, "queen-annes")
    opener = to_act(table, people)
    first, other = Reader(opener), Reader(next(one for one in people if one is not opener))
    first.read(f"/t/{table}").send("Check this claim", kind="three")
    first.send("Check this claim", rank1="8")
    assert "Means: three eights." in first.page.one("div", id="judged").text
    first.send("Claim Three eights")
    other.read(f"/t/{table}").send("Check", spoken="quad 2s")
    other.send("Claim Four twos")
    first.read(f"/t/{table}").send("Challenge")
    assert "challenged" in first.page.one("section", id="standing").text
    first.send("Next round")
    assert first.view()["you"]["gathering"]["ready"]


# --------------------------------------------------------------------------------------------- the end


def test_the_end_shows_who_pays_whom_and_offers_a_rematch(site: Running) -> None:
    settings: dict[str, Any] = {"unit": "a bean", "title": "Friday Close", "seats": 3, "options": {"rebid": True}}
    table, people = begun(site, **settings)
    act(table, people, "9x9", "challenge")
    if people[0].view(table)["public"]["stage"] == "round":
        act(table, people, "count")
    ann = Reader(people[0]).read(f"/t/{table}").send("Close for everyone")
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
    ann.send("Rematch")
    again = ann.view()["public"]
    assert ann.table != table
    assert (again["settings"], again["stage"]) == (public["settings"], "waiting")


def test_a_rematch_has_the_same_bots(ann: Reader) -> None:
    ann.read("/bots").send("Dollar bill", name="Ann", level="beginner", opponents="2")
    ann.send("Close for everyone").send("Rematch")
    assert [chair["bot"] for chair in ann.view()["public"]["chairs"]] == [None, "beginner", "beginner"]


# ------------------------------------------------------------------------------------------- the forms


@pytest.mark.parametrize("name", ["a b", "é", "x" * 65])
def test_a_form_with_an_invalid_id_has_no_effect(ann: Reader, name: str) -> None:
    ann.read("/new").send("Create table", name="Ann")
    version = ann.view()["version"]
    ann.post(f"/t/{ann.table}", do="say", text="hello", id=name)
    assert ann.status == 409
    assert "A form id must have" in ann.page.text
    assert ann.view()["version"] == version


def test_the_id_of_a_form_is_ignored_in_its_command() -> None:
    assert command_of({"do": "seat_bot", "id": "3", "bot": "bluffer"}) == {"do": "seat_bot", "bot": "bluffer"}
