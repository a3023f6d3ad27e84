"""Public positions in a single hand, and the view of them that a policy gets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import CannotBelieve, CannotPlay
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE, COUNT, OVER, Auction
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.round import DigitRound, Legal, Terms
from liarspoker.solve.hands import Hands, all_hands
from liarspoker.solve.tree import action_number

Moves = tuple[tuple[int, int], ...]
"""The actions so far, as (seat, action)."""


@dataclass(frozen=True)
class Position:
    """The public position in a single hand at stake 1. Create it with :meth:`at`, and advance it with :meth:`after`.

    Attributes:
        round: the hand as the rules see it, without the numbers dealt.

    >>> position = Position.at(Table.of("salomon-1986", seats=2)).after(27).after(CHALLENGE)
    >>> position.to_act, position.legal.answers, position.columns.tolist()[-2:]
    (0, (-2,), [159, 161])
    """

    round: DigitRound

    @classmethod
    def at(cls, table: Table, opener: int = 0) -> Position:
        """Return the position before the first bid.

        Raises:
            CannotPlay: it isn't a digit game, or the ladder has no top, so actions can't be numbered.
        """
        if table.kernel.family != "digits":
            raise CannotPlay(f"{table.game} isn't a digit game")
        table.actions  # noqa: B018  # raises an error for a ladder without a top
        return cls(DigitRound.begin(table.rules, Terms(0, opener, 1, 1, ()), (), None))

    @property
    def rules(self) -> Rules:
        """The table's rules."""
        return self.round.rules

    @property
    def auction(self) -> Auction:
        """The state of the auction."""
        return self.round.auction

    @property
    def moves(self) -> Moves:
        """The actions so far, as (seat, action)."""
        return self.round.moves

    @property
    def to_act(self) -> int:
        """The seat to act; -1 once the auction is over."""
        return self.round.auction.to_act

    @property
    def is_over(self) -> bool:
        """Whether the auction is over and only the count remains."""
        return self.round.auction.phase == OVER

    @property
    def hands(self) -> Hands:
        """All hands that a seat may hold."""
        return all_hands(self.rules)

    @cached_property
    def legal(self) -> Legal:
        """The legal actions of the seat to act."""
        return self.round.legal()

    @property
    def columns(self) -> NDArray[np.int64]:
        """The columns of the legal actions, as :func:`column_of` numbers them, ascending: int64 `[legal actions]`."""
        return np.array([column_of(action, self.rules) for action in self.legal.actions], np.int64)

    def after(self, action: int | str) -> Position:
        """Return the position after the seat to act plays `action`.

        Args:
            action: a legal action: its number as in :class:`~liarspoker.engine.table.Table`, or text such as `3x8`.

        Raises:
            IllegalAction: the action isn't legal, or the text can't be read.
        """
        return Position(self.round.apply(action_number(action, self.rules)))


def column_of(action: int, rules: Rules) -> int:
    """Return the column of an action: the bids of the ladder from the weakest, then challenge, then count."""
    if action >= 0:
        return action
    return ladder_length(rules) + (action == COUNT)


def action_at(column: int, rules: Rules) -> int:
    """Return the action of a column."""
    bids = ladder_length(rules)
    return column if column < bids else CHALLENGE if column == bids else COUNT


class PublicView:
    """What a policy may know of a position in addition to its own hand.

    It can be used like a `DigitView` of the seat to act, but contains only what is public in a single hand. Reading
    anything else of a view, such as the rows of the slip or the number, raises
    :class:`~liarspoker.engine.errors.CannotBelieve`.

    Attributes:
        rules: the table's rules.
        auction: the state of the auction.
        moves: the actions so far, as (seat, action).
        seat: the seat to act.
        terms: the opener and the stake.
        legal: the legal actions of the seat to act.
    """

    __slots__ = ("auction", "legal", "moves", "rules", "seat", "terms")

    def __init__(self, position: Position) -> None:
        self.rules = position.rules
        self.auction = position.auction
        self.moves = position.moves
        self.seat = position.to_act
        self.terms = position.round.terms
        self.legal = position.legal

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act, which is always true."""
        return True

    def __getattr__(self, name: str) -> Any:
        raise CannotBelieve(
            f"a policy reads `{name}` of its view; beliefs are about single hands, in which a policy may know how many "
            "of each digit it holds and what is public: the rules, the auction and its moves, but not the other rows "
            "of its slip"
        )
