"""What policies win from each other, on this machine or on many; needs the extra `engine`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.lineup import Policy
from liarspoker.engine.table import Table
from liarspoker.engine.totals import Totals, part_of, parts_in, played
from liarspoker.research.cluster import spread
from liarspoker.research.errors import CannotStudy


class Gains(NamedTuple):
    """Units a hand at stake 1, a row for the policy that wins them, a column for those that it wins them from.

    Attributes:
        mean: float64 `[policies, policies]`, what one copy of the row's policy wins a hand where all others at the
            table play the column's; 0 on the diagonal.
        half: float64 `[policies, policies]`, half the width of the 95% confidence interval, 1.96 standard errors.
    """

    mean: NDArray[np.float64]
    half: NDArray[np.float64]


def gains(
    table: Table,
    policies: Sequence[Policy | str],
    hands: int,
    seed: int,
    *,
    cluster: str | None = None,
    jobs: int = 1,
) -> Gains:
    """Let every policy play against every other.

    Hands are independent and played at stake 1; the seats turn, so everybody sits and opens everywhere. The figures
    follow from the table, the policies, `hands` and the seed, and from nothing else.

    Args:
        table: what is played.
        policies: two or more, by name or as a `Policy`.
        hands: how many for each pair, 2 or more; where somebody wins, whole matches.
        seed: of all chance; every pair meets the same deals.
        cluster: play on a Ray cluster: its address, `auto`, or `local` to start one; `None`: in this process.
        jobs: threads of this process, or parts that are played at once on the cluster.

    Raises:
        CannotStudy: fewer than two policies or hands.
        EngineError: a policy that cannot be compiled, or plays what the rules refuse.
        ClusterFailed: as `liarspoker.research.cluster.spread` has it.

    >>> won = gains(Table.of("dollar-bill", seats=2), ["uniform", "uniform"], hands=2_000, seed=1)
    >>> won.mean.shape, bool((abs(won.mean) < 0.1).all())
    ((2, 2), True)
    """
    if len(policies) < 2 or hands < 2:
        raise CannotStudy(f"gains: {len(policies)} policies and {hands} hands; there must be two of each")
    pairs = [(row, column) for row in range(len(policies)) for column in range(len(policies)) if row != column]
    count = parts_in(hands, _length(table))
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
    return Gains(mean, half)


def _length(table: Table) -> int | None:
    """What is played again and again: single hands, or whole matches where somebody wins."""
    return None if table.most_rounds else 1


def interval(won: int, squares: int, hands: int) -> tuple[float, float]:
    """The mean of what was won in a hand, and half the width of its 95% confidence interval.

    Args:
        won: units won in all.
        squares: the sum of the squares of what was won in each hand.
        hands: how many, 2 or more.

    Returns:
        Both; the second is NaN where all hands were alike, since nothing tells then how far others may differ.

    >>> interval(30, 302, hands=3)[0], interval(30, 300, hands=3)
    (10.0, (10.0, nan))
    """
    # In whole numbers it is never below 0; of two means with fractions the difference could be, by rounding.
    spread = (hands * squares - won**2) / hands**2
    return won / hands, 1.96 * sqrt(spread / (hands - 1)) if spread else nan


def _part_of(
    table: Table, policies: Sequence[Policy | str], hands: int, seed: int, number: int, threads: int = 1
) -> Totals:
    """One part of all that is played: pair after pair, each in the same parts."""
    pair, part = divmod(number, parts_in(hands, _length(table)))
    row, column = divmod(pair, len(policies) - 1)
    column += column >= row
    return played(table, part_of(hands, _length(table), part), seed, [policies[row], policies[column]], threads=threads)
