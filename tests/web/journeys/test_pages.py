"""Every kind of page in a browser: accessible, complete at both sizes and free of errors; and what its script does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from liarspoker import engine
from liarspoker.core import catalogue
from liarspoker.tables.fair.deal import nonce_commitment
from liarspoker.web.assets import Assets
from liarspoker.web.history import History, Part, Played
from liarspoker.web.pages import Pages
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.family import Tally
from tests.server.inprocess import Running
from tests.tables.fair import tampering
from tests.web.conftest import Evening
from tests.web.journeys.player import Player, play
from tests.web.journeys.survey import DESK, PHONE
from tests.web.journeys.visitors import Visitors
from tests.web.study.played_tables import played

FIRST = {row.family: row.id for row in reversed(catalogue.games())}
"""A game of each family."""
GOLDEN = Path(__file__).parents[2] / "records" / "golden"

KINDS = (
    *("/", "/new", "/bots", "/rules", *(f"/rules/{game}" for game in FIRST.values())),
    *("/odds", "/odds/pooled", "/odds/thorin", "/odds/tables", "/replay", "/verify"),
    *("/you", "/you/games", "/friends", "/settings"),
)


@pytest.mark.slow
def test_every_kind_of_page_has_no_faults(visitors: Visitors) -> None:
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
    ann.page.get_by_role("link", name="Go to lobby").click()
    ann.page.get_by_role("button", name=re.compile("^Play your first hand")).wait_for()


def test_the_bluffs_of_an_imported_record_have_no_faults(visitors: Visitors) -> None:
    cyd = visitors.come()
    cyd.quick_table("Cyd")
    cyd.page.goto("/you/games")
    cyd.page.get_by_label("A record in").set_input_files(GOLDEN / "salomon-1986-letters.toml")
    cyd.page.get_by_role("button", name="Import").click()
    cyd.page.get_by_role("link", name="How you bluff").click()
    cyd.page.get_by_role("region", name="Whom you believe").wait_for()
    cyd.look()
    cyd.page.get_by_label("Opponent", exact=True).select_option("Eve")
    cyd.page.get_by_role("button", name="Show").click()
    cyd.page.get_by_role("link", name="Show all").wait_for()
    cyd.look()


def test_sheets_open_and_close(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.quick_table("Ann")
    ann.page.locator(".turnflag").wait_for()
    for link in ann.page.get_by_role("navigation").get_by_role("link").all():
        if (link.get_attribute("href") or "").startswith("#"):
            link.click()
            ann.look()
            ann.page.goto(ann.page.url.partition("#")[0])
            ann.at_the_table()


def test_results_fit_their_page(visitors: Visitors) -> None:
    tally = Tally(rounds=1280, units=-1284, bids_won=312, bids_lost=422, right=287, wrong=313, heroes=22, skunks=4)
    parts = (Part(("Bea", "Cy"), 1, tally),)
    history = History(tuple(Played(row.id, "Friday", row, True, 1.7e9, parts) for row in catalogue.games()))
    empty = dict.fromkeys(("name", "login", "label", "secret", "secret_of", "code", "no_passkeys"), "")
    place = {"path": "/you", "here": "/you", "prefs": Preferences(), "session_tag": "", "push_key": "", "turns": 0}
    context: dict[str, Any] = {"user": None, "history": history, "tokens": [], "wrong": {}, **place, **empty}
    assets = Assets.load()
    ann = visitors.come()
    ann.watch.forgiven.append("rel=preload")  # this page has no address
    page = ann.page
    page.set_content(Pages(assets).html("you.html", context))
    page.add_style_tag(content=assets.by_name["app.css"].content.decode())
    [sums] = page.locator(".scroll").all()
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert sums.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0


# ------------------------------------------------------------------------------------ replays and audits


@pytest.mark.slow
@pytest.mark.parametrize("game", FIRST.values())
def test_replays_have_no_faults_and_the_browser_verifies_every_deal(
    visitors: Visitors, evening: Evening, game: str
) -> None:
    _, table = evening(game)
    ann = visitors.come()
    for path in ("replay/1?ply=1&as=0", "replay/1", "verify"):
        ann.page.goto(f"/t/{table}/{path}")
        ann.look()
    expect(ann.page.locator("#verdict")).to_contain_text("Verified:")
    expect(ann.page.locator("[data-deal='0'] [data-here]")).to_have_text("✓ verified by your browser")


def test_a_replay_and_an_example_step_in_place_by_keyboard(visitors: Visitors, evening: Evening) -> None:
    _, table = evening("dollar-bill")
    page = visitors.come().page
    page.goto(f"/t/{table}/replay/1?ply=0&as=0")
    page.evaluate("window.stayed = true")
    for key, ply in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator(".rnav .fig")).to_contain_text(f"ply {ply} of")
    page.keyboard.press("f")
    expect(page.locator(".seg .chosen")).to_have_text("as Ben")
    expect(page).to_have_url(re.compile(r"/replay/1\?ply=0&as=1$"))
    assert page.evaluate("window.stayed") is True
    page.goto("/rules/thorin")
    page.locator("#sample button").click()
    expect(page.locator("h1")).to_have_text("Thorin Style Liar’s Poker, round 1")
    page.keyboard.press("End")
    expect(page.locator(".outcome-panel")).to_contain_text("Dirk is out of the match")


@pytest.mark.slow
@pytest.mark.skipif(not engine.available(), reason="the extra engine is not installed")
def test_a_review_steps_from_mistake_to_mistake_and_asks_again(visitors: Visitors, site: Running) -> None:
    owner, table = played(site, "dollar-bill", options={"reveal": "full", "hand_size": 3, "symbols": 4})
    ann = visitors.come()
    page = ann.page
    page.context.add_cookies(
        [{"name": name, "value": value, "url": site.url} for name, value in owner.http.cookies.items()]
    )
    page.goto(f"/t/{table}/replay/1?ply=1&as=all")
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".coach")).to_be_visible(timeout=120_000)
    expect(page.locator(".beliefs tbody tr")).to_have_count(3)
    ann.look()
    again = page.get_by_role("link", name="Try again")
    for _ in range(30):
        page.keyboard.press("m")
        expect(page.locator("#replay:not([aria-busy])")).to_be_visible()
        if again.count():
            break
    again.click()
    expect(page.locator(".coach .picks a")).not_to_have_count(0)
    ann.look()
    page.locator(".coach .picks a").first.click()
    expect(page.locator(".worths .chosen")).to_have_count(1)


@pytest.mark.slow
def test_the_trainer_has_no_faults(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.page.goto("/")
    ann.page.get_by_role("link", name="Trainer").click()
    ann.look()
    ann.page.locator(".picks button").first.click()
    expect(ann.page.locator(".coach")).to_be_visible()
    ann.look()
    ann.page.get_by_role("link", name="Next puzzle").click()
    expect(ann.page.locator(".picks button")).to_have_count(4)
    ann.page.locator(".rtools").get_by_role("link", name="Odds").click()
    ann.look()
    ann.page.locator(".picks button").first.click()
    ann.look()
    ann.page.get_by_role("link", name="Cheat sheets").click()
    ann.look()
    for size in (DESK, PHONE):
        ann.page.set_viewport_size(size)
        expect(ann.page.locator(".cheat").filter(visible=True)).to_have_count(5)
    ann.page.get_by_role("link", name="Today").click()
    expect(ann.page.locator("h1")).to_have_text("Puzzle of the day")


def test_the_browser_finds_tampered_deals_and_uploads_no_document(visitors: Visitors, site: Running) -> None:
    owner, table = played(site, "dollar-bill", rounds=2)
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
    expect(verdict).to_contain_text("Verification failed")
    expect(page.locator("[data-deal='1'] [data-here]")).to_have_text("✗ failed")
    expect(page.locator("[data-deal='1'] [data-found]")).to_contain_text("doesn't follow from the seed")
    expect(page.locator("[data-deal='0'] [data-here]")).to_have_text("✓ verified by your browser")
    page.goto("/verify")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method != "GET" else None)
    for document, words in (
        (good, "Verified:"),
        (bad, "Verification failed"),
        ("?", "Not an audit document"),
    ):
        content = json.dumps(document).encode() if document != "?" else b"?"
        page.set_input_files("#document", {"name": "a.json", "mimeType": "application/json", "buffer": content})
        expect(verdict).to_contain_text(words)
    assert sent == []


# ------------------------------------------------------------------------------------------- fair deals


def nonces(player: Player) -> set[str]:
    """The storage keys of the nonces in the browser."""
    found: list[str] = player.page.evaluate("Object.keys(sessionStorage).filter((name) => name.startsWith('nonce '))")
    return set(found)


def test_the_browser_contributes_to_every_deal_and_deletes_nonces_on_record(visitors: Visitors, site: Running) -> None:
    ann = visitors.come()
    table = ann.make_table("Ann", ("beginner",) * 2, game="dollar-bill", seats=3).rpartition("/")[2]
    ann.page.evaluate("sessionStorage.setItem('nonce another-table 0', '00')")
    ann.page.click("form[data-do=start] button")
    sign = ann.page.locator("[data-fair-sign]")
    expect(sign).to_have_text("Fair deal, with your nonce")
    deal = site.person().view(table)["public"]["deal"]
    promise, nonce = deal["nonce_commitments"][0], deal["nonces"][0]
    assert len(nonce) == 64
    assert nonce_commitment(bytes.fromhex(nonce), table, 0, 0).hex() == promise
    assert sign.get_attribute("href") == f"/t/{table}/verify"
    assert nonces(ann) == {"nonce another-table 0", f"nonce {table} 0"}
    ann.page.reload()
    expect(sign).to_have_text("Fair deal, with your nonce")
    play([ann], Random(1), until=lambda: ann.stage == "gathering")
    ann.page.click("#next")
    expect(ann.page.locator("[data-fair][data-last='1']")).to_have_count(1)
    expect(sign).to_have_text("Fair deal, with your nonce")
    assert nonces(ann) == {"nonce another-table 0", f"nonce {table} 1"}
    ended = {"id": "end", "command": {"do": "end"}}
    assert ann.page.request.post(f"/api/tables/{table}/commands", data=ended).ok
    expect(ann.page.locator("main.ended")).to_be_visible()
    assert nonces(ann) == {"nonce another-table 0"}


def test_without_storage_the_browser_commits_to_no_nonce(visitors: Visitors, site: Running) -> None:
    ann = visitors.come()
    table = ann.make_table("Ann", ("beginner",) * 2, game="dollar-bill", seats=3).rpartition("/")[2]
    ann.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full') } }")
    ann.page.click("form[data-do=start] button")
    expect(ann.page.locator("[data-fair-sign]")).to_have_text("Fair deal")
    assert site.person().view(table)["public"]["deal"]["nonce_commitments"] == [None, None, None]
