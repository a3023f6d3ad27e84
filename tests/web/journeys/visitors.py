"""People with browsers of their own, who come to a server and are watched while they are there."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Browser, ViewportSize

from tests.server.inprocess import PATIENCE
from tests.web.journeys.player import Player
from tests.web.journeys.survey import DESK, Survey
from tests.web.journeys.watch import Watch


@dataclass
class Visitors:
    """Everybody who visits a server during a test.

    Args:
        browser: in which each of them has a context of his own.
        origin: the server's address.
        survey: of all states that they pass through.
    """

    browser: Browser
    origin: str
    survey: Survey
    players: list[Player] = field(default_factory=list)

    def come(self, size: ViewportSize = DESK) -> Player:
        """Somebody new, who has opened no page yet."""
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
        """What was wrong on all their ways."""
        return [fault for player in self.players for fault in (*player.watch.faults, *player.found)]
