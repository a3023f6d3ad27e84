from random import Random

import pytest

from tests.web.journeys.player import play
from tests.web.journeys.visitors import Visitors


@pytest.mark.slow
def test_a_whole_hand_is_played_by_forms_alone(visitors: Visitors) -> None:
    ann = visitors.come(script=False)
    ann.quick_table("Ann")
    play([ann], Random(3), until=lambda: ann.stage == "gathering")
    assert "Hand 1" in (ann.page.locator("h1").text_content() or "")
