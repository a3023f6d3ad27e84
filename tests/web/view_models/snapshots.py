"""Tables in various states, with their view models and pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from liarspoker.tables.view import private, public
from liarspoker.web.assets import Assets
from liarspoker.web.pages import Pages
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.plain import round_view_model
from liarspoker.web.view_models.table import TableSnapshot, TableViewModel, table_view_model
from tests.tables.play import Played, new_table, state_of

Draft = dict[str, str]


def dealt(game: str, users: int = 3, seed: int = 0, **settings: Any) -> Played:
    """Make a table with a dealt first round."""
    played = new_table(game, users, seed, **settings)
    played.make_ready()
    return played


def mover(played: Played) -> str:
    """Return the user to act."""
    assert played.table.to_act is not None
    return played.table.to_act


def act(played: Played, *actions: str) -> Played:
    """Play actions, each by the user to act, and return the table."""
    for action in actions:
        played.do(mover(played), "act", turn=played.table.turn, action=action)
    return played


def states(game: str, users: int, seed: int, rounds: int, **settings: Any) -> Iterator[Played]:
    """Yield a table in every state of some random rounds."""
    played = new_table(game, users, seed, **settings)
    for _ in range(rounds):
        played.make_ready()
        yield played
        while played.table.stage == "round":
            played.act()
            yield played


def everybody(played: Played) -> tuple[str | None, ...]:
    """Return the seated users, and `None` for a spectator."""
    return (*(chair.user for chair in played.table.seated), None)


def seen(played: Played, user: str | None, draft: Draft | None = None) -> Any:
    """Return the round's view model for `user`; a draft belongs to the current turn."""
    given = {"turn": str(played.table.turn), **draft} if draft else {}
    return round_view_model(public(played.table), None if user is None else private(played.table, user), given)


def table_seen(played: Played, user: str | None) -> Any:
    """Return the table's view model for `user`."""
    return table_view_model(TableSnapshot(state_of(played, user)))


def page(played: Played, user: str | None) -> str:
    """Return the live part of the table's page for `user`."""
    return drawn(table_seen(played, user))


def drawn(model: TableViewModel) -> str:
    """Render the live part of a table's page."""
    return _pages().html("table/live.html", {"table": model, "prefs": Preferences(), "user": None})


@cache
def _pages() -> Pages:
    return Pages(Assets.load())
