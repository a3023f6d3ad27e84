from random import Random

import pytest
from playwright.sync_api import ViewportSize

from tests.web.journeys.player import play
from tests.web.journeys.visitors import DESK, PHONE, Visitors

SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


@SIZES
def test_it_is_two_clicks_from_the_lobby_to_the_own_turn(visitors: Visitors, size: ViewportSize) -> None:
    ann = visitors.come(size)
    ann.quick_table()  # one click
    ann.page.locator(".turnflag").wait_for()
    ann.press(ann.offers("act")[-1])  # and the second is a move


@pytest.mark.slow
@SIZES
def test_a_quick_table_goes_on_for_as_long_as_somebody_likes(visitors: Visitors, size: ViewportSize) -> None:
    ann = visitors.come(size)
    ann.quick_table("Ann")
    play([ann], Random(1), until=lambda: "Hand 3" in (ann.page.locator("h1").text_content() or ""))
