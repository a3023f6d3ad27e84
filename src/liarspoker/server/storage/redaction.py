"""Taking a user's name out of a table's log, in one transaction: every digest from there on is made anew.

A log's chain of digests finds damage and proves nothing to anybody (see `log`), so it may be made again by whoever owns
the table. Versions, ids of users and of commands, and everything that is played stay as they are.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection, Row, value
from liarspoker.server.storage.log import Listing, Stored, chained, checked, digest_of, unpack
from liarspoker.server.storage.retention import LOG_NAMES, LOG_OF, packed
from liarspoker.server.storage.schema import ARCHIVES, EVENTS, LISTINGS, MEMBERS

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


class Erased(NamedTuple):
    """Whose name is taken out.

    Attributes:
        user_id: whose; the id stays.
        name: what they are called now; older names go too.
        chat: the texts of their chat lines go as well.
    """

    user_id: str
    name: str
    chat: bool

    @property
    def instead(self) -> str:
        """What stands for the name, at every table another one."""
        return f"deleted {self.user_id[:6]}"

    def cleaned(self, text: str) -> str:
        """A text of theirs without their name."""
        return re.sub(re.escape(self.name), lambda _: self.instead, text, flags=re.IGNORECASE) if self.name else text


def redact(connection: Connection, table_id: str, erased: Erased, epoch: int) -> None:
    """Take a user's name out of all that is stored of a table; it is none of the user's tables any more.

    Raises:
        NotOwner: whoever holds `epoch` does not own the table any more.
        TableDamaged: something in its log was changed, or is missing.
    """
    leases.hold(connection, table_id, epoch)
    rows = connection.execute(LOG_OF, table_id=table_id)
    archives = connection.execute(_ARCHIVE, table_id=table_id)
    before: list[Row] = []
    if archives:  # what is left of the log beside its archive is read by nobody
        before = unpack(bytes(archives[0][0]), LOG_NAMES)
        connection.execute(_STORE_ARCHIVE, own=table_id, packed=packed(_redacted(table_id, before, erased)))
        left = [(row, (*row[:5], body_without(row[5], erased), row[6])) for row in rows]
    else:
        left = list(zip(rows, _redacted(table_id, rows, erased), strict=True))
    for old, new in left:
        if old != new:
            connection.execute(_STORE, own=table_id, at_version=old[1], body=new[5], digest=new[6])
    made = json.loads((before if archives else rows)[0][5])["events"][0]
    _redact_listing(connection, table_id, erased, made["owner"] == erased.user_id)
    connection.execute(_NO_MEMBER, table_id=table_id, user_id=erased.user_id)


def _redacted(table_id: str, rows: list[Row], erased: Erased) -> list[Row]:
    """The rows of a whole log without the name, each with its digest."""
    checked(table_id, rows)
    made: list[Row] = []
    previous: bytes | None = None
    for row in rows:
        stored = Stored._make((*row[:5], body_without(row[5], erased)))
        previous = None if row[6] is None else chained(previous, *stored)
        made.append((*stored, previous))
    return made


def body_without(body: str, erased: Erased) -> str:
    """An entry's events without the name."""
    entry = json.loads(body)
    changed = [_event_without(event, erased) for event in entry["events"]]
    if changed == entry["events"]:
        return body
    return json.dumps(entry | {"events": changed}, separators=(",", ":"), ensure_ascii=False)


def _event_without(event: dict[str, Any], erased: Erased) -> dict[str, Any]:
    if event["e"] == "Made" and event["owner"] == erased.user_id:
        settings = event["settings"]
        return event | {"settings": settings | {"title": _title(settings.get("title", ""), erased)}}
    if event["e"] not in ("Joined", "Said") or event["user"] != erased.user_id:
        return event
    text = {"text": "(deleted)" if erased.chat else erased.cleaned(event["text"])} if event["e"] == "Said" else {}
    return event | {"name": erased.instead} | text


def _title(title: str, erased: Erased) -> str:
    """A title that the user gave; none at all where the name is in it, since a title has no place for another one."""
    return "" if erased.cleaned(title) != title else title


def _redact_listing(connection: Connection, table_id: str, erased: Erased, is_maker: bool) -> None:
    for row in connection.execute(_LISTING, table_id=table_id):
        fields = dict(zip(Listing.__slots__, row, strict=True))
        summary = json.loads(fields["summary"])
        for player in summary.get("players", []):
            if player["user"] == erased.user_id:
                player["name"] = erased.instead
        fields |= {"summary": json.dumps(summary), "running": bool(fields["running"])}
        if is_maker:
            fields["title"] = _title(fields["title"], erased)
        listing = Listing(**fields)
        connection.execute(
            _STORE_LISTING,
            own=table_id,
            title=listing.title,
            summary=listing.summary,
            digest=digest_of(table_id, listing),
        )
