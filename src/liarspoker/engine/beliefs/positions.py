"""What is public in a single hand, and the view of it that a policy is given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import CannotBelieve
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE, COUNT, OVER, Auction
from liarspoker.games.digits.ladder import digit_of, ladder_length, rank_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.round import DigitRound, Legal, Terms

Moves = tuple[tuple[int, int], ...]
"""Who did what so far, as (seat, action)."""


@dataclass(frozen=True)
class Position:
    """A single hand at stake 1, as everybody sees it. Made by `at`, and by `after`.

    Attributes:
        round: the hand of the rules, without the numbers dealt.

    >>> position = Position.at(Table.of("salomon-1986", seats=2)).after(27).after(CHALLENGE)
    >>> position.to_act, position.legal.answers, position.columns.tolist()[-2:]
    (0, (-2,), [159, 161])
    """

    round: DigitRound

    @classmethod
    def at(cls, table: Table, opener: int = 0) -> Position:
        """A hand of this table before its first bid.

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
        """Where the bidding stands."""
        return self.round.auction

    @property
    def moves(self) -> Moves:
        """Who did what so far, as (seat, action)."""
        return self.round.moves

    @property
    def to_act(self) -> int:
        """The seat whose turn it is; -1 once the auction is over."""
        return self.round.auction.to_act

    @property
    def is_over(self) -> bool:
        """Whether nothing is left but the count."""
        return self.round.auction.phase == OVER

    @cached_property
    def legal(self) -> Legal:
        """What the seat to act may do."""
        return self.round.legal()

    @property
    def columns(self) -> NDArray[np.int64]:
        """int64 `[legal actions]`: their columns in a matrix of actions, as `column_of` numbers them; ascending."""
        return np.array([column_of(action, self.rules) for action in self.legal.actions], np.int64)

    def after(self, action: int) -> Position:
        """The position after the seat to act plays `action`, numbered as `Table` tells.

        Raises:
            IllegalAction: the rules refuse it.
        """
        return Position(self.round.apply(action))


def column_of(action: int, rules: Rules) -> int:
    """Where an action stands in a matrix: the bids of the ladder from the weakest, then challenge, then count."""
    if action >= 0:
        return action
    return ladder_length(rules) + (action == COUNT)


def action_at(column: int, rules: Rules) -> int:
    """The action that stands in a column of a matrix."""
    bids = ladder_length(rules)
    return column if column < bids else CHALLENGE if column == bids else COUNT


@lru_cache(maxsize=64)
def ranks_of_bids(rules: Rules) -> NDArray[np.int64]:
    """int64 `[ladder_length]`: the rank of the digit that each bid names, 0 for the lowest."""
    ranks = np.array([rank_of(digit_of(claim, rules), rules) for claim in range(ladder_length(rules))], np.int64)
    ranks.setflags(write=False)
    return ranks


class PublicView:
    """What a policy may know of a position beside its own hand; it looks like a `DigitView` of the seat to act.

    It has what is public in a single hand, and refuses everything else that a view may tell. So a policy that looks at
    the rows of its slip, or at its number while it should tell about all hands, is found out.

    Attributes:
        rules: the table's.
        auction: where the bidding stands.
        moves: who did what so far, as (seat, action).
        seat: the seat to act.
        terms: opener and stake.
        legal: what the seat to act may do.
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
        refuse(f"a policy reads `{name}` of its view")


def refuse(what: str) -> NoReturn:
    """Refuse a policy of which there are no beliefs.

    Raises:
        CannotBelieve: always.
    """
    raise CannotBelieve(
        f"{what}; beliefs are about single hands, of which a policy may know how often it holds each digit, and what "
        "is public: the rules, the auction and its moves, but no other row of its slip"
    )
