"""What policies win from each other over many sessions or matches, in integers."""

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
"""About how many hands are played before the totals so far are reported."""

MATCHES_CHUNK = 1 << 13
"""The same in whole matches."""


class Totals(NamedTuple):
    """Sums over matches, or over sessions of one length, which do not depend on each other.

    Attributes:
        matches: how many matches or sessions.
        rounds: how many rounds they had in all.
        decisions: actions in all.
        won: units won by each player.
        squares: the sum of the squares of what each player won in a match or session.
        wins: matches won by each player.
        outcomes: how many rounds came out each way, as a family's `outcomes` number them; empty where it has none.
    """

    matches: int
    rounds: int
    decisions: int
    won: tuple[int, ...]
    squares: tuple[int, ...]
    wins: tuple[int, ...]
    outcomes: tuple[int, ...]


class Part(NamedTuple):
    """Some matches or sessions that are played and summed at once.

    Attributes:
        first: the number of the first of them.
        matches: how many.
        rounds: rounds in each; `None` for whole matches.
    """

    first: int
    matches: int
    rounds: int | None


def parts_in(number: int, session: int | None) -> int:
    """Into how many parts so many hands are cut, in sessions of so many; or so many whole matches.

    >>> parts_in(25, 10), parts_in(25, None)
    (2, 1)
    """
    if session is None:
        return -(-number // MATCHES_CHUNK)
    whole, rest = divmod(number, session)
    return -(-whole // _step(session)) + bool(rest)


def part_of(number: int, session: int | None, index: int) -> Part:
    """One of these parts, numbered from 0; a session that is shorter than the others is the last one.

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
    """How many sessions a part has."""
    return max(1, CHUNK // session)


def totals(
    table: Table, number: int, seed: int, policies: Sequence[Policy | str], *, session: int = 1, threads: int = 1
) -> Iterator[Totals]:
    """Play so many hands, in sessions of so many, or so many matches to their ends; chunk after chunk, the sums.

    Player i of the line-up sits in seat (i + the session's number) mod players, and the first seat opens unless letters
    say otherwise. If the last session is shorter than the others, it comes alone at the end. Everything follows from
    the table, the policies and the seed, and nothing from the number of threads.

    Args:
        table: what is played; sessions not with `compound_carry`, whose stakes outgrow all sums.
        number: how many hands in all, or matches where somebody wins; 1 or more.
        seed: of all chance.
        policies: one for each player; the last one plays for all who are left.
        session: hands in a session, 1 or more; it does not count where somebody wins.
        threads: how many play at once.

    Raises:
        CannotPlay: the carry compounds, or an argument is out of its range.

    >>> chunks = totals(Table.of("slips", seats=2), 25, seed=1, policies=["uniform"], session=10)
    >>> [(chunk.matches, chunk.rounds, sum(chunk.won)) for chunk in chunks]
    [(2, 20, 0), (1, 5, 0)]
    >>> chunks = totals(Table.of("thorin", seats=3), 25, seed=1, policies=["uniform"])
    >>> [(chunk.matches, chunk.rounds, sum(chunk.wins)) for chunk in chunks]
    [(25, 50, 25)]
    """
    check_range("number", number, 1, 1 << 40)
    length = None if table.most_rounds else session
    for index in range(parts_in(number, length)):
        yield played(table, part_of(number, length, index), seed, policies, threads=threads)


def played(table: Table, part: Part, seed: int, policies: Sequence[Policy | str], *, threads: int = 1) -> Totals:
    """Play one part; its totals follow from the table, the policies, the seed and the part alone.

    Raises:
        CannotPlay: the carry compounds, or an argument is out of its range.
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
    """The sums of a chunk that begins with match number `first`."""
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
