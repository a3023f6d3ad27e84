"""The table of a digit game in a browser: that nothing overlaps, that a turn fits its screen, and that keys play."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, Page, expect

from tests.server.inprocess import Running

DESKTOP: Any = {"width": 1280, "height": 800}
PHONE: Any = {"width": 390, "height": 844}
BOXES = "els => els.map(el => el.getBoundingClientRect()).map(box => [box.left, box.top, box.right, box.bottom])"


def sit(browser: Browser, house: Running, size: Any, bots: int, **settings: Any) -> Page:
    """A page of somebody who plays against so many bots, with the first hand dealt."""
    page = browser.new_context(viewport=size, base_url=house.url, reduced_motion="reduce").new_page()
    origin = {"Origin": house.url}
    page.request.post("/api/guest", data={"name": "Ada"}, headers=origin)
    given = {"settings": {"seats": bots + 1, **settings}, "bots": ["beginner"] * bots, "start": True}
    table = page.request.post("/api/tables", data=given, headers=origin).json()["table"]
    page.goto(f"/t/{table}")
    return page


def my_turn(page: Page) -> None:
    page.locator(".dock.turn bid-pad").wait_for()


@pytest.mark.parametrize("bots", [5, 15])
def test_seats_do_not_overlap_each_other_or_the_bid(browser: Browser, house: Running, bots: int) -> None:
    page = sit(browser, house, DESKTOP, bots, game="salomon-1986")
    my_turn(page)
    seats = page.locator(".oval .seat").evaluate_all(BOXES)
    middle = page.locator(".oval .middle > p").evaluate_all(BOXES)
    assert len(seats) == bots + 1
    inner = [box for box in middle if box[2] - box[0] < 460]
    for one, other in [*combinations(seats, 2), *((seat, box) for seat in seats for box in inner)]:
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


@pytest.mark.parametrize("game", ["dollar-bill", "slips"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_turn_fits_the_screen(browser: Browser, house: Running, game: str, size: dict[str, int]) -> None:
    page = sit(browser, house, size, 4, game=game, clock={"turn": 60})
    my_turn(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    for button in page.locator("#raise, #challenge").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= size["height"]


def test_keys_choose_a_bid_and_make_it(browser: Browser, house: Running) -> None:
    page = sit(browser, house, DESKTOP, 2, game="dollar-bill")
    my_turn(page)
    level = page.locator(".level").nth(1).get_attribute("data-level")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("4")
    expect(page.locator("[data-chosen]")).to_have_text(f"{level} fours")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-chosen]")).to_have_text(f"{level} fives")
    page.keyboard.press("Enter")
    expect(page.locator("#tape")).to_contain_text(f"{level} fives")


def test_a_bid_can_be_said_and_a_count_asked_for(browser: Browser, house: Running) -> None:
    page = sit(browser, house, PHONE, 2, game="salomon-1986")
    my_turn(page)
    page.locator(".other summary").click()
    page.get_by_label("Another bid").fill("twenty tens")
    page.get_by_role("button", name="Bid it").click()
    page.locator("#count").click()
    expect(page.locator(".hand-count .ruling")).to_contain_text(re.compile("you pay|nobody pays"))  # who holds a ten?
    expect(page.locator(".settled")).to_be_visible()


def test_a_box_ticked_before_the_turn_challenges_in_it(browser: Browser, house: Running) -> None:
    page = browser.new_context(viewport=DESKTOP, base_url=house.url).new_page()
    ben, origin = browser.new_context(base_url=house.url).request, {"Origin": house.url}
    for who, name in ((page.request, "Ada"), (ben, "Ben")):
        who.post("/api/guest", data={"name": name}, headers=origin)
    table = page.request.post("/api/tables", data={"settings": {"game": "dollar-bill"}}, headers=origin).json()["table"]

    def do(who: APIRequestContext, number: int, **command: Any) -> None:
        answer = who.post(
            f"/api/tables/{table}/commands", data={"id": f"c{number}", "command": command}, headers=origin
        )
        assert answer.json()["ok"], answer.text()

    do(ben, 1, do="join")
    do(page.request, 2, do="start")
    do(ben, 3, do="ready")
    page.goto(f"/t/{table}")
    page.locator(".dock.turn bid-pad, [data-premove]").first.wait_for()
    if page.locator("bid-pad").count():
        page.locator("#raise").click()
    page.locator("[data-premove]").check()
    turn = ben.get(f"/api/tables/{table}").json()["public"]["turn"]
    do(ben, 4, do="act", turn=turn, action="4x7")
    expect(page.locator("#tape")).to_contain_text("You challenge")


def test_what_is_covered_is_nowhere_on_the_screen(browser: Browser, house: Running) -> None:
    page = sit(browser, house, DESKTOP, 2, game="slips")
    my_turn(page)
    row = page.locator(".slip-rows .current")
    expect(row).to_be_visible()
    page.locator("label.cover").click()
    expect(row).to_be_hidden()
    expect(page.locator(".strip.serial")).to_be_hidden()
    page.locator("label.cover").click()
    expect(row).to_be_visible()
