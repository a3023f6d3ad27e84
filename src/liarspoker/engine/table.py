"""Which table is played: a game, its options, how many seats, and how a match begins."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from liarspoker.core import catalogue
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.kernel import Kernel, kernel_for, kernel_of


@dataclass(frozen=True, slots=True)
class Table:
    """A table of any game of the catalogue.

    An action is a number: a claim its place on the ladder, 0 or more; all others are below 0. Wherever the engine takes
    actions it also takes them as text, as records write them. `Batch.actions_at` turns columns of a mask into actions.

    Attributes:
        game: the catalogue id.
        rules: its options and seats as ints, as the rules read them.
        start: what else makes this table: how digits are dealt, or each seat's losses when a match begins.

    >>> table = Table.of("salomon-1986", seats=5, options={"hand_size": 3, "symbols": 4})
    >>> table.actions, table.most_moves, table.write(6)
    (62, 302, '2x3')
    >>> table = Table.of("queen-annes-stud", seats=5)
    >>> table.actions, table.most_moves, table.most_rounds, table.write(18)
    (5445, 5445, 29, 'claim pair 7')
    >>> table = Table.of("thorin", seats=4, options={"passes": 1})
    >>> table.actions, table.most_rounds
    (34770, 7)
    """

    game: str
    rules: Any
    start: Hashable

    @classmethod
    def of(
        cls,
        game: str,
        seats: int,
        options: Mapping[str, object] | None = None,
        *,
        family: str | None = None,
        **start: object,
    ) -> Table:
        """The table that a session of the catalogue would be played at.

        Args:
            game: a game of the catalogue.
            seats: how many players.
            options: those that differ from the game's own, names and values as in a record.
            family: refuse a game of another family, as `GameRow.family` names it.
            start: at a digit game `from_slips`, deal from slips, by default as the game usually is, and `letters`,
                letters choose the first opener, where the game has them and bills are dealt; at Queen Anne's games
                `losses`, each seat's when a match begins, none by default.

        Raises:
            UnknownGame, BadSeats, BadOption, BadStart: as the rules have it.
            CannotPlay: the family is another, or it has no such start.
        """
        kernel = kernel_for(game)
        if family is not None and family != kernel.family:
            raise CannotPlay(f"{game} is no {kernel_of(family).kind}")
        loaded: Any = catalogue.load(game)
        if unknown := sorted(set(start) - set(kernel.starts)):
            raise CannotPlay(f"{game} has no {' or '.join(unknown)}")
        choice = kernel.choice(loaded, seats, loaded.options(dict(options or {})), **start)
        return cls(game, choice.rules, choice.start)

    @property
    def kernel(self) -> Kernel[Any, Any, Any, Any, Any]:
        """The kernel of the game's family."""
        return kernel_for(self.game)

    @property
    def extra(self) -> Any:
        """What compiled functions read beside the rules; see the kernel."""
        return _extra(self)

    @property
    def is_finite(self) -> bool:
        """Whether the ladder has a top, so that actions can be numbered."""
        return self.kernel.is_finite(self.rules)

    @property
    def actions(self) -> int:
        """How many actions there are, so many columns has a mask: the claims, the weakest first, then all others.

        Raises:
            CannotPlay: the ladder has no top.
        """
        return self.kernel.actions(self.rules)

    @property
    def most_moves(self) -> int:
        """How many actions a round may have."""
        return self.kernel.most_moves(self.rules)

    @property
    def most_rounds(self) -> int:
        """How many rounds a match may have; 0 where sessions go on for as long as the players like."""
        return self.kernel.most_rounds(self.rules, self.start)

    def opener(self, named: int | None) -> int:
        """Who opens a match: the seat that is named, or the first that plays.

        Raises:
            CannotPlay: that seat does not play.
        """
        return self.kernel.opener(named, self.rules, self.start)

    def write(self, action: int) -> str:
        """An action as text."""
        return self.kernel.write(action, self.rules)


@lru_cache(maxsize=8)
def _extra(table: Table) -> Any:
    return table.kernel.extra(table.rules, table.start)
