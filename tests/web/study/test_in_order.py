"""Replays and checked deals at both sizes: nothing too wide, too small, or out of reach for who hears the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.server.inprocess import Running
from tests.web.journeys.survey import Survey
from tests.web.journeys.visitors import DESK, PHONE, Visitors
from tests.web.study.evenings import played


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", ["salomon-1986", "thorin", "queen-annes-stud"])
def test_replays_and_checked_deals_are_in_order(
    browser: Browser, house: Running, game: str, size: ViewportSize
) -> None:
    _, table = played(house, game)
    visitors = Visitors(browser, house.url, Survey())
    ann = visitors.come(size)
    for path in (f"/t/{table}/replay/1?ply=1&as=0", f"/t/{table}/replay/1", f"/t/{table}/verify"):
        ann.page.goto(path)
        ann.look()
    assert visitors.faults() == []
