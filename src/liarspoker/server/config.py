"""How a server runs: where its data is, who may reach it, how much anybody may ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from liarspoker.server.house.house import HouseRules, no_probe


@dataclass(frozen=True, slots=True)
class Limit:
    """How often something may be done.

    Attributes:
        burst: so many at once.
        rate: so many a second, on average.
    """

    burst: float
    rate: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How much anybody may ask of the server.

    The defaults leave room for a program that plays at hundreds of tables at once, and for a whole club behind one
    address; what they stop is a flood.

    Attributes:
        requests: HTTP requests and new sockets, by address.
        guests: new guests, by address.
        logins: passphrases that are checked or stored, by address and by login.
        commands: commands to tables, by user.
        tables: new tables, by user.
        lines: what is said at tables, by user.
        records: records and audits of tables, by address; those of long evenings take a while to make.
        frames: messages, by socket.
        connections: sockets and streams that are open at once, by address.
    """

    requests: Limit = Limit(10_000, 1000)
    guests: Limit = Limit(5000, 20)
    logins: Limit = Limit(10, 0.2)
    commands: Limit = Limit(2000, 500)
    tables: Limit = Limit(1000, 2)
    lines: Limit = Limit(20, 2)
    records: Limit = Limit(1000, 20)
    frames: Limit = Limit(500, 100)
    connections: int = 10_000


@dataclass(frozen=True, slots=True)
class Config:
    """How a server runs.

    Attributes:
        database: where tables and accounts are kept, as `storage.place.address` makes it.
        key_folder: where the key that seals seeds is found, or made.
        tls: people reach it over HTTPS, so cookies are for HTTPS alone.
        limits: how much anybody may ask; `None` for no limits, behind something else that has them.
        house: how this node runs its tables.
        bot_processes: how many processes play for the bots.
        lan: the host under which the local network reaches this server; empty where it does not, or nobody knows.
        drain: seconds for which `/ready` says that the server stops, before it takes no more connections.
        probe: called at named points of every write; tests end the process there.
    """

    database: str
    key_folder: Path
    tls: bool = False
    limits: Limits | None = field(default_factory=Limits)
    house: HouseRules = field(default_factory=HouseRules)
    bot_processes: int = 1
    lan: str = ""
    drain: float = 0.5
    probe: Callable[[str], None] = no_probe
