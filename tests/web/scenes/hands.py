"""Hands of digit games at real tables, and the scenes that people see of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from liarspoker.games.digits.page import DigitScene, scene
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.tables import view
from liarspoker.web.assets import Assets
from liarspoker.web.pages import Pages
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.table import Seen, TableScene, scene_of
from tests.tables.play import Played, new_table, state_of

WAYS: dict[str, dict[str, Any]] = {
    "dollar-bill": {"game": "dollar-bill"},
    "salomon-1986": {"game": "salomon-1986"},
    "slips": {"game": "slips"},
    "zeros low": {"game": "salomon-1986", "options": {"order": "zero_low"}},
    "aces high": {"game": "dollar-bill", "options": {"order": "ace_high"}},
    "loose order": {"game": "salomon-1986", "options": {"loose_order": True}},
    "loose and without a top": {"game": "slips", "options": {"loose_order": True, "cap_level": False}},
    "no top": {"game": "dollar-bill", "options": {"cap_level": False, "reveal": "on_request"}},
    "small numbers": {"game": "salomon-1986", "options": {"hand_size": 2, "symbols": 3, "compound_carry": True}},
    "long numbers": {"game": "salomon-1986", "options": {"hand_size": 15, "two_player_none": "push"}},
}
"""Settings that tables may have: every preset, and options that few people choose."""


def view_of(played: Played, user: str | None) -> tuple[PublicView, PrivateView | None]:
    """The public and the private part of what `user` is told."""
    return view.public(played.table), None if user is None else view.private(played.table, user)


def seen(played: Played, user: str | None) -> DigitScene:
    """The hand on the table as `user` sees it."""
    return scene(*view_of(played, user), {})


def page(played: Played, user: str | None) -> str:
    """The live part of the table's page as `user` sees it."""
    return drawn(scene_of(Seen(state_of(played, user))))


def drawn(scene: TableScene) -> str:
    """The live part of a table's page."""
    return _pages().html("table/live.html", {"scene": scene, "prefs": Preferences(), "user": None})


@cache
def _pages() -> Pages:
    return Pages(Assets.load())


def states(way: str, users: int, seed: int, rounds: int) -> Iterator[Played]:
    """A table in every state that a few hands pass through."""
    played = new_table(users=users, seed=seed, **WAYS[way])
    for _ in range(rounds):
        played.make_ready()
        yield played
        while played.table.stage == "round":
            played.act()
            yield played


def bidding(played: Played, *actions: str) -> Played:
    """The table after the seats to act have played these."""
    if played.table.stage != "round":
        played.make_ready()
    for action in actions:
        played.do(str(played.table.to_act), "act", turn=played.table.turn, action=action)
    return played
