"""Queen Anne's games on the page: a hand put together or named by keyboard alone, and the proof."""

import re
from random import Random

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.journeys.player import Player, play, see_the_same
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors

_LONGER = """() => {
    const later = window.setTimeout;
    window.setTimeout = (what, delay, ...more) => later(what, delay < 3000 ? delay : 10 * delay, ...more);
}"""
"""Lets what goes on for seconds last until it is ended, however slow the machine is."""


def two_at_a_table(visitors: Visitors) -> tuple[Player, Player]:
    """Two people at a table on which a round has been dealt; whose turn it is comes first."""
    ann, bob = visitors.come(), visitors.come()
    bob.open(ann.make_table("Ann", game="queen-annes", seats=2))
    bob.sit_down("Bob")
    ann.press(ann.offers("start")[0])
    play([ann, bob], Random(0), until=lambda: ann.my_turn or bob.my_turn)
    return (ann, bob) if ann.my_turn else (bob, ann)


def choose(page: Page, name: str) -> None:
    """A key by the label that it has."""
    page.locator(f"label:has(#{name})").click()
    expect(page.locator(f"#{name}")).to_be_checked()
    expect(page.locator("#live[data-drafting]")).to_have_count(0)


def test_a_hand_is_put_together_step_by_step_and_proved(visitors: Visitors) -> None:
    ann, bob = two_at_a_table(visitors)
    expect(ann.page.locator("#name")).to_contain_text("High card two")
    choose(ann.page, "kind-full-house")
    choose(ann.page, "rank1-A")
    choose(ann.page, "rank2-T")
    expect(ann.page.locator("#judged")).to_contain_text("It says: three aces and two tens.")
    version = ann.version
    ann.page.get_by_role("button", name="Name Full house, aces over tens").click()
    ann.moved(version)
    see_the_same([ann, bob])
    expect(bob.page.locator("#standing h2")).to_have_text("Full house, aces over tens")
    expect(bob.page.locator("#kind-pair")).to_be_disabled()
    bob.press(bob.page.get_by_role("button", name="Challenge"))
    proof = bob.page.get_by_role("region", name="The proof")
    expect(proof).to_contain_text(re.compile("It is (not )?there"))
    expect(bob.page.locator("#pool .card.hidden")).to_have_count(0)
    assert bob.page.locator("#pool .card.lit").count() == proof.locator(".card:not(.ghost, .any)").count()


def test_who_is_faster_than_the_server_loses_nothing_that_he_chooses(visitors: Visitors) -> None:
    ann = visitors.come()
    pages: list[str | bytes] = []
    sockets: list[WebSocketRoute] = []

    def hold_back(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        held = pages.append
        socket.connect_to_server().on_message(lambda text: held(text) if slow else socket.send(text))

    def release() -> None:
        while pages:
            sockets[-1].send(pages.pop(0))

    slow = False
    ann.page.route_web_socket(re.compile("/live"), hold_back)
    ann.make_table("Ann", ("beginner",), game="queen-annes", seats=2)
    ann.press(ann.offers("start")[0])
    play([ann], Random(0), until=lambda: ann.my_turn)
    choose(ann.page, "kind-flush")
    slow = True
    ann.page.locator("label:has(#rank-K)").click()
    while not any('"page"' in str(text) for text in pages):
        ann.glance()
    ann.page.locator("label:has(#rank-J)").click()
    release()  # in this page nobody has chosen the jack yet
    assert ann.page.locator("#rank-J").is_checked()
    for key in ("rank-7", "rank-5", "rank-2", "suit-c"):
        ann.page.locator(f"label:has(#{key})").click()
    slow = False
    release()
    expect(ann.page.locator("#name")).to_contain_text("Flush of clubs, K-J-7-5-2")


def test_a_round_by_keyboard_alone(visitors: Visitors) -> None:
    ann, bob = two_at_a_table(visitors)
    for _ in range(40):
        if ann.page.locator("input[name=kind]:focus").count():
            break
        ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("ArrowRight")
    expect(ann.page.locator("#kind-pair")).to_be_checked()
    expect(ann.page.locator("#kind-pair")).to_be_focused()
    expect(ann.page.locator("#name")).to_contain_text("Pair of twos")
    version = ann.version
    ann.page.keyboard.press("Enter")
    ann.moved(version)
    see_the_same([ann, bob])
    version = bob.version
    bob.page.keyboard.press("c")
    bob.moved(version)
    expect(bob.page.get_by_role("region", name="The proof")).to_be_visible()


def test_on_a_phone_kind_and_ranks_are_two_steps(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.make_table("Ann", ("beginner",), game="queen-annes", seats=2)
    ann.press(ann.offers("start")[0])
    play([ann], Random(0), until=lambda: ann.my_turn)
    expect(ann.page.locator("#rank1-A")).not_to_be_in_viewport()
    choose(ann.page, "kind-four")
    expect(ann.page.locator("label:has(#rank1-A)")).to_be_visible()
    expect(ann.page.locator("label:has(#kind-four)")).to_be_hidden()
    ann.page.get_by_role("button", name="Another kind").click()
    expect(ann.page.locator("label:has(#kind-four)")).to_be_visible()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_proof_is_a_moment_that_can_be_skipped(visitors: Visitors, motion: str) -> None:
    ann, bob = two_at_a_table(visitors)
    bob.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    ann.press(ann.page.locator("#name"))
    see_the_same([ann, bob])
    bob.page.evaluate(_LONGER)
    bob.press(bob.page.locator("#challenge"))
    skip = bob.page.locator(".dock").get_by_role("button", name="Skip")
    verdict = bob.page.locator(".isthere")
    if motion == "reduce":
        expect(skip).to_be_hidden()
    else:
        skip.click()
        expect(skip).to_be_hidden()
    assert verdict.evaluate("(one) => one.getAnimations().length") == 0
    expect(verdict).to_be_visible()
