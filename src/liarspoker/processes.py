"""Parallel work in processes, with results in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_order(work: Callable[[Piece], Result], pieces: Sequence[Piece], jobs: int) -> Iterator[Result]:
    """Yield `work(piece)` for each piece, in order.

    Args:
        work: the function to call. With several jobs, it, the pieces and the results must be picklable.
        pieces: its arguments.
        jobs: the number of worker processes, at most one per piece; with 1, the work is done in this process.
    """
    jobs = min(jobs, len(pieces))
    if jobs <= 1:
        yield from map(work, pieces)
        return
    with _interrupts_ignored():
        # Spawn rather than fork: forking a process with threads may hang.
        pool = get_context("spawn").Pool(jobs, initializer=_ignore_interrupts)
    with pool:
        yield from pool.imap(work, pieces)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Make processes started in this block ignore Ctrl-C from the start, before their initializer runs."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signal handlers can only be set in the main thread
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C, which the terminal sends to every process; the parent process handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
