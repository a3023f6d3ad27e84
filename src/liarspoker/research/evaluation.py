"""Head-to-head results of policies, computed on this machine or on a cluster; needs the extra `engine`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.lineup import Policy
from liarspoker.engine.table import Table
from liarspoker.engine.totals import Totals, count_parts, part_of, play_part
from liarspoker.research.cluster import spread
from liarspoker.research.errors import BadEnvironment


class HeadToHead(NamedTuple):
    """Units won per hand at stake 1: rows are the policies that win them, columns the policies that they are won from.

    Attributes:
        mean: float64 `[policies, policies]`, what one copy of the row's policy wins per hand when all other players
            play the column's policy; 0 on the diagonal.
        half: float64 `[policies, policies]`, half the width of the 95% confidence interval, 1.96 standard errors.
    """

    mean: NDArray[np.float64]
    half: NDArray[np.float64]


def head_to_head(
    table: Table,
    policies: Sequence[Policy | str],
    hands: int,
    seed: int,
    *,
    cluster: str | None = None,
    jobs: int = 1,
) -> HeadToHead:
    """Play every policy against every other one.

    Hands are independent and played at stake 1. The players rotate, so each policy plays every seat and opens equally
    often. The results depend only on the table, the policies, `hands` and the seed.

    Args:
        table: the table.
        policies: two or more, as names or :class:`~liarspoker.engine.lineup.Policy` objects.
        hands: the number of hands for each pair, 2 or more; in a game with a winner, the number of matches.
        seed: of all random numbers; every pair gets the same deals.
        cluster: the address of a Ray cluster, `auto`, or `local` to start one; `None` to play in this process.
        jobs: the number of threads of this process, or of parts that run at once on the cluster.

    Raises:
        BadEnvironment: there are fewer than two policies or hands.
        EngineError: a policy can't be compiled, or plays an illegal action.
        ClusterFailed: as for :func:`~liarspoker.research.cluster.spread`.

    >>> won = head_to_head(Table.of("dollar-bill", seats=2), ["uniform", "uniform"], hands=2_000, seed=1)
    >>> won.mean.shape, bool((abs(won.mean) < 0.1).all())
    ((2, 2), True)
    """
    if len(policies) < 2 or hands < 2:
        raise BadEnvironment(f"head_to_head: {len(policies)} policies and {hands} hands; it needs at least two of each")
    pairs = [(row, column) for row in range(len(policies)) for column in range(len(policies)) if row != column]
    count = count_parts(hands, _length(table))
    work = partial(_part_of, table, tuple(policies), hands, seed)
    done: Iterator[Totals]
    if cluster is None:
        done = (work(number, threads=jobs) for number in range(len(pairs) * count))
    else:
        done = spread(work, len(pairs) * count, cluster, jobs)
    mean, half = np.zeros((2, len(policies), len(policies)))
    for pair in pairs:
        totals = [next(done) for _ in range(count)]
        mean[pair], half[pair] = interval(
            sum(part.won[0] for part in totals), sum(part.squares[0] for part in totals), hands
        )
    return HeadToHead(mean, half)


def _length(table: Table) -> int | None:
    """Return the number of hands in a session, 1; `None` for whole matches."""
    return None if table.most_rounds else 1


def interval(won: int, squares: int, hands: int) -> tuple[float, float]:
    """Return the mean winnings per hand, and half the width of the 95% confidence interval.

    Args:
        won: units won in total.
        squares: the sum of the squared winnings per hand.
        hands: the number of hands, 2 or more.

    Returns:
        Both; the second is NaN if all hands were alike, since the spread can't be estimated then.

    >>> interval(30, 302, hands=3)[0], interval(30, 300, hands=3)
    (10.0, (10.0, nan))
    """
    # Computed with integers it is never negative; the difference of two rounded means could be.
    spread = (hands * squares - won**2) / hands**2
    return won / hands, 1.96 * sqrt(spread / (hands - 1)) if spread else nan


def _part_of(
    table: Table, policies: Sequence[Policy | str], hands: int, seed: int, number: int, threads: int = 1
) -> Totals:
    """Play one part of all pairs: pair after pair, each cut into the same parts."""
    pair, part = divmod(number, count_parts(hands, _length(table)))
    row, column = divmod(pair, len(policies) - 1)
    column += column >= row
    return play_part(
        table, part_of(hands, _length(table), part), seed, [policies[row], policies[column]], threads=threads
    )
