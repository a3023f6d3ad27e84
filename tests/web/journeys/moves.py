"""Random moves through the page: a button, a bid on the pad, a claim that is built, or cards to discard."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from playwright.sync_api import Locator, Page, expect

from tests.web.journeys.survey import SCRIPTS

BOLDNESS = 0.4
"""The probability of raising a bid that could be challenged."""

_MAY_PRESS = (SCRIPTS / "may_press.js").read_text()
_MOST_STEPS = 60

Step = Callable[[Locator], None]
"""Clicks a control that only changes the draft, and waits for the page."""


def buttons(page: Page, do: str, among: str = "button") -> list[Locator]:
    """The enabled buttons for a kind of command, in page order."""
    found: list[str] = page.locator(among).evaluate_all(_MAY_PRESS, do)
    return [page.locator(selector).filter(visible=True) for selector in found]


def chosen(page: Page, chance: Random, step: Step) -> Locator:
    """Prepare a random move, and return the button that makes it.

    Args:
        page: a page on which it is the player's turn.
        chance: the random generator.
        step: changes the draft of the move.
    """
    answers = buttons(page, "act", "button:not(bid-pad button)")
    pad = page.locator("bid-pad").filter(visible=True)
    if pad.count() and (not answers or chance.random() < BOLDNESS):
        return bid(pad, chance)
    if discardable(page).count():
        return discarded(page, chance, step)
    if kinds(page).count() and (not answers or chance.random() < BOLDNESS):
        return named(page, chance, step)
    assert answers, "it is the player's turn, but no action is possible"
    return chance.choice(answers)


def bid(pad: Locator, chance: Random) -> Locator:
    """Select a bid, often the preselected one, and return the pad's button."""
    if chance.random() < 0.5:
        keys = pad.locator("label:has(input[name=action]:enabled)").filter(visible=True)
        key = keys.nth(min(chance.randrange(1, 6), keys.count() - 1))
        key.click()
        expect(key.locator("input")).to_be_checked()
    return raises(pad)


def raises(pad: Locator) -> Locator:
    """The bid button of the pad."""
    return pad.locator("button.prime")


def discardable(page: Page) -> Locator:
    """The cards that can be discarded now."""
    return page.locator("form[data-do=act] label:has(input[type=checkbox]:enabled)").filter(visible=True)


def discarded(page: Page, chance: Random, step: Step) -> Locator:
    """Select up to three cards, and return the button that discards them."""
    for _ in range(chance.randrange(4)):
        step(discardable(page).nth(chance.randrange(discardable(page).count())))
    return buttons(page, "act")[0]


def kinds(page: Page) -> Locator:
    """The inputs of the forms in which a claim is built."""
    return page.locator("form[data-draft]:not([data-do]) label:has(input:enabled)").filter(visible=True)


def named(page: Page, chance: Random, step: Step) -> Locator:
    """Build a claim from a suggestion, or from a choice in every row, and return the button that makes it."""
    for _ in range(_MOST_STEPS):
        says = [one for one in buttons(page, "act") if "Challenge" not in (one.text_content() or "")]
        if says:
            return says[0]
        suggestions = page.locator("form[data-draft] button[name=start]").filter(visible=True)
        if suggestions.count() and chance.random() < 0.5:
            step(suggestions.nth(chance.randrange(suggestions.count())))
        else:
            step(next_choice(page, chance))
    raise AssertionError("no hand that may be said comes about, whatever is chosen")


def next_choice(page: Page, chance: Random) -> Locator:
    """An input that isn't selected, from a row without a selection if there is one, otherwise from any row.

    Some claims need several selections in one row, and some selections lead to no legal claim. Random choices that
    sometimes change the category reach a legal claim from every state.
    """
    rows = page.locator("form[data-draft]:not([data-do]) fieldset").filter(visible=True)
    empty = rows.filter(has_not=page.locator("input:checked")).filter(has=page.locator("input:enabled"))
    able = rows.filter(has=page.locator("input:enabled:not(:checked)"))
    row = empty.first if empty.count() else able.nth(chance.randrange(able.count()))
    choices = row.locator("label:has(input:enabled:not(:checked))").filter(visible=True)
    return choices.nth(chance.randrange(choices.count()))
