"""A rated table in two browsers, from the lobby to the leaderboard, and a guest who is sent to create an account."""

from __future__ import annotations

import asyncio
import re
from random import Random

from playwright.sync_api import expect

from liarspoker.server.ratings import Rating
from tests.server.inprocess import Running
from tests.server.test_ratings import stored_ratings
from tests.web.journeys.player import Player, play
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors


def register(player: Player, name: str) -> str:
    """Give a player an account, and return their id."""
    asked = player.page.request
    made = asked.post("/api/guest", data={"name": name})
    user: str = made.json()["user"]
    login = f"{name.lower()}.{re.sub('[^a-z0-9]', '', user.lower())[:12]}"
    assert asked.post("/api/account", data={"login": login, "passphrase": "seven grey herons"}).ok
    return user


def test_a_rated_table_from_the_form_to_the_leaderboard(site: Running, visitors: Visitors) -> None:
    ann, bob, gus = visitors.come(), visitors.come(PHONE), visitors.come()
    users = register(ann, "Ann"), register(bob, "Bob")
    page = ann.page
    page.goto("/leaderboard?game=thorin&players=2")
    ann.look()
    page.goto("/new?game=dollar-bill")
    page.get_by_text("Change rules, times, seats and bots").click()
    page.locator("#field-rated").get_by_label("Yes").check(force=True)
    page.get_by_label("Length").fill("1")
    page.get_by_label(re.compile("^Relaxed")).check(force=True)
    page.get_by_role("button", name=re.compile("^Create table")).click()
    ann.at_the_table()
    expect(page.locator(".waiting .badge", has_text="Rated")).to_be_visible()
    expect(page.locator(".chair.me")).to_contain_text("1500 ± 333")
    expect(page.get_by_text("Add a bot")).to_have_count(0)

    gus.page.goto(page.url)
    gus.at_the_table()
    expect(gus.page.get_by_role("link", name="Log in or create one")).to_be_visible()
    expect(gus.page.get_by_role("button", name="Join")).to_have_count(0)

    bob.open(page.url)
    bob.page.get_by_role("button", name="Join").first.click()
    expect(page.locator(".chair", has_text="Bob")).to_contain_text("1500 ± 333")
    ann.press(ann.offer("start"))
    play([ann, bob], Random(3), until=lambda: ann.stage == "round")
    expect(page.locator(".seat.you")).to_contain_text("1500 ± 333")
    ann.look()
    page.get_by_role("link", name="Table", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    expect(page.get_by_text("Close table")).to_have_count(0)
    page.goto(page.url.partition("#")[0])
    ann.at_the_table()
    play([ann, bob], Random(3), until=lambda: ann.stage == bob.stage == "ended")
    rows = page.locator(".final tbody tr")
    expect(rows.first).to_contain_text(re.compile(r"1605.*\+105"))
    expect(rows.last).to_contain_text(re.compile("1395.*−105"))
    ann.look()
    bob.look()

    page.goto(f"/people/{users[1]}")
    expect(page.locator("#main")).to_contain_text("Dollar bill, 2 players")
    ann.look()
    page.goto("/you/games")
    expect(page.get_by_role("img", name=re.compile("^Rating after each game, from 1500 to"))).to_be_visible()
    ann.look()
    certain = stored_ratings(site.service.storage, {users[0]: Rating(30, 2, 40)}, "salomon-1986")
    asyncio.run_coroutine_threadsafe(certain, site.loop).result(20)
    page.goto("/")
    page.get_by_role("link", name="Leaderboard").click()
    page.get_by_label("Game", exact=True).select_option("salomon-1986")
    page.get_by_label("Players", exact=True).select_option("2")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("row", name=re.compile("Ann"))).to_contain_text("1700 ± 80")
    expect(page.get_by_text("Your place: 1")).to_be_visible()
    ann.look()
