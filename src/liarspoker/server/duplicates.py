"""Duplicate events: several tables play the same deals, and their results are compared.

An event has one secret seed, to which the server commits before anyone joins. Starting it is one transaction, which
fixes the players, their shares of the key, and their seats. The owner of a table's shard then makes it, when the event
starts or when somebody opens the table. Each table plays on its own, and stores the event's key with its seeds.
When a table has ended, its score is stored; when all have, the event is over and its deals are revealed.
"""

from __future__ import annotations

import logging
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa
from msgspec import Struct, structs

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _
from liarspoker.protocol.codec import Reader, encode
from liarspoker.protocol.settings import EventPlayer, EventProof, Settings, TableEvent
from liarspoker.server.accounts.credentials import User
from liarspoker.server.accounts.words import clean_label
from liarspoker.server.cluster.bus import Bus, EventStarted, Message
from liarspoker.server.storage.connection import Connection, Row, Values, insert, value
from liarspoker.server.storage.errors import StorageError, TableDamaged
from liarspoker.server.storage.log import shard_of
from liarspoker.server.storage.schema import DUPLICATE_PLAYERS, DUPLICATE_TABLES, DUPLICATES, LISTINGS, SECRETS, USERS
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import PlannedTable, TableRegistry
from liarspoker.tables.bot_names import BOT_NAMES
from liarspoker.tables.decide import Seat
from liarspoker.tables.duplicate import TableScore, score_of
from liarspoker.tables.fair.deal import SEED_BYTES
from liarspoker.tables.fair.event import drawn_order, event_commitment, event_key, share_of
from liarspoker.tables.names import look_alike
from liarspoker.tables.reducers import read_entry
from liarspoker.tables.refused import Refused
from liarspoker.tables.seating import BOT_PREFIX
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import ENDED

log = logging.getLogger(__name__)

MOST_PLAYERS = 64
MOST_HANDS = 100
MOST_WAITING = 20
"""The maximum number of events of one user that haven't started."""
LONGEST_WORDS = 100
EVENT_FORM = 3
"""The form of the log that has tables of events."""

_E, _P, _T = DUPLICATES.c, DUPLICATE_PLAYERS.c, DUPLICATE_TABLES.c
_OWN, _OF = _E.event_id == value(_E.event_id), _P.event_id == value(_P.event_id)
_IS_OPEN = (_OWN, _E.started_at.is_(None))
_CREATE, _JOIN, _PLAN = (
    insert(table).on_conflict_do_nothing() for table in (DUPLICATES, DUPLICATE_PLAYERS, DUPLICATE_TABLES)
)
_SEAL = insert(SECRETS).on_conflict_do_nothing()
_SEALED = sa.select(SECRETS.c.sealed).where(
    SECRETS.c.table_id == value(SECRETS.c.table_id), SECRETS.c.deal == sa.literal_column("0")
)
_EVENTS = sa.select(DUPLICATES, USERS.c.name.label("owner_name")).outerjoin(USERS, USERS.c.user_id == _E.owner)
_EVENT = _EVENTS.where(_OWN)
_PLAYERS = sa.select(_P.user_id, _P.name, _P.share).where(_OF).order_by(_P.joined_at, _P.user_id)
_TABLES = sa.select(_T.table_id, _T.score).where(_T.event_id == value(_T.event_id))
_EVENT_OF_UNSCORED = sa.select(_T.event_id).where(_T.table_id == value(_T.table_id), _T.score.is_(None))
_WAITING = (
    sa.select(sa.func.count()).select_from(DUPLICATES).where(_E.owner == value(_E.owner), _E.started_at.is_(None))
)
_LOCK = sa.update(DUPLICATES).values(name=_E.name).where(*_IS_OPEN).returning(_E.event_id)
"""Locks the row of an event that hasn't started, so that its players don't change during the transaction."""
_START = sa.update(DUPLICATES).values(started_at=value(_E.started_at), plan=value(_E.plan)).where(*_IS_OPEN)
_LEAVE = sa.delete(DUPLICATE_PLAYERS).where(_OF, _P.user_id == value(_P.user_id))
_STATUSES = sa.select(LISTINGS.c.table_id, LISTINGS.c.status).where(
    LISTINGS.c.table_id.in_(sa.select(_T.table_id).where(_T.event_id == value(_T.event_id)))
)
_SCORE = (
    sa.update(DUPLICATE_TABLES)
    .values(score=value(_T.score))
    .where(_T.table_id == value(_T.table_id), _T.score.is_(None))
)
_UNSCORED = sa.select(_T.table_id).where(_T.event_id == value(_T.event_id), _T.score.is_(None))
_FINISH = (
    sa.update(DUPLICATES)
    .values(finished_at=value(_E.finished_at))
    .where(_OWN, _E.finished_at.is_(None), _E.started_at.is_not(None), ~_UNSCORED.exists())
)
_MINE = sa.select(_P.event_id).where(_P.user_id == value(_P.user_id, "user"))
_LISTED = (
    _EVENTS.where(sa.or_(_E.owner == value(_E.owner, "user"), _E.event_id.in_(_MINE)))
    .order_by(_E.created_at.desc())
    .limit(sa.literal_column("50"))
)


class EventError(LiarsPokerError):
    """An event can't be created, joined, left or started; the code gives the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class EventBody(Struct, frozen=True):
    """What an event was created with.

    Attributes:
        settings: settings of all its tables.
        bots: bots fill the empty seats.
        commitment: the server's commitment to the seed, in hexadecimal.
    """

    settings: Settings
    bots: bool
    commitment: str


class PlannedSeats(Struct, frozen=True):
    """The players of a table by seat; empty for a bot."""

    table: str
    users: tuple[str, ...]


class Plan(Struct, frozen=True):
    """What was fixed at the start: the players with their shares, and the seats of each table."""

    players: tuple[EventPlayer, ...]
    tables: tuple[PlannedSeats, ...]


_BODIES: Reader[EventBody] = Reader(EventBody)
_PLANS: Reader[Plan] = Reader(Plan)
_SCORES: Reader[TableScore] = Reader(TableScore)


@dataclass(frozen=True, slots=True)
class Event:
    """A duplicate event.

    Attributes:
        id: 128 random bits; anyone who knows the id can open the event.
        owner: the user who created it, and can start it.
        owner_name: their name.
        started_at: when it was started, in seconds; `None` before.
        finished_at: when its last table had ended, in seconds; `None` before.
        names: the names of its players by user id, in the order in which they joined.
        plan: the seats; `None` before the start.
        scores: the scores of its tables by id; of those that have ended.
        statuses: the status of each table that has been made, by id.
    """

    id: str
    owner: str
    owner_name: str
    name: str
    body: EventBody
    created_at: float
    started_at: float | None
    finished_at: float | None
    names: dict[str, str]
    plan: Plan | None
    scores: dict[str, TableScore]
    statuses: dict[str, str]

    @property
    def settings(self) -> Settings:
        """Settings of all tables."""
        return self.body.settings

    @property
    def hands(self) -> int:
        """The number of hands."""
        assert self.settings.rounds is not None
        return self.settings.rounds

    @property
    def unmade(self) -> tuple[str, ...]:
        """The ids of the tables that haven't been made yet, once the event has started."""
        known = self.statuses.keys() | self.scores.keys()
        return () if self.plan is None else tuple(one.table for one in self.plan.tables if one.table not in known)

    def table_of(self, user: str | None) -> str | None:
        """Return the id of the table at which a user plays; `None` for none."""
        tables = () if self.plan is None or user is None else self.plan.tables
        return next((one.table for one in tables if user in one.users), None)


class Duplicates:
    """The duplicate events of a server. Jobs that write are idempotent."""

    def __init__(self, registry: TableRegistry, bus: Bus) -> None:
        self._registry = registry
        self._storage = registry.storage
        self._bus = bus
        registry.planned = self._planned
        registry.on_event_table_ended = lambda event_id: registry.spawn(self._settle_quietly(event_id))
        bus.listeners.append(self._on_message)

    async def create(self, user: User, name: str, settings: dict[str, Any], hands: int, with_bots: bool) -> Event:
        """Create an event and commit to its seed.

        Args:
            user: the creator, who doesn't have to play.
            name: the name of the event, 1 to 60 characters.
            settings: settings of its tables. Those that would make tables differ or reveal deals are overridden.
            hands: the number of hands, 1 to `MOST_HANDS`.
            with_bots: bots fill the empty seats.

        Raises:
            BadName: the name isn't valid.
            Refused: the settings aren't valid.
            EventError: `too-many-events`.
        """
        name = clean_label(name)
        of_tables = event_settings(settings, name, hands)
        now, seed = self._registry.clock.now(), self._registry.chance(SEED_BYTES)
        event_id = urlsafe_b64encode(self._registry.chance(16)).rstrip(b"=").decode()
        body = EventBody(of_tables, with_bots, event_commitment(seed, event_id).hex())
        row: Values = {
            "event_id": event_id,
            "owner": user.user_id,
            "name": name,
            "body": encode(body),
            "created_at": now,
        }
        sealed = self._storage.sealer.seal(seed, event_id, 0)

        def create(connection: Connection) -> None:
            if connection.execute(_WAITING, owner=user.user_id)[0][0] >= MOST_WAITING:
                raise EventError(
                    "too-many-events", _("{count} of your events haven't started; start them first", count=MOST_WAITING)
                )
            connection.execute(_CREATE, **row, started_at=None, plan=None, finished_at=None)
            connection.execute(_SEAL, table_id=event_id, deal=0, sealed=sealed)

        await self._storage.write(create)
        return await self.find(event_id)

    async def find(self, event_id: str) -> Event:
        """Return an event.

        Raises:
            EventError: `no-such-event`.
        """
        found = await self._storage.read(partial(_found, event_id=event_id))
        if found is None:
            raise _no_event()
        return found

    async def of(self, user_id: str) -> list[Event]:
        """Return the events that a user has created or joined, newest first."""

        def listed(connection: Connection) -> list[Event]:
            return [_event(connection, row) for row in connection.execute(_LISTED, user=user_id)]

        return await self._storage.read(listed)

    async def join(self, event_id: str, user: User, words: str = "") -> Event:
        """Add a player to an event that hasn't started; joining again changes nothing.

        Args:
            event_id: id of the event.
            user: the player.
            words: any words, of which a hash is mixed into all deals; at most `LONGEST_WORDS` characters.

        Raises:
            EventError: `no-such-event`, `event-started`, `event-full`, `name-taken` or `bad-command`.
        """
        if len(words) > LONGEST_WORDS:
            raise EventError("bad-command", _("words: must have at most {most} characters", most=LONGEST_WORDS))
        share = share_of(event_id, words.strip()).hex()
        now = self._registry.clock.now()

        def join(connection: Connection) -> None:
            _lock_open(connection, event_id)
            players = connection.execute(_PLAYERS, event_id=event_id)
            if any(player[0] == user.user_id for player in players):
                return
            if len(players) >= MOST_PLAYERS:
                raise EventError("event-full", _("this event has its maximum of {most} players", most=MOST_PLAYERS))
            if look_alike(user.name, (player[1] for player in players)) is not None:
                raise EventError("name-taken", _("a player of this event already has that name or a similar one"))
            row: Values = {"user_id": user.user_id, "name": user.name, "share": share, "joined_at": now}
            connection.execute(_JOIN, event_id=event_id, **row)

        await self._storage.write(join)
        return await self.find(event_id)

    async def leave(self, event_id: str, user_id: str) -> Event:
        """Remove a player from an event that hasn't started.

        Raises:
            EventError: `no-such-event` or `event-started`.
        """

        def leave(connection: Connection) -> None:
            _lock_open(connection, event_id)
            connection.execute(_LEAVE, event_id=event_id, user_id=user_id)

        await self._storage.write(leave)
        return await self.find(event_id)

    async def start(self, event_id: str, user_id: str) -> Event:
        """Allot the players to tables, and make the tables. Starting an event again changes nothing.

        Raises:
            EventError: `no-such-event`, `not-creator` or `too-few`.
        """
        event = await self.find(event_id)
        if event.owner != user_id:
            raise EventError("not-creator", _("only the creator of an event can start it"))
        now = self._registry.clock.now()
        ids = [urlsafe_b64encode(self._registry.chance(16)).rstrip(b"=").decode() for _ in range(MOST_PLAYERS)]

        def start(connection: Connection) -> None:
            if not connection.execute(_LOCK, event_id=event_id):
                return
            rows = connection.execute(_PLAYERS, event_id=event_id)
            players = tuple(EventPlayer(user, share) for user, _, share in rows)
            seats, with_bots = event.settings.seats, event.body.bots
            key = self._key(connection, event.id, event.settings, players)
            allotted = allotment(key, tuple(player.user for player in players), seats, with_bots)
            tables = tuple(PlannedSeats(table, users) for table, users in zip(ids, allotted, strict=False))
            plan = encode(Plan(players, tables))
            connection.execute(_START, event_id=event_id, started_at=now, plan=plan)
            for table in tables:
                connection.execute(_PLAN, table_id=table.table, event_id=event_id, score=None)

        await self._storage.write(start)
        self._bus.publish(EventStarted(event_id))
        await self._make_tables(event_id)
        return await self.find(event_id)

    async def proof(self, event: Event) -> EventProof:
        """Return what verifies the deals of an event, which must be over."""
        assert event.plan is not None
        sealed = await self._storage.read(lambda connection: connection.execute(_SEALED, table_id=event.id))
        return EventProof(
            commitment=event.body.commitment,
            seed=self._storage.sealer.open(bytes(sealed[0][0]), event.id, 0).hex(),
            game=event.settings.game,
            seats=event.settings.seats,
            hands=event.hands,
            players=event.plan.players,
        )

    async def reveal(self, actor: TableActor) -> None:
        """Reveal the deals of a table, if it belongs to an event that is over."""
        table = actor.table
        if table.event is None or table.proof is not None or table.stage != ENDED:
            return
        event = await self.settle(table.event.id)
        if event.finished_at is not None:
            actor.reveal(await self.proof(event))

    async def settle(self, event_id: str) -> Event:
        """Store the scores of tables that have ended and, when all have, the end of the event.

        Tables that a crash prevented are made, so that the event ends even if none of their players comes.

        Raises:
            EventError: `no-such-event`.
        """
        event = await self.find(event_id)
        if event.unmade:
            self._bus.publish(EventStarted(event_id))
            await self._make_tables(event_id)
        ended = [table for table, status in event.statuses.items() if status == ENDED and table not in event.scores]
        for table in ended:
            try:
                stored = await self._storage.log(table)
            except TableDamaged:
                continue  # the event isn't over before the operator has restored the table
            score = score_of((read_entry(entry.body) for entry in stored.entries), stored.seeds.__getitem__)
            await self._storage.write(partial(_store_score, table_id=table, score=encode(score)))
        if ended or (
            event.finished_at is None and event.plan is not None and len(event.scores) == len(event.plan.tables)
        ):
            now = self._registry.clock.now()
            await self._storage.write(partial(_finish, event_id=event_id, now=now))
            return await self.find(event_id)
        return event

    async def _settle_quietly(self, event_id: str) -> None:
        with suppress(StorageError):  # then it is settled when somebody opens the event
            await self.settle(event_id)

    def _on_message(self, message: Message) -> None:
        if isinstance(message, EventStarted):
            self._registry.spawn(self._make_tables(message.event_id))

    async def _make_tables(self, event_id: str) -> None:
        """Make the tables in the shards of this node; the others are made by their owners, or when they are opened."""
        try:
            event = await self.find(event_id)
            for table in event.unmade:
                if shard_of(table) in self._registry.membership.leases:
                    await self._registry.table(table)
        except (StorageError, EventError) as error:
            log.warning("event's tables not made", extra={"code": error.code})

    async def _planned(self, table_id: str) -> PlannedTable | None:
        """Return what is planned for a table of an event that has started; `None` for any other id.

        A table with a score has ended, and may have been deleted since.
        """

        def planned(connection: Connection) -> PlannedTable | None:
            rows = connection.execute(_EVENT_OF_UNSCORED, table_id=table_id)
            event = _found(connection, rows[0][0]) if rows else None
            if event is None or event.plan is None or event.started_at is None:
                return None
            users = next(one.users for one in event.plan.tables if one.table == table_id)
            return PlannedTable(
                TableEvent(event.id, stand_in_of(event.settings.game)),
                event.settings,
                tuple(seats_of(event, users)),
                self._key(connection, event.id, event.settings, event.plan.players),
                event.started_at,
            )

        return await self._storage.read(planned)

    def _key(self, connection: Connection, event_id: str, settings: Settings, players: Sequence[EventPlayer]) -> bytes:
        sealed = connection.execute(_SEALED, table_id=event_id)[0][0]
        seed = self._storage.sealer.open(bytes(sealed), event_id, 0)
        shares = [(player.user, bytes.fromhex(player.share)) for player in players]
        assert settings.rounds is not None
        return event_key(seed, event_id, settings.game, settings.seats, settings.rounds, shares)


def event_settings(given: dict[str, Any], title: str, hands: int) -> Settings:
    """Return the settings of an event's tables.

    All tables play the same number of hands, nobody watches them, and all deals are revealed after the event.

    Raises:
        Refused: the settings aren't valid; or they would let tables deal differently, or one table wait forever.
    """
    if not 1 <= hands <= MOST_HANDS:
        raise Refused("bad-option", _("hands: must be between 1 and {most}", most=MOST_HANDS))
    settings = read_settings({**given, "title": title, "rounds": hands})
    if settings.options.get("dealers_choice"):
        raise Refused("bad-option", _("dealers_choice: an event's tables all play by the same rules; turn it off"))
    if settings.rated:
        raise Refused("bad-option", _("rated: the tables of an event can't be rated; leave it out"))
    if settings.clock is None and not settings.days:
        raise Refused("bad-option", _("clock: an event needs a pace, so that no table waits forever for a player"))
    return structs.replace(settings, spectators="none", visibility="private", audit="full", choose=False)


def allotment(key: bytes, users: Sequence[str], seats: int, with_bots: bool) -> list[tuple[str, ...]]:
    """Return the players of each table by seat, drawn at random from the event's key; empty for a bot.

    With bots, the players are spread evenly over as few tables as they need, but at least two.

    Raises:
        EventError: `too-few`: the players don't fill at least two tables.

    >>> allotment(bytes(32), "abcd", 2, with_bots=False)
    [('c', 'b'), ('d', 'a')]
    >>> allotment(bytes(32), "abc", 3, with_bots=True)
    [('c', 'b', ''), ('a', '', '')]
    """
    count = len(users)
    if with_bots and count < 2:
        raise EventError("too-few", _("an event needs at least two players; wait for someone to join"))
    if not with_bots and (count < 2 * seats or count % seats):
        missing = max(2 * seats, count + -count % seats) - count
        raise EventError(
            "too-few",
            _(
                "{count} players don't fill tables of {seats} seats, of which there must be at least two: "
                "players missing: {missing}",
                count=count,
                seats=seats,
                missing=missing,
            ),
        )
    tables = max(2, -(-count // seats))
    drawn = [users[place] for place in drawn_order(key, count)]
    found = []
    for number in range(tables):
        taken = count // tables + (number < count % tables)
        found.append((*drawn[:taken], *[""] * (seats - taken)))
        drawn = drawn[taken:]
    return found


def seats_of(event: Event, users: Sequence[str]) -> Iterator[Seat]:
    """Yield who takes each seat of a table; a seat has the same bot at all tables."""
    names = [name for name in BOT_NAMES if look_alike(name, event.names.values()) is None]
    playing = bots_of(event.settings.game)
    for seat, user in enumerate(users):
        if user:
            yield Seat(user, event.names.get(user, _deleted(user)))
        else:
            name = names[seat] if seat < len(names) else f"Bot {seat + 1}"
            yield Seat(f"{BOT_PREFIX}{seat}", name, playing[seat % len(playing)])


def _deleted(user: str) -> str:
    """Return what is shown instead of the name of a user who was deleted."""
    return f"deleted {user[:6]}"


def bots_of(game: str) -> list[str]:
    """Return the bots that play a game, without the one that plays at random if there are others."""
    row = catalogue.preset(game)
    playing = [bot.name for bot in bots.bots() if bot.plays(row)]
    return [name for name in playing if name != "uniform"] or playing


def stand_in_of(game: str) -> str:
    """Return the bot that plays for absent players of an event."""
    playing = bots_of(game)
    return "binomial" if "binomial" in playing else playing[0]


def _no_event() -> EventError:
    return EventError("no-such-event", _("there is no such event; ask for a new link"))


def _lock_open(connection: Connection, event_id: str) -> None:
    """Lock an event that hasn't started.

    Raises:
        EventError: `no-such-event` or `event-started`.
    """
    if not connection.execute(_LOCK, event_id=event_id):
        if not connection.execute(_EVENT, event_id=event_id):
            raise _no_event()
        raise EventError("event-started", _("this event has already started"))


def _store_score(connection: Connection, table_id: str, score: str) -> None:
    connection.execute(_SCORE, table_id=table_id, score=score)


def _finish(connection: Connection, event_id: str, now: float) -> None:
    connection.execute(_FINISH, event_id=event_id, finished_at=now)


def _found(connection: Connection, event_id: str) -> Event | None:
    rows = connection.execute(_EVENT, event_id=event_id)
    return _event(connection, rows[0]) if rows else None


def _event(connection: Connection, row: Row) -> Event:
    event_id, owner, name, body, created_at, started_at, plan, finished_at, owner_name = row
    tables = connection.execute(_TABLES, event_id=event_id)
    return Event(
        event_id,
        owner,
        owner_name or _deleted(owner),
        name,
        _BODIES.read(body),
        created_at,
        started_at,
        finished_at,
        {user: shown for user, shown, _ in connection.execute(_PLAYERS, event_id=event_id)},
        None if plan is None else _PLANS.read(plan),
        {table: _SCORES.read(score) for table, score in tables if score is not None},
        dict(connection.execute(_STATUSES, event_id=event_id)),
    )
