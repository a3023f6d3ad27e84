"""Random play of any game in the catalogue, using only the interface of sessions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from random import Random
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.errors import NotNow
from liarspoker.core.session import Deal, Legal, RoundSetup, Session

GAMES = tuple(row.id for row in catalogue.games())
MOST_MOVES = 40
"""After this many moves in a round, players answer instead of claiming, so that it ends."""


@dataclass(frozen=True)
class Move:
    """One action, with the session before and after it."""

    before: Session
    action: int
    after: Session


@dataclass(frozen=True)
class Round:
    """One round.

    Attributes:
        before: the session before the round.
        deal: the random draws.
        setup: what the players agreed on.
        dealt: the session after the deal.
        moves: the actions, in order.
    """

    before: Session
    deal: Deal
    setup: RoundSetup
    dealt: Session
    moves: tuple[Move, ...]

    @property
    def last(self) -> Session:
        """The session after the last move."""
        return self.moves[-1].after if self.moves else self.dealt

    @property
    def states(self) -> tuple[Session, ...]:
        """The session after the deal and after every move."""
        return (self.dealt, *(move.after for move in self.moves))


def random_options(game: Any, chance: Random, changed: float = 0.3) -> Any:
    """Return random options of a game."""
    return game.options(
        {info.name: chance.choice(info.choices) for info in game.option_infos if chance.random() < changed}
    )


def random_session(game_id: str, chance: Random, most_seats: int = 5) -> Session:
    """Return a session before its first round, with random options."""
    game: Any = catalogue.load(game_id)
    fewest, most = game.preset.seats
    found: Session = game.session(
        chance.randint(fewest, min(most, most_seats)), random_options(game, chance), chance.choice((None, False))
    )
    return found


def some_action(legal: Legal, chance: Random, moves: int = 0) -> int:
    """Return a legal action: an answer in three of five cases, otherwise usually one of the weakest claims."""
    if legal.answers and (not legal.claims or moves >= MOST_MOVES or chance.random() < 0.6):
        return chance.choice(legal.answers)
    return legal.claims[min(len(legal.claims) - 1, int(chance.random() ** 3 * 30))]


def some_round(session: Session, chance: Random, *, to_the_end: bool = True) -> Round:
    """Play the next round, or part of it; half of the deals have only a few different symbols."""
    spec = session.chance_spec()
    few = chance.random() < 0.5
    deal = spec.draw((lambda n: int(chance.random() ** 4 * n)) if few else chance.randrange)
    setup = RoundSetup(chance.choice(session.alive) if spec.opener else None)
    dealt = later = session.deal(deal, setup)
    moves: list[Move] = []
    while later.in_play and (to_the_end or chance.random() < 0.85):
        before, action = later, some_action(later.legal(), chance, len(moves))
        later = before.apply(action)
        moves.append(Move(before, action, later))
    return Round(session, deal, setup, dealt, tuple(moves))


def evening(session: Session, chance: Random, rounds: int, *, to_the_end: bool = True) -> Iterator[Round]:
    """Play up to `rounds` rounds, fewer if a match is won; the last may be unfinished."""
    for number in range(rounds):
        if session.winner is not None or session.in_play:
            return
        played = some_round(session, chance, to_the_end=to_the_end or number < rounds - 1)
        yield played
        session = played.last


def seen(session: Session) -> list[object]:
    """Return everything that any seat or spectator sees of a session, except the options."""
    views: list[Any] = [session.view(seat) for seat in (None, *range(session.seats))]
    with suppress(NotNow):
        views += [session.show_numbers().view(seat) for seat in range(session.seats)]
    return [
        {field.name: getattr(view, field.name) for field in fields(view) if field.name not in ("options", "rules")}
        for view in views
    ]
