from random import Random

import pytest

from tests.web.journeys.player import play
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors


@pytest.mark.slow
def test_it_is_two_clicks_from_the_lobby_to_the_own_turn_and_goes_on_for_as_long_as_somebody_likes(
    visitors: Visitors,
) -> None:
    ann = visitors.come(PHONE)
    ann.quick_table()  # one click
    ann.page.locator(".turnflag").wait_for()
    ann.press(ann.offers("act")[-1])  # and the second is a move
    play([ann], Random(1), until=lambda: "Hand 2" in (ann.page.locator("h1").text_content() or ""))
