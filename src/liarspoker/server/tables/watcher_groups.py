"""Watchers in groups: those of one user, for example."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from typing import Generic, TypeVar

from liarspoker.server.tables.views import Watcher

Key = TypeVar("Key", bound=Hashable)


class WatcherGroups(Generic[Key]):
    """Sets of watchers by key. A key is forgotten with its last watcher."""

    def __init__(self) -> None:
        self._groups: dict[Key, set[Watcher]] = {}

    def add(self, key: Key, watcher: Watcher) -> None:
        """Add a watcher to a group."""
        self._groups.setdefault(key, set()).add(watcher)

    def discard(self, key: Key, watcher: Watcher) -> None:
        """Remove a watcher from a group, if it is there."""
        group = self._groups.get(key, set())
        group.discard(watcher)
        if not group:
            self._groups.pop(key, None)

    def __getitem__(self, key: Key) -> Collection[Watcher]:
        """Return the watchers of a group, which may be none."""
        return self._groups.get(key, ())

    def __contains__(self, key: Key) -> bool:
        """Return whether a group has a watcher."""
        return key in self._groups

    def __iter__(self) -> Iterator[Key]:
        """Iterate over the keys of all groups with a watcher."""
        return iter(self._groups)

    def __len__(self) -> int:
        """Return the number of groups with a watcher."""
        return len(self._groups)
