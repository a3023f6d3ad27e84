"""Removal of a user's name from the log of a table, in one transaction, with new digests.

The chain of digests detects damage and isn't a proof of authenticity (see `log`), so the table's owner may recompute
it. Versions, ids of users and commands, and all moves stay unchanged.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection, Row, value
from liarspoker.server.storage.log import Listing, Stored, entry_digest, listing_digest, unpack, verified_entries
from liarspoker.server.storage.retention import LOG_NAMES, LOG_OF, packed
from liarspoker.server.storage.schema import ARCHIVES, DUPLICATE_TABLES, DUPLICATES, EVENTS, LISTINGS, MEMBERS, RESULTS

_ARCHIVE = sa.select(ARCHIVES.c.packed).where(ARCHIVES.c.table_id == value(ARCHIVES.c.table_id))
_STORE_ARCHIVE = (
    sa.update(ARCHIVES)
    .values(packed=value(ARCHIVES.c.packed))
    .where(ARCHIVES.c.table_id == value(ARCHIVES.c.table_id, "own"))
)
_STORE = (
    sa.update(EVENTS)
    .values(body=value(EVENTS.c.body), digest=value(EVENTS.c.digest))
    .where(
        EVENTS.c.table_id == value(EVENTS.c.table_id, "own"), EVENTS.c.version == value(EVENTS.c.version, "at_version")
    )
)
_FIELDS = [LISTINGS.c[name] for name in Listing.__slots__]
_LISTING = sa.select(*_FIELDS).where(LISTINGS.c.table_id == value(LISTINGS.c.table_id))
_STORE_LISTING = (
    sa.update(LISTINGS)
    .values({name: value(LISTINGS.c[name]) for name in ("title", "summary", "digest")})
    .where(LISTINGS.c.table_id == value(LISTINGS.c.table_id, "own"))
)
_NO_MEMBER = sa.delete(MEMBERS).where(
    MEMBERS.c.table_id == value(MEMBERS.c.table_id), MEMBERS.c.user_id == value(MEMBERS.c.user_id)
)

_EVENT_OWNER = (
    sa.select(DUPLICATES.c.owner)
    .join_from(DUPLICATE_TABLES, DUPLICATES, DUPLICATES.c.event_id == DUPLICATE_TABLES.c.event_id)
    .where(DUPLICATE_TABLES.c.table_id == value(DUPLICATE_TABLES.c.table_id))
)
"""Who chose the title of an event's table."""

_NO_RESULTS = sa.delete(RESULTS).where(RESULTS.c.table_id == value(RESULTS.c.table_id))
"""The stored results of the other players contain the name of their opponent; they are counted again when needed."""


class Erasure(NamedTuple):
    """What to remove.

    Attributes:
        user_id: the user whose name is removed; the id stays.
        name: their current name; former names are removed too.
        chat: whether to delete the text of their chat messages as well.
        titled: whether they chose the title of a table that isn't theirs, for an event.
    """

    user_id: str
    name: str
    chat: bool
    titled: bool = False

    @property
    def replacement(self) -> str:
        """The text that replaces the name."""
        return f"deleted {self.user_id[:6]}"

    def cleaned(self, text: str) -> str:
        """Return a text of the user without their name."""
        if not self.name:
            return text
        return re.sub(re.escape(self.name), lambda _: self.replacement, text, flags=re.IGNORECASE)


def redact(connection: Connection, table_id: str, erased: Erasure, epoch: int) -> None:
    """Remove a user's name from everything stored about a table, and the user from its members.

    Raises:
        NotOwner: the table's shard doesn't have this epoch any more.
        TableDamaged: something in the log was modified, or is missing.
    """
    leases.lock_shard(connection, table_id, epoch)
    erased = erased._replace(titled=(erased.user_id,) in connection.execute(_EVENT_OWNER, table_id=table_id))
    rows = connection.execute(LOG_OF, table_id=table_id)
    archives = connection.execute(_ARCHIVE, table_id=table_id)
    before: list[Row] = []
    if archives:  # entries that remain next to an archive aren't read any more
        before = unpack(bytes(archives[0][0]), LOG_NAMES)
        connection.execute(_STORE_ARCHIVE, own=table_id, packed=packed(_redacted(table_id, before, erased)))
        left = [(row, (*row[:5], body_without(row[5], erased), row[6])) for row in rows]
    else:
        left = list(zip(rows, _redacted(table_id, rows, erased), strict=True))
    for old, new in left:
        if old != new:
            connection.execute(_STORE, own=table_id, at_version=old[1], body=new[5], digest=new[6])
    made = json.loads((before if archives else rows)[0][5])["events"][0]
    _redact_listing(connection, table_id, erased, _has_titled(made, erased))
    connection.execute(_NO_MEMBER, table_id=table_id, user_id=erased.user_id)
    connection.execute(_NO_RESULTS, table_id=table_id)


def _redacted(table_id: str, rows: list[Row], erased: Erasure) -> list[Row]:
    """Return the rows of a complete log without the name, with new digests."""
    verified_entries(table_id, rows)
    made: list[Row] = []
    previous: bytes | None = None
    for row in rows:
        stored = Stored._make((*row[:5], body_without(row[5], erased)))
        previous = None if row[6] is None else entry_digest(previous, *stored)
        made.append((*stored, previous))
    return made


def body_without(body: str, erased: Erasure) -> str:
    """Return the body of an entry without the name."""
    entry = json.loads(body)
    changed = [_event_without(event, erased) for event in entry["events"]]
    if changed == entry["events"]:
        return body
    return json.dumps(entry | {"events": changed}, separators=(",", ":"), ensure_ascii=False)


def _event_without(event: dict[str, Any], erased: Erasure) -> dict[str, Any]:
    if event["e"] == "Made" and _has_titled(event, erased):
        settings = event["settings"]
        return event | {"settings": settings | {"title": title_without(settings.get("title", ""), erased)}}
    if event["e"] not in ("Joined", "Reserved", "Said") or event["user"] != erased.user_id:
        return event
    text = {"text": "(deleted)" if erased.chat else erased.cleaned(event["text"])} if event["e"] == "Said" else {}
    return event | {"name": erased.replacement} | text


def _has_titled(made: dict[str, Any], erased: Erasure) -> bool:
    return erased.titled or bool(made["owner"] == erased.user_id)


def title_without(title: str, erased: Erasure) -> str:
    """Return a title that the user chose, empty if it contains their name: the replacement wouldn't fit."""
    return "" if erased.cleaned(title) != title else title


def _redact_listing(connection: Connection, table_id: str, erased: Erasure, has_titled: bool) -> None:
    for row in connection.execute(_LISTING, table_id=table_id):
        fields = dict(zip(Listing.__slots__, row, strict=True))
        summary = json.loads(fields["summary"])
        for player in summary.get("players", []):
            if player["user"] == erased.user_id:
                player["name"] = erased.replacement
        fields |= {"summary": json.dumps(summary), "running": bool(fields["running"])}
        if has_titled:
            fields["title"] = title_without(fields["title"], erased)
        listing = Listing(**fields)
        connection.execute(
            _STORE_LISTING,
            own=table_id,
            title=listing.title,
            summary=listing.summary,
            digest=listing_digest(table_id, listing),
        )
