"""A table: a game, its options, the number of seats, and how a match begins."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from liarspoker.core import catalogue
from liarspoker.engine.calls import plain
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.kernel import Kernel, kernel_for, kernel_of


@dataclass(frozen=True, slots=True)
class Table:
    """A table of any game of the catalogue. Create it with :meth:`of`.

    An action is an int. A claim is its index on the ladder, 0 or more, the weakest claim first; all other actions are
    negative. Wherever the engine takes actions, it also takes text in Liar's Poker Notation. :meth:`Batch.actions_at
    <liarspoker.engine.batch.Batch.actions_at>` converts columns of an action mask to actions.

    Attributes:
        game: the catalogue id.
        rules: the options and the number of seats as ints, as the rules read them.
        start: how a match begins: how digits are dealt, or the losses of each seat.

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
        """Return the table at which a session of the catalogue would be played.

        Args:
            game: the catalogue id.
            seats: the number of players.
            options: options that differ from the game's defaults, by name, as in a record.
            family: raise an error unless the game belongs to this family, as in :class:`GamePreset.family
                <liarspoker.core.catalogue.GamePreset>`.
            start: in a digit game `from_slips` (deal from slips; by default as is usual in the game) and `letters` (the
                letters of the bills choose the first opener, where the game has that rule and bills are dealt); in
                Queen Anne's games `losses`, each seat's losses when a match begins (none by default).

        Raises:
            UnknownGame, BadSeats, BadOption, BadStart: the game, the number of seats, an option or a start isn't valid.
            CannotPlay: the game belongs to another family, or has no such start.
        """
        kernel = kernel_for(game)
        if family is not None and family != kernel.family:
            raise CannotPlay(f"{game} isn't a {kernel_of(family).kind}")
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
        """What compiled functions read in addition to the rules; see :class:`~liarspoker.engine.kernel.Kernel`."""
        return _extra(self)

    @property
    def observation(self) -> Any:
        """An observation, from which compiled code learns the types of what a policy sees."""
        return _observation(self)

    @property
    def is_finite(self) -> bool:
        """Whether the ladder has a top, so that actions can be numbered."""
        return self.kernel.is_finite(self.rules)

    @property
    def actions(self) -> int:
        """The number of actions, and so of columns of an action mask: claims from the weakest, then all others.

        Raises:
            CannotPlay: the ladder has no top.
        """
        return self.kernel.actions(self.rules)

    @property
    def most_moves(self) -> int:
        """The maximum number of actions in a round."""
        return self.kernel.most_moves(self.rules)

    @property
    def most_rounds(self) -> int:
        """The maximum number of rounds in a match; 0 if a session has no natural end."""
        return self.kernel.most_rounds(self.rules, self.start)

    def opener(self, named: int | None) -> int:
        """Return the seat that opens a match: the given one, or by default the first seat that plays.

        Raises:
            CannotPlay: that seat doesn't play.
        """
        return self.kernel.opener(named, self.rules, self.start)

    def write(self, action: int) -> str:
        """Return an action as text."""
        return self.kernel.write(action, self.rules)


@lru_cache(maxsize=8)
def _extra(table: Table) -> Any:
    return table.kernel.extra(table.rules, table.start)


@lru_cache(maxsize=8)
def _observation(table: Table) -> Any:
    kernel, rules = table.kernel, table.rules
    line, wide = kernel.lines(1)[0], kernel.number.at(kernel.wide(1, 0, rules, table.start), 0)
    moves = np.zeros((1, 2), kernel.move_type)
    return plain(kernel.show.observe(kernel.begin.load(line), line, wide, 0, 0, moves, rules, table.extra))
