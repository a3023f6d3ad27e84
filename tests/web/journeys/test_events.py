"""A duplicate event in a browser: four people at two tables, from the invitation to the comparison of their hands."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.journeys.player import Player
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors


def test_four_people_at_two_tables_compare_their_hands(visitors: Visitors) -> None:
    ann, *others = players = [visitors.come(), visitors.come(PHONE), visitors.come(), visitors.come(PHONE)]
    page = ann.page
    page.goto("/")
    page.get_by_role("link", name="Events").click()
    ann.look()
    page.get_by_role("link", name="New event").click()
    page.locator("button[name=switch][value=dollar-bill]").click()
    page.get_by_label("Name of the event").fill("Friday night")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Seats at each table").fill("2")
    page.get_by_label("Hands", exact=True).fill("2")
    page.get_by_label("All seats need players").check(force=True)
    ann.look()
    page.get_by_role("button", name=re.compile("^Create event")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Friday night")
    link = page.get_by_label("Link to this event").get_by_role("textbox").or_(page.locator("copy-link input")).first
    address = link.input_value()
    page.get_by_role("button", name="Join the event").click()
    expect(page.get_by_text("You have joined")).to_be_visible()
    ann.look()
    for name, player in zip(("Ben", "Cyd", "Dan"), others, strict=True):
        player.page.goto(address)
        player.page.get_by_label("Your name").fill(name)
        player.page.get_by_label("Any words, for the shuffle").fill(f"words of {name}")
        player.page.get_by_role("button", name="Join the event").click()
        expect(player.page.get_by_text("when Ann starts the event")).to_be_visible()
    others[0].look()
    expect(page.locator(".people")).to_contain_text("Dan")  # the page reloads its list by itself
    page.get_by_role("button", name=re.compile("^Start")).click()
    for player in players:
        player.at_the_table()  # everyone is sent to their table
        assert "/t/" in player.page.url
    tables: dict[str, list[Player]] = {}
    for player in players:
        tables.setdefault(player.page.url.rpartition("/t/")[2].partition("?")[0], []).append(player)
    assert [len(seated) for seated in tables.values()] == [2, 2]

    (first, early), (second, late) = tables.items()
    expect(early[0].page.locator("#next")).to_be_visible()
    expect(early[0].page.get_by_text("Change stake")).to_have_count(0)  # all tables play for the same
    hands(first, early)
    expect(early[0].page.get_by_role("link", name=re.compile("^Back to the event"))).to_be_visible()
    early[0].look()
    early[0].page.get_by_role("link", name=re.compile("^Back to the event")).click()
    expect(early[0].page.get_by_text("1 of 2 tables ended")).to_be_visible()
    early[0].look()
    assert early[1].page.request.get(f"/t/{second}/replay/1").status == 404
    hands(second, late)
    for player in (late[0], early[0]):
        player.page.goto(address)
        expect(player.page.get_by_role("heading", name="Result")).to_be_visible()
        expect(player.page.locator("#final-title, .ledger").first).to_be_visible()
        player.look()
    page = early[0].page
    page.get_by_role("link", name=re.compile("^Replay")).last.click()
    expect(page.locator("main")).to_be_visible()
    page.goto(f"/t/{second}/verify")
    expect(page.get_by_text("All deals verified")).to_be_visible()
    expect(page.locator("#verdict")).to_contain_text("Verified")


def hands(table: str, players: list[Player]) -> None:
    """Play both hands of a table over the API, and wait until the pages show the end."""
    for _ in range(2):
        for player in players:
            view = player.page.request.get(f"/api/tables/{table}").json()
            if view["you"].get("gathering", {}).get("wanted"):
                command = {"id": f"ready-{view['version']}", "command": {"do": "ready"}}
                assert player.page.request.post(f"/api/tables/{table}/commands", data=command).ok
        play_hand(players, table)
    for player in players:
        expect(player.page.get_by_text("See result").or_(player.page.locator(".final"))).to_be_visible()
        player.page.goto(f"/t/{table}")


def play_hand(players: list[Player], table: str) -> None:
    """Play a hand: the first player to act bids, the other challenges."""
    while True:
        for player in players:
            view = player.page.request.get(f"/api/tables/{table}").json()
            public, you = view["public"], view["you"]
            if public["stage"] != "round":
                return
            if public["to_act"] == you["user"]:
                legal = you["hand"]["legal"]
                action = legal["challenge"] or legal["claims"][-1]
                player.page.request.post(f"/api/tables/{table}/act", data={"turn": public["turn"], "action": action})
