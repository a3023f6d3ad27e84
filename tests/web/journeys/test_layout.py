"""The layout of pages in small, low and zoomed windows, and the display settings."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from liarspoker.core import catalogue
from liarspoker.language import speaking
from liarspoker.web.view_models.terms import badge
from tests.web.journeys.player import play
from tests.web.journeys.survey import DESK, PHONE, SCRIPTS, SMALL, ZOOMED
from tests.web.journeys.test_pages import KINDS
from tests.web.journeys.visitors import Visitors

MOST_BYTES = 100_000
"""The most bytes of a page that is opened for the first time, with everything that it loads, compressed."""

_TOO_WIDE = (SCRIPTS / "too_wide.js").read_text()

_AVATARS = """() => [...Array(16).keys()].map((number) => {
    const seat = document.createElement("li");
    seat.className = `seat av${number}`;
    seat.innerHTML = "<svg class=ring><circle class=ring-track></circle></svg>";
    document.body.append(seat);
    const [ring, track] = [getComputedStyle(seat.firstChild), getComputedStyle(seat.querySelector("circle"))];
    return [ring.backgroundImage, ring.backgroundSize, track.fill].join();
})"""
"""What the initials of sixteen seats are drawn on."""

_LIGHTNESS = """(names) => names.map((name) => {
    const sample = document.body.appendChild(document.createElement("i"));
    sample.style.color = `var(--${name})`;
    const channels = getComputedStyle(sample).color.match(/[0-9.]+/g).slice(0, 3).map((one) => one / 255);
    const [r, g, b] = channels.map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
})"""
"""The relative luminances of colours."""


_CUT_OFF = """() => [...document.querySelectorAll(".bar .where > *")]
    .filter((one) => one.checkVisibility())
    .filter((one) => getComputedStyle(one).overflowY === "hidden"
            && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        || one.getBoundingClientRect().top < 0
        || one.getBoundingClientRect().bottom > document.querySelector(".bar").getBoundingClientRect().bottom)
    .map((one) => one.textContent)"""
"""The words of a table's bar that are cut off."""


_COVERED = """() => {
    const seen = (one) => one.getBoundingClientRect();
    const above = [...document.querySelectorAll(".seat > :is(svg, .who, .act, .number), .fairsign > *")]
        .map((one) => [one, seen(one)]);
    return [...document.querySelectorAll(".hand-count > *, .whypay, .settled")].flatMap((one) => {
        const box = seen(one);
        return above
            .filter(([, other]) => other.left < box.right && other.right > box.left
                && other.top < box.bottom - 1 && other.bottom > box.top + 1)
            .map(([other]) => `${other.parentElement.className} covers ${one.className}`);
    });
}"""
"""The parts of a count that a seat or the sign of a fair deal covers."""


def check_width(page: Page, about: str) -> None:
    for size in (SMALL, ZOOMED):
        page.set_viewport_size(size)
        assert page.evaluate(_TOO_WIDE) == [], f"{about} at {size['width']}"


def test_no_page_is_wider_than_a_small_or_zoomed_window_with_a_long_name_and_large_text(visitors: Visitors) -> None:
    ann = visitors.come(SMALL)
    ann.page.request.post("/settings", form={"text": "large"})
    ann.make_table("Maximiliane Wu", ("beginner",) * 4, start=True, game="salomon-1986", seats=5)
    check_width(ann.page, "a turn")
    play([ann], Random(2), until=lambda: ann.stage == "gathering")
    check_width(ann.page, "a count")
    for path in (*KINDS, *(f"/rules/{row.id}" for row in catalogue.games())):
        ann.page.goto(path)
        check_width(ann.page, path)


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_the_odds_of_every_claim_fit_on_a_phone(visitors: Visitors, language: str) -> None:
    ann = visitors.come(PHONE)
    ann.page.request.post("/settings", form={"language": language})
    ann.page.goto("/odds/pooled")
    assert ann.page.locator(".panel:has(> .ledger.names)").evaluate("(one) => one.scrollWidth - one.clientWidth") == 0


_TOUCHING = """(labels) => {
    const chart = labels[0].ownerSVGElement.viewBox.baseVal;
    const boxes = labels.map((one) => one.getBBox());
    const outside = boxes.filter((box) => box.x < chart.x || box.x + box.width > chart.x + chart.width);
    const covered = boxes.filter((box, k) => boxes.slice(k + 1).some((later) =>
        box.y === later.y && box.x + box.width > later.x));
    return [labels.length, outside.length, covered.length];
}"""
"""Counts the labels of a chart, those that are cut off, and those that touch a later one in their row."""


@pytest.mark.parametrize("language", ["en", "de", "es"])
@pytest.mark.parametrize(
    ("asked", "bars"), [("claim=two-pair+73&jokers=2", 11), ("claim=three&hand=As+Ks+Qs+Js+2s&jokers=2&discard=2s", 7)]
)
def test_the_labels_of_a_draw_are_apart_on_a_phone(visitors: Visitors, language: str, asked: str, bars: int) -> None:
    ann = visitors.come(PHONE)
    ann.page.request.post("/settings", form={"language": language})
    ann.page.goto(f"/odds/thorin?{asked}")
    assert ann.page.locator(".spread .chart-label").evaluate_all(_TOUCHING) == [bars, 0, 0]


LOW: ViewportSize = {"width": 390, "height": 640}


@pytest.mark.parametrize("size", [LOW, SMALL, ZOOMED], ids=["low", "small", "zoomed"])
def test_the_buttons_of_a_turn_are_in_the_window_whatever_its_height(visitors: Visitors, size: ViewportSize) -> None:
    ann = visitors.come(PHONE)
    for game, buttons in (("dollar-bill", "#challenge, #raise"), ("queen-annes-indian", "#challenge, #name")):
        ann.make_table("Ann", ("beginner",) * 3, start=True, game=game, seats=4)
        play([ann], Random(1), until=lambda: ann.my_turn and ann.page.locator("#challenge").count() > 0)
        ann.page.set_viewport_size(size)
        for button in ann.page.locator(buttons).all():
            expect(button).to_be_in_viewport(ratio=0.99)
            if button.is_enabled():
                button.click(trial=True)  # nothing covers it
        ann.page.set_viewport_size(PHONE)


@pytest.mark.parametrize("game", ["salomon-1986", "slips"])
def test_nothing_covers_a_count_at_six_seats(visitors: Visitors, game: str) -> None:
    ann = visitors.come(DESK)
    ann.make_table("Maximiliane Wu", ("beginner",) * 5, start=True, game=game, seats=6)
    play([ann], Random(1), until=lambda: ann.stage == "gathering")
    ann.page.locator(".whypay tfoot").wait_for()
    assert ann.page.evaluate(_COVERED) == []


def test_more_levels_than_fit_on_the_pad_show_the_start_of_the_next_row(visitors: Visitors) -> None:
    ann = visitors.come(DESK)
    ann.make_table("Ann", ("beginner",) * 4, start=True, game="dollar-bill", seats=5, clock={"turn": 60})
    ann.page.locator(".dock.turn bid-pad").wait_for()
    pad = ann.page.locator(".levels").bounding_box()
    assert pad is not None
    tops = [box["y"] for key in ann.page.locator(".level .key:first-of-type").all() if (box := key.bounding_box())]
    end = pad["y"] + pad["height"]
    assert any(end - 34 < top < end - 10 for top in tops), (tops, end)


def test_a_hint_on_a_small_phone_leaves_the_digits_in_sight(visitors: Visitors) -> None:
    ann = visitors.come(SMALL)
    ann.quick_table("Ann")
    ann.page.locator(".hint").wait_for()
    play([ann], Random(1), until=lambda: ann.my_turn)
    digit = ann.page.locator(".key:visible").first
    expect(digit).to_be_in_viewport(ratio=0.99)
    digit.click(trial=True)  # nothing covers it


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_the_bar_of_a_table_shows_its_title_whole_on_every_phone(visitors: Visitors, language: str) -> None:
    ann = visitors.come(PHONE)
    ann.page.request.post("/settings", form={"language": language})
    for row in catalogue.games():
        ann.make_table("Ann", ("beginner",), start=True, game=row.id, seats=2)
        for size in (PHONE, SMALL):
            ann.page.set_viewport_size(size)
            assert ann.page.evaluate(_CUT_OFF) == [], (row.id, size["width"])
        with speaking(language):
            expect(ann.page.locator(".bar .where b").first).to_have_text(badge(row.id))


def test_the_lobby_shows_the_usual_title_of_every_game_whole(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    for row in catalogue.games():
        ann.make_table("Ann", game=row.id, seats=4, visibility="open")
    for size in (PHONE, DESK):
        ann.page.set_viewport_size(size)
        ann.page.goto("/")
        titles = ann.page.locator(".board .nm b")
        assert titles.count() >= len(catalogue.games())
        for title in titles.all():
            assert title.evaluate(
                "(one) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]"
            ) == [0, 0]


def test_a_sheet_covers_what_is_behind_it(visitors: Visitors) -> None:
    ann = visitors.come(SMALL)
    for game in {row.family: row.id for row in catalogue.games()}.values():
        table = ann.make_table("Ann", ("beginner",), start=True, game=game, seats=2)
        play([ann], Random(1), until=lambda: ann.stage == "gathering")
        for name in ("score", "tape", "chat", "more"):
            ann.page.goto(f"{table}#{name}")
            ann.at_the_table()
            sheet = ann.page.locator(f"#{name}")
            if sheet.count():
                expect(sheet).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
                box = sheet.bounding_box()
                assert box is not None
                assert (box["x"], box["width"], box["y"] + box["height"]) == (0, 320, 700), (game, name)


def test_the_list_of_keys_opens_whoever_is_to_act(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.make_table("Ann", ("beginner",), game="thorin", seats=3)
    keys = ann.page.locator("#keys")
    expect(keys).to_be_hidden()
    ann.page.keyboard.press("?")
    expect(keys).to_contain_text("take the hand")
    ann.look()
    ann.page.keyboard.press("?")
    expect(keys).to_be_hidden()


def test_with_safe_colours_players_differ_in_pattern_and_suits_in_lightness(visitors: Visitors) -> None:
    ann = visitors.come()
    for theme in ("light", "dark"):
        ann.page.request.post("/settings", form={"colours": "safe", "theme": theme})
        ann.page.goto("/settings")
        assert len(set(ann.page.evaluate(_AVATARS))) == 16
        suits: list[float] = sorted(ann.page.evaluate(_LIGHTNESS, ["spade", "heart", "diamond", "club"]))
        assert all((lighter + 0.05) / (darker + 0.05) > 1.05 for darker, lighter in pairwise(suits))
        [sheet] = ann.page.evaluate(_LIGHTNESS, ["sheet"])
        assert all((sheet + 0.05) / (suit + 0.05) >= 4.5 for suit in suits), (sheet, suits)


def test_pages_use_their_own_fonts_from_the_first_paint(visitors: Visitors) -> None:
    ann = visitors.come()
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    ann.page.goto("/")
    ann.page.evaluate("document.fonts.ready.then(() => undefined)")
    loaded = (
        "[...document.fonts].filter((one) => one.status === 'loaded').map((one) => one.family.replaceAll('\"', ''))"
    )
    assert sorted(ann.page.evaluate(loaded)) == ["Public Sans", "STIX Two Text"]
    fonts = [url for url in asked if ".woff2" in url]
    assert len(fonts) == 2, fonts  # each is loaded once: the URLs of the preload and of the style sheet are the same
    for url in fonts:
        assert "immutable" in ann.page.request.get(url).headers["cache-control"]


def first_load(page: Page, path: str) -> int:
    """Return the compressed bytes of a page and of all that it loads."""
    sizes: list[int] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    page.goto(path, wait_until="networkidle")
    return sum(sizes)


def test_the_first_load_of_a_page_is_small(visitors: Visitors) -> None:
    ann = visitors.come()
    table = ann.make_table("Ann", ("beginner",) * 4, start=True, game="dollar-bill", seats=5)
    state: Any = ann.page.context.storage_state()
    for path in ("/", table):
        new = visitors.come()
        new.page.context.add_cookies(state["cookies"])
        assert first_load(new.page, path) <= MOST_BYTES, path
