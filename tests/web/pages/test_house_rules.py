"""House rules on pages: shown as differences, shared by link, saved by name, and played."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given

from liarspoker.core import catalogue
from liarspoker.protocol.settings import Settings
from liarspoker.server.accounts.saved_rules import MAX_SAVED
from liarspoker.tables.house_rules import RULES, code_of
from liarspoker.tables.settings import read_settings
from liarspoker.web.view_models.new_table import USE_RULES, explained_settings, new_table
from tests.tables.test_house_rules import tables
from tests.web.pages.reading import Reader

GAMES = [row.id for row in catalogue.games()]
CODE = "salomon-1986,hand_size=7,rebid=false,1-d760e668e41b"
DIFFERENCES = {"option.rebid": "false", "option.hand_size": "7", "spectators": "behind", "clock": "fast"}


@given(tables())
def test_the_form_of_shared_rules_has_exactly_those_rules(settings: Settings) -> None:
    code = code_of(settings)
    asked = new_table({USE_RULES: code, "game": "slips", "option.rebid": "false", "chat": "false", "seats": "2"})
    assert (asked.rules, asked.settings["seats"]) == (code, 2)
    usual = read_settings({"game": settings.game})
    changed = sum(getattr(settings, name) != getattr(usual, name) for name in {*RULES} - {"clock", "days"})
    assert len(asked.changes) == len(asked.settings["options"]) + changed


def test_differences_are_explained_where_they_link_to(ann: Reader) -> None:
    ann.read("/new").send("Save or share", {**DIFFERENCES, "help": "false"})
    assert ann.status == 200
    assert "4 differences from Salomon 1986" in ann.page.text
    assert "fast: 15 seconds per decision" in ann.page.text
    [changes, pace] = ann.page.all("dl", cls="terms")
    rows = {row.one("a").text: row.one("dd").text for row in changes.all("div")}
    assert list(rows) == ["Rebid", "Hand size", "Spectators", "Show odds"]
    assert rows["Rebid"] == "off instead of on A bidder challenged all around may make one stronger bid."
    assert rows["Spectators"] == "one round behind instead of live"
    for link in (*changes.all("a"), *pace.all("a")):
        path, _, anchor = link.at["href"].partition("#")
        assert link.text in Reader(ann.person).read(path).page.one(id=anchor).text


@pytest.mark.parametrize("game", GAMES)
def test_every_option_and_setting_has_the_anchor_that_differences_link_to(ann: Reader, game: str) -> None:
    ann.read(f"/rules/{game}")
    for info in catalogue.preset(game).option_infos:
        ann.page.one(id=f"option-{info.name}")
    ann.read("/rules")
    for field in explained_settings():
        ann.page.one(id=f"setting-{field.name}")


def test_a_link_opens_a_table_with_its_rules_and_without_an_account(ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Save or share", DIFFERENCES)
    link = ann.page.one("input", readonly="").at["value"]
    assert urlsplit(link).path == urlsplit(ann.address).path
    bob.read(link).send("Open a table", name="Bob")
    public = bob.view()["public"]
    assert (public["stage"], public["settings"]["visibility"]) == ("waiting", "private")
    assert public["settings"]["options"] == {"rebid": False, "hand_size": 7}
    assert (public["settings"]["clock"]["turn"], public["settings"]["spectators"]) == (15, "behind")
    assert bob.page.one("a", href=urlsplit(link).path).text == "Save or share these rules"
    bob.read(link).send("Open a table", name="x" * 30)
    assert "1 to 24" in bob.mistake("name")
    bob.send("Create table", name="Bob")
    assert bob.view()["public"]["settings"]["options"] == {"rebid": False, "hand_size": 7}
    bob.read(link).send("Change them first", name="Bob").send("Create table", {"option.rebid": "true"})
    assert bob.view()["public"]["settings"]["options"] == {"hand_size": 7}


def test_rules_are_saved_under_a_name_and_chosen_in_the_form(ann: Reader, bob: Reader) -> None:
    ann.read(f"/house-rules/{CODE}").send("Save to my", name="On Fridays")
    assert ann.page.one("h1").text == "On Fridays"
    ann.read("/new?game=thorin&title=Close&seats=4")
    ann.send("On Fridays", {"option.jokers": "1", "title": "Close", "seats": "4"})
    chosen = ann.page.one("button", cls="chosen", name="rules")
    assert (chosen.text, chosen.at["value"]) == ("On Fridays", CODE)
    settings = ann.send("Create table").view()["public"]["settings"]
    assert settings["options"] == {"rebid": False, "hand_size": 7}
    assert (settings["game"], settings["title"], settings["seats"]) == ("salomon-1986", "Close", 4)
    bob.read("/house-rules/" + CODE).send("Open a table", name="Bob")
    assert not bob.read("/new").page.all("button", name="rules")
    assert bob.post(f"/house-rules/{CODE}/delete", name="On Fridays").status == 200
    ann.read(f"/house-rules/{CODE}").send("Delete")
    assert ann.page.one("h1").text == "House rules"
    assert not ann.read("/new").page.all("button", name="rules")


def test_a_name_that_cannot_be_saved_is_kept_with_the_reason(ann: Reader) -> None:
    ann.read(f"/house-rules/{CODE}").send("Save to my", name="x" * 70)
    assert ann.status == 422
    assert "1 to 60" in ann.mistake("name")
    assert ann.page.one(id="rules-name").at["value"] == "x" * 70
    for number in range(MAX_SAVED + 1):
        ann.read(f"/house-rules/{CODE}").send("Save to my", name=str(number))
    assert ann.status == 409
    assert "delete some first" in ann.mistake("name")


@pytest.mark.parametrize("code", [CODE[:-1], CODE.replace("7", "6"), "x", "whist,1-000000000000"])
def test_a_damaged_link_says_so(ann: Reader, code: str) -> None:
    for address in (f"/house-rules/{code}", f"/new?rules={code}"):
        assert ann.read(address).status == 404
        assert ann.page.one("h1").text == "These rules can’t be opened"
        assert "damaged" in ann.page.text
    assert ann.post("/new", rules=code, name="Ann").status == 404
    assert ann.post(f"/house-rules/{code}/save", name="Ann").status == 404


def test_house_rules_are_closed_until_they_have_a_mistake(ann: Reader) -> None:
    filled: dict[str, Any] = {**DIFFERENCES, "option.hand_size": "99"}
    ann.read("/new")
    assert "open" not in ann.page.one("details", id="rules").at
    assert "standard rules of Salomon 1986" in ann.page.one(id="house-rules").text
    for button in ("Create table", "Save or share"):
        ann.read("/new").send(button, filled, name="Ann")
        assert ann.status == 422
        assert "open" in ann.page.one("details", id="rules").at
        assert "1 to 15" in ann.mistake("option.hand_size")
