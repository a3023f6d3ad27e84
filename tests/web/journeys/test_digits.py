"""Digit games in a browser: the layout fits the screen, and a hand can be played by keyboard alone."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.journeys.player import Player, play
from tests.web.journeys.survey import DESK, PHONE, SCRIPTS
from tests.web.journeys.visitors import Visitors

BOXES = "els => els.map(el => el.getBoundingClientRect()).map(box => [box.left, box.top, box.right, box.bottom])"

_BESIDE_YOU = """() => {
    const seats = [...document.querySelectorAll(".oval .seat")];
    const middle = (seat) => (seat.getBoundingClientRect().left + seat.getBoundingClientRect().right) / 2;
    const [before, you, after] = [seats.at(-1), document.querySelector(".seat.you"), seats[1]].map(middle);
    return 0 < before && before < you && you < after && after < innerWidth;
}"""
"""Whether the seats of the previous and the next player are beside the user's own."""


def my_turn(player: Player) -> None:
    player.page.locator(".dock.turn bid-pad").wait_for()


@pytest.mark.parametrize("seats", [6, 16])
def test_seats_do_not_overlap_and_neighbours_are_beside_you_on_a_phone(visitors: Visitors, seats: int) -> None:
    ann = visitors.come(PHONE)
    ann.make_table("Ann", ("beginner",) * (seats - 1), start=True, game="salomon-1986", seats=seats)
    play([ann], Random(1), until=lambda: ann.my_turn and ann.page.locator(".seat.bidder").count() > 0)
    ann.page.reload()  # the survey changed the window's size
    ann.page.wait_for_function(_BESIDE_YOU)
    seen = ann.page.locator(".oval .seat")
    ann.page.set_viewport_size(DESK)
    boxes = seen.evaluate_all(BOXES)
    middle = ann.page.locator(".oval .middle > p").evaluate_all(BOXES)
    assert len(boxes) == seats
    inner = [box for box in middle if box[2] - box[0] < 460]
    for one, other in [*combinations(boxes, 2), *((seat, box) for seat in boxes for box in inner)]:
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1], (one, other)


def check_fit(player: Player) -> None:
    """Check that a turn fits the screen at both sizes."""
    for size in (PHONE, DESK):
        player.page.set_viewport_size(size)
        assert player.page.evaluate("document.documentElement.scrollHeight") <= size["height"]
        assert player.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        for button in player.page.locator("#raise, #challenge").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
            assert box["y"] + box["height"] <= size["height"]


def test_a_turn_fits_the_screen_and_a_bid_is_made_by_keyboard(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.make_table("Ann", ("beginner",) * 4, start=True, game="dollar-bill", seats=5, clock={"turn": 60})
    my_turn(ann)
    check_fit(ann)
    least = ann.page.locator(".level").first.get_attribute("data-level")
    level = ann.page.locator(".level").nth(1).get_attribute("data-level")
    ann.page.keyboard.press("ArrowDown")
    expect(ann.page.locator("[data-chosen]")).to_have_text(re.compile(f"^{level} "))
    ann.page.keyboard.press("ArrowUp")
    expect(ann.page.locator("[data-chosen]")).to_have_text(re.compile(f"^{least} "))
    ann.page.keyboard.press("ArrowDown")
    ann.page.keyboard.press("4")
    expect(ann.page.locator("[data-chosen]")).to_have_text(f"{level} fours")
    ann.page.keyboard.press("ArrowRight")
    expect(ann.page.locator("[data-chosen]")).to_have_text(f"{level} fives")
    ann.page.emulate_media(forced_colors="active")
    keys = ann.page.locator(".key:has(:checked)"), ann.page.locator(".key:has(:enabled:not(:checked))")
    chosen, other = (one.first.evaluate("(key) => getComputedStyle(key).backgroundColor") for one in keys)
    assert chosen != other
    ann.page.emulate_media(forced_colors="none")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#tape")).to_contain_text(f"{level} fives")


def test_a_turn_with_a_slip_fits_the_screen_and_a_hidden_number_is_not_on_it(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.make_table("Ann", ("beginner",) * 4, start=True, game="slips", seats=5, clock={"turn": 60})
    my_turn(ann)
    check_fit(ann)
    row = ann.page.locator(".slip-rows .current")
    expect(row).to_be_visible()
    ann.page.locator("label.cover").click()
    expect(row).to_be_hidden()
    expect(ann.page.locator(".strip.serial")).to_be_hidden()
    ann.page.locator("label.cover").click()
    expect(row).to_be_visible()


def test_a_typed_bid_is_made_and_then_counted(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.make_table("Ann", ("beginner",) * 2, start=True, game="salomon-1986", seats=3)
    my_turn(ann)
    ann.page.locator(".other summary").click()
    ann.page.get_by_label("Bid", exact=True).fill("twenty zeros")
    ann.page.get_by_role("button", name="Bid", exact=True).click()
    ann.page.locator("#count").click()
    verdict = ann.page.locator(".hand-count .ruling")
    expect(verdict).to_contain_text(re.compile("you pay|nobody pays"))  # who holds a zero?
    expect(ann.page.locator(".settled")).to_be_visible()


def test_a_whole_hand_is_played_by_keyboard_alone(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.page.goto("/")
    ann.walk_to(ann.page.get_by_role("button", name=re.compile("^Play your first hand")))
    ann.page.keyboard.press("Enter")
    ann.at_the_table()
    ann.page.locator(".turnflag").wait_for()  # a hand can't end before every player had a turn
    ann.walk_to(ann.page.locator("bid-pad"))
    ann.page.keyboard.press("ArrowRight")
    expect(ann.page.locator("input[name=action]:focus")).to_be_checked()
    ann.press_key("Enter")
    while ann.stage == "round":
        ann.page.locator(".turnflag, main.gathering").first.wait_for()
        if ann.my_turn:
            ann.press_key("k" if ann.page.locator("[aria-keyshortcuts=k]").count() else "c")
    ann.walk_to(ann.page.get_by_role("button", name="Next hand"))
    ann.press_key("Enter")


def two_at_a_table(visitors: Visitors, **settings: Any) -> tuple[Player, Player]:
    """Two players at a table with a dealt hand, the one to act first."""
    ann, bob = visitors.come(), visitors.come()
    bob.open(ann.make_table("Ann", seats=2, **settings))
    bob.sit_down("Bob")
    ann.press(ann.offer("start"))
    play([ann, bob], Random(0), until=lambda: ann.my_turn or bob.my_turn)
    return (ann, bob) if ann.my_turn else (bob, ann)


def test_a_premove_challenges_on_your_turn(visitors: Visitors) -> None:
    first, second = two_at_a_table(visitors, game="dollar-bill")
    second.page.locator("[data-premove]").check()
    first.press(first.page.locator("#raise"))
    expect(second.page.locator("#tape")).to_contain_text("You challenge")


def test_screen_readers_announce_one_sentence_per_action_and_no_chat(visitors: Visitors) -> None:
    ann, bob = two_at_a_table(visitors, game="salomon-1986")
    for player in (ann, bob):
        player.page.evaluate((SCRIPTS / "listen.js").read_text())
    ann.say("Hello, Bob")
    bob.hears("Hello, Bob")
    chance, actions = Random(4), 0
    while ann.stage == "round":
        mover = ann if ann.my_turn else bob
        version = mover.version
        assert mover.act(chance)
        actions += 1
        for player in (ann, bob):
            if player.version <= version:
                player.moved(version)
            assert len(heard(player)) == actions, heard(player)
    assert actions >= 3
    for player in (ann, bob):
        said = heard(player)
        assert all(text.strip() for text in said)
        assert not any(one == other for one, other in pairwise(said)), said


def heard(player: Player) -> list[str]:
    """The announcements of the live region since the listener was installed."""
    texts: list[str] = player.page.evaluate("window.heard")
    return texts
