"""Step a batch of matches action by action, for policies that run outside compiled code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import DEALS, begin, seed_of
from liarspoker.engine.errors import CannotPlay, OutgrownStake
from liarspoker.engine.kernel import (
    OUTGROWN,
    READY,
    Array,
    BatchState,
    Ints,
    answer_at,
    apply,
    at,
    claim_at,
    claims_in,
    deal,
    features,
    load,
    note,
    ready,
    refusal,
    seat_of,
    settle,
    start,
    store,
    winner,
)
from liarspoker.engine.running import NO_ROW, action_array, check_range, output_array, raise_if_row_illegal
from liarspoker.engine.table import Table

Actions = ArrayLike | Sequence[object]
"""One action for each batch element: ints, text in Liar's Poker Notation, or a mixture."""


class Batch:
    """Many matches of one table that are stepped together, with one action per match and step.

    Match number i (or session number i, where nobody wins) is dealt exactly as :func:`~liarspoker.engine.rollout.play`
    deals it: from the seed and i alone. The attributes below exist in every family. A family may have more, such as
    `payoffs` and `numbers` in the digit games; its kernel lists them as `KERNEL.batch`.

    Args:
        table: the table.
        matches: the number of matches n, 1 or more.
        seed: of the deals; any int.
        first: the number of the first match, 0 to 2**62.
        opener: the seat that opens each match, unless letters choose it; by default the first seat that plays.
        keep_deals: how many drawn cards of each round to record, in games that draw cards during a round.

    Attributes:
        table: the table.
        matches: the number of matches n.
        features: the name of each column of an observation.

    Raises:
        CannotPlay: an argument is out of range.

    >>> batch = Batch(Table.of("dollar-bill", seats=2), matches=3, seed=7)
    >>> batch.deal()
    >>> batch.step([20, "4x5", "4x5"])
    >>> batch.legal().sum(axis=1)
    array([140, 125, 125])
    >>> batch.step(["challenge"] * 3)
    >>> batch.is_over.all(), batch.payoffs.sum()
    (np.True_, np.int64(0))
    >>> batch = Batch(Table.of("queen-annes", seats=2), matches=3, seed=7)
    >>> batch.deal()
    >>> batch.step([20, 1000, "claim straight-flush 9 h"])
    >>> batch.step(["challenge"] * 3)
    >>> batch.losses.sum(axis=1)
    array([1, 1, 1])
    """

    def __init__(
        self,
        table: Table,
        matches: int,
        seed: int,
        *,
        first: int = 0,
        opener: int | None = None,
        keep_deals: int = 0,
    ) -> None:
        check_range("matches", matches, 1, 1 << 40)
        check_range("first", first, 0, 1 << 62)
        check_range("keep_deals", keep_deals, 0, 1 << 16)
        kernel, rules = table.kernel, table.rules
        self.table = table
        self.matches = matches
        self.features = kernel.feature_names(rules)
        self._kernel = kernel
        self._runnable: dict[Any, Callable[..., Any]] = {}
        self._extra = table.extra
        self._state = batch_state(table, matches, keep_deals)
        self._refusals = np.zeros(matches, np.int32)
        self._run(begin_all, seed_of(seed), first, table.opener(opener))

    def __getattr__(self, name: str) -> Array:
        if not name.startswith("_"):
            further = self._kernel.batch
            if name in further:
                return further[name](self._state, self.table.rules)
        raise AttributeError(name)

    @property
    def to_act(self) -> NDArray[np.int64]:
        """The seat to act in each element, -1 where the round is over: int64 `[n]`."""
        found: NDArray[np.int64] = self._state.lines["to_act"].copy()
        return found

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Where no round is in play: bool `[n]`."""
        over: NDArray[np.bool_] = self._state.lines["to_act"] < 0
        return over

    @property
    def claims(self) -> NDArray[np.int64]:
        """The standing claim, or the last one if the round is over; -1 for none: int64 `[n]`."""
        found: NDArray[np.int64] = self._state.lines["claim"].copy()
        return found

    @property
    def winners(self) -> NDArray[np.int64]:
        """The winner of each match, -1 for nobody: int64 `[n]`."""
        found = np.zeros(self.matches, np.int64)
        self._run(winners_all, found)
        return found

    @property
    def is_won(self) -> NDArray[np.bool_]:
        """Where the match has a winner: bool `[n]`."""
        won: NDArray[np.bool_] = self.winners >= 0
        return won

    @property
    def rounds(self) -> NDArray[np.int32]:
        """The number of rounds dealt in each match: int32 `[n]`."""
        return self._state.rounds.copy()

    def deal(self) -> None:
        """Deal the next round of every match that has no winner yet; the others don't change.

        Raises:
            CannotPlay: a round is still in play.
            OutgrownStake: a stake would exceed 2**40; nothing has been dealt.
        """
        if not self.is_over.all():
            raise CannotPlay("deal: a round is still in play")
        index = self._run(deal_all)
        if index != NO_ROW:
            raise OutgrownStake(f"match {index}: the stake has grown beyond 2**40")

    def refusals(self, actions: Actions) -> NDArray[np.int32]:
        """Return why each action isn't legal, 0 where it is legal or the round is over: int32 `[n]`.

        Args:
            actions: `[n]`, ints or text.

        Raises:
            CannotPlay: there isn't one action for each match.
            IllegalAction: a text can't be read.
        """
        self._run(judge_all, self._read(actions), self._refusals)
        return self._refusals.copy()

    def step(self, actions: Actions) -> None:
        """Play one action in every match; it is ignored where the round is over.

        Args:
            actions: `[n]`, ints or text; :meth:`actions_at` converts columns of the action mask.

        Raises:
            CannotPlay: there isn't one action for each match.
            IllegalAction: a text can't be read.
            IllegalActions: an action isn't legal; the error names the first such match, and no match has changed.
        """
        given = self._read(actions)
        index = self._run(judge_all, given, self._refusals)
        raise_if_row_illegal(index, given, self._refusals)
        self._run(step_all, given)

    def legal(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return the action mask, with no legal action where the round is over: bool `[n, actions]`.

        The columns are the claims from the weakest, then all other actions: the challenge first, then the others as the
        kernel's `answer_at` numbers them.

        Args:
            out: an array of this shape to fill and return, instead of a new one.

        Raises:
            CannotPlay: the ladder has no top, or `out` has another shape or dtype.
        """
        mask: NDArray[np.bool_] = output_array(out, (self.matches, self.table.actions), np.bool_)
        self._run(mask_all, mask)
        return mask

    def observe(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return what the seat to act may know, with zeros where the round is over: float32 `[n, features]`.

        `features` names the columns. Seats in them are counted from the seat to act, which is 0.

        Args:
            out: an array of this shape to fill and return, instead of a new one.

        Raises:
            CannotPlay: `out` has another shape or dtype.
        """
        found: NDArray[np.float32] = output_array(out, (self.matches, len(self.features)), np.float32)
        self._run(observe_all, found)
        return found

    def actions_at(self, columns: ArrayLike) -> NDArray[np.int64]:
        """Return the actions of columns of the mask, one for each match: int64 `[n]`.

        Args:
            columns: int `[n]`, each from 0 to `table.actions - 1`.

        Raises:
            CannotPlay: there isn't one column for each match, a column is out of range, or the ladder has no top.
        """
        given = action_array(columns, self.matches)
        if given.min() < 0 or given.max() >= self.table.actions:
            raise CannotPlay(f"columns: they must be between 0 and {self.table.actions - 1}")
        actions = np.zeros(self.matches, np.int64)
        self._run(actions_all, given, actions)
        return actions

    def _read(self, actions: Actions) -> Ints:
        """Convert actions to ints."""
        given: Any = actions
        if isinstance(given, np.ndarray) and given.dtype.kind in "iu":
            return action_array(given, self.matches)
        if isinstance(given, Sequence | np.ndarray) and len(given) == self.matches:
            texts = [index for index, action in enumerate(given) if isinstance(action, str)]
            if texts:
                lines, read = self._state.lines, self._kernel.read
                given = list(given)
                for index in texts:
                    is_over = lines[index].to_act < 0
                    given[index] = 0 if is_over else read(str(given[index]), lines[index], self.table.rules)
        return action_array(given, self.matches)

    def _run(self, function: Any, *arguments: Any) -> Any:
        """Run one of the functions below, compiled for the table's family."""
        if function not in self._runnable:
            self._runnable[function] = self._kernel.runnable(function)
        return self._runnable[function](self._state, self.table.rules, self._extra, *arguments)


def batch_state(table: Table, matches: int, keep_deals: int = 0) -> BatchState:
    """Return the arrays of a batch. Don't call it from compiled code."""
    kernel = table.kernel
    return BatchState(
        kernel.lines(matches),
        kernel.wide(matches, keep_deals, table.rules, table.start),
        np.zeros((matches, 1), np.uint64),
        np.zeros(matches, np.int32),
    )


# Each function below loops over all elements of a batch.


def begin_all(state: BatchState, rules: Any, extra: Any, seed: Any, first: int, opener: int) -> None:
    """Begin every match, without dealing a round."""
    for index in range(state.rounds.size):
        begin(state.streams[index], seed, first + index, DEALS)
        start(state.lines[index], state.streams[index], opener, rules, extra)


def deal_all(state: BatchState, rules: Any, extra: Any) -> int:
    """Deal the next round of every match that isn't won.

    If a stake is too high, deal none, and return the index of the first such match.
    """
    for index in range(state.rounds.size):
        if ready(state.lines[index], rules, extra) == OUTGROWN:
            return index
    for index in range(state.rounds.size):
        line = state.lines[index]
        if ready(line, rules, extra) == READY:
            store(line, deal(line, at(state.wide, index), state.streams[index], rules, extra))
            state.rounds[index] += 1
    return NO_ROW


def judge_all(state: BatchState, rules: Any, extra: Any, actions: Ints, refusals: NDArray[np.int32]) -> int:
    """Write why each action isn't legal, 0 where it is legal or the round is over.

    Return the index of the first illegal action, or `NO_ROW`.
    """
    found = NO_ROW
    for index in range(actions.size):
        now = load(state.lines[index])
        refusals[index] = LEGAL
        if seat_of(now) >= 0:
            refusals[index] = refusal(now, actions[index], at(state.wide, index), rules, extra)
        if refusals[index] != LEGAL and found == NO_ROW:
            found = index
    return found


def step_all(state: BatchState, rules: Any, extra: Any, actions: Ints) -> None:
    """Play the actions, which must be legal; elements whose round is over don't change."""
    for index in range(actions.size):
        line, wide, action = state.lines[index], at(state.wide, index), actions[index]
        now = load(line)
        if seat_of(now) >= 0:
            note(now, action, line, wide, rules)
            now = apply(now, action, line, wide, state.streams[index], rules, extra)
            store(line, now)
            if seat_of(now) < 0:
                settle(now, line, rules, extra)


def mask_all(state: BatchState, rules: Any, extra: Any, mask: NDArray[np.bool_]) -> None:
    """Write the action mask, `[n, actions]`: claims, then all others; false where the round is over."""
    claims = claims_in(rules, extra)
    for index in range(mask.shape[0]):
        now, wide = load(state.lines[index]), at(state.wide, index)
        for column in range(claims):
            mask[index, column] = refusal(now, claim_at(column, extra), wide, rules, extra) == LEGAL
        for place in range(mask.shape[1] - claims):
            mask[index, claims + place] = refusal(now, answer_at(place, now), wide, rules, extra) == LEGAL


def observe_all(state: BatchState, rules: Any, extra: Any, found: NDArray[np.float32]) -> None:
    """Write the observations into `found`, `[n, features]`; zeros where the round is over."""
    for index in range(found.shape[0]):
        row, line = found[index], state.lines[index]
        for column in range(row.size):
            row[column] = 0.0
        now = load(line)
        if seat_of(now) >= 0:
            features(now, line, at(state.wide, index), rules, extra, row)


def actions_all(state: BatchState, rules: Any, extra: Any, columns: Ints, actions: Ints) -> None:
    """Write the actions of columns of the mask."""
    claims = claims_in(rules, extra)
    for index in range(columns.size):
        column = columns[index]
        if column < claims:
            actions[index] = claim_at(column, extra)
        else:
            actions[index] = answer_at(column - claims, load(state.lines[index]))


def winners_all(state: BatchState, rules: Any, extra: Any, found: Ints) -> None:
    """Write the winner of each match."""
    for index in range(found.size):
        found[index] = winner(state.lines[index])
