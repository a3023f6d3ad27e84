"""What the browser's own code does: a share in every deal, and replays that step in place."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Browser, Page, expect

from liarspoker.tables.fair.deal import nonce_commitment
from tests.server.inprocess import Running
from tests.tables.play import some_action
from tests.web.study.evenings import played


def seated(browser: Browser, house: Running) -> tuple[Page, str]:
    """The page of somebody whose table waits for him to start it, with two bots."""
    owner = house.person("Ann")
    table = house.table(owner, bots=("beginner", "beginner"), game="dollar-bill", seats=3)
    context = browser.new_context(base_url=house.url)
    context.add_cookies(
        [{"name": one.name, "value": one.value or "", "url": house.url} for one in owner.http.cookies.jar]
    )
    page = context.new_page()
    page.goto(f"/t/{table}")
    return page, table


def deal_of(house: Running, table: str) -> dict[str, list[str | None]]:
    deal: dict[str, list[str | None]] = house.person().view(table)["public"]["deal"]
    return deal


def test_the_browser_takes_part_in_every_deal(browser: Browser, house: Running) -> None:
    page, table = seated(browser, house)
    page.click("form[data-do=start] button")
    sign = page.locator("[data-fair-sign]")
    expect(sign).to_have_text("Fair deal, with your share")
    deal = deal_of(house, table)
    promise, nonce = deal["nonce_commitments"][0], deal["nonces"][0]
    assert promise is not None
    assert nonce is not None
    assert len(nonce) == 64
    assert nonce_commitment(bytes.fromhex(nonce), table, 0, 0).hex() == promise
    assert sign.get_attribute("href") == f"/t/{table}/verify"


def test_who_reloads_between_promise_and_opening_still_opens(browser: Browser, house: Running) -> None:
    page, _ = seated(browser, house)
    page.click("form[data-do=start] button")
    expect(page.locator("[data-fair-sign]")).to_have_text("Fair deal, with your share")
    page.reload()
    expect(page.locator("[data-fair-sign]")).to_have_text("Fair deal, with your share")


def test_where_nothing_can_be_kept_nothing_is_promised_and_the_deal_is_made(browser: Browser, house: Running) -> None:
    page, table = seated(browser, house)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full') } }")
    page.click("form[data-do=start] button")
    expect(page.locator("[data-fair-sign]")).to_have_text("Fair deal")
    assert deal_of(house, table)["nonce_commitments"] == [None, None, None]


def test_nonces_are_forgotten_once_they_stand_on_record_or_the_table_has_ended(
    browser: Browser, house: Running
) -> None:
    page, table = seated(browser, house)
    owner = house.person()
    owner.http.headers["Cookie"] = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    user = owner.http.get("/api/me").json()["user"]
    page.evaluate("sessionStorage.setItem('nonce another-table 0', '00')")
    page.click("form[data-do=start] button")
    expect(page.locator("[data-fair-sign]")).to_have_text("Fair deal, with your share")
    assert nonces(page) == {"nonce another-table 0", f"nonce {table} 0"}
    chance = Random(1)
    while (view := owner.view(table))["public"]["stage"] == "round":
        if view["public"]["to_act"] == user:
            action = some_action(view["you"]["hand"], chance)
            owner.ask(table, do="act", turn=view["public"]["turn"], action=action)
    page.click("#next")
    expect(page.locator("[data-fair][data-last='1']")).to_have_count(1)
    expect(page.locator("[data-fair-sign]")).to_have_text("Fair deal, with your share")
    assert nonces(page) == {"nonce another-table 0", f"nonce {table} 1"}
    assert owner.ask(table, do="end")["ok"]
    expect(page.locator("main.ended")).to_be_visible()
    assert nonces(page) == {"nonce another-table 0"}


def nonces(page: Page) -> set[str]:
    """Which nonces the browser keeps."""
    found: list[str] = page.evaluate("Object.keys(sessionStorage).filter((name) => name.startsWith('nonce '))")
    return set(found)


def test_a_replay_steps_in_place_by_keys(browser: Browser, house: Running) -> None:
    _, table = played(house, "dollar-bill")
    page = browser.new_context(base_url=house.url).new_page()
    page.goto(f"/t/{table}/replay/1?ply=0&as=0")
    page.evaluate("window.stayed = true")
    for key, told in (
        ("ArrowRight", "ply 1 of"),
        ("ArrowRight", "ply 2 of"),
        ("ArrowLeft", "ply 1 of"),
        ("Home", "ply 0 of"),
    ):
        page.keyboard.press(key)
        expect(page.locator(".rnav .fig")).to_contain_text(told)
    page.keyboard.press("f")
    expect(page.locator(".seg .chosen")).to_have_text("as Ben")
    expect(page).to_have_url(re.compile(r"/replay/1\?ply=0&as=1$"))
    assert page.evaluate("window.stayed") is True


def test_without_a_script_every_step_is_a_link(browser: Browser, house: Running) -> None:
    _, table = played(house, "dollar-bill")
    page = browser.new_context(base_url=house.url, java_script_enabled=False).new_page()
    page.goto(f"/t/{table}/replay/1?ply=0&as=rail")
    page.get_by_label("On one ply").click()
    expect(page.locator(".rnav .fig")).to_contain_text("ply 1 of")


def test_an_example_of_the_rules_is_stepped_through(browser: Browser, house: Running) -> None:
    page = browser.new_context(base_url=house.url).new_page()
    page.goto("/rules/thorin")
    page.locator("#sample button").click()
    expect(page.locator("h1")).to_have_text("Thorin Style Liar’s Poker, round 1")
    page.keyboard.press("End")
    expect(page.locator(".outcome-panel")).to_contain_text("Dirk is out of the match")
