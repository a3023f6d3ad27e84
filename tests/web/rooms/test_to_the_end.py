"""The last hand of a table is seen by everybody who followed it, with a script and without one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from websockets.sync.client import ClientConnection, connect

from tests.server.inprocess import PATIENCE, Person, Running
from tests.web.rooms.reading import Reader, read_page


def last_challenge(house: Running, said: str = "2x3", **settings: Any) -> tuple[str, Person, Person]:
    """A table of two at which somebody has said this: its id, who is about to challenge, and its owner."""
    ann, bob = house.person("Ann"), house.person("Bob")
    table = house.table(ann, bob, seats=2, **{"game": "dollar-bill", **settings})
    assert ann.ask(table, do="start")["ok"]
    assert bob.ask(table, do="ready")["ok"]
    public = ann.view(table)["public"]
    opener, other = (ann, bob) if public["to_act"] == ann.user else (bob, ann)
    assert opener.ask(table, do="act", turn=public["turn"], action=said)["ok"]
    return table, other, ann


def refreshed(reader: Reader) -> Reader:
    """The page that a browser without a script loads by itself after a while."""
    address = reader.page.one("meta", http_equiv="refresh").at["content"].partition("url=")[2]
    return reader.read(address)


def test_without_a_script_the_last_count_stays_until_the_reader_goes_on(house: Running) -> None:
    table, challenger, _ = last_challenge(house, rounds=1)
    player, spectator = (Reader(one).read(f"/t/{table}") for one in (challenger, house.person()))
    player.send("c Challenge")
    assert player.view()["public"]["stage"] == "ended"
    for reader in (player, refreshed(spectator)):
        assert reader.page.all(cls="hand-count")
        assert not reader.page.all("meta", http_equiv="refresh")
        assert "The table is closed" in reader.page.one("section", cls="dock").text
        reader.read(reader.page.one("a", id="to-end").at["href"])
        assert reader.page.all("section", cls="final")
        assert not reader.page.all(cls="hand-count")
        replay = reader.page.one("ul", cls="papers").all("a", href=f"/t/{table}/replay")
        assert [link.text for link in replay] == ["Replay"]


def test_a_form_that_comes_too_late_shows_the_last_count_too(house: Running) -> None:
    table, challenger, _ = last_challenge(house, rounds=1)
    reader = Reader(challenger).read(f"/t/{table}")
    challenger.ask(table, do="act", turn=reader.view()["public"]["turn"], action="challenge")
    reader.send("c Challenge")
    assert reader.status == 409
    assert reader.page.all(cls="hand-count")


def test_the_count_stays_when_the_owner_ends_the_table_over_it(house: Running) -> None:
    table, challenger, owner = last_challenge(house)
    challenger.ask(table, do="act", turn=challenger.view(table)["public"]["turn"], action="challenge")
    reader = Reader(owner).read(f"/t/{table}").send("Yes, end it")
    assert reader.page.all(cls="hand-count")
    assert reader.page.all("a", id="to-end")


def followed(raw: ClientConnection) -> dict[str, Any]:
    """The next page that comes down."""
    while True:
        told: dict[str, Any] = json.loads(raw.recv(timeout=PATIENCE))
        if told["kind"] == "page":
            return told


def test_an_open_page_reveals_the_last_count_and_keeps_it(house: Running) -> None:
    table, challenger, _ = last_challenge(house, rounds=1)
    live = Reader(challenger).read(f"/t/{table}").page.one(id="live").at["data-live"]
    with connect(f"ws://127.0.0.1:{house.port}{live}", additional_headers=challenger.headers) as raw:
        first = followed(raw)
        assert (first["result"], "revealing" in first) == ("", False)
        turn = challenger.view(table)["public"]["turn"]
        assert challenger.ask(table, do="act", turn=turn, action="challenge")["ok"]
        while not (told := followed(raw))["result"]:
            assert "revealing" not in told
    during, after = read_page(told["revealing"]), read_page(told["html"])
    assert during.all(cls="hand-count") == after.all(cls="hand-count")
    assert [button.text for button in during.one("section", cls="dock").all("button")] == ["Skip"]
    assert not during.all("a", id="to-end")
    assert after.all("a", id="to-end")


def test_a_page_that_is_opened_again_after_the_end_is_the_closed_one(house: Running) -> None:
    table, challenger, _ = last_challenge(house, rounds=1)
    challenger.ask(table, do="act", turn=challenger.view(table)["public"]["turn"], action="challenge")
    reader = Reader(challenger).read(f"/t/{table}")
    assert reader.page.all("section", cls="final")
    live = reader.page.one(id="live").at["data-live"]
    with connect(f"ws://127.0.0.1:{house.port}{live}", additional_headers=challenger.headers) as raw:
        assert read_page(followed(raw)["html"]).all("section", cls="final")


_LONGER = """() => {
    const later = window.setTimeout;
    window.setTimeout = (what, delay, ...more) => later(what, delay < 3000 ? delay : 10 * delay, ...more);
}"""
"""Lets what goes on for seconds last until it is ended, however slow the machine is."""


@pytest.mark.slow
def test_a_spectator_sees_thorins_hand_turn_up_before_anything_tells_who_is_out(
    house: Running, browser: Browser
) -> None:
    table, challenger, owner = last_challenge(house, "declare pair 2", game="thorin", rounds=1)
    page = browser.new_context(base_url=house.url).new_page()
    page.goto(f"/t/{table}")
    page.evaluate(_LONGER)
    owner.ask(table, do="say", text="hear, hear")
    expect(page.locator("#chat")).to_contain_text("hear, hear")  # so the page is live
    turn = owner.view(table)["public"]["turn"]
    assert challenger.ask(table, do="act", turn=turn, action="challenge")["ok"]
    expect(page.locator("html[data-revealing] #proof")).to_be_visible()
    expect(page.locator(".seat:is(.out, .won)")).to_have_count(0)
    expect(page.locator("#said")).to_be_empty()
    page.keyboard.press("s")
    expect(page.locator(".seat.out")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("wins the match")
    expect(page.locator("html[data-revealing]")).to_have_count(0)
    page.get_by_role("link", name="Final score").click()
    expect(page.get_by_role("heading", name="The final score")).to_be_visible()
