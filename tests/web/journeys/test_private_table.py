"""A private table from the lobby, and one by the link of house rules, in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors


def test_a_private_table_takes_two_clicks_and_a_name(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    page = ann.page
    page.goto("/")
    page.get_by_label("Your name").first.fill("Ann")
    page.get_by_role("button", name=re.compile("^Private table")).click()
    expect(page.get_by_label("Your name")).to_have_value("Ann")
    expect(page.locator("#rules")).not_to_have_attribute("open", "")
    ann.look()
    page.get_by_role("button", name=re.compile("^Create table")).click()
    ann.at_the_table()
    expect(page.get_by_label("Invite link")).to_have_value(re.compile(r"/t/"))
    expect(page.locator(".invite .qr")).to_be_visible()
    ann.look()


def test_house_rules_travel_by_link(visitors: Visitors) -> None:
    ann, bob = visitors.come(), visitors.come(PHONE)
    page = ann.page
    page.goto("/new")
    page.get_by_text("Change rules, times, seats and bots").click()
    page.get_by_label("Exact times").check(force=True)
    page.get_by_label("Seconds per decision").fill("20")
    page.locator("#field-option\\.rebid").get_by_label("Off").check(force=True)
    ann.look()
    page.get_by_role("button", name="Save or share these rules").click()
    expect(page.get_by_text("1 difference from Salomon 1986")).to_be_visible()
    page.get_by_label("Name for these rules").fill("Friday night")
    page.get_by_role("button", name="Save to my house rules").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Friday night")
    ann.look()
    bob.page.goto(page.get_by_label("Link to these rules").input_value())
    bob.look()
    bob.page.get_by_role("link", name="Rebid").click()
    expect(bob.page.locator("#option-rebid")).to_be_in_viewport()
    bob.page.go_back()
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name=re.compile("^Open a table")).click()
    bob.at_the_table()
    expect(bob.page.get_by_text("20 seconds per decision").first).to_be_visible()
