"""Players with separate browser contexts, whose pages are watched for faults."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Browser, ViewportSize

from tests.server.inprocess import PATIENCE
from tests.web.journeys.player import Player
from tests.web.journeys.survey import DESK, Survey
from tests.web.journeys.watch import Watch


@dataclass
class Visitors:
    """The players who visit a server during a test.

    Args:
        browser: the browser, in which each player gets their own context.
        origin: the server's URL.
        survey: the survey of all visited states.
    """

    browser: Browser
    origin: str
    survey: Survey
    players: list[Player] = field(default_factory=list)

    def come(self, size: ViewportSize = DESK) -> Player:
        """Return a new player who hasn't opened a page."""
        context = self.browser.new_context(
            base_url=self.origin,
            viewport=size,
            has_touch=size != DESK,
            reduced_motion="reduce",
            color_scheme="light",
        )
        context.set_default_timeout(1000 * PATIENCE)
        watch = Watch(self.origin)
        watch.over(context)
        player = Player(context.new_page(), watch, self.survey)
        self.players.append(player)
        return player

    def faults(self) -> list[str]:
        """Return the faults of all visited pages."""
        return [fault for player in self.players for fault in (*player.watch.faults, *player.found)]
