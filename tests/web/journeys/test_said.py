from itertools import pairwise
from random import Random

from playwright.sync_api import expect

from tests.web.journeys.player import Player, play
from tests.web.journeys.survey import SCRIPTS
from tests.web.journeys.visitors import Visitors


def test_everybody_hears_one_sentence_an_action(visitors: Visitors) -> None:
    ann, bob = visitors.come(), visitors.come()
    bob.open(ann.make_table("Ann", game="salomon-1986", seats=2))
    bob.sit_down("Bob")
    ann.press(ann.offers("start")[0])
    play([ann, bob], Random(2), until=lambda: ann.my_turn or bob.my_turn)
    for player in (ann, bob):
        player.page.evaluate((SCRIPTS / "listen.js").read_text())
    chance, actions = Random(4), 0
    while ann.stage == "round":
        mover, other = (ann, bob) if ann.my_turn else (bob, ann)
        version = ann.version
        assert mover.act(chance)
        actions += 1
        for player in (mover, other):
            if player.version <= version:
                player.moved(version)
            assert len(heard(player)) == actions, heard(player)
    assert actions >= 3
    for player in (ann, bob):
        said = heard(player)
        assert all(text.strip() for text in said)
        assert not any(one == other for one, other in pairwise(said)), said


def test_what_people_say_and_who_comes_is_not_read_out_with_it(visitors: Visitors) -> None:
    ann, bob = visitors.come(), visitors.come()
    ann.quick_table("Ann")
    ann.page.locator(".turnflag").wait_for()
    ann.page.evaluate((SCRIPTS / "listen.js").read_text())
    bob.open(ann.page.url)
    ann.say("Hello, Bob")
    expect(ann.page.locator("#chat")).to_contain_text("Hello, Bob")
    assert heard(ann) == []


def heard(player: Player) -> list[str]:
    """All that the live region has said since somebody listens."""
    texts: list[str] = player.page.evaluate("window.heard")
    return texts
