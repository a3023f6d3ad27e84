"""How a server runs: where its data is, who may reach it, how much anybody may ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from liarspoker.server.limits import Limits
from liarspoker.server.tables.registry import NodeConfig, no_probe


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
