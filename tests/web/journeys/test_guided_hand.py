"""The guided hand in a browser, on a phone."""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, expect

from liarspoker.server.config import NodeConfig
from liarspoker.server.settings import ServerSettings
from liarspoker.web.app import mount_pages
from tests.server.inprocess import running
from tests.web.journeys.player import play
from tests.web.journeys.survey import PHONE, Survey
from tests.web.journeys.visitors import Visitors

SECONDS = 15.0
"""The time in which a new player makes their first bid."""

READ = 2.0
"""The seconds in which a person reads what has just come up: the lobby, the table, then the hint.

They are added to the time that was measured, so nobody waits for them.
"""

COVERED = """() => {
    const box = (one) => one.getBoundingClientRect(), hint = box(document.querySelector("#hint"));
    return [...document.querySelectorAll(".note, .key, .lvl, .actcol .btn, .oval .words")]
        .filter((one) => one.checkVisibility()).map(box)
        .filter(({ top, bottom, left, right }) => top < hint.bottom && bottom > hint.top
            && left < hint.right && right > hint.left).length;
}"""


def test_a_new_player_bids_after_one_click_while_bots_take_their_time(
    browser: Browser, survey: Survey, tmp_path: Path
) -> None:
    with running(tmp_path, mount_pages, node=NodeConfig(bot_pause=ServerSettings().bot_pause)) as site:
        visitors = Visitors(browser, site.url, survey)
        ann = visitors.come(PHONE)
        began = time.monotonic()
        ann.page.goto("/")
        ann.page.get_by_role("button", name="Play your first hand").click()
        ann.page.locator("#raise").click()
        ann.page.wait_for_function("() => document.querySelector('.dock.turn') === null")
        assert time.monotonic() - began + 3 * READ < SECONDS
        assert visitors.faults() == []


def test_a_guided_hand_preselects_the_advised_bid_and_says_why_the_count_paid(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.quick_table()
    hint = ann.page.locator("#hint p")
    play([ann], Random(4), until=lambda: ann.my_turn)
    bid = re.compile(r"(?:Raise to|such as) (\d+ \w+):").search(hint.inner_text())
    assert bid is not None
    expect(ann.page.locator("#raise [data-chosen]")).to_have_text(bid[1])
    ann.press(ann.page.locator("#raise"))
    play([ann], Random(4), until=lambda: ann.my_turn or ann.stage == "gathering")
    expect(hint).to_have_text(re.compile("[.]$"))
    assert ann.page.evaluate(COVERED) == 0
    play([ann], Random(4), until=lambda: ann.stage == "gathering")
    expect(hint).to_have_text(re.compile("^[^.]+ bid [^.]+, so the bid (held|failed) and [^.]+ paid [^.]+ units?[.]$"))
    ann.page.get_by_role("button", name="Hide hints").click()
    ann.at_the_table()
    expect(hint).to_have_count(0)
