"""A player who uses the pages in a browser: reads what they offer and clicks it."""

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
        state: the page's state in a few words.
        kind: the kind of state; states of one kind have the same layout.
        version: the table's version; -1 without a table.
        stage: `waiting`, `gathering`, `round`, `holds` (the last result of a closed table) or `ended`.
        turn: it is the player's turn.
        does: the possible commands.
    """

    state: str
    kind: str
    version: int
    stage: str
    turn: bool
    does: list[str]


@dataclass
class Player:
    """A player with a browser page.

    Args:
        page: the browser page.
        watch: the watch over the browser's requests and messages.
        survey: the survey of the visited states.

    Attributes:
        found: faults of the visited states.
    """

    page: Page
    watch: Watch
    survey: Survey
    found: list[str] = field(default_factory=list)

    # ---------------------------------------------------------------------------------------- joining

    def quick_table(self, name: str = "") -> None:
        """Start a quick table from the lobby; for a new player, it is a guided hand."""
        self.page.goto("/")
        if name:
            self.page.get_by_label("Your name").first.fill(name)
        self.page.get_by_role("button", name=re.compile("^(Quick table|Play your first hand)")).click()
        self.at_the_table()

    def make_table(self, name: str, bots: tuple[str, ...] = (), start: bool = False, **settings: object) -> str:
        """Create a table and return its URL."""
        asked = self.page.request
        assert asked.post("/api/guest", data={"name": name}).ok
        made = asked.post("/api/tables", data={"settings": settings, "bots": list(bots), "start": start})
        assert made.ok, made.text()
        return self.open(f"/t/{made.json()['table']}")

    def open(self, address: str) -> str:
        """Open a table."""
        self.page.goto(address)
        self.at_the_table()
        return address

    def sit_down(self, name: str) -> None:
        """Join the table that is open."""
        self.page.get_by_label("Your name").first.fill(name)
        self.page.get_by_role("button", name="Join").first.click()
        self.at_the_table()
        expect(self.page.locator("form[data-do=join]")).to_have_count(0)

    def at_the_table(self) -> None:
        """Wait until the table is shown and its socket is connected."""
        self.page.locator("#live[data-version]").wait_for()
        self.look()

    # ----------------------------------------------------------------------------------------- reading

    def glance(self) -> Glance:
        """Return what the page shows now."""
        return Glance(**self.page.evaluate(GLANCE))

    @property
    def version(self) -> int:
        """The version of the table that the page shows."""
        return self.glance().version

    @property
    def stage(self) -> str:
        """`waiting`, `gathering`, `round`, `holds` or `ended`."""
        return self.glance().stage

    @property
    def my_turn(self) -> bool:
        """Whether the page shows that it is the player's turn."""
        return self.glance().turn

    def offers(self, do: str) -> list[Locator]:
        """Return the enabled buttons for a kind of command."""
        return moves.buttons(self.page, do)

    def offer(self, do: str) -> Locator:
        """Return the first enabled button for a kind of command, as soon as there is one."""
        while True:
            version = self.version
            if offered := self.offers(do):
                return offered[0]
            self.moved(version)

    def look(self, seen: Glance | None = None) -> None:
        """Survey the page if its state is new; axe needs a page that doesn't change."""
        self.found += self.survey.look(self.page, (seen or self.glance()).state)

    def hears(self, text: str) -> None:
        """Wait until the page shows a chat message exactly once."""
        expect(self.page.locator("#chat li", has_text=text)).to_have_count(1)

    # ------------------------------------------------------------------------------------------ acting

    def line(self) -> Locator:
        """The chat's text field; opens the chat if it is closed."""
        line = self.page.get_by_label("Message, up to")
        if not line.is_visible():
            self.page.get_by_role("link", name="Chat").click()
        return line

    def say(self, text: str) -> None:
        """Send a chat message."""
        self.line().fill(text)
        self.page.get_by_role("button", name="Send", exact=True).click()

    def press(self, button: Locator) -> None:
        """Press a button and wait for its effect."""
        version = self.version
        button.click()
        self.moved(version)

    def press_key(self, key: str) -> None:
        """Press a key and wait for its effect."""
        version = self.version
        self.page.keyboard.press(key)
        self.moved(version)

    def walk_to(self, wanted: Locator) -> None:
        """Press Tab until the focus is on `wanted` or inside it."""
        for _ in range(80):
            if wanted.evaluate("(one) => one.contains(document.activeElement)"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {wanted}. {self.page_text()}")

    def act(self, chance: Random, seen: Glance | None = None) -> bool:
        """Do one thing that the page offers; return whether there was one."""
        shown = seen or self.glance()
        for do in ("pick", "ready", "start"):
            if do in shown.does and (offered := self.offers(do)):
                self.press(chance.choice(offered))
                return True
        if shown.stage == "holds":
            with self.page.expect_navigation():
                self.page.get_by_role("link", name="See result").click()
            return True
        if shown.turn:
            self.press(moves.chosen(self.page, chance, self.step))
            return True
        return False

    def step(self, control: Locator) -> None:
        """Change the draft of a move, and wait until the page shows the change."""
        control.click()
        self.page.wait_for_function(_SHOWS_STEP)
        self.look()

    def moved(self, version: int) -> None:
        """Wait until the page shows a later version and the effect of everything sent."""
        try:
            self.page.wait_for_function(_MOVED, arg=version)
        except TooLong:
            raise AssertionError(f"Nothing happens after version {version}. {self.page_text()}") from None
        refusal = self.page.locator("#alert").text_content() or ""
        assert not refusal, f"{refusal!r} {self.page_text()}"

    def page_text(self) -> str:
        """Return the page's text, for the message of a failure."""
        try:
            lines = (line for line in self.page.locator("body").inner_text().splitlines() if line.strip())
            return "\n".join(["The page says:", *lines, "Its socket:", *self.watch.frames])
        except Error as broken:
            return f"The page cannot be read: {broken}"


def play(players: list[Player], chance: Random, until: Callable[[], bool] = lambda: False) -> None:
    """Let players play until the table is closed or `until()` is true."""
    while True:
        seen = [player.glance() for player in players]
        if until():  # checked after the glance, so that it is at least as recent
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
    """Wait until every page shows the latest version."""
    seen = [player.version for player in players]
    for player, version in zip(players, seen, strict=True):
        if version < max(seen):
            player.moved(max(seen) - 1)


def break_off(site: Running, player: Player) -> None:
    """Close the sockets of a player's pages on the server's side, as when a table moves to another server."""
    user = player.page.request.get("/api/me").json()["user"]

    def close() -> None:
        for watcher in site.service.connections._watchers:
            if watcher.user == user:
                watcher.close("table-moved")

    with player.page.expect_event("websocket", timeout=1000 * PATIENCE):  # the page reconnects
        site.loop.call_soon_threadsafe(close)
