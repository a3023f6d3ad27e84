"""What policies win from each other over many sessions or matches, in exact integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.lineup import Policy
from liarspoker.engine.rollout import Rollout, play
from liarspoker.engine.running import check_range
from liarspoker.engine.table import Table

CHUNK = 1 << 16
"""The approximate number of hands between two reports of the running totals."""

MATCHES_CHUNK = 1 << 13
"""The number of matches between two reports of the running totals."""


class Totals(NamedTuple):
    """Sums over independent matches, or over independent sessions of the same length.

    Attributes:
        matches: the number of matches or sessions.
        rounds: the number of rounds.
        decisions: the number of actions.
        won: units won by each player.
        squares: for each player, the sum of the squared winnings per match or session.
        wins: matches won by each player.
        outcomes: the number of rounds by outcome, as numbered by the family's `outcomes`; empty if it has none.
    """

    matches: int
    rounds: int
    decisions: int
    won: tuple[int, ...]
    squares: tuple[int, ...]
    wins: tuple[int, ...]
    outcomes: tuple[int, ...]


class Part(NamedTuple):
    """Consecutive matches or sessions that are played and summed together.

    Attributes:
        first: the number of the first one.
        matches: how many there are.
        rounds: the number of rounds in each; `None` for whole matches.
    """

    first: int
    matches: int
    rounds: int | None


def count_parts(number: int, session: int | None) -> int:
    """Return the number of parts into which hands, in sessions of this length, or whole matches are cut.

    >>> count_parts(25, 10), count_parts(25, None)
    (2, 1)
    """
    if session is None:
        return -(-number // MATCHES_CHUNK)
    whole, rest = divmod(number, session)
    return -(-whole // _step(session)) + bool(rest)


def part_of(number: int, session: int | None, index: int) -> Part:
    """Return one of these parts, numbered from 0; a session that is shorter than the others forms the last part.

    >>> [part_of(25, 10, index) for index in range(2)]
    [Part(first=0, matches=2, rounds=10), Part(first=2, matches=1, rounds=5)]
    """
    if session is None:
        first = index * MATCHES_CHUNK
        return Part(first, min(MATCHES_CHUNK, number - first), None)
    whole, rest = divmod(number, session)
    first = index * _step(session)
    if first < whole:
        return Part(first, min(_step(session), whole - first), session)
    return Part(whole, 1, rest)


def _step(session: int) -> int:
    """Return the number of sessions in a part."""
    return max(1, CHUNK // session)


def totals(
    table: Table, number: int, seed: int, policies: Sequence[Policy | str], *, session: int = 1, threads: int = 1
) -> Iterator[Totals]:
    """Play hands in sessions, or matches to their ends, and yield the totals of each chunk.

    Player i of the line-up sits in seat (i + the session's number) mod players. Seat 0 opens, unless letters choose the
    opener. If the last session is shorter than the others, it is a chunk of its own. The results depend only on the
    table, the policies and the seed, not on the number of threads.

    Args:
        table: the table; sessions can't be played with `compound_carry`, since their stakes outgrow all sums.
        number: the number of hands, or of matches in a game with a winner; 1 or more.
        seed: of all random numbers.
        policies: one for each player; the last one also plays for all remaining players.
        session: the number of hands in a session, 1 or more; ignored in a game with a winner.
        threads: the number of threads.

    Raises:
        CannotPlay: the carry compounds, or an argument is out of range.

    >>> chunks = totals(Table.of("slips", seats=2), 25, seed=1, policies=["uniform"], session=10)
    >>> [(chunk.matches, chunk.rounds, sum(chunk.won)) for chunk in chunks]
    [(2, 20, 0), (1, 5, 0)]
    >>> chunks = totals(Table.of("thorin", seats=3), 25, seed=1, policies=["uniform"])
    >>> [(chunk.matches, chunk.rounds, sum(chunk.wins)) for chunk in chunks]
    [(25, 50, 25)]
    """
    check_range("number", number, 1, 1 << 40)
    length = None if table.most_rounds else session
    for index in range(count_parts(number, length)):
        yield play_part(table, part_of(number, length, index), seed, policies, threads=threads)


def play_part(table: Table, part: Part, seed: int, policies: Sequence[Policy | str], *, threads: int = 1) -> Totals:
    """Play one part. Its totals depend only on the table, the policies, the seed and the part.

    Raises:
        CannotPlay: the carry compounds, or an argument is out of range.
    """
    why = table.kernel.unsummed(table.rules, part.rounds or 1)
    if why is not None:
        raise CannotPlay(why)
    threads = min(threads, part.matches)
    rollout = play(
        table, part.matches, seed, policies, rounds=part.rounds, first=part.first, rotate=True, threads=threads
    )
    return _summed(rollout, part.first)


def _summed(rollout: Rollout, first: int) -> Totals:
    """Return the sums of a chunk that begins with match number `first`."""
    units = rollout.units
    matches, players = units.shape
    numbers = np.arange(first, first + matches)
    won = np.take_along_axis(units, (np.arange(players) + numbers[:, None]) % players, axis=1)
    winners = ((rollout.winners - numbers) % players)[rollout.winners >= 0]
    outcomes = rollout.table.kernel.outcomes
    return Totals(
        matches,
        int(rollout.lengths.sum()),
        int(rollout.decisions.sum()),
        tuple(won.sum(axis=0).tolist()),
        tuple((won * won).sum(axis=0).tolist()),
        tuple(np.bincount(winners, minlength=players).tolist()),
        tuple(np.bincount(rollout.outcomes.ravel(), minlength=outcomes).tolist()) if outcomes else (),
    )


def strength(table: Table, policy: Policy | str, other: Policy | str, hands: int, seed: int) -> tuple[float, float]:
    """Return what a policy wins from others that all play by another, and half its 95% interval.

    It is in units per hand at stake 1; in a game with a winner, in units per match, where each of the others pays one
    unit to the winner. Every deal is played once from every seat.
    """
    seats = table.rules.seats
    played = play(table, hands // seats * seats, seed, [policy, other], rotate=True, duplicate=True)
    units = played.units if table.most_rounds else played.payoffs[:, 0] / played.stakes[:, 0, None]
    won = units[np.arange(units.shape[0]), np.arange(units.shape[0]) % seats].reshape(-1, seats).mean(axis=1)
    return float(won.mean()), float(1.96 * won.std() / np.sqrt(won.size))
