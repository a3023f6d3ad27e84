"""What is public in a single hand, and the view of it that a policy is given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import CannotBelieve
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE, COUNT, OVER, Auction
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.round import DigitRound, Legal, Terms
from liarspoker.solve.hands import Hands, all_hands

Moves = tuple[tuple[int, int], ...]
"""The actions so far, as (seat, action)."""


@dataclass(frozen=True)
class Position:
    """A single hand at stake 1, as everybody sees it; from `at`, or from `after`.

    Attributes:
        round: the hand of the rules, without the numbers dealt.

    >>> position = Position.at(Table.of("salomon-1986", seats=2)).after(27).after(CHALLENGE)
    >>> position.to_act, position.legal.answers, position.columns.tolist()[-2:]
    (0, (-2,), [159, 161])
    """

    round: DigitRound

    @classmethod
    def at(cls, table: Table, opener: int = 0) -> Position:
        """Return a hand of this table before its first bid.

        Raises:
            CannotPlay: the ladder has no top, so actions cannot be numbered.
        """
        table.actions  # noqa: B018  # refuses a ladder without a top
        return cls(DigitRound.begin(table.rules, Terms(0, opener, 1, 1, ()), (), None))

    @property
    def rules(self) -> Rules:
        """The table's rules."""
        return self.round.rules

    @property
    def auction(self) -> Auction:
        """The state of the bidding."""
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
        """Whether nothing is left but the count."""
        return self.round.auction.phase == OVER

    @property
    def hands(self) -> Hands:
        """All hands that its seats may hold."""
        return all_hands(self.rules)

    @cached_property
    def legal(self) -> Legal:
        """The legal actions of the seat to act."""
        return self.round.legal()

    @property
    def columns(self) -> NDArray[np.int64]:
        """int64 `[legal actions]`: their columns in a matrix of actions, as `column_of` numbers them; ascending."""
        return np.array([column_of(action, self.rules) for action in self.legal.actions], np.int64)

    def after(self, action: int) -> Position:
        """Return the position after the seat to act plays `action`, numbered as in `Table`.

        Raises:
            IllegalAction: the rules refuse it.
        """
        return Position(self.round.apply(action))


def column_of(action: int, rules: Rules) -> int:
    """Return the column of an action: the bids of the ladder from the weakest, then challenge, then count."""
    if action >= 0:
        return action
    return ladder_length(rules) + (action == COUNT)


def action_at(column: int, rules: Rules) -> int:
    """Return the action of a column of a matrix."""
    bids = ladder_length(rules)
    return column if column < bids else CHALLENGE if column == bids else COUNT


class PublicView:
    """What a policy may know of a position besides its own hand; it looks like a `DigitView` of the seat to act.

    It holds what is public in a single hand and no secret; reading anything else of a view, such as the rows of the
    slip or the number, raises `CannotBelieve`.

    Attributes:
        rules: the table's.
        auction: the state of the bidding.
        moves: the actions so far, as (seat, action).
        seat: the seat to act.
        terms: opener and stake.
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
        """Whether this seat is to act; it is."""
        return True

    def __getattr__(self, name: str) -> Any:
        raise CannotBelieve(
            f"a policy reads `{name}` of its view; beliefs are about single hands, of which a policy may know how "
            "often it holds each digit, and what is public: the rules, the auction and its moves, but no other row of "
            "its slip"
        )
