from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from liarspoker.core import catalogue
from liarspoker.web.assets import Assets
from liarspoker.web.history import History, Played
from liarspoker.web.pages import Pages
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.family import Tally
from tests.web.journeys.player import play
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors

COVERED = """(one) => {
    const box = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2));
}"""


@pytest.mark.parametrize("seats", [6, 16])
def test_who_acted_before_you_and_who_acts_after_you_stand_beside_you(visitors: Visitors, seats: int) -> None:
    ann = visitors.come(PHONE)
    ann.make_table("Ann", ("beginner",) * (seats - 1), game="salomon-1986", seats=seats)
    ann.press(ann.offers("start")[0])
    play([ann], Random(1), until=lambda: ann.my_turn and ann.page.locator(".seat.bidder").count() > 0)
    seen = ann.page.locator(".oval .seat")
    before, you, after = middle(seen.last), middle(ann.page.locator(".seat.you")), middle(seen.nth(1))
    assert 0 < before < you < after < PHONE["width"]


def middle(seat: Locator) -> float:
    """Where a seat stands, from the left."""
    box = seat.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2


def test_nothing_lies_over_what_is_said_in_words(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.make_table("Ann", ("beginner",), game="thorin", seats=2)
    ann.press(ann.offers("start")[0])
    play([ann], Random(2), until=lambda: ann.page.locator("#say-it").count() > 0)
    for name in ("#spoken", "#say-it"):
        ann.page.locator(name).focus()
        assert not ann.page.locator(name).evaluate(COVERED), name
    flag = ann.page.locator(".turnflag")
    expect(flag).to_be_visible()
    assert (
        flag.evaluate("(flag) => flag.closest('.dock').contains(flag) && getComputedStyle(flag).position") == "static"
    )


@pytest.mark.parametrize("width", [320, 390])
def test_what_was_played_fits_its_page(browser: Browser, width: int) -> None:
    tally = Tally(rounds=1280, bids_won=312, bids_lost=422, right=287, wrong=313, heroes=22, skunks=4)
    history = History(tuple(Played(row.id, "Friday", row, True, 1.7e9, -1284, tally) for row in catalogue.games()), 0)
    told = dict.fromkeys(("name", "login", "label", "secret", "secret_of"), "")
    place = {"path": "/you", "here": "/you", "prefs": Preferences()}
    context: dict[str, Any] = {"user": None, "history": history, "tokens": [], "wrong": {}, **place, **told}
    assets = Assets.load()
    html = Pages(assets).html("you.html", context)
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    page.set_content(html)
    page.add_style_tag(content=assets.by_name["app.css"].content.decode())
    [sums] = page.locator(".scroll").all()
    assert sums.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0
