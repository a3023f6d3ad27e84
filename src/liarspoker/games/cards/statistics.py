"""Statistics of many rounds of a card game: who loses them, and how claims of each kind of hand are made and answered.

They come from matches between bots, played by the engine, or from a record, and are summed in `statistics_sums`. A
family describes its game with a :class:`CardStatistics`; what is the same in all card games is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.coach.statistics import BLOCK, LONGEST_BLOCK
from liarspoker.core.cards.match import CardMatch, mask_of
from liarspoker.engine.chance import DEALS, begin, seed_of
from liarspoker.engine.kernel import Ints, Trajectory, apply, at, deal, ready, settle, start
from liarspoker.engine.lineup import Policy
from liarspoker.engine.rollout import Rollout, Workspace, play, workspace
from liarspoker.engine.running import check_range, rows_of, run_in_threads
from liarspoker.engine.table import Table
from liarspoker.games.cards.profile import BLUFF, Probability, truth
from liarspoker.games.cards.statistics_sums import UNKNOWN, CardSums, Rounds, summed
from liarspoker.games.cards.statistics_text import LEGEND, lines
from liarspoker.records import Replay
from liarspoker.web.view_models.round_replay import ALL, round_replay

_USUAL_MOVES = 64
"""The number of actions of a round that are recorded at first; longer rounds are played again."""


# For compiled code: what a family substitutes


def alive_in(state: Any) -> int:
    """Return the mask of the seats that play the round. A stub."""
    raise NotImplementedError


def judged(state: Any, line: Any, data: Any, rules: Any, extra: Any) -> tuple[float, bool]:
    """Return how likely the last claim is true, given what its claimant sees, and whether it is true. A stub."""
    raise NotImplementedError


class Judged(NamedTuple):
    """What the compiled code finds out about the rounds of a rollout.

    Attributes:
        alive: int64 `[n, rounds]`, masks of the seats that play.
        starts: int64 `[n, rounds]`, the index of the first action of each round in the arrays below.
        chances: float64 `[actions]`, for claims, how likely they are true, given what the claimant sees.
        truths: bool `[actions]`, for claims, whether they are true.
    """

    alive: Ints
    starts: Ints
    chances: NDArray[np.float64]
    truths: NDArray[np.bool_]


def judge_rounds(
    seed: Any,
    first: int,
    opener: int,
    rules: Any,
    extra: Any,
    data: Any,
    buffers: Workspace,
    trajectory: Trajectory,
    found: Judged,
) -> None:
    """Deal the rounds of a rollout again, play the recorded actions, and judge every claim. For compiled code.

    Args:
        seed: from :func:`~liarspoker.engine.chance.seed_of`.
        first: the number of the first match.
        opener: the seat that opens each match.
        rules: the table's rules.
        extra: what else the kernel's functions read.
        data: what `judged` reads.
        buffers: from :func:`~liarspoker.engine.rollout.workspace`.
        trajectory: the matches, with all their actions.
        found: where the result is written.
    """
    line, wide = buffers.lines[0], at(buffers.wide, 0)
    for match in range(trajectory.lengths.size):
        begin(buffers.deals, seed, first + match, DEALS)
        start(line, buffers.deals, opener, rules, extra)
        for number in range(trajectory.lengths[match]):
            ready(line, rules, extra)
            state = deal(line, wide, buffers.deals, rules, extra)
            found.alive[match, number] = alive_in(state)
            place = found.starts[match, number]
            for move in range(trajectory.rounds[match, number].decisions):
                buffers.actions[0] = trajectory.moves[match, number, move, 1]  # as int64
                action = buffers.actions[0]
                state = apply(state, action, line, wide, buffers.deals, rules, extra)
                if action >= 0:
                    found.chances[place], found.truths[place] = judged(state, line, data, rules, extra)
                place += 1
            settle(state, line, rules, extra)


# Nothing below is compiled.


@dataclass(frozen=True)
class CardStatistics:
    """How the rounds of a family of card games are counted.

    Attributes:
        alive_in, judged: compiled in place of the functions of these names.
        data: returns what `judged` reads, with working arrays for one thread, given the table's rules.
        actions: the names of the kinds of actions: claims, challenges, and others; of these, `passes` don't answer a
            claim.
        kind_of: returns the kinds of actions as indices of `actions`, -1 for those that aren't counted.
        category_of: returns the categories of claims as indices of :data:`~liarspoker.core.cards.claims.WORDS`, given
            the table's rules.
        probability: how likely a claim of a record is true, from a point of view.
    """

    alive_in: Callable[[Any], int]
    judged: Callable[..., tuple[float, bool]]
    data: Callable[[Any], Any]
    actions: tuple[str, ...]
    kind_of: Callable[[Ints], Ints]
    category_of: Callable[[Ints, Any], Ints]
    probability: Probability
    legend: str = LEGEND

    def lines(self, table: Mapping[str, Any], heading: Callable[[str], str]) -> Iterator[str]:
        """Yield figures as text, without a title; see `liarspoker.coach.statistics.FamilyStatistics`."""
        return lines(table, self.actions, heading)

    def blocks(
        self, table: Table, number: int, seed: int, policies: Sequence[Policy | str], *, threads: int = 1
    ) -> Iterator[CardSums]:
        """Play whole matches, and yield the sums of each block of them.

        Player i of the lineup sits in seat (i + the match's number) mod players, and seat 0 opens the first round.

        Args:
            table: the table.
            number: the number of matches, 1 or more.
            seed: of all random numbers; any int.
            policies: one for each player; the last one also plays for all remaining players.
            threads: the number of threads, 1 or more.

        Raises:
            CannotPlay: an argument is out of range, or there is no policy of this name.
        """
        check_range("hands", number, 1, 1 << 40)
        size = np.dtype(table.kernel.move_type).itemsize

        def played(first: int, matches: int, moves: int) -> Iterator[tuple[Rollout, int]]:
            """Yield matches in blocks, with all actions."""
            block = max(1, min(LONGEST_BLOCK, BLOCK // (table.most_rounds * moves * 2 * size)))
            for begun in range(first, first + matches, block):
                many = min(block, first + matches - begun)
                shared = min(threads, many)
                found = play(table, many, seed, policies, first=begun, rotate=True, threads=shared, keep_moves=moves)
                longest = int(found.decisions.max())
                if longest <= moves:
                    yield found, begun
                else:
                    yield from played(begun, many, longest)

        for rollout, first in played(0, number, min(table.most_moves, _USUAL_MOVES)):
            yield summed(self.rounds_in(rollout, first, seed, threads), table.rules, self.actions)

    def rounds_in(self, rollout: Rollout, first: int, seed: int, threads: int = 1) -> Rounds:
        """Return the rounds of a rollout of whole matches in which all actions were recorded.

        Args:
            rollout: the matches.
            first: the number of the first match.
            seed: with which they were played.
            threads: the number of threads, 1 or more.
        """
        table, trajectory = rollout.table, rollout.trajectory
        rules, played = table.rules, np.arange(trajectory.rounds.shape[1]) < trajectory.lengths[:, None]
        lengths = np.where(played, trajectory.rounds.decisions, 0).astype(np.int64)
        total = int(lengths.sum())
        ends = lengths.cumsum().reshape(lengths.shape)
        found = Judged(np.zeros_like(lengths), ends - lengths, np.zeros(total), np.zeros(total, np.bool_))
        run = table.kernel.runnable(judge_rounds, {alive_in: self.alive_in, judged: self.judged})
        opener = table.opener(None)

        def part(begun: int, stop: int) -> None:
            rows = found._replace(alive=found.alive[begun:stop], starts=found.starts[begun:stop])
            share = rows_of(trajectory, begun, stop)
            buffers, data = workspace(table, 0), self.data(rules)
            run(seed_of(seed), first + begun, opener, rules, table.extra, data, buffers, share, rows)

        run_in_threads(part, lengths.shape[0], min(threads, lengths.shape[0]))
        moves = trajectory.moves[np.arange(trajectory.moves.shape[2]) < lengths[:, :, None]].astype(np.int64)
        match, _number = np.nonzero(played)
        actions = moves[:, 1]
        is_claim = actions >= 0
        openers, claimants, challengers, losers = (
            trajectory.rounds[name][played].astype(np.int64)
            for name in ("openers", "claimants", "challengers", "losers")
        )
        order = (rollout.openers[:, :1] + np.arange(rules.seats)) % rules.seats
        return Rounds(
            match,
            found.alive[played],
            openers,
            claimants,
            challengers,
            losers,
            lengths[played],
            moves[:, 0],
            self.kind_of(actions),
            self._words(actions, rules),
            np.where(is_claim, found.chances < float(BLUFF), UNKNOWN),
            np.where(is_claim, ~found.truths, UNKNOWN),
            np.take_along_axis(rollout.units, order, axis=1)[rollout.winners >= 0],
        )

    def _words(self, actions: Ints, rules: Any) -> Ints:
        """Return the categories of claims, -1 for other actions."""
        found = np.full(actions.size, UNKNOWN)
        found[actions >= 0] = self.category_of(actions[actions >= 0], rules)
        return found

    def of_record(self, replay: Replay) -> CardSums:
        """Return the sums over the finished rounds of a record.

        Where cards are hidden, some claims aren't known to be bluffs or false. Units of matches are counted if the
        match is over and began without losses.
        """
        start = replay.start
        assert isinstance(start, CardMatch)
        rules, rows, actions = start.setup.rules, list[tuple[int, ...]](), list[tuple[int, ...]]()
        for index, session in enumerate(replay.rounds):
            result, dealt = (session.round_result, session.round) if isinstance(session, CardMatch) else (None, None)
            if result is not None and dealt is not None:
                played = self._actions(replay, index, dealt)
                ends = (-1 if seat is None else seat for seat in (result.claimant, result.challenger, result.loser))
                rows.append((mask_of(dealt.terms.alive), result.opener, *ends, len(played)))
                actions += played
        alive, openers, claimants, challengers, losers, lengths = np.array(rows, np.int64).reshape(-1, 6).T
        seats, made, bluffs, false = np.array(actions, np.int64).reshape(-1, 4).T
        units = [] if not rows or any(start.setup.losses) else _units(replay, rows[0][1])
        return summed(
            Rounds(
                np.zeros_like(lengths),
                alive,
                openers,
                claimants,
                challengers,
                losers,
                lengths,
                seats,
                self.kind_of(made),
                self._words(made, rules),
                bluffs,
                false,
                np.array(units, np.int64).reshape(-1, rules.seats),
            ),
            rules,
            self.actions,
        )

    def _actions(self, replay: Replay, index: int, dealt: Any) -> list[tuple[int, ...]]:
        """Return the actions of a round: the seat, the action, and whether a claim is a bluff and false, or -1."""
        everything, found = round_replay(replay, index, ALL), list[tuple[int, ...]]()
        seen = {seat: round_replay(replay, index, str(seat)) for seat in dealt.terms.alive}
        for number, (seat, action) in enumerate(dealt.moves, 1):
            bluff = false = UNKNOWN
            if action >= 0:
                chance = self.probability(seen[seat], number)
                bluff = UNKNOWN if chance is None else int(chance < BLUFF)
                was_true = truth(everything, number, self.probability)
                false = UNKNOWN if was_true is None else int(not was_true)
            found.append((seat, action, bluff, false))
        kinds = self.kind_of(np.array([action for _seat, action, *_claim in found], np.int64))
        return [one for one, kind in zip(found, kinds.tolist(), strict=True) if kind >= 0]


def _units(replay: Replay, opener: int) -> list[list[int]]:
    """Return what each seat has won in a match, beginning with its first opener; nothing if it isn't over."""
    session = replay.session
    assert session is not None
    if session.winner is None:
        return []
    score = session.score
    return [[score[(opener + distance) % len(score)] for distance in range(len(score))]]
