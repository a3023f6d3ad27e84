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


class Part(NamedTuple):
    """Some matches that are played and summed at once: the number of the first of them, and how many."""

    first: int
    matches: int


def parts(matches: int) -> list[Part]:
    """Into which parts so many matches are cut.

    >>> parts(25)
    [Part(first=0, matches=25)]
    """
    return [Part(first, min(CHUNK, matches - first)) for first in range(0, matches, CHUNK)]


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
    for part in parts(matches):
        yield played(table, part, seed, policies, threads=threads)


def played(table: Table, part: Part, seed: int, policies: Sequence[Policy | str], *, threads: int = 1) -> Totals:
    """Play one part; its totals follow from the table, the policies, the seed and the part alone.

    Raises:
        CannotPlay: an argument is out of its range.
    """
    threads = min(threads, part.matches)
    rounds = play(table, part.matches, seed, policies, first=part.first, rotate=True, threads=threads)
    seats = table.rules.seats
    winners = (rounds.winners - np.arange(part.first, part.first + part.matches)) % seats
    return Totals(
        part.matches,
        int(rounds.lengths.sum()),
        int(rounds.decisions.sum()),
        tuple(np.bincount(winners, minlength=seats).tolist()),
    )
