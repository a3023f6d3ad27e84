"""Games in progress for tests of bots."""

from random import Random
from typing import Any

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue as games
from liarspoker.core.session import RoundSetup


def opened(game_id: str, moves: int = 0, seed: int = 1, **changes: object) -> Any:
    """Return a session of three beginners after this many moves, but before the end of the round."""
    game: Any = games.load(game_id)
    chance, beginner = Random(seed), bots.load("beginner", game.preset.family)
    session = game.session(3, game.options(changes))
    session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(0))
    for _ in range(moves):
        later = session.apply(beginner(view_of(session), chance))
        if not later.in_play:
            break
        session = later
    return session


def view_of(session: Any) -> Any:
    """Return the view of the seat to act."""
    return session.view(session.to_act)
