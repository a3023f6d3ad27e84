"""A contest split over processes; the totals are those of one process."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context

from liarspoker.bots.contest import AnyTally, Contest, play, play_chunk, summed


def totals(contest: Contest, jobs: int) -> Iterator[AnyTally]:
    """Play a contest with so many processes; after each chunk, in their order, the totals so far.

    Args:
        contest: what is played.
        jobs: 1 plays in this process, more start so many others.
    """
    jobs = min(jobs, contest.chunks)
    if jobs <= 1:
        yield from play(contest)
        return
    # Fresh processes, not forks: a fork of a process with threads may hang.
    with get_context("spawn").Pool(jobs, initializer=_leave_interrupts_alone) as pool:
        yield from summed(contest, pool.imap(partial(play_chunk, contest), range(contest.chunks)))


def _leave_interrupts_alone() -> None:
    """Ctrl-C reaches every process of the terminal; only the one that started the others answers to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
