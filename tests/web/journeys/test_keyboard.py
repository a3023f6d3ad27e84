import re

from playwright.sync_api import expect

from tests.web.journeys.player import Player
from tests.web.journeys.visitors import Visitors


def test_a_whole_hand_is_played_by_keyboard_alone(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.page.goto("/")
    walk_to(ann, "Quick table")
    ann.page.keyboard.press("Enter")
    ann.at_the_table()
    ann.page.locator(".turnflag").wait_for()  # a hand cannot end before everybody has had his turn
    bids = 0
    while ann.stage == "round":
        ann.page.locator(".turnflag, main.gathering").first.wait_for()
        if ann.stage != "round":
            break
        version = ann.version
        if bids == 0:
            walk_into_the_pad(ann)
            ann.page.keyboard.press("ArrowRight")
            expect(ann.page.locator("input[name=action]:focus")).to_be_checked()
            ann.page.keyboard.press("Enter")
            bids += 1
        else:
            ann.page.keyboard.press("k" if ann.page.locator("[aria-keyshortcuts=k]").count() else "c")
        ann.moved(version)
    walk_to(ann, "Next hand")
    version = ann.version
    ann.page.keyboard.press("Enter")
    ann.moved(version)


def walk_to(player: Player, name: str) -> None:
    """Press Tab until the button whose name begins with `name` has the focus."""
    button = player.page.get_by_role("button", name=re.compile(f"^{name}"))
    for _ in range(80):
        if button.evaluate("(button) => button === document.activeElement"):
            return
        player.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {name!r}. {player.told()}")


def walk_into_the_pad(player: Player) -> None:
    """Press Tab until a bid on the pad has the focus."""
    for _ in range(80):
        if player.page.locator("input[name=action]:focus").count():
            return
        player.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to the pad. {player.told()}")
