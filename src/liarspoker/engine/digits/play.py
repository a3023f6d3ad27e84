"""Whole sessions between policies, as fast as they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import seed_of
from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.digits.policies import POLICIES, Policy, chosen
from liarspoker.engine.digits.sessions import ENDLESS, OUTGROWN, Kept, Run, new_desk, play_sessions
from liarspoker.engine.digits.table import MOST_ACTIONS, Table
from liarspoker.engine.errors import EndlessRound, OutgrownStake
from liarspoker.engine.lineup import data_for, seated, together
from liarspoker.engine.running import Trouble, check_range, in_parts, refuse, share_of


@dataclass(frozen=True, slots=True)
class Rounds:
    """What was played. `[n, hands]` means: a row for each session, a column for each of its hands.

    Attributes:
        payoffs: int64 `[n, hands, seats]`, units won or lost by each seat; every hand's sum to 0.
        stakes: int64 `[n, hands]`, what was played for, in units, 1 to 2**40.
        openers: int32 `[n, hands]`, the seat that opened.
        rows: int32 `[n, hands]`, the row of the slip, 0 to 14; -1 where bills are dealt.
        claims: int32 `[n, hands]`, the bid that was counted.
        bidders: int32 `[n, hands]`, the seat that made it.
        owns: int32 `[n, hands]`, how many of its digit that seat held.
        totals: int32 `[n, hands]`, how many all held.
        outcomes: int32 `[n, hands]`, as numbered in `liarspoker.games.digits.settlement`: failed, made, hero, none.
        multipliers: int32 `[n, hands]`, stakes paid to or by each opponent.
        decisions: int32 `[n, hands]`, how many actions the hand had.
        numbers: int64 `[n, hands, seats]` if deals were kept, four bits a digit, the first digit lowest; see
            `liarspoker.engine.digits.texts`. Otherwise empty.
        moves: int32 `[n, hands, some, 2]` if moves were kept: seat and action, in order; of a hand's `decisions` only
            the first `some`. What lies beyond a hand's last action is 0. Otherwise empty.
    """

    payoffs: NDArray[np.int64]
    stakes: NDArray[np.int64]
    openers: NDArray[np.int32]
    rows: NDArray[np.int32]
    claims: NDArray[np.int32]
    bidders: NDArray[np.int32]
    owns: NDArray[np.int32]
    totals: NDArray[np.int32]
    outcomes: NDArray[np.int32]
    multipliers: NDArray[np.int32]
    decisions: NDArray[np.int32]
    numbers: NDArray[np.int64]
    moves: NDArray[np.int32]

    @property
    def scores(self) -> NDArray[np.int64]:
        """int64 `[n, seats]`, what each seat won or lost in each session."""
        scores: NDArray[np.int64] = self.payoffs.sum(axis=1)
        return scores


def play(
    table: Table,
    sessions: int,
    seed: int,
    policies: Sequence[Policy | str] = ("uniform",),
    *,
    hands: int = 1,
    first: int = 0,
    rotate: bool = False,
    opener: int = 0,
    threads: int = 1,
    keep_deals: bool = False,
    keep_moves: int = 0,
) -> Rounds:
    """Play many sessions; by default single hands at stake 1, which seat 0 opens.

    What happens in session number i follows from the table, the policies, the seed and i alone: batches that follow on
    each other by `first` are the one great batch, and threads change nothing but the time.

    Args:
        table: what is played.
        sessions: how many, 1 or more.
        seed: of all chance; any whole number.
        policies: one for each player, by name or as a `Policy`; the last one plays for all who are left.
        hands: hands in a session, 1 or more; stake, opener and slip carry over from hand to hand.
        first: the number of the first session, 0 to 2**62.
        rotate: player i sits in seat (i + the session's number) mod players; otherwise in seat i.
        opener: the seat that opens each session, where letters do not choose.
        threads: how many play at once, 1 or more.
        keep_deals: also keep the numbers dealt.
        keep_moves: also keep so many actions of every hand, or all that a hand can have if that is fewer.

    Returns:
        Everything that came out, in arrays.

    Raises:
        CannotPlay: an argument out of its range, more policies than seats, or no policy of such a name.
        CannotCompile: a policy reads what cannot be compiled.
        IllegalActions: a policy chose what the rules refuse.
        OutgrownStake: a stake beyond 2**40, which only `compound_carry` brings about.
        EndlessRound: a hand of more than 2**16 actions, which only a ladder without a top has.

    >>> rounds = play(Table.of("salomon-1986", seats=3), sessions=1000, seed=1986)
    >>> rounds.payoffs.shape, rounds.payoffs.sum(), rounds.claims.max() < 240
    ((1000, 1, 3), np.int64(0), np.True_)
    """
    check_range("sessions", sessions, 1, 1 << 40)
    check_range("hands", hands, 1, 1 << 20)
    check_range("first", first, 0, 1 << 62)
    check_range("threads", threads, 1, 1 << 10)
    check_range("opener", opener, 0, table.rules.seats - 1)
    check_range("keep_moves", keep_moves, 0, MOST_ACTIONS)
    kernel, lineup, different = _lineup(table, policies)
    kept = _room(sessions, hands, table.rules.seats, keep_deals, min(keep_moves, table.most_moves))

    def part(start: int, stop: int) -> Trouble:
        run = Run(first + start, hands, int(rotate), opener)
        share = share_of(kept, start, stop)
        desk = new_desk(table.most_moves, table.rules)
        return Trouble(*kernel(seed_of(seed), run, table.source, table.rules, lineup, data_for(different), desk, share))

    for trouble in in_parts(part, sessions, threads):
        _raise(trouble)
    return Rounds(*kept)


def _lineup(table: Table, policies: Sequence[Policy | str]) -> tuple[Kernel, NDArray[np.int64], list[Policy]]:
    """The kernel that plays these policies, which of them each player has, and those that differ."""
    numbers, different = seated(policies, table.rules.seats, POLICIES)
    kernel = compiled(play_sessions, {chosen: together(different)})
    return kernel, numbers, different


def _room(sessions: int, hands: int, seats: int, keep_deals: bool, keep_moves: int) -> Kept:
    """Arrays for all that comes out."""
    each = (sessions, hands)
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(Kept._fields, each)
    shapes["payoffs"] = (*each, seats)
    shapes["numbers"] = (*each, seats) if keep_deals else (0, 0, 0)
    shapes["moves"] = (*each, keep_moves, 2) if keep_moves else (0, 0, 0, 0)
    wide = ("payoffs", "stakes", "numbers")
    return Kept(**{name: np.zeros(shape, np.int64 if name in wide else np.int32) for name, shape in shapes.items()})


def _raise(trouble: Trouble) -> None:
    """Say what has ended a run early, if anything has."""
    refuse(trouble)
    if trouble.kind == ENDLESS:
        raise EndlessRound(f"session {trouble.number}: a hand has more than {MOST_ACTIONS:,} actions")
    if trouble.kind == OUTGROWN:
        raise OutgrownStake(f"session {trouble.number}: the stake has outgrown 2**40")
