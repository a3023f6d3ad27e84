"""Everything that a request may need, put together once when the server starts."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from msgspec import Raw
from starlette.requests import HTTPConnection

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol.commands import Command, Join, Say, SeatBot
from liarspoker.protocol.http import CheckResponse
from liarspoker.protocol.settings import Settings
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.accounts.credentials import Banned, Identity, User
from liarspoker.server.backups import Backups
from liarspoker.server.cluster.bus import Bus
from liarspoker.server.cluster.relay import Owners, Relay
from liarspoker.server.config import Config, Limiter, WallClock, check, limiter, network_of
from liarspoker.server.metrics import Metrics
from liarspoker.server.problems import Problem, no_table
from liarspoker.server.quotas import Connections, Logins, Newcomers, TableQuotas, shared_limiter
from liarspoker.server.storage.errors import NoSuchTable, StorageError
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import Answer, TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.views import Watcher
from liarspoker.tables.decide import judged, read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import ROUND
from liarspoker.tables.view import may_watch

log = logging.getLogger(__name__)

_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


@dataclass(slots=True)
class Service:
    """What the routes and sockets work with.

    Attributes:
        config: how the server runs.
        storage: where everything is kept.
        accounts: who plays.
        registry: the tables.
        clock: the time.
        bus: what other nodes hear.
        metrics: what the server counts of itself.
        arriving: how many requests an address may send; `None` for any number.
        routes: which other nodes own tables; `None` where there can be none.
        connections: the sockets and streams that are open.
        logins: the way in for accounts.
        guests: how many guests an address may make; `None` for any number, as below.
        commands: how many commands a user may send.
        tables: how many tables a user may make.
        lines: how often a user may speak.
        records: how often an address may have records and audits.
        newcomers: who may not join a table yet, since somebody was removed from it.
        quotas: how many tables somebody may have open.
        backups: the backups that this server makes by itself; `None` where it makes none.
    """

    config: Config
    storage: Storage
    accounts: Accounts
    registry: TableRegistry
    clock: WallClock
    bus: Bus
    metrics: Metrics
    arriving: Limiter | None
    routes: Owners | None = None
    connections: Connections = field(init=False)
    logins: Logins = field(init=False)
    guests: Limiter | None = field(init=False)
    commands: Limiter | None = field(init=False)
    tables: Limiter | None = field(init=False)
    lines: Limiter | None = field(init=False)
    records: Limiter | None = field(init=False)
    newcomers: Newcomers = field(init=False)
    quotas: TableQuotas = field(init=False)
    backups: Backups | None = None

    def __post_init__(self) -> None:
        limits, now = self.config.limits, self.clock.now
        self.connections, self.logins = Connections(now, limits), Logins(self.accounts, limits, now, self.bus)
        self.commands = limiter(limits.commands, now)
        self.guests, self.tables, self.lines, self.records = (
            shared_limiter(name, limits, now, self.bus) for name in ("guests", "tables", "lines", "records")
        )
        self.newcomers = Newcomers(limits.newcomers, now)
        self.quotas = TableQuotas(self.storage, limits, now)

    @property
    def cookie(self) -> str:
        """What the session's cookie is called."""
        return "__Host-liarspoker" if self.config.tls else "liarspoker"

    async def identity(self, connection: HTTPConnection) -> Identity | None:
        """Who sends this: by token, else by cookie; `None` for nobody known.

        Raises:
            Problem: `not-logged-in`: a token is shown, and it is none.
            Banned: whoever it is is banned.
        """
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            identity = await self.accounts.who(token.strip())
            if identity is None:
                log.warning("token refused")
                raise Problem("not-logged-in", "this token is unknown or revoked; make a new one")
            return identity
        secret = connection.cookies.get(self.cookie)
        return None if not secret else await self.accounts.who(secret)

    async def user(self, connection: HTTPConnection) -> User:
        """Who sends this.

        Raises:
            Problem: `not-logged-in`.
        """
        identity = await self.identity(connection)
        if identity is None:
            raise Problem("not-logged-in", "say who you are first: POST a name to /api/guest, or log in")
        return identity.user

    async def person(self, connection: HTTPConnection) -> User:
        """Who sends this by a session of his own, and not by a token that he has given to a program.

        Raises:
            Problem: `not-logged-in`, or `needs-login` for a token.
        """
        identity = await self.identity(connection)
        if identity is not None and identity.expires_at == float("inf"):
            log.warning("request refused", extra={"code": "needs-login", "user": identity.user.user_id})
            raise Problem("needs-login", "a token cannot do this, or who found it would own the account; log in")
        return await self.user(connection)

    async def table_for(self, table_id: str, user_id: str | None, joining: bool = False) -> TableActor:
        """The table, for somebody who may see it.

        Args:
            table_id: whoever knows it is invited.
            user_id: who asks; `None` for nobody known.
            joining: he wants to sit down, which he may also where nobody may look on.

        Raises:
            Problem: `no-such-table`, whether it is not there or not for him.
        """
        if not _ID.fullmatch(table_id):
            raise no_table()
        try:
            actor = await self.registry.table(table_id)
        except NoSuchTable:
            raise no_table() from None
        if not joining and not may_watch(actor.table, user_id):
            log.warning("request refused", extra={"code": "no-such-table", "table": table_id, "user": user_id})
            raise no_table()
        return actor

    async def make_table(
        self, user: User, address: str, settings: Settings, doings: Sequence[Command] = ()
    ) -> TableActor:
        """A new table, at which `user` sits as its owner and has done `doings`.

        Args:
            user: who makes it.
            address: where the user comes from, as `address_of` tells.
            settings: of the table.
            doings: commands of the owner; all of them take effect, or the table isn't made.

        Raises:
            Problem: `too-many`: commands or new tables, or tables that have not ended.
            Refused: the settings can't be played, or one of the doings can't be done.
        """
        self.check_commands(user.user_id)
        check(self.tables, user.user_id, "tables")
        self.newcomers.seen(user.user_id, address)
        async with self.quotas.place(user.user_id, address, settings.visibility == "open"):
            actor = await self.registry.create(user.user_id, user.name, settings, doings)
        self.quotas.made(address, actor.table.id)
        return actor

    async def recheck(self, connection: HTTPConnection, identity: Identity | None, watcher: Watcher) -> None:
        """Close `watcher` if its credential was revoked, or its user banned, before `connections` knew of it."""
        try:
            known = identity is None or await self.identity(connection) is not None
        except Banned:
            watcher.close("banned")
            return
        except Problem:
            known = False
        except StorageError:
            watcher.close("table-moved")
            return
        if not known:
            watcher.close("revoked")

    def refusals(self) -> dict[str, int]:
        """How much each limit has refused, by its name; what limits messages of single sockets is not counted here."""
        limiters = {
            "requests": self.arriving,
            "guests": self.guests,
            "commands": self.commands,
            "tables": self.tables,
            "lines": self.lines,
            "records": self.records,
            **self.logins.limiters,
        }
        counted = {name: 0 if one is None else one.refused for name, one in limiters.items()}
        return counted | {"newcomers": self.newcomers.refused} | self.connections.refused | self.quotas.refused

    async def ask(
        self, actor: TableActor, user: User, address: str, command_id: str, given: Raw | Mapping[str, object]
    ) -> Answer:
        """What a command comes to that somebody sends over HTTP or a socket: read, limited, and put to the table.

        Args:
            actor: the table.
            user: who sends the command.
            address: where the user comes from, as `address_of` tells.
            command_id: the same id of the same user gets the same answer, and takes effect once.
            given: the command as it was sent.

        Raises:
            Problem: `too-many`.
            StorageError: whether it took effect cannot be told now.
        """
        metrics, began = self.metrics, perf_counter()
        try:
            answer = await self._ask(actor, user, address, command_id, given)
        except LiarsPokerError as error:
            metrics.commands[error.code] += 1
            raise
        metrics.commands["ok" if answer.ok else answer.code or "refused"] += 1
        metrics.command_seconds.observe(perf_counter() - began)
        return answer

    async def _ask(
        self, actor: TableActor, user: User, address: str, command_id: str, given: Raw | Mapping[str, object]
    ) -> Answer:
        known = actor.known(user.user_id, command_id)
        if known is not None:
            return known
        check(self.commands, user.user_id, "commands")
        try:
            command = read_command(given)
            if isinstance(command, Say):
                check(self.lines, user.user_id, "lines")
            elif isinstance(command, SeatBot):
                check_bot(actor.table.settings.game, command.bot)
            elif isinstance(command, Join):
                user = await self.accounts.user(user.user_id)  # under the name that they have by now
                self.newcomers.check(actor.table.id, user, address)
        except Refused as error:
            return actor.refused(user.user_id, command_id, error)
        return await actor.ask(user.user_id, user.name, command_id, command)

    def stop(self) -> None:
        """The server is about to stop: take no more commands, say so at `/ready`, close sockets and streams."""
        self.registry.stop()
        self.connections.stop()

    def relay(self, request: HTTPConnection) -> Relay | None:
        """What other nodes tell the client that sends this; `None` where there can be none."""
        if self.routes is None or request.client is None:
            return None
        shown = [(name, text) for name, text in request.headers.raw if name in (b"authorization", b"cookie")]
        client = request.client.host, request.client.port
        return Relay(self.routes, client, shown)

    def check_commands(self, user_id: str) -> None:
        """Count a command of `user_id`.

        Raises:
            Problem: `too-many`.
        """
        check(self.commands, user_id, "commands")


def check_bot(game: str, name: str) -> None:
    """Refuse a bot that is not in the catalogue, or does not play `game`.

    Raises:
        Refused: `unknown-bot`.
    """
    try:
        plays = bots.row(name).plays(catalogue.row(game))
    except bots.UnknownBot as error:
        raise Refused("unknown-bot", str(error)) from error
    if not plays:
        raise Refused("unknown-bot", f"{name} does not play {game}")


def judge(actor: TableActor, user: str | None, action: str) -> CheckResponse:
    """Whether `user` could play `action` now. Others' actions aren't judged: a discard names cards that they hold."""
    table = actor.table
    try:
        if table.stage != ROUND or table.sitting is None:
            raise Refused("round-over", "no round is in play")
        seat = table.sitting.seat_of(user)
        if seat is None:
            raise Refused("not-seated", "you do not play in this round")
        action = table.sitting.session.write(judged(table, seat, action)[0])
    except LiarsPokerError as error:
        return CheckResponse(legal=False, action=None, code=error.code, message=str(error))
    return CheckResponse(legal=True, action=action)


def service_of(connection: HTTPConnection) -> Service:
    """The service behind a request or a socket."""
    service: Service = connection.app.state.service
    return service


def address_of(connection: HTTPConnection) -> str:
    """The address that a request comes from, as it is counted."""
    return network_of(connection.client.host if connection.client else "")
