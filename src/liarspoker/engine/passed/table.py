"""Which table is played: Thorin's game, its options, and how many seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from liarspoker.core import catalogue
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.passed.worth import Ints, worths_of
from liarspoker.games.thorin.ladder import ladder_of
from liarspoker.games.thorin.listed import Ladder
from liarspoker.games.thorin.options import PassedRules

DISCARDS = 32
"""How many choices of cards a hand of five has."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of Thorin's game.

    An action is a number: a claim, or `TAKE`, `CHALLENGE`, `PASS` or a discard of
    `liarspoker.games.thorin.actions`. `liarspoker.games.thorin.notation` reads and writes all of them.

    Attributes:
        game: the catalogue id.
        rules: its options and seats as ints, as the rules read them. Where the dealer has the choice, nobody makes use
            of it: every round is played under these.

    >>> table = Table.of("thorin", seats=4, options={"passes": 1})
    >>> table.claims, table.actions, table.most_rounds
    (34735, 34770, 7)
    """

    game: str
    rules: PassedRules

    @classmethod
    def of(cls, game: str, seats: int, options: dict[str, object] | None = None) -> Table:
        """The table that a session of the catalogue would be played at.

        Args:
            game: `thorin`.
            seats: 2 to 10.
            options: those that differ from the game's own, names and values as in a record.

        Raises:
            UnknownGame, BadSeats, BadOption: as the rules have it.
            CannotPlay: in this game no hand goes around.
        """
        row = catalogue.row(game)
        if row.family != "thorin":
            raise CannotPlay(f"{game} is no game in which one hand goes around")
        loaded: Any = catalogue.load(game)
        return cls(game, loaded.session(seats, loaded.options(options)).setup.rules)

    @property
    def ladder(self) -> Ladder:
        """The claims of the table, in arrays."""
        return _arrays(self.rules)

    @property
    def worths(self) -> Ints:
        """What hands are worth, for `liarspoker.engine.passed.worth.worth`."""
        return worths_of(self.rules.jokers, bool(self.rules.double_any))

    @property
    def claims(self) -> int:
        """How many claims there are."""
        return len(ladder_of(self.rules).claims)

    @property
    def actions(self) -> int:
        """How many actions there are: the claims; taking, challenging, passing; and the discards of a hand."""
        return self.claims + 3 + DISCARDS

    @property
    def most_moves(self) -> int:
        """How many actions a round may have: for each value a claim, a hand taken and cards thrown; and all passes."""
        return 3 * len(ladder_of(self.rules).keys) + self.rules.seats * self.rules.passes

    @property
    def most_rounds(self) -> int:
        """How many rounds a match may have: one for each player who drops out, and one for each pass."""
        return self.rules.seats - 1 + self.rules.seats * self.rules.passes

    def opener(self, named: int) -> int:
        """Who opens a match.

        Raises:
            CannotPlay: there is no such seat.
        """
        if not 0 <= named < self.rules.seats:
            raise CannotPlay(f"opener: {named} is none of 0 to {self.rules.seats - 1}")
        return named


@lru_cache(maxsize=8)
def _arrays(rules: PassedRules) -> Ladder:
    """The ladder in arrays."""
    ladder = ladder_of(rules)
    return Ladder(*(np.array(each, np.int64) for each in ladder))  # type: ignore[arg-type]  # arrays are read alike
