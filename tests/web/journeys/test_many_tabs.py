import pytest
from playwright.sync_api import expect

from tests.web.journeys.visitors import Visitors

TABS = 8
"""More than the six connections that a browser keeps to one host, sockets apart."""


@pytest.mark.slow
def test_many_tabs_are_all_live(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.quick_table("Ann")
    ann.page.locator(".turnflag").wait_for()
    tabs = [ann.page.context.new_page() for _ in range(TABS - 1)]
    for tab in tabs:
        tab.goto(ann.page.url)
    ann.say("All of you")
    for tab in (ann.page, *tabs):
        expect(tab.locator("#chat li", has_text="All of you")).to_have_count(1)
    ann.press(ann.offers("act")[-1])
    for tab in tabs:
        tab.wait_for_function(
            "(version) => document.querySelector('#live').dataset.version >= version", arg=ann.version
        )
