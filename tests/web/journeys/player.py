"""Somebody who plays through the page, as people do: reads what it offers, and presses that."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from playwright.sync_api import Error, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLong

from tests.server.inprocess import PATIENCE
from tests.web.journeys import moves
from tests.web.journeys.survey import GLANCE, Survey
from tests.web.journeys.watch import Watch

_SHOWS_STEP = """() => document.querySelector("#live[data-drafting]") === null"""
_MOVED = """(version) => document.querySelector("#alert").textContent !== ""
    || Number(document.querySelector("#live").dataset.version) > version
    && document.querySelector("[aria-busy=true]") === null"""

Told = TypeVar("Told")


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
        script: his browser runs scripts.

    Attributes:
        found: what was wrong with the states that he passed through.
    """

    page: Page
    watch: Watch
    survey: Survey
    script: bool = True
    found: list[str] = field(default_factory=list)

    # -------------------------------------------------------------------------------------- coming in

    def quick_table(self, name: str = "") -> None:
        """From the lobby to a table with bots."""
        self.page.goto("/")
        if name:
            self.page.get_by_label("Your name").first.fill(name)
        self.page.get_by_role("button", name=re.compile("^Quick table")).click()
        self.at_the_table()

    def make_table(self, name: str, bots: tuple[str, ...] = (), **settings: object) -> str:
        """A table of his own, in whose waiting room he looks around; its address."""
        asked = self.page.request
        assert asked.post("/api/guest", data={"name": name}).ok
        made = asked.post("/api/tables", data={"settings": settings, "bots": list(bots)})
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
        """Wait until the table is there, and alive where scripts run."""
        self.page.locator("#live[data-version]").wait_for()
        self.look()

    # ------------------------------------------------------------------------------------ what he sees

    def glance(self) -> Glance:
        """What the page shows now."""
        return self._asked(lambda: Glance(**self.page.evaluate(GLANCE)))

    def _asked(self, question: Callable[[], Told]) -> Told:
        """What the page tells; one without a script loads itself again now and then, and is asked again after that."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return question()
            except Error:
                if self.script or time.monotonic() > end:
                    raise
                self.page.wait_for_load_state()

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
        return self._asked(lambda: moves.buttons(self.page, do))

    def look(self, seen: Glance | None = None) -> None:
        """Look closely at the page, if it was not like that before; axe needs a page that stays."""
        if self.script:
            self.found += self.survey.look(self.page, (seen or self.glance()).state)

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
        if self.script:
            button.click()
        else:
            with self.page.expect_response(lambda response: response.request.method == "POST"):
                button.click()
        self.moved(version)

    def act(self, chance: Random, seen: Glance | None = None) -> bool:
        """Do one thing that the page offers, if it offers any."""
        shown = seen or self.glance()
        for do in ("pick", "ready", "start"):
            if do in shown.does and (offered := self.offers(do)):
                self.press(chance.choice(offered))
                return True
        if shown.stage == "holds":
            self._load_by(self.page.get_by_role("link", name="Final score"))
            return True
        if shown.turn:
            self.press(moves.chosen(self.page, chance, self.step))
            return True
        return False

    def step(self, control: Locator) -> None:
        """Choose something on the way to a move, and wait until the page shows what comes of it."""
        if self.script:
            control.click()
            self.page.wait_for_function(_SHOWS_STEP)
        elif control.evaluate("(control) => control.matches('button')"):
            self._load_by(control)
        else:
            control.click()
            show = self.page.locator("form[data-draft] noscript button").first
            if show.count():
                self._load_by(show)
        self.look()

    def _load_by(self, button: Locator) -> None:
        with self.page.expect_navigation():
            button.click()

    def load_again(self) -> None:
        """Load the page again."""
        self._asked(self.page.reload)

    def moved(self, version: int) -> None:
        """Wait until the page shows a later version than this one, and what came of all that he has sent."""
        try:
            if self.script:
                self.page.wait_for_function(_MOVED, arg=version)
            else:
                self._load_again_until(version)
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

    def _load_again_until(self, version: int) -> None:
        end = time.monotonic() + PATIENCE
        while self.version <= version:
            if time.monotonic() > end:
                raise TooLong("")
            self.load_again()


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
