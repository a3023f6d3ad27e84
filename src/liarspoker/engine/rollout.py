"""Whole matches and sessions between policies, as fast as they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import CHOICES, DEALS, Chance, begin, seed_of
from liarspoker.engine.errors import EndlessRound, OutgrownStake
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
from liarspoker.engine.lineup import Policy, chosen, data_for, player_in, seated, together
from liarspoker.engine.running import FINE, ILLEGAL, Ending, Trouble, check_range, in_parts, refuse, share_of
from liarspoker.engine.table import Table

MOST_ACTIONS = 1 << 16
"""More actions of one round are never kept."""

ENDLESS, STAKE = range(ILLEGAL + 1, ILLEGAL + 3)
"""What else may end a run early: see `liarspoker.engine.running.Trouble`."""

_CHALLENGE = -1
"""What a policy that is asked out of turn returns in order to challenge, in every family."""


class RolloutConfig(NamedTuple):
    """Which matches are played, and how.

    Attributes:
        first: the number of the first match.
        rotate: 1 where player i sits in seat (i + the match's number) mod players, 0 where in seat i.
        opener: who opens the first round, where chance does not choose.
    """

    first: int
    rotate: int
    opener: int


class Players(NamedTuple):
    """Who plays: each player's policy, `[players]`, whether it is asked out of turn, and all policies' data."""

    lineup: Ints
    out_of_turn: NDArray[np.bool_]
    data: Any


class Workspace(NamedTuple):
    """Room for one round at a time.

    Attributes:
        lines: one line of the kernel's.
        wide: the kernel's arrays for it.
        deals: the stream that deals.
        choices: the stream of the policies.
        moves: `[many, 2]`, seat and action as the whole table sees it.
        actions: int64 `[many]`, the same actions as they are.
    """

    lines: Any
    wide: Any
    deals: Chance
    choices: Chance
    moves: Array
    actions: Ints


@dataclass(frozen=True)
class Rollout:
    """What was played: arrays, with an element for each match, or session, and of it one for each round.

    What all families have is listed here; a kernel's `Round` lists what its family has besides, int `[n, rounds]` each,
    and its `KERNEL.rollout` the rest. What lies beyond a match's last round is 0.

    Attributes:
        table: what was played.
        trajectory: everything, as it was written down.
        lengths: int32 `[n]`, how many rounds the match had.
        winners: int32 `[n]`, the seat that has won, -1 where nobody has.
        decisions: int32 `[n, rounds]`, how many actions the round had.
        moves: `[n, rounds, some, 2]` if moves were kept: seat and action, in order; of a round's `decisions` only the
            first `some`. Otherwise empty.
    """

    table: Table
    trajectory: Trajectory

    @property
    def lengths(self) -> NDArray[np.int32]:
        """int32 `[n]`: rounds played."""
        return self.trajectory.lengths

    @property
    def winners(self) -> NDArray[np.int32]:
        """int32 `[n]`: who has won the match, -1 for nobody."""
        return self.trajectory.winners

    @property
    def moves(self) -> Array:
        """`[n, rounds, some, 2]`: seats and actions, if they were kept."""
        return self.trajectory.moves

    @property
    def units(self) -> Ints:
        """int64 `[n, seats]`: units won or lost by each seat in each match; they sum to 0."""
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
        """The deal of a round as a session of the rules takes it, if deals were kept.

        Args:
            match: which match.
            number: which of its rounds, from 0.
        """
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
    opener: int | None = None,
    threads: int = 1,
    keep_deals: int = 0,
    keep_moves: int = 0,
) -> Rollout:
    """Play many matches, by default each until somebody has won; where nobody ever has, single hands at stake 1.

    What happens in match number i follows from the table, the policies, the seed and i alone: batches that follow on
    each other by `first` are the one great batch, and threads change nothing but the time.

    Args:
        table: what is played.
        matches: how many matches, or sessions of a game that goes on for ever, 1 or more.
        seed: of all chance; any integer.
        policies: one for each player, by name or as a `Policy`; the last one plays for all who are left.
        rounds: the most rounds of a match, 1 or more; what they leave to each other carries over.
        first: the number of the first match, 0 to 2**62.
        rotate: player i sits in seat (i + the match's number) mod players; otherwise in seat i.
        opener: the seat that opens each match, where letters do not choose; by default the first that plays.
        threads: how many play at once, 1 or more.
        keep_deals: also keep what was dealt; at Thorin's game, where a round may draw thousands of cards, so many.
        keep_moves: also keep so many actions of every round, or all that a round can have if that is fewer.

    Returns:
        Everything that came out, in arrays.

    Raises:
        CannotPlay: an argument out of its range, more policies than seats, or no policy of such a name.
        CannotCompile: a policy reads what cannot be compiled.
        IllegalActions: a policy chose what the rules refuse.
        OutgrownStake: a stake beyond 2**40, which only `compound_carry` brings about.
        EndlessRound: a round of more than 2**16 actions, which only a ladder without a top has.

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
    run = kernel.runnable(play_rounds, {chosen: together(different)})
    width = kernel.deal_width(keep_deals, rules) if keep_deals else 0
    kept = _trajectory(table, matches, min(rounds, most or rounds), width, min(keep_moves, table.most_moves))
    asked = np.array([different[number].out_of_turn for number in numbers])

    def part(begun: int, stop: int) -> Trouble:
        players = Players(numbers, asked, data_for(different))
        config, desk = RolloutConfig(first + begun, int(rotate), opens), workspace(table, width)
        share = share_of(kept, begun, stop)
        return Trouble(*run(seed_of(seed), config, rules, table.extra, players, desk, share))

    for trouble in in_parts(part, matches, threads):
        refuse(trouble)
        if trouble.kind == ENDLESS:
            raise EndlessRound(f"match {trouble.number}: a round has more than {MOST_ACTIONS:,} actions")
        if trouble.kind == STAKE:
            raise OutgrownStake(f"match {trouble.number}: the stake has outgrown 2**40")
    return Rollout(table, kept)


def workspace(table: Table, deal_width: int) -> Workspace:
    """Room for rounds at a table; not for compiled code."""
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
    """Arrays for all that comes out."""
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
    seed: Any, config: RolloutConfig, rules: Any, extra: Any, players: Players, desk: Workspace, kept: Trajectory
) -> Ending:
    """Play as many matches as `kept` has room for, from number `config.first` on, each until it is won or room ends.

    Args:
        seed: from `liarspoker.engine.chance.seed_of`.
        config: which matches, and how they are seated.
        rules: the table's.
        extra: what else the kernel's functions read.
        players: who plays.
        desk: from `workspace`.
        kept: where everything is written.
    """
    line, wide = desk.lines[0], at(desk.wide, 0)
    matches, rounds = kept.rounds.shape
    last = kept.seats.shape[1] - 1
    for place in range(matches):
        number = config.first + place
        begin(desk.deals, seed, number, DEALS)
        begin(desk.choices, seed, number, CHOICES)
        turn = number % rules.seats if config.rotate else 0
        start(line, desk.deals, config.opener, rules, extra)
        played = 0
        while played < rounds:
            code = ready(line, rules, extra)
            if code == OUTGROWN:
                return STAKE, number, 0, LEGAL
            if code != READY:
                break
            state = deal(line, wide, desk.deals, rules, extra)
            made = 0
            while seat_of(state) >= 0:
                action = _chosen(state, line, wide, turn, made, players, desk, rules, extra)
                code = refusal(state, action, wide, rules, extra)
                if code != LEGAL:
                    return ILLEGAL, number, action, code
                if made == desk.actions.size:
                    return ENDLESS, number, action, LEGAL
                desk.moves[made, 0] = mover(state, action)
                desk.moves[made, 1] = shown(action)
                desk.actions[made] = action
                made += 1
                state = apply(state, action, line, wide, desk.deals, rules, extra)
            settle(state, line, rules, extra)
            keep(state, line, made, kept.rounds[place, played], kept.seats[place, min(played, last)])
            if kept.deals.size:
                keep_deal(line, wide, kept.deals[place, played])
            if kept.moves.size:
                for move in range(min(made, kept.moves.shape[2])):
                    kept.moves[place, played, move, 0] = desk.moves[move, 0]
                    kept.moves[place, played, move, 1] = desk.actions[move]
            played += 1
        kept.lengths[place] = played
        kept.winners[place] = winner(line)
    return FINE, 0, 0, LEGAL


def _chosen(
    state: Any, line: Any, wide: Any, turn: int, made: int, players: Players, desk: Workspace, rules: Any, extra: Any
) -> int:
    """The next action: the first challenge out of turn, from the seat behind the seat to act clockwise, or its own."""
    seats, to_act = rules.seats, seat_of(state)
    step = 1 if others_may(state, rules) else seats
    while True:
        seat = to_act + step if to_act + step < seats else to_act + step - seats
        player = player_in(seat, turn, seats)
        is_other = step < seats
        challenge = out_of_turn(state, seat, rules) if is_other and players.out_of_turn[player] else NO_CHALLENGE
        if challenge != NO_CHALLENGE or not is_other:
            seen = observe(state, line, wide, seat, made, desk.moves, rules, extra)
            action: int = chosen(players.lineup[player], seen, desk.choices, players.data)
            if not is_other:
                return action
            if action == _CHALLENGE:
                return challenge
        step += 1
