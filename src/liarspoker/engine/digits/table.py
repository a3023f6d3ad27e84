"""Which table is played: a digit game, its options, how many seats, and how it is dealt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.engine.digits.dealing import alphabet_of
from liarspoker.engine.digits.hands import Source
from liarspoker.engine.errors import CannotPlay
from liarspoker.games.digits.deal import LETTER_PAIRS
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules

MOST_ACTIONS = 1 << 16
"""Actions of a hand that are kept where the ladder has no top."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a digit game.

    An action is a number: a bid its place on the ladder, from 0, the weakest; beside the bids there are `CHALLENGE` and
    `COUNT` of `liarspoker.games.digits.auction`. `liarspoker.games.digits.notation` reads and writes all of them.

    Attributes:
        game: the catalogue id.
        rules: its options and seats as ints, as the rules read them.
        source: how it is dealt.

    >>> table = Table.of("salomon-1986", seats=5, options={"hand_size": 3, "symbols": 4})
    >>> table.actions, table.most_moves
    (62, 302)
    >>> from liarspoker.games.digits.notation import read, write
    >>> [read(text, table.rules) for text in ("1x1", "2x3", "challenge", "count")], write(6, table.rules)
    ([0, 6, -1, -2], '2x3')
    """

    game: str
    rules: Rules
    source: Source

    @classmethod
    def of(
        cls,
        game: str,
        seats: int,
        options: dict[str, object] | None = None,
        from_slips: bool | None = None,
        letters: bool = False,
    ) -> Table:
        """The table that a session of the catalogue would be played at.

        Args:
            game: `dollar-bill`, `salomon-1986` or `slips`.
            seats: 2 to 16.
            options: those that differ from the game's own, names and values as in a record.
            from_slips: deal from slips; by default as the game usually is.
            letters: letters choose the first opener, where the game has them and bills are dealt; otherwise seat 0 or
                whoever is named opens.

        Raises:
            UnknownGame, BadSeats, BadOption: as the rules have it.
            CannotPlay: it is no digit game, or its order is loose and its ladder has no top.
        """
        row = catalogue.row(game)
        if row.family != "digits":
            raise CannotPlay(f"{game} is no digit game")
        loaded: Any = catalogue.load(game)
        session = loaded.session(seats, loaded.options(options), from_slips)
        rules: Rules = session.setup.rules
        if rules.loose and not rules.capped:
            raise CannotPlay("loose_order without cap_level: such a ladder has cycles and no top")
        has_letters = letters and session.needs().letters
        redraw = session.setup.options.first_opener_tie == "redraw"
        source = Source(
            alphabet_of(rules), int(session.setup.from_slips), LETTER_PAIRS if has_letters else 0, int(redraw)
        )
        return cls(game, rules, source)

    @property
    def is_finite(self) -> bool:
        """Whether the ladder has a top, so that actions can be numbered."""
        return bool(self.rules.capped)

    @property
    def actions(self) -> int:
        """How many actions there are: the bids of the ladder, then challenge, then count.

        Raises:
            CannotPlay: the ladder has no top.
        """
        if not self.is_finite:
            raise CannotPlay("cap_level = false: the ladder has no top, so its actions cannot be numbered")
        return ladder_length(self.rules) + 2

    @property
    def most_moves(self) -> int:
        """How many actions a hand may have: every bid, each challenged by all others but one, then all, and a count."""
        if not self.is_finite:
            return MOST_ACTIONS
        return ladder_length(self.rules) * self.rules.seats + 2
