"""Reactions, shown hands, emoji in the chat, sounds and animations, in two browsers at one table."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Locator, Page, expect

from tests.web.journeys.player import Player, play
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors

SOUNDS = """
window.contexts = 0;
window.notes = 0;
window.AudioContext = class extends AudioContext { constructor() { super(); window.contexts += 1; } };
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...given) { window.notes += 1; start.apply(this, given); };
}
"""
"""Counts the audio contexts and notes of a page."""

FLIGHTS = """
window.flights = [];
new MutationObserver((changes) => changes.forEach((one) => one.addedNodes.forEach((added) => {
    if (added.classList?.contains("flight")) window.flights.push(added.className.replace("flight ", ""));
}))).observe(document, { subtree: true, childList: true });
"""
"""Records the kinds of everything that flies over a page."""


def test_players_react_show_their_hands_and_send_emoji(visitors: Visitors) -> None:
    ann, bob = visitors.come(), visitors.come(PHONE)
    ann.page.add_init_script(SOUNDS)
    table = ann.make_table("Ann", game="dollar-bill", seats=2, options={"reveal": "counts"})
    bob.open(table)
    bob.sit_down("Bob")
    assert ann.page.evaluate("window.contexts") == 0  # nothing before the first gesture

    ann.press(ann.offer("start"))
    play([ann, bob], Random(3), until=lambda: ann.my_turn)
    react(bob, "Liar!")
    expect(seat_of(ann.page, "Bob").locator(".reaction")).to_have_text("Liar!")
    play([ann, bob], Random(3), until=lambda: ann.stage == "gathering")
    assert ann.page.evaluate("window.contexts") == 1
    assert ann.page.evaluate("window.notes") > 0
    expect(seat_of(ann.page, "Bob").locator(".reaction")).to_have_count(0)

    ann.page.keyboard.press("h")
    number = seat_of(bob.page, "Ann").locator(".number")
    expect(number).to_have_text(ann.page.locator(".seat.you .number").inner_text())
    expect(ann.page.locator("#show-hand")).to_have_count(0)
    bob.look()
    shown = number.inner_text()
    bob.page.goto(f"{table}/replay/1?view=rail")
    bob.page.keyboard.press("End")
    expect(bob.page.locator(".rseat", has_text="Ann")).to_contain_text(shown)
    bob.open(table)

    line = bob.line()
    line.fill("nice ")
    bob.page.keyboard.press("Tab")
    bob.page.keyboard.press("Tab")
    bob.page.keyboard.press("Enter")
    bob.page.keyboard.press("ArrowRight")
    bob.page.keyboard.press("ArrowRight")
    bob.look()
    bob.page.keyboard.press("Enter")
    expect(line).to_have_value("nice 😂")
    line.fill("👍" * 301)
    assert line.evaluate("line => [...new Intl.Segmenter().segment(line.value)].length") == 300
    line.fill("nice 😂")
    line.press("Enter")
    ann.hears("nice 😂")


def test_bills_fly_at_the_deal_and_units_after_the_count(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.page.emulate_media(reduced_motion="no-preference")
    ann.page.add_init_script(FLIGHTS)
    ann.make_table("Ann", ("beginner", "bluffer"), game="dollar-bill", seats=3)
    ann.press(ann.offer("start"))
    ann.page.wait_for_function("() => window.flights.length === 3")
    while ann.stage != "gathering":
        if not ann.act(Random(4)):
            ann.page.wait_for_timeout(20)
    ann.page.locator("[data-skip]").last.click()
    ann.page.wait_for_function("() => window.flights.length > 3")
    kinds = ann.page.evaluate("window.flights")
    assert kinds[:3] == ["bill"] * 3
    assert set(kinds[3:]) == {"unit"}
    expect(ann.page.locator(".flight")).to_have_count(0)


def react(player: Player, words: str) -> None:
    """Press a reaction's button."""
    player.page.locator(".reactions").get_by_label(words).locator("visible=true").click()


def seat_of(page: Page, name: str) -> Locator:
    """Return the seat of a player."""
    return page.locator(".seat", has_text=name)
