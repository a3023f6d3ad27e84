"""A batch of hands action by action, for policies that live outside compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from liarspoker.engine.arrays import one_a_row, room
from liarspoker.engine.chance import seed_of
from liarspoker.engine.compiling import compiled
from liarspoker.engine.digits.observing import feature_names, observe_all
from liarspoker.engine.digits.sessions import MOST_STAKE
from liarspoker.engine.digits.stepping import State, begin_all, deal_all, judge_all, mask_all, step_all
from liarspoker.engine.digits.table import Table
from liarspoker.engine.errors import CannotPlay, OutgrownStake
from liarspoker.engine.running import NO_ROW, refuse_row
from liarspoker.games.digits.auction import CHALLENGE, COUNT, OVER
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.slips import ROWS


class Batch:
    """Many sessions of one table side by side, a row each; one action a row and step.

    Session number i is dealt as `liarspoker.engine.digits.play` deals it: from the seed and i alone.

    Args:
        table: what is played.
        sessions: how many rows, 1 or more.
        seed: of the deals; any whole number.
        first: the number of the first session, 0 to 2**62.
        opener: the seat that opens each session, where letters do not choose.

    Raises:
        CannotPlay: an argument out of its range.

    >>> batch = Batch(Table.of("dollar-bill", seats=2), sessions=3, seed=7)
    >>> batch.deal()
    >>> batch.step([20, 35, 35])
    >>> batch.legal().sum(axis=1)
    array([140, 125, 125])
    >>> batch.step(np.full(3, CHALLENGE))
    >>> batch.is_over.all(), batch.payoffs.sum()
    (np.True_, np.int64(0))
    """

    def __init__(self, table: Table, sessions: int, seed: int, *, first: int = 0, opener: int = 0) -> None:
        rules = table.rules
        for name, number, most in (("sessions", sessions - 1, 1 << 40), ("first", first, 1 << 62)):
            if not 0 <= number <= most:
                raise CannotPlay(f"{name}: out of range")
        if not 0 <= opener < rules.seats:
            raise CannotPlay(f"opener: {opener} is none of 0 to {rules.seats - 1}")
        self.table = table
        self.sessions = sessions
        self.features = feature_names(rules)
        self._state = _room(table, sessions)
        self._refusals = np.zeros(sessions, np.int32)
        compiled(begin_all)(self._state, seed_of(seed), first, opener, table.source, rules)

    @property
    def to_act(self) -> NDArray[np.int64]:
        """int64 `[n]`: the seat to act in each row, -1 where the hand is over."""
        return self._state.auctions[:, 4].copy()

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Bool `[n]`: where no hand is in play."""
        over: NDArray[np.bool_] = self._state.auctions[:, 5] == OVER
        return over

    @property
    def claims(self) -> NDArray[np.int64]:
        """int64 `[n]`: the standing bid, or that which was counted, as a place on the ladder; -1 for none."""
        return self._state.auctions[:, 0].copy()

    @property
    def stakes(self) -> NDArray[np.int64]:
        """int64 `[n]`: what each hand is played for, in units."""
        return self._state.terms[:, 2].copy()

    @property
    def outcomes(self) -> NDArray[np.int32]:
        """int32 `[n]`: how the last hand came out, as numbered in `settlement.OUTCOMES`; 0 before its count."""
        return self._state.counted[:, 2].copy()

    @property
    def payoffs(self) -> NDArray[np.int64]:
        """int64 `[n, seats]`: what each seat won or lost in the hand counted last; they sum to 0."""
        return self._state.payoffs.copy()

    @property
    def scores(self) -> NDArray[np.int64]:
        """int64 `[n, seats]`: what each seat has won or lost in its session so far; they sum to 0."""
        return self._state.scores.copy()

    @property
    def numbers(self) -> NDArray[np.int64]:
        """int64 `[n, seats]`: the numbers dealt, four bits a digit, first digit lowest. Secret from all other seats."""
        return self._state.numbers.copy()

    def deal(self) -> None:
        """Deal the next hand of every session.

        Raises:
            CannotPlay: a hand is still in play.
            OutgrownStake: a stake would be beyond 2**40; nothing has been dealt.
        """
        if not self.is_over.all():
            raise CannotPlay("deal: a hand is still in play")
        row = compiled(deal_all)(self._state, MOST_STAKE, self.table.source, self.table.rules)
        if row != NO_ROW:
            raise OutgrownStake(f"row {row}: the stake has outgrown 2**40")

    def refusals(self, actions: ArrayLike) -> NDArray[np.int32]:
        """int32 `[n]`: why each row's action may not be played, 0 where it may or the hand is over.

        Args:
            actions: whole numbers `[n]`, as `Table` tells.

        Raises:
            CannotPlay: not one whole number a row.
        """
        compiled(judge_all)(self._state, one_a_row(actions, self.sessions), self.table.rules, self._refusals)
        return self._refusals.copy()

    def step(self, actions: ArrayLike) -> None:
        """Play one action in every row; where the hand is over it is not looked at.

        Args:
            actions: whole numbers `[n]`, as `Table` tells; `actions_at` turns columns of the mask into them.

        Raises:
            CannotPlay: not one whole number a row.
            IllegalActions: naming the first row whose action is refused; no row has changed.
        """
        given = one_a_row(actions, self.sessions)
        row = compiled(judge_all)(self._state, given, self.table.rules, self._refusals)
        refuse_row(row, given, self._refusals)
        compiled(step_all)(self._state, given, self.table.source, self.table.rules)

    def legal(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Bool `[n, actions]`: which actions may be played; none where the hand is over.

        The columns are the bids of the ladder from the weakest, then challenge, then count.

        Args:
            out: an array of this shape to write into and answer, instead of a new one.

        Raises:
            CannotPlay: the ladder has no top, or `out` is no such array.
        """
        mask: NDArray[np.bool_] = room(out, (self.sessions, self.table.actions), np.bool_)
        compiled(mask_all)(self._state, self.table.rules, mask)
        return mask

    def observe(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """float32 `[n, features]`: what the seat to act may know; zeros where the hand is over.

        `features` names the columns. Seats in them are counted from the seat to act, which is 0: `bid 7 by 1` is the
        highest level of sevens that the next player has bid in this hand.

        Args:
            out: an array of this shape to write into and answer, instead of a new one.

        Raises:
            CannotPlay: `out` is no such array.
        """
        features: NDArray[np.float32] = room(out, (self.sessions, len(self.features)), np.float32)
        compiled(observe_all)(self._state, self.table.rules, features)
        return features

    def actions_at(self, columns: ArrayLike) -> NDArray[np.int64]:
        """The actions that stand in these columns of the mask, int64 of the same shape.

        Raises:
            CannotPlay: the ladder has no top.
        """
        bids = self.table.actions - 2
        given = np.asarray(columns, np.int64)
        return np.where(given < bids, given, np.where(given == bids, CHALLENGE, COUNT))


def _room(table: Table, sessions: int) -> State:
    """Arrays for a batch."""
    rules, n = table.rules, sessions
    per_seat = (n, rules.seats)
    return State(
        streams=np.zeros((n, 1), np.uint64),
        ledgers=np.zeros((n, 6), np.int64),
        terms=np.zeros((n, 3), np.int64),
        auctions=np.zeros((n, 6), np.int64),
        slips=np.zeros((n, ROWS, rules.seats) if table.source.from_slips else (n, 0, 0), np.int64),
        numbers=np.zeros(per_seat, np.int64),
        counts=np.zeros(per_seat, np.int64),
        bids=np.zeros((n, ladder_length(rules) if rules.loose else 0), np.bool_),
        levels=np.zeros((n, rules.seats, rules.symbols), np.int32),
        payoffs=np.zeros(per_seat, np.int64),
        scores=np.zeros(per_seat, np.int64),
        counted=np.zeros((n, 4), np.int32),
        decisions=np.zeros(n, np.int32),
    )
