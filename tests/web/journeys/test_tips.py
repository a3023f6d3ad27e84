"""Badges and symbols explain themselves on hover, on focus, on a tap, and without JavaScript."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Browser, expect

from tests.server.inprocess import Running
from tests.web.journeys.player import play
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors


def test_a_sign_is_explained_on_hover_focus_and_tap(visitors: Visitors) -> None:
    ann = visitors.come()
    address = ann.make_table("Ann", ("bluffer",) * 3, start=True, game="salomon-1986", seats=4)
    play([ann], Random(2), until=lambda: ann.my_turn and ann.page.locator(".equation").count() > 0)
    stake, tip = ann.page.locator(".equation .tip").first, ann.page.locator("#tip-stake")
    expect(tip).to_be_hidden()
    stake.hover()
    expect(tip).to_be_visible()
    ann.look()
    tip.hover()
    stake.click()
    expect(tip).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    ann.page.mouse.move(0, 0)
    ann.page.locator(".bar .tip").last.focus()
    for _ in range(40):
        ann.page.keyboard.press("Tab")
        if stake.evaluate("(one) => one === document.activeElement"):
            break
    expect(tip).to_be_visible()
    expect(stake).to_have_accessible_description("stake: Units that a multiplier of one wins or costs.")
    ann.page.keyboard.press("Tab")
    expect(tip.get_by_role("link")).to_be_focused()
    ann.page.keyboard.press("Tab")
    expect(tip).to_be_hidden()
    ann.page.set_viewport_size(PHONE)
    ann.page.locator(".seat.you .tip").click()
    seat = ann.page.locator("#tip-seat")
    expect(seat).to_be_visible()
    box = seat.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    seat.get_by_role("link").first.click()
    expect(ann.page.locator(":target")).to_have_text("Payoffs")
    ann.open(address)


def test_a_sign_is_explained_without_javascript(browser: Browser, site: Running) -> None:
    site.table(site.person("Bob"), visibility="open", clock={"turn": 30})
    page = browser.new_context(base_url=site.url, java_script_enabled=False, viewport=PHONE, has_touch=True).new_page()
    page.goto("/")
    expect(page.locator("#tip-clock")).to_be_hidden()
    page.locator("[popovertarget=tip-clock]").first.tap()
    expect(page.locator("#tip-clock")).to_be_visible()
