"""How a server runs: where its data is, who may reach it, how much anybody may ask."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from liarspoker.server.limits import Limits


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


Chance = Callable[[int], bytes]
"""A source of so many bytes that nobody can foretell."""


def no_probe(name: str) -> None:
    """Nothing happens at the named point; tests end the process there."""


@dataclass(frozen=True, slots=True)
class NodeConfig:
    """How this node runs its tables.

    Attributes:
        name: the name of this node; after a restart the node of the same name has its tables back at once.
        bot_pause: seconds that a bot waits before it plays, so that people can follow.
    """

    name: str = "main"
    bot_pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Config:
    """How a server runs.

    Attributes:
        database: where tables and accounts are kept, as `storage.place.address` makes it.
        key_folder: where the key that seals seeds is found, or made.
        tls: people reach it over HTTPS, so cookies, links and redirects are for HTTPS alone.
        trusted_proxies: addresses and networks of proxies that are believed when they say where a request comes from.
        limits: how much one client, user or table may use.
        node: how this node runs its tables.
        bot_processes: how many processes play for the bots.
        lan: the host under which the local network reaches this server; empty where it does not, or nobody knows.
        drain: seconds for which `/ready` says that the server stops, before it takes no more connections.
        probe: called at named points of every write; tests end the process there.
    """

    database: str
    key_folder: Path
    tls: bool = False
    trusted_proxies: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    node: NodeConfig = field(default_factory=NodeConfig)
    bot_processes: int = 1
    lan: str = ""
    drain: float = 0.5
    probe: Callable[[str], None] = no_probe
