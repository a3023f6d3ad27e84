"""Breaks between a page and its server."""

from __future__ import annotations

from tests.server.inprocess import PATIENCE, Running
from tests.web.journeys.player import Player


def user_of(player: Player) -> str:
    """The id of the user whom a player's page is for."""
    told = player.page.request.get("/api/me").json()
    return str(told["user"])


def break_off(house: Running, player: Player) -> None:
    """Close the sockets of a player's pages from the server's side, as it does when a table moves elsewhere."""
    user = user_of(player)

    def close() -> None:
        for watcher in house.service.connections._watchers:
            if watcher.user == user:
                watcher.close("table-moved")

    with player.page.expect_event("websocket", timeout=1000 * PATIENCE):  # the page connects again
        house.loop.call_soon_threadsafe(close)
