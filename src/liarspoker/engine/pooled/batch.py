"""A batch of rounds action by action, for policies that live outside compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from liarspoker.engine.arrays import one_a_row, room
from liarspoker.engine.chance import seed_of
from liarspoker.engine.compiling import compiled
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.pooled.dealing import MOST_CARDS
from liarspoker.engine.pooled.observing import feature_names, observe_all
from liarspoker.engine.pooled.stepping import State, begin_all, deal_all, judge_all, mask_all, step_all
from liarspoker.engine.pooled.table import Table
from liarspoker.engine.running import check_range, refuse_row
from liarspoker.games.queen_annes.course import CHALLENGE, LOSS_BITS, OVER, challenge_by, packed_losses


class Batch:
    """Many matches of one table side by side, a row each; one action a row and step.

    Match number i is dealt as `liarspoker.engine.pooled.play` deals it: from the seed and i alone.

    Args:
        table: what is played.
        matches: how many rows, 1 or more.
        seed: of the deals; any whole number.
        first: the number of the first match, 0 to 2**62.
        opener: the seat that opens each match, a living one; by default the first of them.

    Raises:
        CannotPlay: an argument out of its range.

    >>> batch = Batch(Table.of("queen-annes", seats=2), matches=3, seed=7)
    >>> batch.deal()
    >>> batch.step([20, 1000, 5000])
    >>> batch.legal().sum(axis=1)
    array([5424, 4444,  444])
    >>> batch.step(np.full(3, CHALLENGE))
    >>> batch.is_over.all(), batch.losses.sum(axis=1)
    (np.True_, array([1, 1, 1]))
    """

    def __init__(self, table: Table, matches: int, seed: int, *, first: int = 0, opener: int | None = None) -> None:
        check_range("matches", matches, 1, 1 << 40)
        check_range("first", first, 0, 1 << 62)
        self.table = table
        self.matches = matches
        self.features = feature_names(table.rules)
        self._wants = table.wants
        answers = (CHALLENGE, *map(challenge_by, range(table.rules.seats)))
        self._actions = np.array([*range(table.claims), *answers][: table.actions])
        self._state = _room(table, matches)
        self._refusals = np.zeros(matches, np.int32)
        losses = packed_losses(table.losses)
        compiled(begin_all)(self._state, seed_of(seed), first, table.opener(opener), losses, table.rules)

    @property
    def to_act(self) -> NDArray[np.int64]:
        """int64 `[n]`: the seat to act in each row, -1 where the round is over."""
        return self._state.courses[:, 3].copy()

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Bool `[n]`: where no round is in play."""
        over: NDArray[np.bool_] = self._state.courses[:, 4] == OVER
        return over

    @property
    def claims(self) -> NDArray[np.int64]:
        """int64 `[n]`: the standing hand, or that which was challenged, as a place on the ladder; -1 for none."""
        return self._state.courses[:, 0].copy()

    @property
    def losers(self) -> NDArray[np.int32]:
        """int32 `[n]`: the seat that lost the challenge made last."""
        return self._state.results[:, 0].copy()

    @property
    def missing(self) -> NDArray[np.int32]:
        """int32 `[n]`: how many cards the hand challenged last lacked; 0 where it existed."""
        return self._state.results[:, 1].copy()

    @property
    def losses(self) -> NDArray[np.int64]:
        """int64 `[n, seats]`: each seat's losses, the last challenge included."""
        places = LOSS_BITS * np.arange(self.table.rules.seats)
        found: NDArray[np.int64] = self._state.nexts[:, 2, None] >> places & (1 << LOSS_BITS) - 1
        return found

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Bool `[n, seats]`: who has not dropped out."""
        found: NDArray[np.bool_] = (self._state.nexts[:, 1, None] >> np.arange(self.table.rules.seats) & 1).astype(bool)
        return found

    @property
    def is_won(self) -> NDArray[np.bool_]:
        """Bool `[n]`: where one is left, who has won the match."""
        won: NDArray[np.bool_] = self.alive.sum(axis=1) == 1
        return won

    @property
    def rounds(self) -> NDArray[np.int32]:
        """int32 `[n]`: how many rounds of each match have been dealt."""
        return self._state.numbers.copy()

    @property
    def decks(self) -> NDArray[np.int64]:
        """int64 `[n, 54]`: the cards of `liarspoker.core.cards.deck` as dealt, `dealt` of them in each row. Secret."""
        return self._state.decks.copy()

    @property
    def dealt(self) -> NDArray[np.int64]:
        """int64 `[n]`: how many cards are in the pool."""
        return self._state.dealt.copy()

    def deal(self) -> None:
        """Deal the next round of every match that has not been won; the others stay as they are.

        Raises:
            CannotPlay: a round is still in play.
        """
        if not self.is_over.all():
            raise CannotPlay("deal: a round is still in play")
        compiled(deal_all)(self._state, self.table.rules)

    def refusals(self, actions: ArrayLike) -> NDArray[np.int32]:
        """int32 `[n]`: why each row's action may not be played, 0 where it may or the round is over.

        Args:
            actions: whole numbers `[n]`, as `Table` tells.

        Raises:
            CannotPlay: not one whole number a row.
        """
        compiled(judge_all)(self._state, one_a_row(actions, self.matches), self.table.rules, self._refusals)
        return self._refusals.copy()

    def step(self, actions: ArrayLike) -> None:
        """Play one action in every row; where the round is over it is not looked at.

        Args:
            actions: whole numbers `[n]`, as for `refusals`; `actions_at` turns columns of the mask into them.

        Raises:
            CannotPlay: not one whole number a row.
            IllegalActions: naming the first row whose action is refused; no row has changed.
        """
        given = one_a_row(actions, self.matches)
        row = compiled(judge_all)(self._state, given, self.table.rules, self._refusals)
        refuse_row(row, given, self._refusals)
        compiled(step_all)(self._state, given, self._wants, self.table.rules)

    def legal(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Bool `[n, actions]`: which actions may be played; none where the round is over.

        The columns are the claims from the weakest, then the challenge of the seat to act, then, where anyone may
        challenge, that of each seat whose turn it is not.

        Args:
            out: an array of this shape to write into and answer, instead of a new one.

        Raises:
            CannotPlay: `out` is no such array.
        """
        mask: NDArray[np.bool_] = room(out, (self.matches, self.table.actions), np.bool_)
        compiled(mask_all)(self._state, self.table.rules, mask)
        return mask

    def observe(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """float32 `[n, features]`: what the seat to act may know; zeros where the round is over.

        `features` names the columns; see `liarspoker.engine.pooled.observing.feature_names`.

        Args:
            out: an array of this shape to write into and answer, instead of a new one.

        Raises:
            CannotPlay: `out` is no such array.
        """
        features: NDArray[np.float32] = room(out, (self.matches, len(self.features)), np.float32)
        compiled(observe_all)(self._state, self._wants, self.table.rules, features)
        return features

    def actions_at(self, columns: ArrayLike) -> NDArray[np.int64]:
        """The actions that stand in these columns of the mask, int64 of the same shape."""
        return self._actions[np.asarray(columns, np.int64)]


def _room(table: Table, matches: int) -> State:
    """Arrays for a batch."""
    n, seats = matches, table.rules.seats
    return State(
        streams=np.zeros((n, 1), np.uint64),
        grounds=np.zeros((n, 3), np.int64),
        nexts=np.zeros((n, 3), np.int64),
        courses=np.zeros((n, 8), np.int64),
        decks=np.zeros((n, MOST_CARDS), np.int64),
        dealt=np.zeros(n, np.int64),
        known=np.zeros((n, seats), np.int64),
        lasts=np.zeros((n, seats), np.int64),
        results=np.zeros((n, 2), np.int32),
        decisions=np.zeros(n, np.int32),
        numbers=np.zeros(n, np.int32),
    )
