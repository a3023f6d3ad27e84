"""What is appended to a table's log, and what is read back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as the lobby lists it: a projection of its log, stored with the entry that changed it.

    Attributes:
        status: where the table stands, such as `"waiting"`; a word of the server's choice.
        game: the game's id.
        title: what the table is called.
        visibility: who may find it, such as `"public"`; a word of the server's choice.
        seats_taken: how many seats somebody sits on.
        seats: how many there are.
        updated_at: when it changed last, in seconds.
        summary: the rest, as a JSON object.
        owner: the id of the user who owns the table; `None` where that isn't known.
    """

    status: str
    game: str
    title: str
    visibility: str
    seats_taken: int
    seats: int
    updated_at: float
    summary: str = "{}"
    owner: str | None = None


class Listed(NamedTuple):
    """A listing together with its table."""

    table_id: str
    listing: Listing


@dataclass(frozen=True, slots=True)
class Entry:
    """What one command did to a table, to be stored whole or not at all.

    Attributes:
        table_id: the table.
        version: the version that this makes: 1 for a table's first entry, then one more each.
        epoch: the epoch of the lease under which the sender owns the table.
        command_id: what the sender of the command called it, or `None` for what the server did by itself.
        at: when, in seconds.
        body: its events, as JSON. Storage does not look inside.
        seeds: `(deal, seed)` for every seed that this entry draws; kept apart from the log, and sealed.
        listing: how the lobby lists the table from now on; `None` leaves it as it is.
        members_added: ids of the users to whose tables this one belongs from now on.
        members_removed: ids of the users to whose tables it no longer belongs.
    """

    table_id: str
    version: int
    epoch: int
    command_id: str | None
    at: float
    body: str
    seeds: tuple[tuple[int, bytes], ...] = field(default=(), repr=False)
    listing: Listing | None = None
    members_added: tuple[str, ...] = ()
    members_removed: tuple[str, ...] = ()


class Stored(NamedTuple):
    """An entry as the log has it; see `Entry` for the fields."""

    table_id: str
    version: int
    epoch: int
    command_id: str | None
    at: float
    body: str


@dataclass(frozen=True, slots=True)
class TableLog:
    """Everything needed to bring a table back.

    Attributes:
        table_id: the table.
        created_at: when it was made, in seconds.
        entries: the whole log, in order of version, without gaps.
        seeds: the seed of each deal, opened. Secret: they never leave the server before the table reveals them.
    """

    table_id: str
    created_at: float
    entries: tuple[Stored, ...]
    seeds: dict[int, bytes] = field(repr=False)

    @property
    def version(self) -> int:
        """The last version, 0 before the first entry."""
        return self.entries[-1].version if self.entries else 0


class Lease(NamedTuple):
    """Who owns a table.

    Attributes:
        node: the instance of the process that owns it, or `None` where nobody owns the table.
        epoch: counts the leases; an entry names the one under which it was made.
        alive: until when the owner was alive, in seconds of its own clock; `None` where nobody knows.
        expires: when the lease expires, in seconds of the database's clock; 0 where there is none.
    """

    node: str | None
    epoch: int
    alive: float | None
    expires: float
