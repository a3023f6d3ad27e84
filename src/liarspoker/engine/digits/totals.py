"""What policies win from each other over many hands, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from liarspoker.engine.digits.play import Rounds, play
from liarspoker.engine.digits.policies import Policy
from liarspoker.engine.digits.table import Table
from liarspoker.engine.errors import CannotPlay
from liarspoker.rules.digits.settlement import OUTCOMES

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
    >>> parts = totals(table, hands=25, seed=1, policies=["uniform"], session=10)
    >>> [(part.sessions, part.hands, sum(part.won)) for part in parts]
    [(2, 10, 0), (1, 5, 0)]
    """
    if table.rules.compound and session > 1:
        raise CannotPlay("compound_carry: stakes of sessions would outgrow all sums")
    whole, rest = divmod(hands, session)
    step = max(1, CHUNK // session)
    parts = [(first, min(step, whole - first), session) for first in range(0, whole, step)]
    for first, count, length in [*parts, *([(whole, 1, rest)] if rest else [])]:
        threads_now = min(threads, count)
        yield _summed(
            play(table, count, seed, policies, hands=length, first=first, rotate=True, threads=threads_now), first
        )


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
