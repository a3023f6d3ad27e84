"""Progress of long commands on standard error: a bar in a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import sys
from threading import Event, Thread
from time import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

if TYPE_CHECKING:
    from tqdm import tqdm

BAR_SECONDS = 0.1
"""Seconds between two updates of the bar in a terminal."""

LINE_SECONDS = 5.0
"""Seconds between two lines where standard error isn't a terminal; a command that is done sooner prints none."""

TICK_SECONDS = 0.5
"""Seconds between two updates of the time in a terminal, for work whose size is unknown."""

_BAR = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt} of {total_fmt}{unit} [{rate_noinv_fmt}, {remaining} left{postfix}]"
_LINE = "{desc}: {percentage:.0f}%, {n_fmt} of {total_fmt}{unit}, {rate_noinv_fmt}, {remaining} left{postfix}"
_COUNT = "{desc}: {n_fmt}{unit} [{elapsed}, {rate_noinv_fmt}{postfix}]"
_TIME = "{desc} ... {elapsed}{postfix}"


class Progress:
    """Progress of one piece of work.

    Nothing is shown before the first `update` or `tick`. Use it as a context manager, which removes the bar at the end.

    Args:
        title: what is done, such as `Simulating`.
        unit: what is counted, in the plural; empty where only the time is shown.
        total: how many there are; `None` if unknown.
        rated: whether to show how many are done in a second.
    """

    def __init__(self, title: str, unit: str = "", total: float | None = None, *, rated: bool = True) -> None:
        self._title = title
        self._unit = unit
        self._total = total
        self._rated = rated
        self._begun = time()
        self._bar: tqdm[Any] | None = None
        self._done = Event()
        self._ticker: Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def update(self, done: float, total: int | None = None, note: str = "") -> None:
        """Show how many are done, of how many if that is known by now, and a note."""
        self._total = total or self._total
        bar = self._started()
        if note:
            bar.set_postfix_str(note, refresh=False)
        bar.update(done - bar.n)

    def report(self, line: str) -> None:
        """Print a line on standard error, above the bar."""
        if self._bar is not None:
            self._bar.clear()
        print(line, file=sys.stderr)

    def tick(self) -> None:
        """Show the elapsed time from now on, for work that can't be counted or whose parts take long."""
        self._started()
        if self._total is not None and not sys.stderr.isatty():
            return  # the lines of the updates suffice
        self._ticker = Thread(target=self._tick, name="progress", daemon=True)
        self._ticker.start()

    def close(self) -> None:
        """Remove the bar; nothing is shown afterwards."""
        self._done.set()
        if self._ticker is not None:
            self._ticker.join()
        if self._bar is not None:
            self._bar.close()

    def _started(self) -> tqdm[Any]:
        if self._bar is None:
            from tqdm import tqdm

            tqdm.monitor_interval = 0  # no thread of its own
            terminal = sys.stderr.isatty()
            shown = _COUNT if self._unit else _TIME
            if self._total is not None:
                shown = _BAR if terminal else _LINE
            self._bar = tqdm(
                desc=self._title,
                total=self._total,
                unit=f" {self._unit}" if self._unit else "",
                unit_scale=self._total is None or self._total >= 1000 or type(self._total) is float,
                file=sys.stderr if terminal else _Lines(sys.stderr),
                bar_format=shown if self._rated else shown.replace("{rate_noinv_fmt}, ", ""),
                mininterval=BAR_SECONDS if terminal else LINE_SECONDS,
                delay=1e-6,  # nothing before the first update
                miniters=0,
                dynamic_ncols=terminal,
                leave=False,
            )
            self._bar.start_t = self._bar.last_print_t = self._begun
        return self._bar

    def _tick(self) -> None:
        bar = self._started()
        wait = TICK_SECONDS if sys.stderr.isatty() else LINE_SECONDS
        while not self._done.wait(wait):
            bar.refresh()


class _Lines:
    """A file for tqdm that gets a whole line for every update, for logs and pipes."""

    encoding = "utf-8"

    def __init__(self, target: TextIO) -> None:
        self._target = target

    def write(self, text: str) -> int:
        """Write a line, unless the text only erases the bar."""
        line = text.strip("\r\n ")
        if line:
            self._target.write(f"{line.replace(',  ', ', ')}\n")  # tqdm aligns rates
        return len(text)

    def flush(self) -> None:
        """Flush the file."""
        self._target.flush()
