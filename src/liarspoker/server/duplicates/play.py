"""The duplicate events of a server: they are created, joined, started and settled here."""

from __future__ import annotations

import logging
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from liarspoker.language import _
from liarspoker.protocol.codec import encode
from liarspoker.protocol.settings import EventPlayer, EventProof, Settings, TableEvent
from liarspoker.server.accounts.credentials import User
from liarspoker.server.accounts.words import clean_label
from liarspoker.server.cluster.bus import Bus, EventStarted, Message
from liarspoker.server.duplicates.model import Event, EventBody, EventError, Plan, PlannedSeats
from liarspoker.server.duplicates.planning import allotment, event_settings, seats_of, stand_in_of
from liarspoker.server.duplicates.rows import (
    CREATE,
    EVENT_OF_UNSCORED,
    JOIN,
    LEAVE,
    LISTED,
    LOCK,
    PLAN,
    PLAYERS,
    SEAL,
    SEALED,
    START,
    WAITING,
    event_of,
    finish,
    found_event,
    lock_open,
    no_event,
    store_score,
)
from liarspoker.server.storage.connection import Connection, Values
from liarspoker.server.storage.errors import StorageError, TableDamaged
from liarspoker.server.storage.log import shard_of
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import PlannedTable, TableRegistry
from liarspoker.tables.duplicate import score_of
from liarspoker.tables.fair.deal import SEED_BYTES
from liarspoker.tables.fair.event import event_commitment, event_key, share_of
from liarspoker.tables.names import look_alike
from liarspoker.tables.reducers import read_entry
from liarspoker.tables.state import ENDED

log = logging.getLogger(__name__)
MOST_PLAYERS = 64
MOST_WAITING = 20
"""The maximum number of events of one user that haven't started."""
LONGEST_WORDS = 100
EVENT_FORM = 3
"""The form of the log that has tables of events."""


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
            if connection.execute(WAITING, owner=user.user_id)[0][0] >= MOST_WAITING:
                raise EventError(
                    "too-many-events", _("{count} of your events haven't started; start them first", count=MOST_WAITING)
                )
            connection.execute(CREATE, **row, started_at=None, plan=None, finished_at=None)
            connection.execute(SEAL, table_id=event_id, deal=0, sealed=sealed)

        await self._storage.write(create)
        return await self.find(event_id)

    async def find(self, event_id: str) -> Event:
        """Return an event.

        Raises:
            EventError: `no-such-event`.
        """
        found = await self._storage.read(partial(found_event, event_id=event_id))
        if found is None:
            raise no_event()
        return found

    async def of(self, user_id: str) -> list[Event]:
        """Return the events that a user has created or joined, newest first."""

        def listed(connection: Connection) -> list[Event]:
            return [event_of(connection, row) for row in connection.execute(LISTED, user=user_id)]

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
            lock_open(connection, event_id)
            players = connection.execute(PLAYERS, event_id=event_id)
            if any(player[0] == user.user_id for player in players):
                return
            if len(players) >= MOST_PLAYERS:
                raise EventError("event-full", _("this event has its maximum of {most} players", most=MOST_PLAYERS))
            if look_alike(user.name, (player[1] for player in players)) is not None:
                raise EventError("name-taken", _("a player of this event already has that name or a similar one"))
            row: Values = {"user_id": user.user_id, "name": user.name, "share": share, "joined_at": now}
            connection.execute(JOIN, event_id=event_id, **row)

        await self._storage.write(join)
        return await self.find(event_id)

    async def leave(self, event_id: str, user_id: str) -> Event:
        """Remove a player from an event that hasn't started.

        Raises:
            EventError: `no-such-event` or `event-started`.
        """

        def leave(connection: Connection) -> None:
            lock_open(connection, event_id)
            connection.execute(LEAVE, event_id=event_id, user_id=user_id)

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
            if not connection.execute(LOCK, event_id=event_id):
                return
            rows = connection.execute(PLAYERS, event_id=event_id)
            players = tuple(EventPlayer(user, share) for user, _, share in rows)
            seats, with_bots = event.settings.seats, event.body.bots
            key = self._key(connection, event.id, event.settings, players)
            allotted = allotment(key, tuple(player.user for player in players), seats, with_bots)
            tables = tuple(PlannedSeats(table, users) for table, users in zip(ids, allotted, strict=False))
            plan = encode(Plan(players, tables))
            connection.execute(START, event_id=event_id, started_at=now, plan=plan)
            for table in tables:
                connection.execute(PLAN, table_id=table.table, event_id=event_id, score=None)

        await self._storage.write(start)
        self._bus.publish(EventStarted(event_id))
        await self._make_tables(event_id)
        return await self.find(event_id)

    async def proof(self, event: Event) -> EventProof:
        """Return what verifies the deals of an event, which must be over."""
        assert event.plan is not None
        sealed = await self._storage.read(lambda connection: connection.execute(SEALED, table_id=event.id))
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
            await self._storage.write(partial(store_score, table_id=table, score=encode(score)))
        if ended or (
            event.finished_at is None and event.plan is not None and len(event.scores) == len(event.plan.tables)
        ):
            now = self._registry.clock.now()
            await self._storage.write(partial(finish, event_id=event_id, now=now))
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
            rows = connection.execute(EVENT_OF_UNSCORED, table_id=table_id)
            event = found_event(connection, rows[0][0]) if rows else None
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
        sealed = connection.execute(SEALED, table_id=event_id)[0][0]
        seed = self._storage.sealer.open(bytes(sealed), event_id, 0)
        shares = [(player.user, bytes.fromhex(player.share)) for player in players]
        assert settings.rounds is not None
        return event_key(seed, event_id, settings.game, settings.seats, settings.rounds, shares)
