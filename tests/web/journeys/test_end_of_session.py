"""The end of a session: the last count, the result, and a rematch that the others join with one click."""

from __future__ import annotations

from datetime import datetime, timedelta

from playwright.sync_api import Page, expect

from tests.web.journeys.player import Player
from tests.web.journeys.visitors import Visitors

REVEALING = "document.documentElement.dataset.revealing"


def play_out(players: list[Player], table: str) -> None:
    """Play over the API: the first player to act bids, everyone else challenges."""
    while True:
        for player in players:
            view = player.page.request.get(f"/api/tables/{table}").json()
            public, you = view["public"], view["you"]
            if public["stage"] == "ended":
                return
            if public["to_act"] == you["user"]:
                legal = you["hand"]["legal"]
                action = legal["challenge"] or legal["claims"][-1]
                player.page.request.post(f"/api/tables/{table}/act", data={"turn": public["turn"], "action": action})


def names(page: Page) -> list[str]:
    """The names of the seated players, by seat."""
    view = page.request.get(page.url.partition("?")[0].replace("/t/", "/api/tables/")).json()
    return [chair["name"] for chair in view["public"]["chairs"] if chair]


def test_the_last_count_is_shown_then_the_result_and_two_people_play_again(visitors: Visitors) -> None:
    ann, ben, eve = visitors.come(), visitors.come(), visitors.come()
    address = ann.make_table("Ann", ("beginner",), game="dollar-bill", seats=3, rounds=1, unit="€0.50")
    table = address.rpartition("/")[2]
    ben.page.clock.install()
    ben.open(address)
    ben.sit_down("Ben")
    eve.open(address)
    for player in (ann, ben):
        command = {"id": "go", "command": {"do": "start" if player is ann else "ready"}}
        assert player.page.request.post(f"/api/tables/{table}/commands", data=command).ok
    expect(ben.page.locator(".oval")).to_be_visible()
    ben.page.emulate_media(reduced_motion="no-preference")
    ben.page.clock.pause_at(datetime.now() + timedelta(seconds=1))
    seated = names(ann.page)
    play_out([ann, ben], table)

    # The count runs on in Ben's page while Ann is already at the result and opens the rematch.
    expect(ben.page.locator(".hand-count")).to_be_visible()
    assert ben.page.evaluate(REVEALING) == "1"
    expect(ann.page.locator(".hand-count")).to_be_visible()
    ann.page.get_by_role("link", name="See result").click()
    expect(ann.page.locator(".final h2")).to_contain_text("win")
    expect(ann.page.locator(".payments")).to_contain_text("€")
    ann.look()
    ann.page.get_by_role("button", name="Rematch").click()
    expect(ann.page.locator(".chairs")).to_contain_text("Benseat reserved")
    ann.look()
    assert ben.page.evaluate(REVEALING) == "1"
    ben.page.clock.run_for(4_000)
    expect(ben.page.locator("#rematch")).to_contain_text("Rematch: Ann has opened a new table.")
    expect(ben.page.locator(".hand-count")).to_be_visible()
    ben.page.clock.resume()

    ben.page.get_by_role("button", name="Join").click()
    expect(ben.page).to_have_url(ann.page.url.partition("?")[0] + "?following")
    expect(ann.page.locator(".chairs")).not_to_contain_text("reserved")
    expect(eve.page.get_by_role("link", name="Go to the new table")).to_be_visible()
    assert names(ann.page) == seated
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.page.locator("#next")).to_be_visible()


def test_a_player_who_went_away_finds_the_rematch_in_the_lobby(visitors: Visitors) -> None:
    ann, cleo = visitors.come(), visitors.come()
    address = ann.make_table("Ann", game="dollar-bill", seats=2, title="Again and again")
    cleo.open(address)
    cleo.sit_down("Cleo")
    table = address.rpartition("/")[2]
    for do in ("start", "end"):
        ann.page.request.post(f"/api/tables/{table}/commands", data={"id": do, "command": {"do": do}})
    ann.page.goto(address)
    ann.page.get_by_role("button", name="Rematch").click()
    ann.page.locator(".chairs").wait_for()
    cleo.page.goto("/")
    cleo.look()
    cleo.page.get_by_role("button", name="Join rematch").click()
    expect(cleo.page).to_have_url(ann.page.url.partition("?")[0] + "?following")
    assert names(ann.page) == ["Ann", "Cleo"]
