"""What somebody chooses on his turn: a button, a bid on the pad, a hand put together, cards to throw away."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from playwright.sync_api import Locator, Page, expect

from tests.web.journeys.survey import SCRIPTS

BOLDNESS = 0.4
"""How often a bid is raised that might be challenged."""

_MAY_PRESS = (SCRIPTS / "may_press.js").read_text()
_MOST_STEPS = 60

Step = Callable[[Locator], None]
"""Presses something that only changes what is shown, and waits for that."""


def buttons(page: Page, do: str, among: str = "button") -> list[Locator]:
    """The buttons with which something of this kind could be done now, in the order of the page."""
    found: list[str] = page.locator(among).evaluate_all(_MAY_PRESS, do)
    return [page.locator(selector).filter(visible=True) for selector in found]


def chosen(page: Page, chance: Random, step: Step) -> Locator:
    """The button with which he makes his move, after he has chosen what it needs.

    Args:
        page: on which it is his turn.
        chance: by which he chooses.
        step: takes a step on the way there.
    """
    answers = buttons(page, "act", "button:not(bid-pad button)")
    pad = page.locator("bid-pad").filter(visible=True)
    if pad.count() and (not answers or chance.random() < BOLDNESS):
        return bid(pad, chance)
    if throwables(page).count():
        return thrown(page, chance, step)
    if kinds(page).count() and (not answers or chance.random() < BOLDNESS):
        return named(page, chance, step)
    assert answers, "it is his turn, and there is nothing that he may do"
    return chance.choice(answers)


def bid(pad: Locator, chance: Random) -> Locator:
    """The pad's button, after a bid was chosen; often the one that is chosen already."""
    if chance.random() < 0.5:
        keys = pad.locator("label:has(input[name=action]:enabled)").filter(visible=True)
        key = keys.nth(min(chance.randrange(1, 6), keys.count() - 1))
        key.click()
        expect(key.locator("input")).to_be_checked()
    return raises(pad)


def raises(pad: Locator) -> Locator:
    """The pad's button."""
    return pad.locator("button.prime")


def throwables(page: Page) -> Locator:
    """Cards that may be thrown away now."""
    return page.locator("form[data-do=act] label:has(input[type=checkbox]:enabled)").filter(visible=True)


def thrown(page: Page, chance: Random, step: Step) -> Locator:
    """The button that throws cards away, after up to three were chosen."""
    for _ in range(chance.randrange(4)):
        step(throwables(page).nth(chance.randrange(throwables(page).count())))
    return buttons(page, "act")[0]


def kinds(page: Page) -> Locator:
    """What a hand is put together from: everything that may be chosen in the forms that only ask."""
    return page.locator("form[data-draft]:not([data-do]) label:has(input:enabled)").filter(visible=True)


def named(page: Page, chance: Random, step: Step) -> Locator:
    """The button that says the hand, after one was put together: a suggestion, or something of every row."""
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
    """Something that is not chosen yet, of a row of which nothing is chosen, if there is one; else of any row.

    Some hands want several of one row, and some beginnings lead to no hand that may be said: only what is left to
    chance, the kind of hand now and then among it, comes to an end from everywhere.
    """
    rows = page.locator("form[data-draft]:not([data-do]) fieldset").filter(visible=True)
    empty = rows.filter(has_not=page.locator("input:checked")).filter(has=page.locator("input:enabled"))
    able = rows.filter(has=page.locator("input:enabled:not(:checked)"))
    row = empty.first if empty.count() else able.nth(chance.randrange(able.count()))
    choices = row.locator("label:has(input:enabled:not(:checked))").filter(visible=True)
    return choices.nth(chance.randrange(choices.count()))
