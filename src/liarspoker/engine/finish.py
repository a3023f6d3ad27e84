"""Play rounds that have begun to their end, each from its own line: what an action led to, with many possible deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import CHOICES, DEALS, begin, seed_of
from liarspoker.engine.errors import EndlessRound
from liarspoker.engine.kernel import Array, Ints, apply, at, load, mover, refusal, seat_of, settle, shown
from liarspoker.engine.lineup import Policy, Together, chosen, seated
from liarspoker.engine.rollout import ENDLESS, MOST_ACTIONS, Players, Workspace, next_action, workspace
from liarspoker.engine.running import COMPLETED, ILLEGAL, EarlyStop, Ending, raise_if_illegal, run_in_threads
from liarspoker.engine.table import Table


class Finisher:
    """Plays rounds that have begun to their end. It keeps what its policies remember, so that it gets faster."""

    def __init__(self, table: Table, policies: Sequence[Policy | str], threads: int = 1) -> None:
        """Compile the policies.

        Args:
            table: the table.
            policies: different policies, at most one per seat, as for :func:`~liarspoker.engine.rollout.play`.
            threads: the number of threads; the results don't depend on it.

        Raises:
            CannotPlay: there is no policy, or more policies than seats, or no policy of this name.
        """
        _lineup, self._policies = seated(policies, table)
        self._together = Together(self._policies, table)
        self._run = table.kernel.runnable(finish_rounds, {chosen: self._together.choose})
        self._rooms = [(workspace(table, 0), self._together.data()) for _ in range(threads)]
        self.table = table

    @property
    def policies(self) -> int:
        """The number of policies."""
        return len(self._policies)

    def __call__(
        self, lines: Any, moves: Array, actions: Ints, seed: int, lineup: Ints, numbers: Ints | None = None
    ) -> None:
        """Play an action in each of many rounds, and then the round to its end. The lines are changed in place.

        Args:
            lines: records `[n]` of the kernel's type `line`, each a round in play in which the same actions were made.
            moves: `[made, 2]`, those actions as the whole table sees them: seat and action.
            actions: int64 `[n]`, the next action of each round.
            seed: of all random numbers.
            lineup: int64 `[seats]`, the index of each seat's policy.
            numbers: int64 `[n]`, the number of each round's random streams; rounds with equal numbers get the same
                luck. By default all are different.

        Raises:
            IllegalActions: an action isn't legal.
            EndlessRound: a round has more than 2**16 actions.
        """
        may_challenge = np.array([self._policies[number].out_of_turn for number in lineup])
        streams = np.arange(lines.size) if numbers is None else numbers
        rooms, rules, extra = list(self._rooms), self.table.rules, self.table.extra

        def part(begun: int, stop: int) -> EarlyStop:
            buffers, data = rooms.pop()
            buffers.moves[: len(moves)] = moves
            players, share = (
                Players(lineup, may_challenge, data),
                (each[begun:stop] for each in (lines, actions, streams)),
            )
            return EarlyStop(*self._run(seed_of(seed), rules, extra, players, buffers, len(moves), *share))

        for trouble in run_in_threads(part, lines.size, len(self._rooms)):
            raise_if_illegal(trouble)
            if trouble.kind == ENDLESS:
                raise EndlessRound(f"a round has more than {MOST_ACTIONS:,} actions")


def finish_rounds(
    seed: Any,
    rules: Any,
    extra: Any,
    players: Players,
    buffers: Workspace,
    begun: int,
    lines: Any,
    actions: Ints,
    streams: Ints,
) -> Ending:
    """Play the rounds of `lines` to their end; see `Finisher`. For compiled code.

    Args:
        seed: from :func:`~liarspoker.engine.chance.seed_of`.
        rules: the table's rules.
        extra: what else the kernel's functions read.
        players: who plays.
        buffers: from :func:`~liarspoker.engine.rollout.workspace`; the first `begun` moves are those made so far.
        begun: the number of actions so far.
        lines: the rounds.
        actions: the next action of each.
        streams: the number of the random streams of each.
    """
    wide = at(buffers.wide, 0)
    for place in range(lines.size):
        line, action, made = lines[place], actions[place], begun
        begin(buffers.deals, seed, streams[place], DEALS)
        begin(buffers.choices, seed, streams[place], CHOICES)
        state = load(line)
        while True:
            code = refusal(state, action, wide, rules, extra)
            if code != LEGAL:
                return ILLEGAL, place, action, code
            if made == buffers.actions.size:
                return ENDLESS, place, action, LEGAL
            buffers.moves[made, 0] = mover(state, action)
            buffers.moves[made, 1] = shown(action)
            made += 1
            state = apply(state, action, line, wide, buffers.deals, rules, extra)
            if seat_of(state) < 0:
                break
            action = next_action(state, line, wide, 0, made, players, buffers, rules, extra)
        settle(state, line, rules, extra)
    return COMPLETED, 0, 0, LEGAL
