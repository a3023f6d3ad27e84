"""Queen Anne's and Thorin's games in a browser: claims built with the mouse or the keyboard, and the showdown."""

import re
from random import Random

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.server.inprocess import Running
from tests.web.journeys.player import Player, play, see_the_same
from tests.web.journeys.survey import DESK, PHONE
from tests.web.journeys.visitors import Visitors
from tests.web.study.played_tables import act, begun, to_act

_LONGER = """() => {
    const later = window.setTimeout;
    window.setTimeout = (what, delay, ...more) => later(what, delay < 3000 ? delay : 10 * delay, ...more);
}"""
"""Makes the reveal last until the test ends it, however slow the machine is."""

_COVERED = """(one) => {
    const box = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2));
}"""


class Line:
    """The connection of a page to the server, which holds back what the server sends while it is slow."""

    def __init__(self, page: Page) -> None:
        self.slow = False
        self.held: list[str | bytes] = []
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/live"), self._opened)

    def _opened(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)
        socket.connect_to_server().on_message(lambda text: self.held.append(text) if self.slow else socket.send(text))

    def release(self) -> None:
        """Let the page have what was held back."""
        while self.held:
            self._sockets[-1].send(self.held.pop(0))


def in_turn(ann: Player, bob: Player) -> tuple[Player, Player]:
    """Wait until it is the turn of one of the players, and return both, that player first."""
    play([ann, bob], Random(0), until=lambda: ann.my_turn or bob.my_turn)
    return (ann, bob) if ann.my_turn else (bob, ann)


def choose(page: Page, name: str) -> None:
    """Click a key of the builder by its label."""
    page.locator(f"label:has(#{name})").click()
    expect(page.locator(f"#{name}")).to_be_checked()
    expect(page.locator("#live[data-drafting]")).to_have_count(0)


def test_claims_are_built_by_mouse_and_by_keyboard_and_end_in_a_showdown(visitors: Visitors) -> None:
    ann, bob = visitors.come(), visitors.come()
    bob.open(ann.make_table("Ann", game="queen-annes", seats=2))
    bob.sit_down("Bob")
    ann.press(ann.offer("start"))
    namer, other = in_turn(ann, bob)
    expect(namer.page.locator("#name")).to_contain_text("High card two")
    choose(namer.page, "kind-full-house")
    choose(namer.page, "rank1-A")
    choose(namer.page, "rank2-T")
    expect(namer.page.locator("#judged")).to_contain_text("Means: three aces and two tens.")
    namer.press(namer.page.get_by_role("button", name="Claim Full house, aces over tens"))
    see_the_same([namer, other])
    expect(other.page.locator("#standing h2")).to_have_text("Full house, aces over tens")
    expect(other.page.locator("#kind-pair")).to_be_disabled()
    other.press(other.page.get_by_role("button", name="Challenge"))
    proof = other.page.get_by_role("region", name="Showdown")
    expect(proof).to_contain_text(re.compile("The hand (exists|doesn’t exist)"))
    expect(other.page.locator("#pool .card.hidden")).to_have_count(0)
    assert other.page.locator("#pool .card.lit").count() == proof.locator(".card:not(.ghost, .any)").count()
    check_verdict(other, moving=False)

    for player in (ann, bob):
        player.press(player.offer("ready"))
    namer, other = in_turn(ann, bob)
    namer.walk_to(namer.page.locator(".kind-keys"))
    namer.page.keyboard.press("ArrowRight")
    expect(namer.page.locator("#kind-pair")).to_be_checked()
    expect(namer.page.locator("#kind-pair")).to_be_focused()
    expect(namer.page.locator("#name")).to_contain_text("Pair of twos")
    namer.walk_to(namer.page.locator("#name"))
    namer.press_key("Enter")
    see_the_same([namer, other])
    expect(namer.page.locator("#said")).to_be_focused()  # the button is gone, but the keyboard stays at the dock
    other.page.emulate_media(reduced_motion="no-preference")
    other.page.evaluate(_LONGER)
    other.press_key("c")
    check_verdict(other, moving=True)


def check_verdict(player: Player, moving: bool) -> None:
    """Check that the showdown's reveal can be skipped, and that there is none with reduced motion."""
    skip = player.page.locator(".dock").get_by_role("button", name="Skip")
    if moving:
        skip.click()
    expect(skip).to_be_hidden()
    verdict = player.page.locator(".isthere")
    assert verdict.evaluate("(one) => one.getAnimations().length") == 0
    expect(verdict).to_be_visible()


def test_on_a_phone_a_claim_takes_two_steps_and_keeps_its_selections_while_the_server_is_slow(
    visitors: Visitors,
) -> None:
    ann = visitors.come(PHONE)
    line = Line(ann.page)
    ann.make_table("Ann", ("beginner",), start=True, game="queen-annes", seats=2)
    play([ann], Random(0), until=lambda: ann.my_turn)
    expect(ann.page.locator("#rank1-A")).not_to_be_in_viewport()
    choose(ann.page, "kind-four")
    expect(ann.page.locator("label:has(#rank1-A)")).to_be_visible()
    expect(ann.page.locator("label:has(#kind-four)")).to_be_hidden()
    ann.page.get_by_role("button", name=re.compile("Category")).click()
    expect(ann.page.locator("label:has(#kind-four)")).to_be_visible()
    ann.page.set_viewport_size(DESK)
    choose(ann.page, "kind-flush")
    line.slow = True
    ann.page.locator("label:has(#rank-K)").click()
    while not any('"page"' in str(text) for text in line.held):
        ann.glance()
    ann.page.locator("label:has(#rank-J)").click()
    line.release()  # in this page the jack isn't selected yet
    assert ann.page.locator("#rank-J").is_checked()
    for key in ("rank-7", "rank-5", "rank-2", "suit-c"):
        ann.page.locator(f"label:has(#{key})").click()
    line.slow = False
    line.release()
    expect(ann.page.locator("#name")).to_contain_text("Flush of clubs, K-J-7-5-2")
    line.slow = True
    ann.page.locator("#name").dblclick()
    expect(ann.page.locator("#name")).to_have_css("opacity", "0.6")  # on its way
    line.slow = False
    line.release()
    expect(ann.page.locator("[aria-busy=true]")).to_have_count(0)
    expect(ann.page.locator("#alert")).to_be_empty()


def test_a_button_outside_its_form_is_dimmed_while_the_form_is_sent(visitors: Visitors) -> None:
    ann = visitors.come()
    line = Line(ann.page)
    ann.make_table("Ann", ("beginner",), start=True, game="thorin", seats=2)
    sent = ann.page.locator("#discard-cards")
    play([ann], Random(0), until=lambda: ann.my_turn and sent.count() > 0)
    expect(sent).to_have_css("opacity", "1")
    line.slow = True
    sent.dblclick()
    expect(sent).to_have_css("opacity", "0.6")
    line.slow = False
    line.release()
    expect(ann.page.locator("[aria-busy=true]")).to_have_count(0)
    expect(sent).to_have_count(0)
    expect(ann.page.locator("#alert")).to_be_empty()


def test_nothing_covers_the_field_for_a_typed_claim(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.make_table("Ann", ("beginner",), start=True, game="thorin", seats=2)
    play([ann], Random(2), until=lambda: ann.page.locator("#say-it").count() > 0)
    for name in ("#spoken", "#say-it"):
        ann.page.locator(name).focus()
        assert not ann.page.locator(name).evaluate(_COVERED), name
    flag = ann.page.locator(".dock .turnflag")
    expect(flag).to_be_visible()
    expect(flag).to_have_css("position", "static")


@pytest.mark.slow
def test_a_spectator_sees_thorins_hand_before_the_page_shows_who_is_eliminated(
    visitors: Visitors, site: Running
) -> None:
    table, people = begun(site, "thorin", rounds=1)
    act(table, people, "declare pair 2")
    challenger = to_act(table, people)
    ann = visitors.come()
    page = ann.page
    ann.open(f"/t/{table}")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(_LONGER)
    challenger.ask(table, do="say", text="hear, hear")
    ann.hears("hear, hear")  # the page is live now
    act(table, [challenger], "challenge")
    expect(page.locator("html[data-revealing] #proof")).to_be_visible()
    expect(page.locator(".seat:is(.out, .won)")).to_have_count(0)
    expect(page.locator("#said")).to_be_empty()
    page.keyboard.press("s")
    expect(page.locator(".seat.out")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("wins the match")
    expect(page.locator("html[data-revealing]")).to_have_count(0)
    page.get_by_role("link", name="See result").click()
    expect(page.get_by_role("heading", name="wins")).to_be_visible()
