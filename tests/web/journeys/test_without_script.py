from random import Random

import pytest

from tests.server.inprocess import Running
from tests.web.journeys.player import play
from tests.web.journeys.visitors import Visitors


@pytest.mark.slow
def test_a_whole_hand_is_played_by_forms_alone(visitors: Visitors) -> None:
    ann = visitors.come(script=False)
    ann.quick_table("Ann")
    play([ann], Random(3), until=lambda: ann.stage == "gathering")
    assert "Hand 1" in (ann.page.locator("h1").text_content() or "")


@pytest.mark.slow
def test_two_people_without_scripts_meet_and_one_closes_the_match(visitors: Visitors, house: Running) -> None:
    ann, bob = visitors.come(script=False), visitors.come(script=False)
    table = ann.make_table("Ann", game="dollar-bill", seats=2, rounds=1)
    bob.open(table)
    bob.sit_down("Bob")
    ann.load_again()
    ann.press(ann.offers("start")[0])
    play([ann, bob], Random(5))
    assert ann.stage == bob.stage == "ended"
