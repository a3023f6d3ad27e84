import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.server.inprocess import Running
from tests.server.running import running_server
from tests.web.journeys import moves
from tests.web.journeys.player import Player, break_off, play, see_the_same
from tests.web.journeys.survey import SCRIPTS, Survey
from tests.web.journeys.visitors import Visitors

TABS = 7
"""More than the six connections that a browser opens to one host, not counting WebSockets."""


def test_a_page_reconnects_and_keeps_unsent_input(visitors: Visitors, site: Running) -> None:
    ann = visitors.come()
    ann.quick_table("Ann")
    ann.page.locator(".turnflag").wait_for()
    key = ann.page.locator("bid-pad label:has(input[name=action]:enabled)").filter(visible=True).nth(2)
    key.click()
    line = ann.line()
    line.fill("I would rather")
    ann.page.evaluate((SCRIPTS / "count_pages.js").read_text())
    break_off(site, ann)
    ann.page.wait_for_function("() => window.pages > 0")  # a new page has arrived
    expect(line).to_be_focused()
    expect(line).to_have_value("I would rather")
    expect(key.locator("input")).to_be_checked()
    bid = ann.page.locator("bid-pad [data-chosen]").inner_text()
    ann.press(moves.raises(ann.page.locator("bid-pad")))
    expect(ann.page.locator("#tape li.bid", has_text=bid)).to_have_count(1)


@pytest.mark.slow
def test_a_stopped_server_is_reported_and_nothing_is_lost(browser: Browser, survey: Survey, tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        visitors = Visitors(browser, server.address, survey)
        ann, bob = visitors.come(), visitors.come()
        bob.open(ann.make_table("Ann", game="dollar-bill", seats=2))
        bob.sit_down("Bob")
        ann.press(ann.offer("start"))
        play([ann, bob], Random(1), until=lambda: ann.my_turn)
        ann.watch.forgiven += ["WebSocket connection", "ERR_CONNECTION_REFUSED"]
        bob.watch.forgiven += ann.watch.forgiven
        server.kill()
        banner = ann.page.locator("#link")
        expect(banner).to_be_visible()
        assert "Connection lost" in banner.inner_text()
        ann.look()
        steps = bids(ann)
        moves.raises(ann.page.locator("bid-pad")).click()
        ann.say("Are you there?")
        server.start()
        for player in (ann, bob):
            expect(player.page.locator("#link")).to_be_hidden()
            player.hears("Are you there?")
            expect(player.page.locator("#tape li.bid")).to_have_count(steps + 1)
        bob.page.locator(".turnflag").wait_for()
        assert visitors.faults() == []


def test_a_command_whose_answer_is_lost_takes_effect_once(visitors: Visitors) -> None:
    ann = visitors.come()
    broken: list[str] = []

    def lose_the_first_answer(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def up(message: str | bytes) -> None:
            if '"say"' in str(message) and not broken:
                broken.append(str(message))
                server.on_message(lambda _: socket.close(code=4503, reason="table-moved"))
            server.send(message)

        socket.on_message(up)

    ann.page.route_web_socket(re.compile("/live"), lose_the_first_answer)
    ann.quick_table("Ann")
    ann.page.locator(".turnflag").wait_for()  # the next message is the answer
    for text in ("Only once", "And then this"):
        ann.say(text)
        ann.hears(text)
    ann.hears("Only once")
    assert broken


def test_a_silent_connection_is_reported_within_two_seconds_and_replaced(visitors: Visitors) -> None:
    ann = visitors.come()
    table = ann.make_table("Ann", game="dollar-bill", seats=2)
    sockets: list[str] = []
    silent: list[str] = []

    def lose_messages_while_silent(socket: WebSocketRoute) -> None:
        sockets.append(socket.url)
        server = socket.connect_to_server()
        socket.on_message(lambda message: None if silent else server.send(message))
        server.on_message(lambda message: None if silent else socket.send(message))

    ann.page.route_web_socket(re.compile(r"/live(\?|$)"), lose_messages_while_silent)
    ann.page.clock.install(time=0)
    ann.page.goto(table)
    ann.at_the_table()
    ann.page.clock.pause_at(600_000)
    banner = ann.page.locator("#link")
    expect(banner).to_be_hidden()
    silent.append("now")
    ann.page.clock.run_for(2_000)
    expect(banner).to_be_visible()
    before = len(sockets)
    silent.clear()
    ann.page.clock.run_for(5_000)
    ann.page.clock.resume()
    expect(banner).to_be_hidden()
    assert len(sockets) > before


def test_a_button_pressed_twice_acts_once(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.make_table("Ann", game="dollar-bill", seats=6)
    bots = ann.page.locator(".chair:has-text('bot,')")
    ann.page.get_by_role("button", name="Bluffer").evaluate("button => { button.click(); button.click(); }")
    expect(bots).to_have_count(1)
    ann.page.evaluate("location.hash = 'chat'")
    ann.say("And then this")
    ann.hears("And then this")
    expect(bots).to_have_count(1)


def test_a_page_whose_socket_is_refused_permanently_shows_why_and_stays(visitors: Visitors) -> None:
    ann = visitors.come()
    loads: list[str] = []
    ann.page.on("load", lambda page: loads.append(page.url))
    ann.page.route_web_socket(re.compile("/live"), lambda socket: socket.close(code=4403, reason="foreign-origin"))
    ann.make_table("Ann", game="dollar-bill", seats=2)
    expect(ann.page.locator("#alert")).to_contain_text("can’t update from this address")
    assert len(loads) == 1


def test_a_page_whose_socket_is_refused_temporarily_shows_why_and_waits_before_it_retries(visitors: Visitors) -> None:
    ann = visitors.come()
    table = ann.make_table("Ann", game="dollar-bill", seats=2)
    tries: list[str] = []

    def refuse_twice(socket: WebSocketRoute) -> None:
        tries.append(socket.url)
        if len(tries) > 2:
            socket.connect_to_server()
            return
        socket.send('{"kind": "error", "code": "too-many", "message": "too many spectators are watching this table"}')
        socket.close(code=4429, reason="too-many")

    ann.page.route_web_socket(re.compile(r"/live(\?|$)"), refuse_twice)
    ann.page.clock.install(time=0)
    ann.page.clock.pause_at(1_000)
    ann.page.goto(table)
    expect(ann.page.locator("#alert")).to_contain_text("Too many spectators are watching this table.")
    ann.page.clock.run_for(4_500)
    assert len(tries) == 1
    ann.page.clock.run_for(6_000)
    ann.page.clock.run_for(10_500)
    ann.say("Here I am")
    ann.hears("Here I am")
    assert len(tries) >= 3


@pytest.mark.slow
def test_many_tabs_of_one_user_are_all_live_and_agree(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.make_table("Ann", ("beginner",) * 2, start=True, game="dollar-bill", seats=3)
    tabs = [ann, *(Player(ann.page.context.new_page(), ann.watch, ann.survey) for _ in range(TABS - 1))]
    for tab in tabs[1:]:
        tab.open(ann.page.url)
    play([ann], Random(6), until=lambda: ann.my_turn)
    ann.say("All of you")
    for tab in tabs:
        tab.hears("All of you")
    tabs[-1].act(Random(7))
    play(tabs[-1:], Random(6), until=lambda: tabs[-1].my_turn)  # ann's first tab may not know of the action yet
    see_the_same(tabs)
    assert len({tab.page.locator("main").inner_text() for tab in tabs[1:]}) == 1  # in the first one the chat is open


def bids(player: Player) -> int:
    """The number of bids on the ladder."""
    return player.page.locator("#tape li.bid").count()
