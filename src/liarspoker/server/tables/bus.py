"""The news between what writes tables and what shows them: which table has reached which version, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

News = Callable[[str, int], None]


class LocalBus:
    """News within one process."""

    def __init__(self) -> None:
        self._listeners: list[News] = []

    def subscribe(self, listener: News) -> None:
        """From now on call `listener` with the table's id and its version."""
        self._listeners.append(listener)

    def publish(self, table_id: str, version: int) -> None:
        """Tell everybody that a table has reached a version."""
        for listener in self._listeners:
            listener(table_id, version)
