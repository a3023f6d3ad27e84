"""Tables of Thorin's game as their pages show them."""

from __future__ import annotations

from typing import Any

from liarspoker.games.thorin.page import ThorinScene
from liarspoker.web.view_models.table import Seen, TableScene, scene_of
from tests.tables.play import Played, new_table, state_of


def thorin(users: int = 3, seed: int = 0, **settings: Any) -> Played:
    """A table with a round on it."""
    played = new_table("thorin", users, seed, **settings)
    played.make_ready()
    return played


def table_seen(played: Played, user: str | None, draft: dict[str, str] | None = None) -> TableScene:
    """What the page of `user` draws, from the JSON that his browser is sent."""
    return scene_of(Seen(state_of(played, user), None, None, draft or {}))


def round_seen(played: Played, user: str | None, draft: dict[str, str] | None = None) -> ThorinScene:
    """The round of that; a draft is made on the turn at hand."""
    given = {"turn": str(played.table.turn), **draft} if draft is not None else None
    scene = table_seen(played, user, given).round
    assert isinstance(scene, ThorinScene)
    return scene


def mover(played: Played) -> str:
    """Whose turn it is."""
    assert played.table.to_act is not None
    return played.table.to_act


def act(played: Played, action: str) -> None:
    """Whose turn it is does `action`."""
    played.do(mover(played), "act", turn=played.table.turn, action=action)
