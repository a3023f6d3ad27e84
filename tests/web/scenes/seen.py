"""Rounds at tables, and what people see of them: view models and the live part of the page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from liarspoker.tables.view import private, public
from liarspoker.web.assets import Assets
from liarspoker.web.pages import Pages
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.plain import round_scene
from liarspoker.web.view_models.table import Seen, TableScene, scene_of
from tests.tables.play import Played, new_table, state_of

Draft = dict[str, str]


def dealt(game: str, users: int = 3, seed: int = 0, **settings: Any) -> Played:
    """A table at which the first round has been dealt."""
    played = new_table(game, users, seed, **settings)
    played.make_ready()
    return played


def mover(played: Played) -> str:
    """Whose turn it is."""
    assert played.table.to_act is not None
    return played.table.to_act


def act(played: Played, *actions: str) -> Played:
    """The table after the seats to act have played these."""
    for action in actions:
        played.do(mover(played), "act", turn=played.table.turn, action=action)
    return played


def states(game: str, users: int, seed: int, rounds: int, **settings: Any) -> Iterator[Played]:
    """A table in every state that some rounds pass through."""
    played = new_table(game, users, seed, **settings)
    for _ in range(rounds):
        played.make_ready()
        yield played
        while played.table.stage == "round":
            played.act()
            yield played


def everybody(played: Played) -> tuple[str | None, ...]:
    """All who sit at the table, and a spectator."""
    return (*(chair.user for chair in played.table.seated), None)


def seen(played: Played, user: str | None, draft: Draft | None = None) -> Any:
    """The round as `user` sees it; a draft is made on the turn at hand."""
    given = {"turn": str(played.table.turn), **draft} if draft else {}
    return round_scene(public(played.table), None if user is None else private(played.table, user), given)


def table_seen(played: Played, user: str | None) -> Any:
    """The whole table as `user` sees it."""
    return scene_of(Seen(state_of(played, user)))


def page(played: Played, user: str | None) -> str:
    """The live part of the table's page as `user` sees it."""
    return drawn(table_seen(played, user))


def drawn(scene: TableScene) -> str:
    """The live part of a table's page."""
    return _pages().html("table/live.html", {"scene": scene, "prefs": Preferences(), "user": None})


@cache
def _pages() -> Pages:
    return Pages(Assets.load())
