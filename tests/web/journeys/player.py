"""Somebody who plays through the page, as people do: reads what it offers, and presses that."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from playwright.sync_api import Error, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLong

from tests.server.inprocess import PATIENCE, Running
from tests.web.journeys import moves
from tests.web.journeys.survey import GLANCE, Survey
from tests.web.journeys.watch import Watch

_SHOWS_STEP = """() => document.querySelector("#live[data-drafting]") === null"""
_MOVED = """(version) => document.querySelector("#alert").textContent !== ""
    || Number(document.querySelector("#live").dataset.version) > version
    && document.querySelector("[aria-busy=true]") === null"""


@dataclass(frozen=True)
class Glance:
    """What a page shows.

    Attributes:
        state: which state it is in, in a few words.
        kind: of which kind; states of one kind are laid out alike.
        version: of the table; -1 where there is none.
        stage: `waiting`, `gathering`, `round`, `holds` (the last result of a closed table) or `ended`.
        turn: it is his turn.
        does: what could be done, as forms name it.
    """

    state: str
    kind: str
    version: int
    stage: str
    turn: bool
    does: list[str]


@dataclass
class Player:
    """Somebody with a page.

    Args:
        page: his browser's.
        watch: over what his browser asks for.
        survey: of the states that he passes through.

    Attributes:
        found: what was wrong with the states that he passed through.
    """

    page: Page
    watch: Watch
    survey: Survey
    found: list[str] = field(default_factory=list)

    # -------------------------------------------------------------------------------------- coming in

    def quick_table(self, name: str = "") -> None:
        """From the lobby to a table with bots."""
        self.page.goto("/")
        if name:
            self.page.get_by_label("Your name").first.fill(name)
        self.page.get_by_role("button", name=re.compile("^Quick table")).click()
        self.at_the_table()

    def make_table(self, name: str, bots: tuple[str, ...] = (), start: bool = False, **settings: object) -> str:
        """A table of his own, at which he looks around; its address."""
        asked = self.page.request
        assert asked.post("/api/guest", data={"name": name}).ok
        made = asked.post("/api/tables", data={"settings": settings, "bots": list(bots), "start": start})
        assert made.ok, made.text()
        return self.open(f"/t/{made.json()['table']}")

    def open(self, address: str) -> str:
        """Go to a table."""
        self.page.goto(address)
        self.at_the_table()
        return address

    def sit_down(self, name: str) -> None:
        """Take a chair at the table that he looks at."""
        self.page.get_by_label("Your name").first.fill(name)
        self.page.get_by_role("button", name="Sit down").first.click()
        self.at_the_table()
        expect(self.page.locator("form[data-do=join]")).to_have_count(0)

    def at_the_table(self) -> None:
        """Wait until the table is there and alive."""
        self.page.locator("#live[data-version]").wait_for()
        self.look()

    # ------------------------------------------------------------------------------------ what he sees

    def glance(self) -> Glance:
        """What the page shows now."""
        return Glance(**self.page.evaluate(GLANCE))

    @property
    def version(self) -> int:
        """Of the table, as far as he has seen it."""
        return self.glance().version

    @property
    def stage(self) -> str:
        """`waiting`, `gathering`, `round`, `holds` or `ended`."""
        return self.glance().stage

    @property
    def my_turn(self) -> bool:
        """The page says that it is his turn."""
        return self.glance().turn

    def offers(self, do: str) -> list[Locator]:
        """The buttons with which he could do something of this kind now."""
        return moves.buttons(self.page, do)

    def look(self, seen: Glance | None = None) -> None:
        """Look closely at the page, if it was not like that before; axe needs a page that stays."""
        self.found += self.survey.look(self.page, (seen or self.glance()).state)

    def hears(self, text: str) -> None:
        """Wait until the page shows once what somebody has said."""
        expect(self.page.locator("#chat li", has_text=text)).to_have_count(1)

    # ------------------------------------------------------------------------------------ what he does

    def line(self) -> Locator:
        """The line in which he says something to all; the chat is opened for it where it is closed."""
        line = self.page.get_by_label("Say something")
        if not line.is_visible():
            self.page.get_by_role("link", name="Chat").click()
        return line

    def say(self, text: str) -> None:
        """Say something to all."""
        self.line().fill(text)
        self.page.get_by_role("button", name="Say", exact=True).click()

    def press(self, button: Locator) -> None:
        """Press a button, and wait for what comes of it."""
        version = self.version
        button.click()
        self.moved(version)

    def press_key(self, key: str) -> None:
        """Press a key, and wait for what comes of it."""
        version = self.version
        self.page.keyboard.press(key)
        self.moved(version)

    def act(self, chance: Random, seen: Glance | None = None) -> bool:
        """Do one thing that the page offers, if it offers any."""
        shown = seen or self.glance()
        for do in ("pick", "ready", "start"):
            if do in shown.does and (offered := self.offers(do)):
                self.press(chance.choice(offered))
                return True
        if shown.stage == "holds":
            with self.page.expect_navigation():
                self.page.get_by_role("link", name="Final score").click()
            return True
        if shown.turn:
            self.press(moves.chosen(self.page, chance, self.step))
            return True
        return False

    def step(self, control: Locator) -> None:
        """Choose something on the way to a move, and wait until the page shows what comes of it."""
        control.click()
        self.page.wait_for_function(_SHOWS_STEP)
        self.look()

    def moved(self, version: int) -> None:
        """Wait until the page shows a later version than this one, and what came of all that he has sent."""
        try:
            self.page.wait_for_function(_MOVED, arg=version)
        except TooLong:
            raise AssertionError(f"Nothing happens after version {version}. {self.told()}") from None
        refusal = self.page.locator("#alert").text_content() or ""
        assert not refusal, f"{refusal!r} {self.told()}"

    def told(self) -> str:
        """What the page says, for whoever has to find out why it does not go on."""
        try:
            lines = (line for line in self.page.locator("body").inner_text().splitlines() if line.strip())
            return "\n".join(["The page says:", *lines, "Its socket:", *self.watch.frames])
        except Error as broken:
            return f"The page cannot be read: {broken}"


def play(players: list[Player], chance: Random, until: Callable[[], bool] = lambda: False) -> None:
    """Let people play, with the bots of their table, until the table is closed, or as `until` tells before."""
    while True:
        seen = [player.glance() for player in players]
        if until():  # asked after the glance: whatever that shows was so before
            see_the_same(players)
            return
        newest = max(one.version for one in seen)
        for player, one in zip(players, seen, strict=True):
            player.look(one)
            if one.version < newest:
                player.moved(newest - 1)
        if any(one.version < newest for one in seen):
            continue
        if all(one.stage == "ended" for one in seen):
            return
        if not any(player.act(chance, one) for player, one in zip(players, seen, strict=True)):
            players[0].moved(newest)


def see_the_same(players: list[Player]) -> None:
    """Wait until everybody's page shows what the latest one shows."""
    seen = [player.version for player in players]
    for player, version in zip(players, seen, strict=True):
        if version < max(seen):
            player.moved(max(seen) - 1)


def break_off(house: Running, player: Player) -> None:
    """Close the sockets of a player's pages from the server's side, as it does when a table moves elsewhere."""
    user = player.page.request.get("/api/me").json()["user"]

    def close() -> None:
        for watcher in house.service.connections._watchers:
            if watcher.user == user:
                watcher.close("table-moved")

    with player.page.expect_event("websocket", timeout=1000 * PATIENCE):  # the page connects again
        house.loop.call_soon_threadsafe(close)
