"""Work split over processes: the same comes out as in one process, piece after piece."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

Piece = TypeVar("Piece")
Outcome = TypeVar("Outcome")


def in_order(work: Callable[[Piece], Outcome], pieces: Sequence[Piece], jobs: int) -> Iterator[Outcome]:
    """What `work` makes of each of the pieces, in their order.

    Args:
        work: what is done; it, the pieces and the outcomes can be pickled if there is more than one job.
        pieces: to what.
        jobs: so many processes beside this one, but no more than pieces; 1 works here.
    """
    jobs = min(jobs, len(pieces))
    if jobs <= 1:
        yield from map(work, pieces)
        return
    with _interrupts_left_alone():
        # Fresh processes, not forks: a fork of a process with threads may hang.
        pool = get_context("spawn").Pool(jobs, initializer=_leave_interrupts_alone)
    with pool:
        yield from pool.imap(work, pieces)


@contextmanager
def _interrupts_left_alone() -> Iterator[None]:
    """What is started meanwhile takes no notice of Ctrl-C from its first moment on, before it can say so itself."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only there may it be said
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_interrupts_alone() -> None:
    """Ctrl-C reaches every process of the terminal; only the one that started the others answers to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
