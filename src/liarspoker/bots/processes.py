"""A contest split over processes; the totals are those of one process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from liarspoker.bots.contest import AnyTally, Contest, play_chunk, summed
from liarspoker.processes import in_order


def totals(contest: Contest, jobs: int) -> Iterator[AnyTally]:
    """Play a contest with so many processes; after each chunk, in their order, the totals so far.

    Args:
        contest: what is played.
        jobs: 1 plays in this process, more start so many others.
    """
    return summed(contest, in_order(partial(play_chunk, contest), range(contest.chunks), jobs))
