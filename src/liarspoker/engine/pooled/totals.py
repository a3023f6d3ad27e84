"""Who wins how many matches, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from liarspoker.engine.pooled.play import play
from liarspoker.engine.pooled.policies import Policy
from liarspoker.engine.pooled.table import Table
from liarspoker.engine.running import check_range

CHUNK = 1 << 13
"""How many matches are played before the totals so far are told."""


class Totals(NamedTuple):
    """Sums over whole matches.

    Attributes:
        matches: how many.
        rounds: how many rounds they had.
        decisions: actions in all.
        wins: matches won by each player.
    """

    matches: int
    rounds: int
    decisions: int
    wins: tuple[int, ...]


def totals(
    table: Table, matches: int, seed: int, policies: Sequence[Policy | str], *, threads: int = 1
) -> Iterator[Totals]:
    """Play so many matches to their ends; chunk after chunk, what came out of it.

    Player i of the line-up sits in seat (i + the match's number) mod players, and the first living seat opens.
    Everything follows from the table, the policies and the seed, and nothing from the number of threads.

    Args:
        table: what is played.
        matches: how many in all, 1 or more.
        seed: of all chance.
        policies: one for each player; the last one plays for all who are left.
        threads: how many play at once.

    Raises:
        CannotPlay: an argument is out of its range.

    >>> parts = totals(Table.of("queen-annes-stud", seats=3), matches=25, seed=1, policies=["uniform"])
    >>> [(part.matches, sum(part.wins)) for part in parts]
    [(25, 25)]
    """
    check_range("matches", matches, 1, 1 << 40)
    players = np.arange(table.rules.seats)
    for first in range(0, matches, CHUNK):
        count = min(CHUNK, matches - first)
        played = play(table, count, seed, policies, first=first, rotate=True, threads=min(threads, count))
        winners = (played.winners - np.arange(first, first + count)) % players.size
        yield Totals(
            count,
            int(played.lengths.sum()),
            int(played.decisions.sum()),
            tuple(np.bincount(winners, minlength=players.size).tolist()),
        )
