"""What policies win from each other over many hands, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from liarspoker.engine.digits.play import Rounds, play
from liarspoker.engine.digits.policies import Policy
from liarspoker.engine.digits.table import Table
from liarspoker.engine.errors import CannotPlay
from liarspoker.games.digits.settlement import OUTCOMES

CHUNK = 1 << 16
"""About how many hands are played before the totals so far are told."""


class Totals(NamedTuple):
    """Sums over sessions of one length, which do not depend on each other.

    Attributes:
        sessions: how many.
        hands: hands in each of them.
        decisions: actions in all.
        won: units won by each player.
        squares: the sum of the squares of what each player won in a session.
        outcomes: how many hands came out each way, as numbered in `settlement.OUTCOMES`.
    """

    sessions: int
    hands: int
    decisions: int
    won: tuple[int, ...]
    squares: tuple[int, ...]
    outcomes: tuple[int, ...]


class Part(NamedTuple):
    """Some sessions that are played and summed at once.

    Attributes:
        first: the number of the first of them.
        sessions: how many.
        hands: hands in each.
    """

    first: int
    sessions: int
    hands: int


def parts_in(hands: int, session: int) -> int:
    """Into how many parts so many hands are cut, in sessions of so many.

    >>> parts_in(25, 10)
    2
    """
    whole, rest = divmod(hands, session)
    return -(-whole // _step(session)) + bool(rest)


def part_of(hands: int, session: int, number: int) -> Part:
    """One of these parts, numbered from 0; a session that is shorter than the others is the last one.

    >>> [part_of(25, 10, number) for number in range(2)]
    [Part(first=0, sessions=2, hands=10), Part(first=2, sessions=1, hands=5)]
    """
    whole, rest = divmod(hands, session)
    first = number * _step(session)
    if first < whole:
        return Part(first, min(_step(session), whole - first), session)
    return Part(whole, 1, rest)


def _step(session: int) -> int:
    """How many sessions a part has."""
    return max(1, CHUNK // session)


def totals(
    table: Table, hands: int, seed: int, policies: Sequence[Policy | str], *, session: int = 1, threads: int = 1
) -> Iterator[Totals]:
    """Play so many hands, in sessions of so many; chunk after chunk, what came out of it.

    Player i of the line-up sits in seat (i + the session's number) mod players, and seat 0 opens unless letters say
    otherwise. If the last session is shorter than the others, it comes alone at the end. Everything follows from the
    table, the policies and the seed, and nothing from the number of threads.

    Args:
        table: what is played; not with `compound_carry`, whose stakes outgrow all sums.
        hands: how many in all, 1 or more.
        seed: of all chance.
        policies: one for each player; the last one plays for all who are left.
        session: hands in a session, 1 or more.
        threads: how many play at once.

    Raises:
        CannotPlay: the carry compounds, or an argument is out of its range.

    >>> table = Table.of("slips", seats=2)
    >>> chunks = totals(table, hands=25, seed=1, policies=["uniform"], session=10)
    >>> [(chunk.sessions, chunk.hands, sum(chunk.won)) for chunk in chunks]
    [(2, 10, 0), (1, 5, 0)]
    """
    for number in range(parts_in(hands, session)):
        yield played(table, part_of(hands, session, number), seed, policies, threads=threads)


def played(table: Table, part: Part, seed: int, policies: Sequence[Policy | str], *, threads: int = 1) -> Totals:
    """Play one part; its totals follow from the table, the policies, the seed and the part alone.

    Raises:
        CannotPlay: the carry compounds, or an argument is out of its range.
    """
    if table.rules.compound and part.hands > 1:
        raise CannotPlay("compound_carry: stakes of sessions would outgrow all sums")
    threads = min(threads, part.sessions)
    rounds = play(
        table, part.sessions, seed, policies, hands=part.hands, first=part.first, rotate=True, threads=threads
    )
    return _summed(rounds, part.first)


def _summed(rounds: Rounds, first: int) -> Totals:
    """The sums of a chunk that begins with session number `first`."""
    scores = rounds.scores
    sessions, players = scores.shape
    seats = (np.arange(players) + np.arange(first, first + sessions)[:, None]) % players
    won = np.take_along_axis(scores, seats, axis=1)
    return Totals(
        sessions,
        rounds.claims.shape[1],
        int(rounds.decisions.sum()),
        tuple(won.sum(axis=0).tolist()),
        tuple((won * won).sum(axis=0).tolist()),
        tuple(np.bincount(rounds.outcomes.ravel(), minlength=len(OUTCOMES)).tolist()),
    )
