"""Who wins how many matches of a game in which players drop out, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from liarspoker.engine.running import check_range

CHUNK = 1 << 13
"""How many matches are played before the totals so far are told."""


class Play(Protocol):
    """What plays matches: `liarspoker.engine.pooled.play.play`, or that of `passed`."""

    def __call__(
        self, table: Any, matches: int, seed: int, policies: Sequence[Any], *, first: int, rotate: bool, threads: int
    ) -> Any:
        """All that came out, in arrays."""


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


def parts_in(matches: int) -> int:
    """Into how many parts so many matches are cut.

    >>> parts_in(25)
    1
    """
    return -(-matches // CHUNK)


def part_of(matches: int, number: int) -> Part:
    """One of the parts into which so many matches are cut, numbered from 0.

    >>> part_of(25, 0)
    Part(first=0, matches=25)
    """
    first = number * CHUNK
    return Part(first, min(CHUNK, matches - first))


def totals(
    play: Play, table: Any, matches: int, seed: int, policies: Sequence[Any], *, threads: int = 1
) -> Iterator[Totals]:
    """Play so many matches to their ends; chunk after chunk, what came out of it.

    Player i of the line-up sits in seat (i + the match's number) mod players, and the first living seat opens.
    Everything follows from the table, the policies and the seed, and nothing from the number of threads.

    Args:
        play: what plays them.
        table: what is played.
        matches: how many in all, 1 or more.
        seed: of all chance.
        policies: one for each player; the last one plays for all who are left.
        threads: how many play at once.

    Raises:
        CannotPlay: an argument is out of its range.

    >>> from liarspoker.engine.passed.play import play
    >>> from liarspoker.engine.passed.table import Table
    >>> chunks = totals(play, Table.of("thorin", seats=3), matches=25, seed=1, policies=["uniform"])
    >>> [(chunk.matches, chunk.rounds, sum(chunk.wins)) for chunk in chunks]
    [(25, 50, 25)]
    """
    check_range("matches", matches, 1, 1 << 40)
    for number in range(parts_in(matches)):
        yield played(play, table, part_of(matches, number), seed, policies, threads=threads)


def played(play: Play, table: Any, part: Part, seed: int, policies: Sequence[Any], *, threads: int = 1) -> Totals:
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
