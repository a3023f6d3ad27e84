"""Which table is played: one of Queen Anne's games, its options, how many seats, and the losses at the beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.core import catalogue
from liarspoker.engine.errors import CannotPlay
from liarspoker.games.queen_annes.ladder import all_wants, ladder_length
from liarspoker.games.queen_annes.options import PooledRules
from liarspoker.games.queen_annes.result import living


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a pooled game.

    An action is a number: a claim its place on the ladder, from 0, the weakest; beside the claims there are `CHALLENGE`
    and, where anyone may challenge, `challenge_by(seat)` for another than the seat to act, both of
    `liarspoker.games.queen_annes.course`. `liarspoker.games.queen_annes.notation` reads and writes all of them.

    Attributes:
        game: the catalogue id.
        rules: its options and seats as ints, as the rules read them.
        losses: each seat's losses when a match begins.

    >>> table = Table.of("queen-annes-stud", seats=5)
    >>> table.actions, table.most_moves, table.most_rounds
    (5445, 5445, 29)
    >>> from liarspoker.games.queen_annes.notation import read, write
    >>> [read(text, 0, table.rules) for text in ("claim pair 7", "challenge")], write(18, table.rules)
    ([18, -1], 'claim pair 7')
    """

    game: str
    rules: PooledRules
    losses: tuple[int, ...]

    @classmethod
    def of(
        cls, game: str, seats: int, options: dict[str, object] | None = None, losses: Sequence[int] | None = None
    ) -> Table:
        """The table that a session of the catalogue would be played at.

        Args:
            game: `queen-annes`, `queen-annes-indian` or `queen-annes-stud`.
            seats: 2 to 10.
            options: those that differ from the game's own, names and values as in a record.
            losses: each seat's losses when a match begins; none by default.

        Raises:
            UnknownGame, BadSeats, BadOption, BadStart: as the rules have it.
            CannotPlay: it is no pooled game, or only one player is living.
        """
        row = catalogue.row(game)
        if row.family != "queen_annes":
            raise CannotPlay(f"{game} is none of Queen Anne's games")
        loaded: Any = catalogue.load(game)
        session = loaded.session(seats, loaded.options(options), losses=losses)
        if session.winner is not None:
            raise CannotPlay(f"losses: seat {session.winner} has won before the first round")
        return cls(game, session.setup.rules, session.losses)

    @property
    def wants(self) -> NDArray[np.int64]:
        """int64 `[claims]`: what must be in the pool for every hand that can be named, packed as in the rules."""
        return np.array(all_wants(self.rules), np.int64)

    @property
    def claims(self) -> int:
        """How many hands can be named."""
        return ladder_length(self.rules)

    @property
    def actions(self) -> int:
        """How many actions there are: the claims, the challenge, and where anyone may challenge, that of each seat."""
        return self.claims + 1 + (self.rules.seats if self.rules.anyone_challenges else 0)

    @property
    def most_moves(self) -> int:
        """How many actions a round may have: every claim, and a challenge."""
        return self.claims + 1

    @property
    def most_rounds(self) -> int:
        """How many rounds a match may have: every loss that puts one out, but the winner's last."""
        return sum(self.rules.exit_losses - lost for lost in self.losses) - 1

    def opener(self, named: int | None) -> int:
        """Who opens a match: the seat that is named, or the first that is living.

        Raises:
            CannotPlay: the seat is not living.
        """
        alive = living(self.losses, self.rules)
        if named is not None and named not in alive:
            raise CannotPlay(f"opener: {named} is no living seat; they are {', '.join(map(str, alive))}")
        return alive[0] if named is None else named
