"""The server's time: it begins with the machine's clock and then goes on evenly, whatever is done to that clock."""

from __future__ import annotations

import time


class WallClock:
    """Seconds since 1970 that never jump while this process lives.

    Args:
        start: where it begins; the machine's clock by default.
    """

    def __init__(self, start: float | None = None) -> None:
        self._offset = (time.time() if start is None else start) - time.monotonic()

    def now(self) -> float:
        """The time in seconds."""
        return time.monotonic() + self._offset
