"""Alerts on your turn: the title, the icon and a notification."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import expect

from tests.web.journeys.player import Player
from tests.web.journeys.visitors import Visitors

# A tab in the background, and a record of the notifications that a headless browser has nowhere to show.
BACKGROUND = """
window.notified = [];
window.Notification = class {
    static permission = "default";
    static async requestPermission() { Notification.permission = "granted"; return "granted"; }
    constructor(title, options) { window.notified.push(`${title}: ${options.body}`); }
    close() {}
};
Object.defineProperty(document, "hidden", { get: () => window.elsewhere === true });
"""
LOOK_ELSEWHERE = """(away) => {
    window.elsewhere = away;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_the_title_the_icon_and_a_notification_say_that_it_is_your_turn(visitors: Visitors) -> None:
    ann, bea = visitors.come(), visitors.come()
    ann.page.add_init_script(BACKGROUND)
    address = ann.make_table("Ann", game="dollar-bill", seats=2)
    bea.open(address)
    bea.sit_down("Bea")
    icon, offer = ann.page.locator("link[rel=icon]"), ann.page.locator("#notify")
    chance = Random(1)

    def wait_for_turn(player: Player, other: Player) -> None:
        while not (seen := player.glance()).turn:
            if not player.act(chance, seen) and not other.act(chance):
                player.page.wait_for_timeout(20)

    wait_for_turn(bea, ann)
    expect(ann.page).not_to_have_title(re.compile("^● "))
    expect(icon).to_have_attribute("href", re.compile("/icon.svg"))
    ann.page.evaluate(LOOK_ELSEWHERE, True)
    wait_for_turn(ann, bea)
    expect(ann.page).to_have_title(re.compile("^● Your turn · Dollar"))
    expect(icon).to_have_attribute("href", re.compile("/icon-turn.svg"))
    assert ann.page.evaluate("window.notified") == []
    expect(offer).to_be_hidden()

    ann.page.evaluate(LOOK_ELSEWHERE, False)
    expect(offer).to_be_visible()
    ann.look()
    offer.get_by_role("button", name="Notify me").click()
    expect(offer).to_be_hidden()

    wait_for_turn(bea, ann)
    expect(ann.page).not_to_have_title(re.compile("^● "))
    ann.page.evaluate(LOOK_ELSEWHERE, True)
    wait_for_turn(ann, bea)
    ann.page.wait_for_function("() => window.notified.length === 1")
    assert ann.page.evaluate("window.notified")[0].startswith("Your turn: Dollar")
