"""Play whole matches and sessions between policies, as fast as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import CHOICES, DEALS, Chance, begin, seed_of
from liarspoker.engine.errors import CannotPlay, EndlessRound, OutgrownStake
from liarspoker.engine.kernel import (
    NO_CHALLENGE,
    OUTGROWN,
    READY,
    Array,
    Ints,
    Trajectory,
    apply,
    at,
    deal,
    keep,
    keep_deal,
    mover,
    observe,
    others_may,
    out_of_turn,
    ready,
    record_type,
    refusal,
    seat_of,
    settle,
    shown,
    start,
    winner,
)
from liarspoker.engine.lineup import Policy, Together, chosen, player_in, seated
from liarspoker.engine.running import (
    COMPLETED,
    ILLEGAL,
    EarlyStop,
    Ending,
    check_range,
    raise_if_illegal,
    rows_of,
    run_in_threads,
)
from liarspoker.engine.table import Table

MOST_ACTIONS = 1 << 16
"""The maximum number of actions of one round that are stored."""

ENDLESS, STAKE = range(ILLEGAL + 1, ILLEGAL + 3)
"""More reasons why a run may stop early; see `liarspoker.engine.running.EarlyStop`."""

_CHALLENGE = -1
"""What a policy returns to challenge out of turn, in every family."""


class RolloutConfig(NamedTuple):
    """Which matches are played, and how.

    Attributes:
        first: the number of the first match.
        rotate: 1 if player i sits in seat (i + the match's number) mod players, 0 if in seat i.
        deals_shared: the number of consecutive matches with the same deals, 1 or more.
        opener: the seat that opens the first round, unless it is chosen at random.
    """

    first: int
    rotate: int
    deals_shared: int
    opener: int


class Players(NamedTuple):
    """Who plays.

    Attributes:
        lineup: int64 `[players]`, the index of each player's policy.
        out_of_turn: bool `[players]`, whether that policy may challenge out of turn.
        data: the data of all policies.
    """

    lineup: Ints
    out_of_turn: NDArray[np.bool_]
    data: Any


class Workspace(NamedTuple):
    """Buffers for one round at a time.

    Attributes:
        lines: one record of the kernel's type `line`.
        wide: the kernel's arrays for it.
        deals: the random stream of the deals.
        choices: the random stream of the policies.
        moves: `[most_moves, 2]`, seat and action as the whole table sees it.
        actions: int64 `[most_moves]`, the same actions in full.
    """

    lines: Any
    wide: Any
    deals: Chance
    choices: Chance
    moves: Array
    actions: Ints


@dataclass(frozen=True)
class Rollout:
    """The results of :func:`play`: arrays with an element for each match or session n, and for each round of it.

    The attributes below exist in every family. The fields of a kernel's `Round` are attributes too, int `[n, rounds]`
    each, and so are the entries of `KERNEL.rollout`. Elements beyond a match's last round are 0.

    Attributes:
        table: the table.
        trajectory: everything that was recorded.
        lengths: int32 `[n]`, the number of rounds of each match.
        winners: int32 `[n]`, the winning seat, -1 for nobody.
        decisions: int32 `[n, rounds]`, the number of actions of each round.
        moves: `[n, rounds, keep_moves, 2]` if moves were recorded: seat and action, in order; of a round's `decisions`
            only the first `keep_moves`. Otherwise empty.
    """

    table: Table
    trajectory: Trajectory

    @property
    def lengths(self) -> NDArray[np.int32]:
        """The number of rounds played in each match: int32 `[n]`."""
        return self.trajectory.lengths

    @property
    def winners(self) -> NDArray[np.int32]:
        """The winner of each match, -1 for nobody: int32 `[n]`."""
        return self.trajectory.winners

    @property
    def moves(self) -> Array:
        """Seats and actions, if they were recorded: `[n, rounds, keep_moves, 2]`."""
        return self.trajectory.moves

    @property
    def units(self) -> Ints:
        """Units won or lost by each seat in each match; each row sums to 0: int64 `[n, seats]`."""
        return self.table.kernel.units(self.trajectory)

    def __getattr__(self, name: str) -> Array:
        if not name.startswith("_") and name not in ("table", "trajectory"):
            further = self.table.kernel.rollout
            if name in further:
                return further[name](self.trajectory)
            if name in self.trajectory.rounds.dtype.names:
                found: Array = self.trajectory.rounds[name]
                return found
        raise AttributeError(name)

    def deal_of(self, match: int, number: int = 0) -> Any:
        """Return the deal of a round in the form that a session of the rules takes, if deals were recorded.

        Args:
            match: the index of the match.
            number: the number of the round, from 0.

        Raises:
            CannotPlay: deals weren't recorded.
        """
        if not self.trajectory.deals.size:
            raise CannotPlay("deal_of: deals weren't recorded; play with keep_deals")
        return self.table.kernel.deal_of(self.trajectory, match, number, self.table.rules, self.table.start)


def play(
    table: Table,
    matches: int,
    seed: int,
    policies: Sequence[Policy | str] = ("uniform",),
    *,
    rounds: int | None = None,
    first: int = 0,
    rotate: bool = False,
    duplicate: bool = False,
    opener: int | None = None,
    threads: int = 1,
    keep_deals: int = 0,
    keep_moves: int = 0,
) -> Rollout:
    """Play many matches, by default each until somebody has won; in games without a winner, single hands at stake 1.

    Match number i depends only on the table, the policies, the seed and i. So consecutive batches, by `first`, give the
    same results as one large batch, and the number of threads doesn't matter.

    Args:
        table: the table.
        matches: the number of matches, or of sessions in games without a winner; 1 or more.
        seed: of all random numbers; any int.
        policies: one for each player, as a name or a :class:`~liarspoker.engine.lineup.Policy`; the last one also plays
            for all remaining players.
        rounds: the maximum number of rounds per match, 1 or more. Stakes, openers and losses carry over from round to
            round.
        first: the number of the first match, 0 to 2**62.
        rotate: player i sits in seat (i + the match's number) mod players, instead of seat i.
        duplicate: play every deal once for each player, in as many consecutive matches; with `rotate`, every player
            then has held every hand. The policies' random numbers differ from match to match.
        opener: the seat that opens each match, unless letters choose it; by default the first seat that plays.
        threads: the number of threads, 1 or more.
        keep_deals: record what was dealt. In Thorin's game, where a round may draw thousands of cards, it is the number
            of cards to record.
        keep_moves: record up to this many actions of every round.

    Returns:
        A :class:`Rollout` with all results as arrays.

    Raises:
        CannotPlay: an argument is out of range, there are more policies than seats, or no policy of this name.
        CannotCompile: a policy reads something that can't be compiled.
        IllegalActions: a policy chose an illegal action.
        OutgrownStake: a stake would exceed 2**40, which is possible only with `compound_carry`.
        EndlessRound: a round has more than 2**16 actions, which is possible only on a ladder without a top.

    >>> rounds = play(Table.of("salomon-1986", seats=3), matches=1000, seed=1986)
    >>> rounds.payoffs.shape, rounds.payoffs.sum(), rounds.claims.max() < 240
    ((1000, 1, 3), np.int64(0), np.True_)
    >>> played = play(Table.of("queen-annes", seats=3), matches=100, seed=4)
    >>> played.lengths.min() >= 10, sorted(set(played.winners.tolist()))
    (np.True_, [0, 1, 2])
    """
    kernel, rules = table.kernel, table.rules
    most = table.most_rounds
    rounds = (most or 1) if rounds is None else rounds
    check_range("matches", matches, 1, 1 << 40)
    check_range("rounds", rounds, 1, 1 << 20)
    check_range("first", first, 0, 1 << 62)
    check_range("threads", threads, 1, 1 << 10)
    check_range("keep_deals", keep_deals, 0, 1 << 16)
    check_range("keep_moves", keep_moves, 0, MOST_ACTIONS)
    opens = table.opener(opener)
    numbers, different = seated(policies, table)
    together = Together(different, table)
    run = kernel.runnable(play_rounds, {chosen: together.choose})
    width = kernel.deal_width(keep_deals, rules) if keep_deals else 0
    trajectory = _trajectory(table, matches, min(rounds, most or rounds), width, min(keep_moves, table.most_moves))
    may_challenge = np.array([different[number].out_of_turn for number in numbers])

    def part(begun: int, stop: int) -> EarlyStop:
        players = Players(numbers, may_challenge, together.data())
        config, buffers = (
            RolloutConfig(first + begun, int(rotate), rules.seats if duplicate else 1, opens),
            workspace(table, width),
        )
        share = rows_of(trajectory, begun, stop)
        return EarlyStop(*run(seed_of(seed), config, rules, table.extra, players, buffers, share))

    for trouble in run_in_threads(part, matches, threads):
        raise_if_illegal(trouble)
        if trouble.kind == ENDLESS:
            raise EndlessRound(f"match {trouble.number}: a round has more than {MOST_ACTIONS:,} actions")
        if trouble.kind == STAKE:
            raise OutgrownStake(f"match {trouble.number}: the stake has grown beyond 2**40")
    return Rollout(table, trajectory)


def workspace(table: Table, deal_width: int) -> Workspace:
    """Return buffers for rounds at a table. Don't call it from compiled code."""
    kernel, many = table.kernel, min(table.most_moves, MOST_ACTIONS)
    return Workspace(
        kernel.lines(1),
        kernel.wide(1, deal_width, table.rules, table.start),
        np.zeros(1, np.uint64),
        np.zeros(1, np.uint64),
        np.zeros((many, 2), kernel.move_type),
        np.zeros(many, np.int64),
    )


def _trajectory(table: Table, matches: int, rounds: int, deal_width: int, moves: int) -> Trajectory:
    """Return empty arrays for the results."""
    kernel, each = table.kernel, (matches, rounds)
    return Trajectory(
        np.zeros(each, record_type(kernel.round)).view(np.recarray),
        np.zeros((matches, rounds if kernel.each_round else 1, table.rules.seats), np.int64),
        np.zeros(matches, np.int32),
        np.zeros(matches, np.int32),
        np.zeros((*each, deal_width) if deal_width else (0, 0, 0), kernel.deal_type),
        np.zeros((*each, moves, 2) if moves else (0, 0, 0, 0), kernel.move_type),
    )


def play_rounds(
    seed: Any,
    config: RolloutConfig,
    rules: Any,
    extra: Any,
    players: Players,
    buffers: Workspace,
    trajectory: Trajectory,
) -> Ending:
    """Play as many matches as `trajectory` has elements, each until it is won or has all its rounds.

    Args:
        seed: from :func:`~liarspoker.engine.chance.seed_of`.
        config: which matches, and how players are seated.
        rules: the table's rules.
        extra: what else the kernel's functions read.
        players: who plays.
        buffers: from :func:`workspace`.
        trajectory: where the results are written.
    """
    line, wide = buffers.lines[0], at(buffers.wide, 0)
    matches, rounds = trajectory.rounds.shape
    last = trajectory.seats.shape[1] - 1
    for place in range(matches):
        number = config.first + place
        begin(buffers.deals, seed, number // config.deals_shared, DEALS)
        begin(buffers.choices, seed, number, CHOICES)
        turn = number % rules.seats if config.rotate else 0
        start(line, buffers.deals, config.opener, rules, extra)
        played = 0
        while played < rounds:
            code = ready(line, rules, extra)
            if code == OUTGROWN:
                return STAKE, number, 0, LEGAL
            if code != READY:
                break
            state = deal(line, wide, buffers.deals, rules, extra)
            made = 0
            while seat_of(state) >= 0:
                action = next_action(state, line, wide, turn, made, players, buffers, rules, extra)
                code = refusal(state, action, wide, rules, extra)
                if code != LEGAL:
                    return ILLEGAL, number, action, code
                if made == buffers.actions.size:
                    return ENDLESS, number, action, LEGAL
                buffers.moves[made, 0] = mover(state, action)
                buffers.moves[made, 1] = shown(action)
                buffers.actions[made] = action
                made += 1
                state = apply(state, action, line, wide, buffers.deals, rules, extra)
            settle(state, line, rules, extra)
            keep(state, line, made, trajectory.rounds[place, played], trajectory.seats[place, min(played, last)])
            if trajectory.deals.size:
                keep_deal(line, wide, trajectory.deals[place, played])
            if trajectory.moves.size:
                for move in range(min(made, trajectory.moves.shape[2])):
                    trajectory.moves[place, played, move, 0] = buffers.moves[move, 0]
                    trajectory.moves[place, played, move, 1] = buffers.actions[move]
            played += 1
        trajectory.lengths[place] = played
        trajectory.winners[place] = winner(line)
    return COMPLETED, 0, 0, LEGAL


def next_action(
    state: Any, line: Any, wide: Any, turn: int, made: int, players: Players, buffers: Workspace, rules: Any, extra: Any
) -> int:
    """Return the next action: the first challenge out of turn, or the action of the seat to act.

    Seats are asked clockwise, from the seat after the seat to act.
    """
    seats, to_act = rules.seats, seat_of(state)
    step = 1 if others_may(state, rules) else seats
    while True:
        seat = to_act + step if to_act + step < seats else to_act + step - seats
        player = player_in(seat, turn, seats)
        is_other = step < seats
        challenge = out_of_turn(state, seat, rules) if is_other and players.out_of_turn[player] else NO_CHALLENGE
        if challenge != NO_CHALLENGE or not is_other:
            seen = observe(state, line, wide, seat, made, buffers.moves, rules, extra)
            action: int = chosen(players.lineup[player], seen, buffers.choices, players.data)
            if not is_other:
                return action
            if action == _CHALLENGE:
                return challenge
        step += 1
