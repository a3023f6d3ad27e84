"""Checking the deals: the server's check, and that of the browser, which finds what has been planted."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from liarspoker.core import catalogue
from liarspoker.tables.fair.audit import check
from liarspoker.web.view_models.verify import ended_scene
from tests.server.inprocess import Person, Running
from tests.tables.fair import tampering
from tests.web.study.evenings import played

GAMES = tuple(row.id for row in catalogue.games())


def audit_of(owner: Person, table: str) -> dict[str, Any]:
    response = owner.http.get(f"/t/{table}/verify/audit.json")
    assert response.status_code == 200
    told: dict[str, Any] = response.json()
    return told


@pytest.mark.parametrize("game", GAMES)
def test_the_deals_of_a_table_are_shown_with_what_was_promised_opened_and_derived(house: Running, game: str) -> None:
    owner, table = played(house, game)
    page = owner.http.get(f"/t/{table}/verify").text
    assert "All deals hold" in page
    for deal in audit_of(owner, table)["deals"]:
        assert deal["commitment"] in page
        assert deal["seed"] in page
        assert deal["root"] in page


@pytest.mark.parametrize("game", GAMES)
def test_what_was_dealt_is_shown_line_by_line_and_of_a_long_deck_the_top(house: Running, game: str) -> None:
    document = audit_of(*played(house, game))
    for shown, deal in zip(ended_scene(document, [], "Friday").deals, document["deals"], strict=True):
        words = {"letters": "letters", "deck": "the deck", "extras": "the rest"}
        lines = {words[key]: tuple(held) for key, held in deal["dealt"].items() if key in words and held}
        shortened = {word: (*held[:15], f"and {len(held) - 15} more") for word, held in lines.items() if len(held) > 15}
        names = document["records"][0]["players"]
        assert {word: held for word, held in shown.dealt if word not in names} == {**lines, **shortened}


def test_while_a_table_runs_its_promises_stand_there_and_no_seed(house: Running) -> None:
    owner, table = played(house, "dollar-bill", end=False)
    deal = owner.view(table)["public"]["deal"]
    page = owner.http.get(f"/t/{table}/verify").text
    assert deal["commitment"] in page
    assert "The seed is opened when the table has ended" in page
    assert owner.http.get(f"/t/{table}/verify/audit.json").status_code == 404
    assert "data-audit" not in page


def test_where_seeds_stay_secret_only_what_was_shown_is_proved(house: Running) -> None:
    owner, table = played(house, "queen-annes", audit="leaves")
    page = owner.http.get(f"/t/{table}/verify").text
    assert "The seed stays secret" in page
    assert "How deals came about" in page


@pytest.mark.parametrize("change", [tampering.change_seed, tampering.change_root, tampering.change_commitment])
def test_what_the_servers_check_finds_stands_at_its_deal(
    house: Running, change: Callable[[Random, dict[str, Any]], bool]
) -> None:
    owner, table = played(house, "dollar-bill", rounds=2)
    document = audit_of(owner, table)
    assert change(Random(1), document["deals"][1])
    scene = ended_scene(document, check(document), "Friday")
    assert not scene.holds
    assert [bool(deal.faults) for deal in scene.deals[:2]] == [False, True]


def open_page(browser: Browser, house: Running) -> Page:
    context = browser.new_context(base_url=house.url)
    return context.new_page()


@pytest.mark.parametrize("game", ["salomon-1986", "thorin"])
def test_the_browser_finds_every_deal_good(browser: Browser, house: Running, game: str) -> None:
    _, table = played(house, game, rounds=2)
    page = open_page(browser, house)
    page.goto(f"/t/{table}/verify")
    expect(page.locator("#verdict")).to_contain_text("and all of it holds")
    expect(page.locator("#verdict")).to_contain_text("deals, and all of it holds")
    expect(page.locator("[data-deal='0'] [data-here]")).to_have_text("✓ your browser finds it good")


def test_the_browser_finds_a_planted_wrong_deal(browser: Browser, house: Running) -> None:
    owner, table = played(house, "dollar-bill", rounds=2)
    document = audit_of(owner, table)
    numbers = document["deals"][1]["dealt"]["deal"]
    numbers[0] = numbers[0][::-1] if numbers[0] != numbers[0][::-1] else "00000001"

    def planted(route: Route) -> None:
        route.fulfill(json=document)

    page = open_page(browser, house)
    page.route("**/verify/audit.json", planted)
    page.goto(f"/t/{table}/verify")
    expect(page.locator("#verdict")).to_contain_text("Not as promised")
    expect(page.locator("[data-deal='1'] [data-here]")).to_have_text("✗ not as promised")
    expect(page.locator("[data-deal='1'] [data-found]")).to_contain_text("it is not what follows from the seed")
    expect(page.locator("[data-deal='0'] [data-here]")).to_have_text("✓ your browser finds it good")


def test_a_document_from_elsewhere_is_checked_without_being_sent(browser: Browser, house: Running) -> None:
    owner, table = played(house, "slips")
    good = audit_of(owner, table)
    bad = json.loads(json.dumps(good))
    assert tampering.change_seed(Random(3), bad["deals"][0])
    page = open_page(browser, house)
    page.goto("/verify")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method != "GET" else None)
    for told, verdict in ((good, "and all of it holds"), (bad, "Not as promised"), ("?", "This is no audit document")):
        content = json.dumps(told).encode() if told != "?" else b"?"
        page.set_input_files("#document", {"name": "a.json", "mimeType": "application/json", "buffer": content})
        expect(page.locator("#verdict")).to_contain_text(verdict)
    assert sent == []


def test_without_a_script_the_servers_check_and_the_command_stand_there(browser: Browser, house: Running) -> None:
    _, table = played(house, "dollar-bill")
    page = browser.new_context(base_url=house.url, java_script_enabled=False).new_page()
    page.goto(f"/t/{table}/verify")
    expect(page.locator(".judgements")).to_contain_text("All deals hold")
    expect(page.locator("#verdict")).to_contain_text("liarspoker verify FILE")
