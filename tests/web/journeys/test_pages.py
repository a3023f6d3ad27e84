"""Every kind of page in a browser: accessible, whole at both sizes, without a complaint; and what its script does."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from liarspoker.core import catalogue
from liarspoker.tables.fair.deal import nonce_commitment
from liarspoker.web.assets import Assets
from liarspoker.web.history import History, Played
from liarspoker.web.pages import Pages
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.family import Tally
from tests.server.inprocess import Running
from tests.tables.fair import tampering
from tests.web.conftest import Evening
from tests.web.journeys.player import Player, play
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors
from tests.web.study.evenings import played

FIRST = {row.family: row.id for row in reversed(catalogue.games())}
"""A game of each family."""

KINDS = (
    *("/", "/new", "/bots", "/rules", *(f"/rules/{game}" for game in FIRST.values())),
    *("/odds", "/odds/pooled", "/odds/thorin", "/odds/tables", "/replay", "/verify", "/you", "/settings"),
)


@pytest.mark.slow
def test_every_kind_of_page_is_in_order(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.quick_table("Ann")
    table = ann.page.url
    for path in (*KINDS, *(f"{table}/{about}" for about in ("sheet", "records", "verify"))):
        response = ann.page.goto(path)
        assert response is not None
        assert response.ok, f"{path}: {response.status}"
        ann.look()
    ann.watch.forgiven.append("Failed to load resource: the server responded with a status of")
    ann.page.goto("/no-such-page")
    ann.look()
    ann.page.get_by_role("link", name="To the lobby").click()
    ann.page.get_by_role("button", name=re.compile("^Quick table")).wait_for()


def test_what_stands_beside_a_table_opens_and_closes(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.quick_table("Ann")
    ann.page.locator(".turnflag").wait_for()
    for link in ann.page.get_by_role("navigation").get_by_role("link").all():
        if (link.get_attribute("href") or "").startswith("#"):
            link.click()
            ann.look()
            ann.page.goto(ann.page.url.partition("#")[0])
            ann.at_the_table()


def test_what_was_played_fits_its_page(visitors: Visitors) -> None:
    tally = Tally(rounds=1280, bids_won=312, bids_lost=422, right=287, wrong=313, heroes=22, skunks=4)
    history = History(tuple(Played(row.id, "Friday", row, True, 1.7e9, -1284, tally) for row in catalogue.games()), 0)
    told = dict.fromkeys(("name", "login", "label", "secret", "secret_of"), "")
    place = {"path": "/you", "here": "/you", "prefs": Preferences()}
    context: dict[str, Any] = {"user": None, "history": history, "tokens": [], "wrong": {}, **place, **told}
    assets = Assets.load()
    page = visitors.come().page
    page.set_content(Pages(assets).html("you.html", context))
    page.add_style_tag(content=assets.by_name["app.css"].content.decode())
    [sums] = page.locator(".scroll").all()
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert sums.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0


# ------------------------------------------------------------------------------------ replays and audits


@pytest.mark.slow
@pytest.mark.parametrize("game", FIRST.values())
def test_replays_are_in_order_and_the_browser_finds_every_deal_good(
    visitors: Visitors, evening: Evening, game: str
) -> None:
    _, table = evening(game)
    ann = visitors.come()
    for path in ("replay/1?ply=1&as=0", "replay/1", "verify"):
        ann.page.goto(f"/t/{table}/{path}")
        ann.look()
    expect(ann.page.locator("#verdict")).to_contain_text("and all of it holds")
    expect(ann.page.locator("[data-deal='0'] [data-here]")).to_have_text("✓ your browser finds it good")


def test_a_replay_and_an_example_of_the_rules_step_in_place_by_keys(visitors: Visitors, evening: Evening) -> None:
    _, table = evening("dollar-bill")
    page = visitors.come().page
    page.goto(f"/t/{table}/replay/1?ply=0&as=0")
    page.evaluate("window.stayed = true")
    for key, told in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator(".rnav .fig")).to_contain_text(f"ply {told} of")
    page.keyboard.press("f")
    expect(page.locator(".seg .chosen")).to_have_text("as Ben")
    expect(page).to_have_url(re.compile(r"/replay/1\?ply=0&as=1$"))
    assert page.evaluate("window.stayed") is True
    page.goto("/rules/thorin")
    page.locator("#sample button").click()
    expect(page.locator("h1")).to_have_text("Thorin Style Liar’s Poker, round 1")
    page.keyboard.press("End")
    expect(page.locator(".outcome-panel")).to_contain_text("Dirk is out of the match")


def test_the_browser_finds_what_is_wrong_with_deals_and_sends_no_document(visitors: Visitors, house: Running) -> None:
    owner, table = played(house, "dollar-bill", rounds=2)
    good = owner.http.get(f"/t/{table}/verify/audit.json").json()
    planted, bad = (json.loads(json.dumps(good)) for _ in range(2))
    numbers = planted["deals"][1]["dealt"]["deal"]
    numbers[0] = numbers[0][::-1] if numbers[0] != numbers[0][::-1] else "00000001"
    assert tampering.change_seed(Random(3), bad["deals"][0])

    def plant(route: Route) -> None:
        route.fulfill(json=planted)

    page = visitors.come().page
    page.route("**/verify/audit.json", plant)
    page.goto(f"/t/{table}/verify")
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("Not as promised")
    expect(page.locator("[data-deal='1'] [data-here]")).to_have_text("✗ not as promised")
    expect(page.locator("[data-deal='1'] [data-found]")).to_contain_text("it is not what follows from the seed")
    expect(page.locator("[data-deal='0'] [data-here]")).to_have_text("✓ your browser finds it good")
    page.goto("/verify")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method != "GET" else None)
    for document, words in (
        (good, "and all of it holds"),
        (bad, "Not as promised"),
        ("?", "This is no audit document"),
    ):
        content = json.dumps(document).encode() if document != "?" else b"?"
        page.set_input_files("#document", {"name": "a.json", "mimeType": "application/json", "buffer": content})
        expect(verdict).to_contain_text(words)
    assert sent == []


# ---------------------------------------------------------------------------------------- a share in deals


def nonces(player: Player) -> set[str]:
    """Which nonces the browser keeps."""
    found: list[str] = player.page.evaluate("Object.keys(sessionStorage).filter((name) => name.startsWith('nonce '))")
    return set(found)


def test_the_browser_takes_part_in_every_deal_and_forgets_what_stands_on_record(
    visitors: Visitors, house: Running
) -> None:
    ann = visitors.come()
    table = ann.make_table("Ann", ("beginner",) * 2, game="dollar-bill", seats=3).rpartition("/")[2]
    ann.page.evaluate("sessionStorage.setItem('nonce another-table 0', '00')")
    ann.page.click("form[data-do=start] button")
    sign = ann.page.locator("[data-fair-sign]")
    expect(sign).to_have_text("Fair deal, with your share")
    deal = house.person().view(table)["public"]["deal"]
    promise, nonce = deal["nonce_commitments"][0], deal["nonces"][0]
    assert len(nonce) == 64
    assert nonce_commitment(bytes.fromhex(nonce), table, 0, 0).hex() == promise
    assert sign.get_attribute("href") == f"/t/{table}/verify"
    assert nonces(ann) == {"nonce another-table 0", f"nonce {table} 0"}
    ann.page.reload()
    expect(sign).to_have_text("Fair deal, with your share")
    play([ann], Random(1), until=lambda: ann.stage == "gathering")
    ann.page.click("#next")
    expect(ann.page.locator("[data-fair][data-last='1']")).to_have_count(1)
    expect(sign).to_have_text("Fair deal, with your share")
    assert nonces(ann) == {"nonce another-table 0", f"nonce {table} 1"}
    ended = {"id": "end", "command": {"do": "end"}}
    assert ann.page.request.post(f"/api/tables/{table}/commands", data=ended).ok
    expect(ann.page.locator("main.ended")).to_be_visible()
    assert nonces(ann) == {"nonce another-table 0"}


def test_where_nothing_can_be_kept_nothing_is_promised_and_the_deal_is_made(visitors: Visitors, house: Running) -> None:
    ann = visitors.come()
    table = ann.make_table("Ann", ("beginner",) * 2, game="dollar-bill", seats=3).rpartition("/")[2]
    ann.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full') } }")
    ann.page.click("form[data-do=start] button")
    expect(ann.page.locator("[data-fair-sign]")).to_have_text("Fair deal")
    assert house.person().view(table)["public"]["deal"]["nonce_commitments"] == [None, None, None]
