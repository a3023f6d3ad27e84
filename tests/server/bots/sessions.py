"""Games in play, for bots to be asked about."""

from random import Random
from typing import Any

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue as games
from liarspoker.core.session import RoundSetup


def opened(game_id: str, moves: int = 0, seed: int = 1, **changes: object) -> Any:
    """A session with three beginners in play, after so many of their moves or the last before the round's end."""
    game: Any = games.load(game_id)
    chance, beginner = Random(seed), bots.load("beginner", game.row.family)
    session = game.session(3, game.options(changes))
    session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(0))
    for _ in range(moves):
        later = session.apply(beginner(view_of(session), chance))
        if not later.in_play:
            break
        session = later
    return session


def view_of(session: Any) -> Any:
    """What the seat to act may know."""
    return session.view(session.to_act)
