"""An evening with friends: three people on three devices and two bots play each game, and much goes wrong.

`EVENING_HANDS=10 pytest tests/web/journeys/test_evening.py` plays ten hands of each game instead of two.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from liarspoker.core.session import CarryOver
from liarspoker.records import read_json
from tests.server.inprocess import Running
from tests.web.journeys.player import Player, break_off, play
from tests.web.journeys.survey import PHONE, SMALL
from tests.web.journeys.visitors import Visitors
from tests.web.pages.reading import read_page

HANDS = int(os.environ.get("EVENING_HANDS", "2"))
"""The number of hands of each game, before the rematch."""

GAMES = ("dollar-bill", "salomon-1986", "slips", "queen-annes", "thorin")
OFFLINE = ("ERR_INTERNET_DISCONNECTED", "WebSocket connection")
"""Browser messages about a device without a network."""


@dataclass
class Evening:
    """Three people at a table with two bots.

    Attributes:
        site: the server.
        people: the people by name.
        table: the table's id.
        chance: decides what everyone plays.
    """

    site: Running
    people: dict[str, Player]
    table: str
    chance: Random

    def user(self, name: str) -> str:
        """The user id of a person."""
        user: str = self.people[name].page.request.get("/api/me").json()["user"]
        return user

    def public(self) -> dict[str, Any]:
        """The table as everyone sees it."""
        view: dict[str, Any] = self.people["Dora"].page.request.get(f"/api/tables/{self.table}").json()["public"]
        return view

    def play(self, until: Callable[[], bool], without: str = "") -> None:
        """Let everyone play, or everyone but one person, until a condition holds."""
        play([one for name, one in self.people.items() if name != without], self.chance, until)

    def in_round(self) -> None:
        """Play until a hand is dealt in which nobody is missing."""
        self.play(lambda: self.public()["stage"] == "round")

    def waits_for(self, name: str) -> bool:
        """Whether nobody but this person can do anything."""
        public, user = self.public(), self.user(name)
        people = {chair["user"]: chair for chair in public["chairs"] if chair and not chair["bot"]}
        if public["stage"] == "gathering":
            return all(chair["ready"] for other, chair in people.items() if other != user)
        return bool(public["stage"] == "ended" or public["to_act"] == user)


def dora_loses_her_network(evening: Evening) -> None:
    """The others play on until everything waits for Dora; what they wrote in the meantime arrives once."""
    dora = evening.people["Dora"]
    dora.watch.forgiven += OFFLINE
    dora.page.context.set_offline(True)
    expect(dora.page.locator("#link")).to_be_visible()
    dora.say("Are you still there?")
    close_sheet(dora)
    evening.play(lambda: evening.waits_for("Dora"), without="Dora")
    dora.page.context.set_offline(False)
    expect(dora.page.locator("#link")).to_be_hidden()
    for player in evening.people.values():
        player.hears("Are you still there?")


def every_socket_is_killed(evening: Evening) -> None:
    """The server closes all sockets, one after the other, in the middle of a hand."""
    for player in evening.people.values():
        break_off(evening.site, player)


def a_bot_stands_in_for_cleo(evening: Evening) -> None:
    """Cleo lets a bot play the rest of the hand, and returns."""
    cleo = evening.people["Cleo"]
    press(cleo, "Let a bot play")
    hands = evening.public()["rounds_played"]
    evening.play(lambda: evening.public()["rounds_played"] > hands, without="Cleo")
    press(cleo, "Return to play")


def the_owner_removes_cleo_and_admits_her_again(evening: Evening) -> None:
    """Cleo is removed in the middle of a hand by mistake, and sits down again after it."""
    cleo, owner = evening.people["Cleo"], evening.people[owner_of(evening)]
    row = owner.page.locator(".people li", has_text="Cleo")
    open_sheet(owner)
    row.locator("summary", has_text="Remove").click()
    owner.press(row.get_by_role("button", name="Remove Cleo"))
    close_sheet(owner)
    expect(cleo.page.locator("main")).to_contain_text("You have been removed from this table.")
    hands = evening.public()["rounds_played"]
    if evening.public()["stage"] == "round":
        evening.play(lambda: evening.public()["rounds_played"] > hands, without="Cleo")
    open_sheet(owner)
    owner.press(row.get_by_role("button", name="Admit"))
    close_sheet(owner)
    sit_down_again(cleo)


def the_owner_leaves_and_comes_back(evening: Evening) -> None:
    """The owner leaves in the middle of a hand; another person owns the table, and the former owner sits down again."""
    before = owner_of(evening)
    owner = evening.people[before]
    open_sheet(owner)
    owner.page.locator("summary", has_text="Leave").click()
    owner.press(owner.page.get_by_role("button", name="Leave table"))
    close_sheet(owner)
    assert owner_of(evening) != before
    hands = evening.public()["rounds_played"]
    if evening.public()["stage"] == "round":
        evening.play(lambda: evening.public()["rounds_played"] > hands)
    sit_down_again(owner)
    assert owner_of(evening) != before


INCIDENTS = (
    dora_loses_her_network,
    every_socket_is_killed,
    a_bot_stands_in_for_cleo,
    the_owner_removes_cleo_and_admits_her_again,
    the_owner_leaves_and_comes_back,
)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_evening_with_friends(visitors: Visitors, site: Running, game: str) -> None:
    ann, dora, cleo = visitors.come({"width": 1440, "height": 900}), visitors.come(PHONE), visitors.come(SMALL)
    address = ann.make_table("Ann", ("beginner", "bluffer"), game=game, seats=5)
    for name, player in (("Dora", dora), ("Cleo", cleo)):
        player.open(address)
        player.sit_down(name)
    evening = Evening(site, {"Ann": ann, "Dora": dora, "Cleo": cleo}, table_of(address), Random(game))
    ann.press(ann.offer("start"))
    waiting = list(INCIDENTS)
    while (hands := evening.public()["rounds_played"]) < HANDS or waiting:
        evening.in_round()
        while waiting and (len(INCIDENTS) - len(waiting)) * HANDS <= hands * len(INCIDENTS):
            waiting.pop(0)(evening)
        evening.play(lambda done=hands: evening.public()["rounds_played"] > done)  # type: ignore[misc]
    assert_the_score_sheets_agree(evening)

    owner = evening.people[owner_of(evening)]
    open_sheet(owner)
    owner.page.locator("summary", has_text="Close table").click()
    owner.press(owner.page.get_by_role("button", name="Close for everyone"))
    close_sheet(owner)
    evening.play(lambda: False)
    assert_the_score_sheets_agree(evening)

    dora.page.get_by_role("button", name="Rematch").click()
    dora.page.wait_for_url(re.compile(f"/t/(?!{evening.table})"))
    for player in (ann, cleo):
        player.page.get_by_role("button", name="Join").click()
        player.page.wait_for_url(f"**/t/{table_of(dora.page.url)}?following")
    for player in evening.people.values():
        player.at_the_table()
    evening.table = table_of(dora.page.url)
    dora.press(dora.offer("start"))
    evening.play(lambda: evening.public()["rounds_played"] > 0)
    assert_the_score_sheets_agree(evening)


def assert_the_score_sheets_agree(evening: Evening) -> None:
    """Assert that everyone sees the same score sheet, and that it agrees with the records."""
    sheets = [score_sheet(player, name, evening.table) for name, player in evening.people.items()]
    assert sheets[0] == sheets[1] == sheets[2]
    *rounds, totals = sheets[0]
    names = {entry["user"]: entry["name"] for entry in evening.public()["units"]}
    assert totals == {names[entry["user"]]: str(entry["units"]) for entry in evening.public()["units"]}
    assert sum(map(int, totals.values())) == 0
    assert rounds == recorded_rounds(evening)


def recorded_rounds(evening: Evening) -> list[dict[str, str]]:
    """Return what the records say about each round: the units of each player, or `lost` in a match."""
    found = []
    for record in evening.people["Dora"].page.request.get(f"/api/tables/{evening.table}/records").json():
        replay = read_json(json.dumps(record))
        assert replay.fault is None, replay.fault
        assert replay.start is not None
        for before, after in pairwise((replay.start, *replay.rounds)):
            lost = losers(before.carry_over(), after.carry_over())
            units = ["lost" if seat in lost else str(won) for seat, won in enumerate(after.units())]
            found.append(dict(zip(replay.players, units, strict=True)))
    return found


def losers(before: CarryOver, after: CarryOver) -> set[int]:
    """Return the seats that lost a round of a match; nobody loses a round otherwise."""
    more = {seat for seat, losses in enumerate(after.losses) if losses > before.losses[seat]}
    return more | {*before.alive} - {*after.alive}


def score_sheet(player: Player, name: str, table: str) -> list[dict[str, str]]:
    """Return a person's score sheet: a line for each round, and the totals; only players of a round are in its line."""
    sheet = read_page(player.page.request.get(f"/t/{table}/sheet").text()).one("table", cls="ledger")
    players = [name if head.text == "You" else head.text.removesuffix(" left") for head in sheet.all("th")[1:]]
    lines = [[cell.text for cell in row.all("td")] for row in sheet.all("tr")[1:]]
    signs = str.maketrans({"−": "-", "+": "", "\u202f": ""})
    return [
        {one: cell.translate(signs) for one, cell in zip(players, line, strict=False) if cell != "–"} for line in lines
    ]


def owner_of(evening: Evening) -> str:
    """Return the name of the table's owner."""
    public = evening.public()
    name: str = next(chair["name"] for chair in public["chairs"] if chair and chair["user"] == public["owner"])
    return name


def table_of(address: str) -> str:
    """Return the id of the table with this URL."""
    return address.rpartition("/")[2].partition("?")[0]


def open_sheet(player: Player) -> None:
    """Open the panel of the table's commands."""
    player.page.evaluate("location.hash = 'more'")
    player.page.locator("#more").wait_for()


def press(player: Player, name: str) -> None:
    """Press a button of the table's panel."""
    open_sheet(player)
    player.press(player.page.locator("#more").get_by_role("button", name=name, exact=True))
    close_sheet(player)


def close_sheet(player: Player) -> None:
    """Close the panel that covers the table, if one does; on a wide page, nothing covers it."""
    close = player.page.locator("a.close").filter(visible=True)
    if close.count():
        close.first.click()


def sit_down_again(player: Player) -> None:
    """Join the table again."""
    with player.page.expect_navigation():
        player.page.locator("#sit, .doorway").get_by_role("button", name="Join").click()
    player.at_the_table()
    expect(player.page.locator("form[data-do=join]")).to_have_count(0)
