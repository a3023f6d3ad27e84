"""A batch of rounds action by action, for policies that live outside compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from liarspoker.engine.arrays import one_a_row, room
from liarspoker.engine.chance import seed_of
from liarspoker.engine.compiling import compiled
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.passed.dealing import MOST_CARDS
from liarspoker.engine.passed.observing import feature_names, observe_all
from liarspoker.engine.passed.rounds import Game
from liarspoker.engine.passed.stepping import (
    State,
    actions_all,
    begin_all,
    deal_all,
    judge_all,
    mask_all,
    step_all,
)
from liarspoker.engine.passed.table import Table
from liarspoker.engine.running import check_range, refuse_row
from liarspoker.games.thorin.course import OVER


class Batch:
    """Many matches of one table side by side, a row each; one action a row and step.

    Match number i is dealt as `liarspoker.engine.passed.play` deals it: from the seed and i alone.

    Args:
        table: what is played.
        matches: how many rows, 1 or more.
        seed: of the deals; any whole number.
        first: the number of the first match, 0 to 2**62.
        opener: the seat that opens each match.
        keep_cards: how many of the cards that each round draws are kept for `drawn_cards`.

    Raises:
        CannotPlay: an argument out of its range.

    >>> batch = Batch(Table.of("thorin", seats=2), matches=3, seed=7)
    >>> batch.deal()
    >>> batch.step(batch.actions_at([40, 1000, 30_000]))
    >>> batch.legal().sum(axis=1)
    array([2, 2, 2])
    >>> from liarspoker.games.thorin.actions import CHALLENGE
    >>> batch.step(np.full(3, CHALLENGE))
    >>> batch.is_over.all(), batch.is_won.all()
    (np.True_, np.True_)
    """

    def __init__(
        self, table: Table, matches: int, seed: int, *, first: int = 0, opener: int = 0, keep_cards: int = 0
    ) -> None:
        check_range("matches", matches, 1, 1 << 40)
        check_range("first", first, 0, 1 << 62)
        check_range("keep_cards", keep_cards, 0, 1 << 16)
        self.table = table
        self.matches = matches
        self.features = feature_names(table.rules)
        self._game = Game(table.rules, table.ladder, table.worths)
        self._state = _room(table, matches, keep_cards)
        self._refusals = np.zeros(matches, np.int32)
        compiled(begin_all)(self._state, seed_of(seed), first, table.opener(opener), self._game)

    @property
    def to_act(self) -> NDArray[np.int64]:
        """int64 `[n]`: the seat to act in each row, -1 where the round is over."""
        return self._state.courses[:, 4].copy()

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Bool `[n]`: where no round is in play."""
        over: NDArray[np.bool_] = self._state.courses[:, 5] == OVER
        return over

    @property
    def claims(self) -> NDArray[np.int64]:
        """int64 `[n]`: the standing declaration, or the last of the round; -1 for none."""
        return self._state.courses[:, 0].copy()

    @property
    def losers(self) -> NDArray[np.int32]:
        """int32 `[n]`: who is out after the last round, -1 where the hand was thrown in."""
        return self._state.results[:, 0].copy()

    @property
    def values(self) -> NDArray[np.int32]:
        """int32 `[n]`: what the hand of the last round was worth, -1 if it was not shown."""
        return self._state.results[:, 1].copy()

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
    def hands(self) -> NDArray[np.int64]:
        """int64 `[n]`: the hand that goes around, as a mask of `liarspoker.core.cards.deck.mask_of`. Secret."""
        return self._state.hands.copy()

    @property
    def drawn_cards(self) -> list[tuple[int, ...]]:
        """The cards that each round has drawn so far, first to last, as far as they are kept. Secret."""
        counts = self._state.piles[:, 0]
        return [tuple(row[:count].tolist()) for row, count in zip(self._state.drawns, counts, strict=True)]

    def deal(self) -> None:
        """Deal the next round of every match that has not been won; the others stay as they are.

        Raises:
            CannotPlay: a round is still in play.
        """
        if not self.is_over.all():
            raise CannotPlay("deal: a round is still in play")
        compiled(deal_all)(self._state, self._game)

    def refusals(self, actions: ArrayLike) -> NDArray[np.int32]:
        """int32 `[n]`: why each row's action may not be played, 0 where it may or the round is over.

        Args:
            actions: whole numbers `[n]`, as `Table` tells.

        Raises:
            CannotPlay: not one whole number a row.
        """
        compiled(judge_all)(self._state, one_a_row(actions, self.matches), self._game, self._refusals)
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
        row = compiled(judge_all)(self._state, given, self._game, self._refusals)
        refuse_row(row, given, self._refusals)
        compiled(step_all)(self._state, given, self._game)

    def legal(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Bool `[n, actions]`: which actions may be played; none where the round is over.

        The columns are the claims, the weakest promise first, then `TAKE`, `CHALLENGE` and `PASS`, then 32 discards:
        bit i of a column's place among them says whether the hand's i-th lowest card is thrown, jokers last. While it
        is not this seat's to discard, all of those are off; so they tell nobody what another holds.

        Args:
            out: an array of this shape to write into and answer, instead of a new one.

        Raises:
            CannotPlay: `out` is no such array.
        """
        mask: NDArray[np.bool_] = room(out, (self.matches, self.table.actions), np.bool_)
        compiled(mask_all)(self._state, self._game, mask)
        return mask

    def observe(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """float32 `[n, features]`: what the seat to act may know; zeros where the round is over.

        `features` names the columns; see `liarspoker.engine.passed.observing.feature_names`.

        Args:
            out: an array of this shape to write into and answer, instead of a new one.

        Raises:
            CannotPlay: `out` is no such array.
        """
        features: NDArray[np.float32] = room(out, (self.matches, len(self.features)), np.float32)
        compiled(observe_all)(self._state, self._game, features)
        return features

    def actions_at(self, columns: ArrayLike) -> NDArray[np.int64]:
        """The actions that stand in these columns of the mask, one for each row: int64 `[n]`.

        Raises:
            CannotPlay: not one column a row, or none of the mask's.
        """
        given = one_a_row(columns, self.matches)
        if given.min() < 0 or given.max() >= self.table.actions:
            raise CannotPlay(f"columns: they are 0 to {self.table.actions - 1}")
        actions = np.zeros(self.matches, np.int64)
        compiled(actions_all)(self._state, given, self._game, actions)
        return actions


def _room(table: Table, matches: int, keep_cards: int) -> State:
    """Arrays for a batch."""
    n, seats = matches, table.rules.seats
    return State(
        streams=np.zeros((n, 1), np.uint64),
        courses=np.zeros((n, 7), np.int64),
        alive=np.zeros(n, np.int64),
        nexts=np.zeros((n, 3), np.int64),
        hands=np.zeros(n, np.int64),
        hads=np.zeros((n, seats), np.int64),
        stocks=np.zeros((n, MOST_CARDS), np.int64),
        throwns=np.zeros((n, MOST_CARDS), np.int64),
        piles=np.zeros((n, 3), np.int64),
        drawns=np.zeros((n, keep_cards), np.int8),
        lasts=np.zeros((n, seats), np.int64),
        thrown=np.zeros((n, seats), np.int64),
        results=np.zeros((n, 2), np.int32),
        decisions=np.zeros(n, np.int32),
        numbers=np.zeros(n, np.int32),
    )
