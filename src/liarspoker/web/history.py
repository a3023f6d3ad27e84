"""A user's results at all their tables and in imported records: totals, by game, by opponent and by position; and bids.

The results of a table are computed by replaying its records by the rules, and stored until the table changes.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from functools import partial
from hashlib import sha256
from itertools import accumulate
from typing import Any

import sqlalchemy as sa

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _
from liarspoker.records import replay
from liarspoker.records.reader import Replay
from liarspoker.records.schema import Fault
from liarspoker.records.writer import to_json
from liarspoker.server.storage.connection import Connection, insert, value
from liarspoker.server.storage.errors import StorageError
from liarspoker.server.storage.log import Listed, TableLog
from liarspoker.server.storage.schema import IMPORTS, MEMBERS, RESULTS
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.log_reading import read_log
from liarspoker.tables.export import records_of
from liarspoker.tables.state import Table
from liarspoker.web.view_models.family import Tally
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.view_models.profile import NO_BIDS, Bids, Made, Profile, sums
from liarspoker.web.view_models.round_replay import RoundReplay, round_replay
from liarspoker.web.view_models.terms import title_words
from liarspoker.web.words import day

MOST_TABLES = 2_000
"""The number of recent tables that are included."""
MOST_IMPORTS = 200
"""The number of records that a user may import."""
MOST_PACKED_BYTES = 64 * 1024
"""Maximum size of an imported record after compression: about 1 MB of JSON."""
LONGEST_TITLE = 60
"""The maximum length of the title of an imported record."""
TIMEOUT = 0.8
"""Seconds after which a page is shown without the tables not counted yet; counting continues in the background."""
_PARALLEL = 2
"""The number of tables counted at the same time."""
_FORMAT = 3
"""The version of stored results; those of other versions are counted again."""
_EVEN = Fraction(1, 2)

_RESULTS = sa.select(RESULTS.c.table_id, RESULTS.c.at, RESULTS.c.body).where(
    RESULTS.c.user_id == value(RESULTS.c.user_id)
)
_KEEP = insert(RESULTS)
_KEEP = _KEEP.on_conflict_do_update(
    index_elements=[RESULTS.c.user_id, RESULTS.c.table_id],
    set_={"at": _KEEP.excluded.at, "body": _KEEP.excluded.body},
)
_IS_MEMBER = sa.select(MEMBERS.c.user_id).where(
    MEMBERS.c.table_id == value(MEMBERS.c.table_id), MEMBERS.c.user_id == value(MEMBERS.c.user_id)
)
_IMPORTED = sa.select(IMPORTS.c.import_id, IMPORTS.c.at, IMPORTS.c.body).where(
    IMPORTS.c.user_id == value(IMPORTS.c.user_id)
)
_OWN = sa.and_(IMPORTS.c.user_id == value(IMPORTS.c.user_id), IMPORTS.c.import_id == value(IMPORTS.c.import_id))
_RECORD = sa.select(IMPORTS.c.record).where(_OWN)
_IMPORT = insert(IMPORTS).on_conflict_do_nothing()
_RECOUNT = sa.update(IMPORTS).where(_OWN).values({IMPORTS.c.body: value(IMPORTS.c.body)})
_FORGET = sa.delete(IMPORTS).where(_OWN)


class BadImport(LiarsPokerError):
    """A record that can't be imported."""

    code = "bad-import"


@dataclass(frozen=True, slots=True)
class Part:
    """A player's results in the rounds with the same opponents and the same position.

    Attributes:
        opponents: the names of the others in the round.
        position: 1 for the player who opens the round, 2 for the next one, and so on; 0 if nobody opens.
        tally: the statistics.
        bids: the bids made and answered; empty in games without a profile of them.
    """

    opponents: tuple[str, ...]
    position: int
    tally: Tally
    bids: Bids = NO_BIDS


@dataclass(frozen=True, slots=True)
class Played:
    """A user's results at one table or in one imported record.

    Attributes:
        id: the id of the table or of the imported record.
        stored_title: the title as stored; empty for none.
        at: time of the table's last change or of the import, as a Unix timestamp.
    """

    id: str
    stored_title: str
    game: catalogue.GamePreset
    ended: bool
    at: float
    parts: tuple[Part, ...]
    imported: bool = False

    @property
    def title(self) -> str:
        """The title as people read it."""
        return title_words(self.stored_title, self.game.id)

    @property
    def tally(self) -> Tally:
        """The statistics of all rounds."""
        return total(self.parts)

    @property
    def units(self) -> int:
        """The units won or lost."""
        return self.tally.units

    @property
    def bids(self) -> Bids:
        """The bids made and answered."""
        return sum((part.bids for part in self.parts), NO_BIDS)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of all opponents, in alphabetical order."""
        return tuple(sorted({name for part in self.parts for name in part.opponents}))


@dataclass(frozen=True, slots=True)
class Selection:
    """Which results to include; empty fields include all.

    Attributes:
        game: the id of a game.
        opponent: the name of an opponent.
        since: the first day, as YYYY-MM-DD in UTC.
        until: the last day.
    """

    game: str = ""
    opponent: str = ""
    since: str = ""
    until: str = ""


Line = tuple[Any, int, Tally]
"""A row of a breakdown: what it is about, the number of tables, and the statistics."""


@dataclass(frozen=True, slots=True)
class History:
    """A user's results, most recent first; `uncounted` is the number of tables and imports still being counted."""

    played: tuple[Played, ...]
    uncounted: int = 0

    @property
    def tally(self) -> Tally:
        """The statistics over all tables."""
        return sum((one.tally for one in self.played), Tally())

    @property
    def units(self) -> int:
        """The total of units won and lost."""
        return self.tally.units

    @property
    def running_total(self) -> tuple[int, ...]:
        """The running total of units after each table, oldest first, starting with 0."""
        return tuple(accumulate((one.units for one in reversed(self.played)), initial=0))

    @property
    def by_game(self) -> tuple[Line, ...]:
        """The results in each game, in the order of the catalogue."""
        lines = self._by((one.game.id, one, one.parts) for one in self.played)
        return tuple((row, *lines[row.id]) for row in catalogue.games() if row.id in lines)

    @property
    def by_opponent(self) -> tuple[Line, ...]:
        """The results in rounds with each opponent, most rounds first."""
        lines = self._by(
            (name, one, tuple(part for part in one.parts if name in part.opponents))
            for one in self.played
            for name in one.opponents
        )
        return tuple((name, *line) for name, line in sorted(lines.items(), key=lambda at: (-at[1][1].rounds, at[0])))

    @property
    def by_position(self) -> tuple[Line, ...]:
        """The results at each position, in the order of play."""
        lines = self._by((part.position, one, (part,)) for one in self.played for part in one.parts)
        return tuple((place, *lines[place]) for place in sorted(lines) if place)

    @property
    def profiles(self) -> tuple[tuple[Profile, History], ...]:
        """The families in which the user made or answered bids or claims, each with the results in its games."""
        families = {row.family: pages_for(row).profile for row, *_line in self.by_game}
        found = ((profile, self._in(family)) for family, profile in families.items() if profile is not None)
        return tuple((profile, history) for profile, history in found if history.bids.hands)

    def _in(self, family: str) -> History:
        return replace(self, played=tuple(one for one in self.played if one.game.family == family))

    @property
    def bids(self) -> Bids:
        """The bids made and answered, of which only those of games of one family can be compared."""
        return sum((one.bids for one in self.played), NO_BIDS)

    @property
    def bids_by_position(self) -> tuple[tuple[int, Made], ...]:
        """The bids made at each position, in the order of play."""
        return sums(
            ((part.position, part.bids.total) for one in self.played for part in one.parts if part.bids.made), Made()
        )

    def selected(self, selection: Selection) -> History:
        """Return the selected results; with an opponent, only the rounds that they played."""
        return replace(self, played=tuple(one for each in self.played if (one := _selected(each, selection))))

    @staticmethod
    def _by(found: Iterable[tuple[Any, Played, tuple[Part, ...]]]) -> dict[Any, tuple[int, Tally]]:
        tables, tallies = defaultdict[Any, set[str]](set), defaultdict[Any, Tally](Tally)
        for key, one, parts in found:
            tables[key].add(one.id)
            tallies[key] += total(parts)
        return {key: (len(tables[key]), tally) for key, tally in tallies.items()}


def total(parts: Iterable[Part]) -> Tally:
    """Return the sum of the parts' statistics."""
    return sum((part.tally for part in parts), Tally())


def _selected(one: Played, selection: Selection) -> Played | None:
    if selection.game not in ("", one.game.id):
        return None
    if not (selection.since or "0") <= day(one.at) <= (selection.until or "9"):
        return None
    if not selection.opponent:
        return one
    parts = tuple(part for part in one.parts if selection.opponent in part.opponents)
    return replace(one, parts=parts) if parts else None


_Import = tuple[str, dict[str, Any]]
"""The id of an imported record, and what is stored beside it."""


class Histories:
    """Computes and stores users' results, and stores imported records."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._counting: dict[str, asyncio.Task[None]] = {}
        self._turns = asyncio.Semaphore(_PARALLEL)

    async def of(self, user: str) -> History:
        """Return the results of `user` as counted within `TIMEOUT`; the rest is counted in the background."""
        listed = await self._storage.listings(member=user, limit=MOST_TABLES)
        played, missing = await self._known(user, listed)
        if missing:
            if user not in self._counting:
                self._counting[user] = asyncio.create_task(self._count(user, missing))
                self._counting[user].add_done_callback(lambda _: self._counting.pop(user))
            counting = self._counting[user]
            await asyncio.wait([counting], timeout=TIMEOUT)
            if counting.done():
                counting.result()
            played, missing = await self._known(user, listed)
        return History(tuple(sorted(played, key=lambda one: one.at, reverse=True)), len(missing))

    async def _known(self, user: str, listed: Sequence[Listed]) -> tuple[list[Played], list[Listed | _Import]]:
        """Return the stored results, and what must be counted: tables that have changed since, and imports."""
        rows = await self._storage.read(lambda connection: connection.execute(_RESULTS, user_id=user))
        stored = {table_id: (at, body) for table_id, at, body in rows}
        known, missing = list[Played](), list[Listed | _Import]()
        for one in listed:
            at, body = stored.get(one.table_id, (None, ""))
            parts = _read(json.loads(body)) if at == one.listing.updated_at else None
            if parts is None:
                missing.append(one)
            else:
                known.append(_at_table(one, parts))
        imported = await self._storage.read(lambda connection: connection.execute(_IMPORTED, user_id=user))
        for import_id, at, body in imported:
            about = json.loads(body)
            parts = _read(about.get("counted", about["parts"]))
            if parts is None:
                missing.append((import_id, about))
            row = catalogue.preset(about["game"])
            known.append(Played(import_id, about["title"], row, True, at, parts or (), imported=True))
        return known, missing

    async def _count(self, user: str, missing: Sequence[Listed | _Import]) -> None:
        """Count tables, most recent first, and imports; skip those that can't be read."""
        for one in missing:
            async with self._turns:
                with suppress(StorageError, ValueError):
                    if isinstance(one, Listed):
                        stored = await self._storage.log(one.table_id)
                        parts = await asyncio.to_thread(_counted, stored, user)
                        await self._storage.write(partial(_keep, user_id=user, listed=one, parts=parts))
                    else:
                        await self._recount(user, *one)

    async def _recount(self, user: str, import_id: str, about: dict[str, Any]) -> None:
        """Count an imported record again, and keep what an older version has stored, which it can read."""
        text = await self.imported(user, import_id)
        if text is not None:
            document = json.loads(text)
            parts = await asyncio.to_thread(lambda: parts_of(replay(document), document["x-seat"]))
            body = json.dumps({**about, "counted": _written(parts)})
            given = {"user_id": user, "import_id": import_id, "body": body}
            await self._storage.write(lambda connection: connection.execute(_RECOUNT, **given))

    async def add(self, user: str, played: Replay, name: str, at: float) -> str:
        """Import a valid record and return its id; importing it again changes nothing.

        Args:
            user: the user.
            played: the replayed record.
            name: the user's name in the record; if nobody or several have this name, the record's own `x-seat` decides.
            at: now, as a Unix timestamp.

        Raises:
            BadImport: the record has no finished round, is too large, doesn't tell which player is the user, or the
                user has imported the maximum number of records.
        """
        document, seat = played.document, _seat(played, name)
        parts = await asyncio.to_thread(parts_of, played, seat)
        if not total(parts).rounds:
            raise BadImport(_("the record has no finished round"))
        try:
            text = to_json({**document, "x-seat": seat})
        except Fault as fault:
            raise BadImport(fault.message) from None
        packed = zlib.compress(text.encode())
        title = str(document.get("x-title", ""))[:LONGEST_TITLE]
        about = json.dumps({"title": title, "game": document["game"], "parts": _written(parts)})
        if len(packed) > MOST_PACKED_BYTES or len(about) > MOST_PACKED_BYTES:
            raise BadImport(_("the record is too large; split it into several records"))
        import_id = sha256(f"{user}\n{text}".encode()).hexdigest()[:20]

        # The thread of the database doesn't know the user's language.
        full = _("you have imported the maximum of {number} records; delete some first", number=MOST_IMPORTS)

        def store(connection: Connection) -> None:
            known = {row[0] for row in connection.execute(_IMPORTED, user_id=user)}
            if len(known - {import_id}) >= MOST_IMPORTS:
                raise BadImport(full)
            connection.execute(_IMPORT, import_id=import_id, user_id=user, at=at, body=about, record=packed)

        await self._storage.write(store)
        return import_id

    async def imported(self, user: str, import_id: str) -> str | None:
        """Return an imported record of the user as JSON; `None` if there is no such record."""
        given = {"user_id": user, "import_id": import_id}
        rows = await self._storage.read(lambda connection: connection.execute(_RECORD, **given))
        return zlib.decompress(rows[0][0]).decode() if rows else None

    async def forget(self, user: str, import_id: str) -> None:
        """Delete an imported record of the user."""
        given = {"user_id": user, "import_id": import_id}
        await self._storage.write(lambda connection: connection.execute(_FORGET, **given))

    async def records(self, user: str, one: Played) -> list[dict[str, Any]]:
        """Return the records of a table or import, limited to what the user may know."""
        if one.imported:
            text = await self.imported(user, one.id)
            return [] if text is None else [json.loads(text)]
        stored = await self._storage.log(one.id)
        return await asyncio.to_thread(lambda: records_of(read_log(stored).table, user))


def _keep(connection: Connection, user_id: str, listed: Listed, parts: Sequence[Part]) -> None:
    """Store the results at a table, unless the user or the table has been deleted since."""
    if connection.execute(_IS_MEMBER, user_id=user_id, table_id=listed.table_id):
        body = json.dumps(_written(parts))
        connection.execute(_KEEP, user_id=user_id, table_id=listed.table_id, at=listed.listing.updated_at, body=body)


def _written(parts: Sequence[Part]) -> list[Any]:
    return [_FORMAT, *([part.opponents, part.position, astuple(part.tally), astuple(part.bids)] for part in parts)]


def _read(written: list[Any]) -> tuple[Part, ...] | None:
    """Return the parts as stored; `None` if they were stored by another version."""
    if written[0] != _FORMAT:
        return None
    return tuple(
        Part(tuple(opponents), position, Tally(*tally), Bids.of(*bids))
        for opponents, position, tally, bids in written[1:]
    )


def _at_table(listed: Listed, parts: tuple[Part, ...]) -> Played:
    listing = listed.listing
    row = catalogue.preset(listing.game)
    return Played(listed.table_id, listing.title, row, listing.status == "ended", listing.updated_at, parts)


def _seat(played: Replay, name: str) -> int:
    """Return the user's seat in a record."""
    seat, players = played.document.get("x-seat"), played.players
    if players.count(name) == 1:
        return players.index(name)
    if type(seat) is int and 0 <= seat < len(players):
        return seat
    raise BadImport(_("choose which player you are: {names}", names=", ".join(players)))


def _counted(stored: TableLog, user: str) -> tuple[Part, ...]:
    return played_at(read_log(stored).table, user)


def played_at(table: Table, user: str) -> tuple[Part, ...]:
    """Return the results of `user` at a table, from the rounds that they may see."""
    found = list[Part]()
    for record in records_of(table, user):
        if "x-seat" in record:
            found += parts_of(replay(record), record["x-seat"])
    return merged(found)


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the parts with those of the same opponents and position added up."""
    found = dict[tuple[tuple[str, ...], int], Part]()
    for part in parts:
        before = found.get((part.opponents, part.position), Part((), 0, Tally()))
        found[part.opponents, part.position] = replace(
            part, tally=before.tally + part.tally, bids=before.bids + part.bids
        )
    return tuple(found.values())


def parts_of(played: Replay, seat: int) -> tuple[Part, ...]:
    """Return the results of a seat in the finished rounds of a record."""
    assert played.game is not None
    pages = pages_for(played.game.preset)
    found = list[Part]()
    before = played.start
    for index, session in enumerate(played.rounds):
        shown = round_replay(played, index, str(seat))
        alive = shown.sessions[0].alive
        earned = session.score[seat] - (before.score[seat] if before is not None and before.score else 0)
        others = tuple(sorted(name for other, name in enumerate(played.players) if other in alive and other != seat))
        if seat not in alive:  # out of the match, whose end still costs units
            found.append(Part(others, 0, Tally(units=earned)))
        elif not session.in_play:
            tally = pages.tally(session, seat)
            bids = NO_BIDS if pages.profile is None else pages.profile.bids(shown)
            if pages.profile is not None and pages.profile.by_probability:
                own = bids.total
                counts = {"claims": own.bids, "bluffs": own.bluffs, "caught": own.caught}
            else:
                counts = _claims(shown, seat, pages.replay.probability, bool(tally.bids_lost))
            full = replace(tally, units=earned, **counts)
            found.append(Part(others, _position(shown, alive, seat), full, bids))
        before = session
    return merged(found)


def _claims(
    shown: RoundReplay, seat: int, probability: Callable[[RoundReplay, int], Fraction | None], lost: bool
) -> dict[str, int]:
    """Return a seat's numbers of claims, of bluffs among them, and of bluffs that were caught.

    A bluff is a claim that is more likely false than true, given what its claimant sees.
    """
    own = [at for at in shown.claims if shown.moves[at - 1][0] == seat]
    bluffs = [at for at in own if (chance := probability(shown, at)) is not None and chance < _EVEN]
    return {"claims": len(own), "bluffs": len(bluffs), "caught": int(lost and shown.claims[-1] in bluffs)}


def _position(shown: RoundReplay, alive: Sequence[int], seat: int) -> int:
    """Return a seat's position in the order of play, from 1; 0 if nobody opens the round."""
    opener = shown.moves[0][0] if shown.moves else None
    if opener is None:
        return 0
    count = len(shown.names)
    order = sorted(alive, key=lambda one: (one - opener) % count)
    return order.index(seat) + 1


def zip_name(one: Played, number: int, records: int) -> str:
    """Return the file name of a record in an archive of all records."""
    suffix = f"-{number}" if records > 1 else ""
    return f"{day(one.at)}-{one.game.id}-{one.id[:8]}{suffix}.json"
