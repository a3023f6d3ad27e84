"""The service object, which is created at startup and gives requests access to all parts of the server."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Raw
from starlette.requests import HTTPConnection

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _
from liarspoker.protocol.commands import FORM_2, Announce, Command, Join, React, Say, SeatBot, StandIn
from liarspoker.protocol.http import CheckResponse
from liarspoker.protocol.settings import Settings
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.accounts.credentials import Banned, Identity, User
from liarspoker.server.accounts.passkeys import Passkeys
from liarspoker.server.accounts.people import People
from liarspoker.server.accounts.saved_rules import SavedRules
from liarspoker.server.backups import Backups
from liarspoker.server.cluster.bus import Bus
from liarspoker.server.cluster.relay import Owners, Relay
from liarspoker.server.config import Config, Limiter, WallClock, check, limiter, network_of
from liarspoker.server.duplicates.play import Duplicates
from liarspoker.server.metrics import Metrics
from liarspoker.server.notices.notices import Notices
from liarspoker.server.online import OnlineUsers
from liarspoker.server.people_news import PeopleNews
from liarspoker.server.problems import Problem, no_table
from liarspoker.server.quotas import Connections, Logins, Newcomers, TableQuotas, shared_limiter
from liarspoker.server.ratings import Ratings
from liarspoker.server.reviews import Reviews
from liarspoker.server.storage.errors import NoSuchTable, StorageError
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import Answer, TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.views import Watcher
from liarspoker.server.vacations import Vacations
from liarspoker.tables.decide import read_command, resolve_action
from liarspoker.tables.refused import Refused
from liarspoker.tables.rematch import chair_in_rematch
from liarspoker.tables.state import ENDED, ROUND, Table
from liarspoker.tables.view import may_watch

if TYPE_CHECKING:
    from liarspoker.server.notices.mail import Mail
    from liarspoker.server.notices.push import WebPush

log = logging.getLogger(__name__)

FRESH_SECONDS = 900.0
"""How long after a login a user can change how they log in."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


@dataclass(slots=True)
class Service:
    """The parts of the server that routes and sockets use.

    Attributes:
        config: configuration of the server.
        storage: the database.
        accounts: users, sessions and tokens.
        passkeys: the passkeys of accounts.
        people: friends, blocks and invitations.
        news: sends new invitations, and applies blocks to open chats.
        registry: the live tables.
        clock: the server's clock.
        bus: the message bus between nodes.
        metrics: the server's metrics.
        requests: limits requests per address; `None` for no limit.
        routes: the other nodes and their tables; `None` if there can't be any.
        connections: the open sockets and streams.
        online: which users are online at any node.
        logins: login and registration, with their limits.
        guests: limits new guests per address; `None` for no limit, as for all limiters below.
        commands: limits commands per user.
        tables: limits new tables per user.
        lines: limits chat messages per user.
        relations: limits friend requests, blocks and invitations per user.
        reactions: limits reactions per user.
        records: limits requests for records and audits per address.
        newcomers: keeps new users from joining a table shortly after a removal.
        quotas: limits the number of open tables.
        notices: notifies users who have no page of a table open.
        push: the channel that delivers notices to browsers; `None` if it is disabled.
        mail: sends e-mail; `None` if it is disabled.
        vacations: vacations from correspondence play.
        saved_rules: the house rules that users have saved.
        ratings: the ratings from rated tables.
        duplicates: duplicate events.
        backups: automatic backups; `None` if they are disabled.
        reviews: reviews finished hands.
        reviewed: limits reviews per address.
    """

    config: Config
    storage: Storage
    accounts: Accounts
    registry: TableRegistry
    clock: WallClock
    bus: Bus
    metrics: Metrics
    requests: Limiter | None
    routes: Owners | None = None
    passkeys: Passkeys = field(init=False)
    people: People = field(init=False)
    news: PeopleNews = field(init=False)
    connections: Connections = field(init=False)
    online: OnlineUsers = field(init=False)
    logins: Logins = field(init=False)
    guests: Limiter | None = field(init=False)
    commands: Limiter | None = field(init=False)
    tables: Limiter | None = field(init=False)
    lines: Limiter | None = field(init=False)
    relations: Limiter | None = field(init=False)
    reactions: Limiter | None = field(init=False)
    records: Limiter | None = field(init=False)
    reviewed: Limiter | None = field(init=False)
    newcomers: Newcomers = field(init=False)
    quotas: TableQuotas = field(init=False)
    notices: Notices = field(init=False)
    push: WebPush | None = None
    mail: Mail | None = None
    vacations: Vacations = field(init=False)
    saved_rules: SavedRules = field(init=False)
    ratings: Ratings = field(init=False)
    duplicates: Duplicates = field(init=False)
    backups: Backups | None = None
    reviews: Reviews = field(default_factory=Reviews)

    def __post_init__(self) -> None:
        limits, now = self.config.limits, self.clock.now
        self.passkeys = Passkeys(self.accounts, self.storage, now)
        self.connections, self.logins = Connections(now, limits), Logins(self.accounts, limits, now, self.bus)
        self.commands, self.reactions = limiter(limits.commands, now), limiter(limits.reactions, now)
        self.online = OnlineUsers(self.connections, now, self.bus)
        self.people = People(self.storage, now)
        self.news = PeopleNews(self.people, self.registry, self.bus)
        self.guests, self.tables, self.lines, self.relations, self.records = (
            shared_limiter(name, limits, now, self.bus) for name in ("guests", "tables", "lines", "people", "records")
        )
        self.reviewed = limiter(limits.reviews, now)
        self.newcomers = Newcomers(limits.newcomers, now)
        self.quotas = TableQuotas(self.storage, limits, now)
        self.notices = Notices(self.registry, self.config.notify_after, limiter(limits.notices, now))
        self.vacations = Vacations(self.registry, self.bus, limits.vacation_days)
        self.saved_rules = SavedRules(self.storage, now)
        self.ratings = Ratings(self.storage, now)
        self.duplicates = Duplicates(self.registry, self.bus)

    @property
    def cookie(self) -> str:
        """Name of the session cookie."""
        return "__Host-liarspoker" if self.config.tls else "liarspoker"

    async def identity(self, connection: HTTPConnection) -> Identity | None:
        """Return the identity behind a connection, by token or else by cookie; `None` if it has neither.

        Raises:
            Problem: `not-logged-in`: the token isn't valid.
            Banned: the user is banned.
        """
        scheme, _space, token = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            identity = await self.accounts.identify(token.strip())
            if identity is None:
                log.warning("token refused")
                raise Problem("not-logged-in", _("this token is unknown or revoked; create a new one"))
            return identity
        secret = connection.cookies.get(self.cookie)
        identity = None if not secret else await self.accounts.identify(secret)
        if identity is not None:
            self.online.seen(identity.user.user_id)
        return identity

    async def user(self, connection: HTTPConnection) -> User:
        """Return the user behind a connection.

        Raises:
            Problem: `not-logged-in`.
        """
        return (await self._known(connection)).user

    async def session_user(self, connection: HTTPConnection) -> User:
        """Return the user behind a connection that uses a login session; tokens aren't accepted.

        Raises:
            Problem: `not-logged-in`, or `needs-login` for a token.
        """
        return (await self._in_session(connection)).user

    async def is_fresh(self, connection: HTTPConnection) -> bool:
        """Return whether the user behind a connection has logged in within `FRESH_SECONDS`."""
        identity = await self.identity(connection)
        return identity is not None and self._has_just_logged_in(identity)

    async def confirmed_user(self, connection: HTTPConnection) -> User:
        """Return the user behind a connection, who has an account and has just logged in.

        Raises:
            Problem: `not-logged-in`, `needs-login` for a token, or `needs-confirmation`.
        """
        identity = await self._in_session(connection)
        if identity.user.is_guest or not self._has_just_logged_in(identity):
            raise Problem("needs-confirmation", _("log in again to confirm that it's you, then try again"))
        return identity.user

    async def _known(self, connection: HTTPConnection) -> Identity:
        identity = await self.identity(connection)
        if identity is None:
            raise Problem("not-logged-in", _("not logged in; POST a name to /api/guest, or log in"))
        return identity

    async def _in_session(self, connection: HTTPConnection) -> Identity:
        identity = await self._known(connection)
        if identity.expires_at == float("inf"):
            log.warning("request refused", extra={"code": "needs-login", "user": identity.user.user_id})
            raise Problem("needs-login", _("tokens can't do this; log in instead"))
        return identity

    def _has_just_logged_in(self, identity: Identity) -> bool:
        return identity.begun_at > self.clock.now() - FRESH_SECONDS

    async def table_for(self, table_id: str, user_id: str | None, joining: bool = False) -> TableActor:
        """Return a table that the user may see.

        Args:
            table_id: id of the table.
            user_id: the user; `None` if not logged in.
            joining: the user wants to join, which doesn't require the right to watch.

        Raises:
            Problem: `no-such-table`: the table doesn't exist, or the user may not see it.
        """
        if not _ID.fullmatch(table_id):
            raise no_table()
        try:
            actor = await self.registry.table(table_id)
        except NoSuchTable:
            raise no_table() from None
        await self.duplicates.reveal(actor)
        if not joining and not may_watch(actor.table, user_id):
            log.warning("request refused", extra={"code": "no-such-table", "table": table_id, "user": user_id})
            raise no_table()
        return actor

    async def make_table(
        self,
        user: User,
        address: str,
        settings: Settings,
        owner_commands: Sequence[Command] = (),
        before: Table | None = None,
    ) -> TableActor:
        """Create a table with `user` as its owner.

        Args:
            user: the owner.
            address: the user's address, from `address_of`.
            settings: settings of the table.
            owner_commands: commands that the owner sends at once; if one fails, the table isn't created.
            before: a table that has ended, for a rematch with its players and bots.

        Raises:
            Problem: `too-many`: too many commands, new tables or open tables.
            Refused: the settings aren't valid, or one of the commands is refused.
        """
        if settings.days or settings.rated or before is not None:
            self.check_form()
        check_account(settings, user)
        self.check_commands(user.user_id)
        check(self.tables, user.user_id, "tables")
        self.newcomers.seen(user.user_id, address)
        async with self.quotas.place(user.user_id, address, settings.visibility == "open"):
            actor = await self.registry.create(user.user_id, user.name, settings, owner_commands, before)
        self.quotas.made(address, actor.table.id)
        return actor

    async def invite(self, user: User, table_id: str, other_id: str) -> None:
        """Invite a friend of `user` to a table at which `user` sits.

        Raises:
            Problem: `too-many`, `no-such-table`, `not-seated` or `table-ended`.
            AccountError: as `People.invite` does.
        """
        check(self.relations, user.user_id, "invitations")
        actor = await self.table_for(table_id, user.user_id)
        if actor.table.chair_of(user.user_id) is None:
            raise Problem("not-seated", _("you can only invite to tables at which you sit"))
        if actor.table.stage == ENDED:
            raise Problem("table-ended", _("this table has ended; open a new one"))
        if await self.people.invite(user.user_id, other_id, table_id):
            self.news.invited(other_id)
            self.notices.invite(other_id, user.name, actor.table)

    async def rematch(self, actor: TableActor, user: User, address: str) -> str:
        """Return the id of the rematch of a table, which `user` opens unless another player already has.

        Args:
            actor: the table, which must have ended.
            user: the user.
            address: the user's address, from `address_of`.

        Raises:
            Problem: `too-many`: too many commands, new tables or open tables.
            Refused: the user can't open a rematch.
        """
        async with actor.rematching:
            if actor.table.rematch is not None:
                return actor.table.rematch.table
            chair_in_rematch(actor.table, user.user_id)  # refused before anything is counted
            user = await self.accounts.user(user.user_id)  # with the current name
            made = await self.make_table(user, address, actor.table.settings, before=actor.table)
            # Without the announcement, as at an archived table, the players still find the rematch in their lists.
            with suppress(StorageError):
                await actor.ask(user.user_id, user.name, None, Announce(table=made.table.id))
        return made.table.id

    def check_form(self, form: int = 2) -> None:
        """Check that every server can read a form of the log.

        Raises:
            Refused: `not-now`.
        """
        if self.registry.membership.lowest_form < form:
            raise Refused("not-now", _("another server is being upgraded; try again when it has restarted"))

    async def recheck(self, connection: HTTPConnection, identity: Identity | None, watcher: Watcher) -> None:
        """Close `watcher` if its credential was revoked, or its user banned, before it was added to `connections`."""
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
        """Return the number of refusals by each limit, except the limit on messages per socket."""
        limiters = {
            "requests": self.requests,
            "guests": self.guests,
            "commands": self.commands,
            "tables": self.tables,
            "lines": self.lines,
            "people": self.relations,
            "reactions": self.reactions,
            "records": self.records,
            "reviews": self.reviewed,
            "notices": self.notices.limiter,
            "confirmations": self.mail.limiter if self.mail else None,
            **self.logins.limiters,
        }
        counted = {name: 0 if one is None else one.refused for name, one in limiters.items()}
        return counted | {"newcomers": self.newcomers.refused} | self.connections.refused | self.quotas.refused

    async def ask(
        self, actor: TableActor, user: User, address: str, command_id: str, given: Raw | Mapping[str, object]
    ) -> Answer:
        """Decode a client's command, apply limits, and pass it to the table.

        Args:
            actor: the table.
            user: the sender.
            address: the sender's address, from `address_of`.
            command_id: a repeated id from the same user gets the same answer and takes effect only once.
            given: the command as it was sent.

        Raises:
            Problem: `too-many`.
            StorageError: it is unknown whether the command took effect.
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
            if isinstance(command, FORM_2):
                self.check_form()
            if isinstance(command, React):
                check(self.reactions, user.user_id, "reactions")
                return actor.react(user.user_id, command_id, command)
            if isinstance(command, Say):
                check(self.lines, user.user_id, "lines")
            elif isinstance(command, SeatBot | StandIn):
                check_bot(actor.table.settings.game, command.bot)
                if isinstance(command, StandIn):
                    _check_absent(actor, user.user_id, command.user)
            elif isinstance(command, Join):
                user = await self.accounts.user(user.user_id)  # with the current name
                check_account(actor.table.settings, user)
                self.newcomers.check(actor.table.id, user, address)
        except Refused as error:
            return actor.refused(user.user_id, command_id, error)
        return await actor.ask(user.user_id, user.name, command_id, command)

    def stop(self) -> None:
        """Prepare to stop: refuse commands, report it at `/ready`, and close sockets and streams."""
        self.registry.stop()
        self.connections.stop()

    def relay(self, request: HTTPConnection) -> Relay | None:
        """Return a relay for the event streams of other nodes; `None` if there can't be any."""
        if self.routes is None or request.client is None:
            return None
        shown = [(name, text) for name, text in request.headers.raw if name in (b"authorization", b"cookie")]
        client = request.client.host, request.client.port
        return Relay(self.routes, client, shown)

    def check_commands(self, user_id: str) -> None:
        """Count a command against the limit of `user_id`.

        Raises:
            Problem: `too-many`.
        """
        check(self.commands, user_id, "commands")


def check_account(settings: Settings, user: User) -> None:
    """Check that a user may sit at a table with these settings: a rated one takes an account.

    Raises:
        Refused: `needs-account`.
    """
    if settings.rated and user.is_guest:
        raise Refused("needs-account", _("this is a rated table; log in or create an account to sit here"))


def check_bot(game: str, name: str) -> None:
    """Check that a bot is in the catalogue, plays `game`, and can play here: one that thinks needs the extra `engine`.

    Raises:
        Refused: `unknown-bot`.
    """
    try:
        row = bots.row(name)
    except bots.UnknownBot as error:
        raise Refused("unknown-bot", str(error)) from error
    if not row.plays(catalogue.preset(game)):
        raise Refused("unknown-bot", _("{name} doesn't play {game}", name=name, game=game))
    if row not in bots.table_bots():
        raise Refused(
            "unknown-bot", _("{name} can't think on this server: the packages for it aren't installed", name=name)
        )


def check_action(actor: TableActor, user: str | None, action: str) -> CheckResponse:
    """Whether `user` could play `action` now.

    Only the user's own actions are checked: a discard names cards, so checking another seat's would reveal its hand.
    """
    table = actor.table
    try:
        if table.stage != ROUND or table.sitting is None:
            raise Refused("round-over", _("no round is in progress"))
        seat = table.sitting.seat_of(user)
        if seat is None:
            raise Refused("not-seated", _("you aren't playing in this round"))
        action = table.sitting.session.write(resolve_action(table, seat, action)[0])
    except LiarsPokerError as error:
        return CheckResponse(legal=False, action=None, code=error.code, message=str(error))
    return CheckResponse(legal=True, action=action)


def service_of(connection: HTTPConnection) -> Service:
    """Return the service for a request or a socket."""
    service: Service = connection.app.state.service
    return service


def address_of(connection: HTTPConnection) -> str:
    """Return the network that a request comes from, which limits are counted by."""
    return network_of(connection.client.host if connection.client else "")


def _check_absent(actor: TableActor, owner: str, user_id: str) -> None:
    """Check that the owner of a table doesn't replace somebody who plays.

    A player who sits out is absent, and so is one without a connection to the table, unless players have days for each
    decision.

    Raises:
        Refused: `present`.
    """
    table, chair = actor.table, actor.table.chair_of(user_id)
    if owner != table.owner or owner == user_id or chair is None or chair.away:
        return
    if table.settings.days or actor.presence.sockets_of(user_id):
        raise Refused("present", _("{name} isn't absent; a bot plays only for absent players", name=chair.name))
