"""Friends, friend requests, blocks, recent players and invitations to tables. Jobs that write are idempotent.

A friendship is stored in both directions, a request and a block in one. A request from a blocked user is stored like
any other, but hidden from the user who blocked them, so nobody can find out that they are blocked.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from liarspoker.language import N_, _
from liarspoker.server.accounts.accounts import DAY, ROWS_AT_ONCE
from liarspoker.server.accounts.credentials import AccountError, NoSuchUser
from liarspoker.server.config import remember
from liarspoker.server.storage import reading
from liarspoker.server.storage.connection import LIMIT, ONE, Connection, Row, Values, insert, value
from liarspoker.server.storage.log import LISTED, Listed
from liarspoker.server.storage.schema import INVITATIONS, LISTINGS, MEMBERS, RELATIONS, USERS
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.views import sits_at

FRIEND, REQUEST, BLOCK = "friend", "request", "block"
"""Kinds of relations."""
RECEIVED = "received"
"""A request, as the user sees it who received it."""
MAX_FRIENDS = 500
MAX_REQUESTS = 100
"""The maximum number of unanswered requests that a user can have sent."""
MAX_BLOCKS = 1000
MOST_SHOWN = 100
"""The maximum number of received requests and of invitations that are listed; the newest ones are."""
MOST_TABLES = 1000
"""The number of shared tables that `People.last_games` looks at."""
REQUEST_DAYS = 30.0
INVITATION_DAYS = 1.0

Blocked = Callable[[str], None]


class Person(NamedTuple):
    """Another user.

    Attributes:
        user_id: their id.
        name: their current name.
        since: when the relation was made, or when they last played with the user, in seconds.
    """

    user_id: str
    name: str
    since: float


class Circle(NamedTuple):
    """A user's relations: friends by name, all others newest first.

    Attributes:
        friends: the user's friends.
        received: who has asked the user to be friends.
        sent: whom the user has asked.
        blocked: whom the user has blocked.
    """

    friends: list[Person]
    received: list[Person]
    sent: list[Person]
    blocked: list[Person]


class Invitation(NamedTuple):
    """An invitation to a table.

    Attributes:
        table: the table, which is open.
        person: who sent it, or received it if the user sent it; `since` is when.
        declined: whether it was declined.
    """

    table: Listed
    person: Person
    declined: bool


class Inbox(NamedTuple):
    """What waits for a user, and what they wait for.

    Attributes:
        received: open invitations to tables at which the user doesn't sit, newest first.
        sent: open invitations that the user has sent, newest first.
        requests: the number of friend requests that the user can answer.
    """

    received: list[Invitation]
    sent: list[Invitation]
    requests: int


NOTHING = Inbox([], [], 0)


class NotFriends(AccountError):
    """Only friends can be invited."""

    code = "not-friends"


class Yourself(AccountError):
    """A user can't be their own friend, or block themselves."""

    code = "yourself"


class IsBlocked(AccountError):
    """The user has blocked the other one."""

    code = "blocked"


class TooManyFriends(AccountError):
    """The user has the maximum number of friends, requests or blocks."""

    code = "too-many-friends"


_R, _I = RELATIONS.c, INVITATIONS.c
_USER, _OTHER = value(_R.user_id), value(_R.other_id)
_KIND = value(_R.kind)
_SINCE = value(_R.made_at, "since")
_NOW = value(_R.made_at, "now")
_PERSON = (USERS.c.user_id, USERS.c.name)
_OWN = (
    sa.select(_R.kind, *_PERSON, _R.made_at)
    .join(USERS, USERS.c.user_id == _R.other_id)
    .where(_R.user_id == _USER, (_R.kind != REQUEST) | (_R.made_at > _SINCE))
    .order_by(_R.made_at.desc(), _R.other_id)
)
_BLOCKS = RELATIONS.alias("blocks")
_RECEIVED = (
    sa.select(*_PERSON, _R.made_at)
    .join(USERS, USERS.c.user_id == _R.user_id)
    .where(
        _R.other_id == _USER,
        _R.kind == REQUEST,
        _R.made_at > _SINCE,
        ~sa.exists().where(_BLOCKS.c.user_id == _USER, _BLOCKS.c.other_id == _R.user_id, _BLOCKS.c.kind == BLOCK),
    )
    .order_by(_R.made_at.desc(), _R.user_id)
    .limit(LIMIT)
)
_BETWEEN = sa.select(_R.user_id, _R.kind, _R.made_at).where(
    ((_R.user_id == _USER) & (_R.other_id == _OTHER)) | ((_R.user_id == _OTHER) & (_R.other_id == _USER))
)
_LOCK = (
    sa.select(USERS.c.user_id).where(USERS.c.user_id.in_([_USER, _OTHER])).order_by(USERS.c.user_id).with_for_update()
)
_COUNT = (
    sa.select(sa.func.count())
    .select_from(RELATIONS)
    .where(_R.user_id == _USER, _R.other_id != _OTHER, _R.kind == _KIND)
)
_ADD = insert(RELATIONS)
_ADD = _ADD.on_conflict_do_update(
    index_elements=[_R.user_id, _R.other_id, _R.kind], set_={"made_at": _ADD.excluded.made_at}
)
_DELETE = sa.delete(RELATIONS).where(_R.user_id == _USER, _R.other_id == _OTHER, _R.kind == _KIND)
_HIDDEN = sa.select(_R.other_id).where(_R.user_id == _USER, _R.kind == BLOCK)
_OLD_REQUESTS = sa.select(_R.user_id, _R.other_id).where(_R.kind == REQUEST, _R.made_at < _SINCE).limit(LIMIT)
_FORGET_REQUESTS = (
    sa.delete(RELATIONS).where(_R.kind == REQUEST, sa.tuple_(_R.user_id, _R.other_id).in_(_OLD_REQUESTS)).returning(ONE)
)
_OLD_INVITATIONS = sa.select(_I.table_id, _I.user_id).where(_I.made_at < _SINCE).limit(LIMIT)
_FORGET_INVITATIONS = (
    sa.delete(INVITATIONS).where(sa.tuple_(_I.table_id, _I.user_id).in_(_OLD_INVITATIONS)).returning(ONE)
)

_TABLE = value(_I.table_id)
_ADD_INVITATION = insert(INVITATIONS, _I.table_id, _I.user_id, _I.from_id, _I.made_at)
_INVITE = _ADD_INVITATION.on_conflict_do_update(
    index_elements=[_I.table_id, _I.user_id],
    set_={
        "from_id": _ADD_INVITATION.excluded.from_id,
        "made_at": _ADD_INVITATION.excluded.made_at,
        "declined_at": sa.null(),
    },
    where=_I.made_at < _SINCE,
).returning(ONE)
_DECLINE = (
    sa.update(INVITATIONS)
    .values(declined_at=_NOW)
    .where(_I.table_id == _TABLE, _I.user_id == value(_I.user_id), _I.declined_at.is_(None))
)
_WITHDRAW = sa.delete(INVITATIONS).where(
    _I.table_id == _TABLE, _I.user_id == value(_I.user_id), _I.from_id == value(_I.from_id)
)
_UNINVITE = sa.delete(INVITATIONS).where(
    ((_I.user_id == _USER) & (_I.from_id == _OTHER)) | ((_I.user_id == _OTHER) & (_I.from_id == _USER))
)


def _invitations(own: sa.Column[str], others: sa.Column[str], *conditions: sa.ColumnElement[bool]) -> sa.Select[Row]:
    """Build the query for the invitations to open tables in which `own` is the user, newest first."""
    return (
        sa.select(*_PERSON, _I.made_at, _I.declined_at.is_not(None), *LISTED)
        .join_from(INVITATIONS, LISTINGS, LISTINGS.c.table_id == _I.table_id)
        .join(USERS, USERS.c.user_id == others)
        .where(own == value(own, "user_id"), _I.made_at > _SINCE, LISTINGS.c.status != "ended", *conditions)
        .order_by(_I.made_at.desc(), _I.table_id, others)
        .limit(LIMIT)
    )


_INVITED = _invitations(_I.user_id, _I.from_id, _I.declined_at.is_(None))
_SENT = _invitations(_I.from_id, _I.user_id)

_THEIRS = MEMBERS.alias("theirs")
_SHARED = sa.join(MEMBERS, _THEIRS, MEMBERS.c.table_id == _THEIRS.c.table_id).join(
    LISTINGS, LISTINGS.c.table_id == MEMBERS.c.table_id
)
_RECENT = (
    sa.select(*_PERSON, sa.func.max(LISTINGS.c.updated_at).label("last"))
    .select_from(_SHARED.join(USERS, USERS.c.user_id == _THEIRS.c.user_id))
    .where(
        MEMBERS.c.user_id == _USER,
        _THEIRS.c.user_id != _USER,
        ~sa.exists().where(_R.user_id == _USER, _R.other_id == _THEIRS.c.user_id, _R.kind != REQUEST),
    )
    .group_by(*_PERSON)
    .order_by(sa.desc("last"), USERS.c.user_id)
    .limit(LIMIT)
)
_LAST_GAMES = (
    sa.select(_THEIRS.c.user_id, LISTINGS.c.game)
    .select_from(_SHARED)
    .join(RELATIONS, (_R.user_id == MEMBERS.c.user_id) & (_R.other_id == _THEIRS.c.user_id) & (_R.kind == FRIEND))
    .where(MEMBERS.c.user_id == _USER)
    .order_by(LISTINGS.c.updated_at.desc())
    .limit(LIMIT)
)


_TOO_MANY = {
    FRIEND: N_("one of you has the maximum of {most} friends"),
    REQUEST: N_("one of you has the maximum of {most} unanswered requests"),
    BLOCK: N_("one of you has the maximum of {most} blocked players"),
}


class People:
    """The relations of users to each other, and their invitations."""

    def __init__(self, storage: Storage, clock: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._clock = clock
        self._hidden: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._changes = 0
        self._listeners: list[Blocked] = []

    def when_blocked(self, listener: Blocked) -> None:
        """Call `listener` with the id of every user who blocks or unblocks somebody on this node, after the commit."""
        self._listeners.append(listener)

    async def circle(self, user_id: str) -> Circle:
        """Return a user's relations."""
        given: Values = {"user_id": user_id, "since": self._clock() - REQUEST_DAYS * DAY}

        def query(connection: Connection) -> Circle:
            own: dict[str, list[Person]] = {FRIEND: [], REQUEST: [], BLOCK: []}
            for kind, *person in connection.execute(_OWN, **given):
                own[kind].append(Person(*person))
            friends = sorted(own[FRIEND], key=lambda person: (person.name.casefold(), person.user_id))
            received = [Person(*row) for row in connection.execute(_RECEIVED, limit=MOST_SHOWN, **given)]
            return Circle(friends, received, own[REQUEST], own[BLOCK])

        return await self._storage.read(query)

    async def relation(self, user_id: str, other_id: str) -> str:
        """Return `FRIEND`, `REQUEST` for one that the user has sent, `RECEIVED`, `BLOCK`, or an empty string."""
        return await self._storage.read(lambda connection: self._relation(connection, user_id, other_id))

    async def befriend(self, user_id: str, other_id: str) -> str:
        """Ask another user to be friends, or accept their request; return the new relation.

        Raises:
            NoSuchUser: the other user doesn't exist.
            Yourself: both are the same user.
            IsBlocked: the user has blocked the other one.
            TooManyFriends: the user has too many friends or unanswered requests.
        """

        def befriend(connection: Connection) -> str:
            _lock(connection, user_id, other_id)
            before = self._relation(connection, user_id, other_id)
            if before == BLOCK:
                raise IsBlocked(_("you have blocked this player; unblock them first"))
            if before == FRIEND:
                return FRIEND
            if before != RECEIVED:
                self._add(connection, user_id, other_id, REQUEST, MAX_REQUESTS)
                return REQUEST
            self._add(connection, user_id, other_id, FRIEND, MAX_FRIENDS)
            self._add(connection, other_id, user_id, FRIEND, MAX_FRIENDS)
            _delete(connection, user_id, other_id, REQUEST)
            _delete(connection, other_id, user_id, REQUEST)
            return FRIEND

        return await self._storage.write(befriend)

    async def part(self, user_id: str, other_id: str) -> None:
        """End a friendship, decline a request or withdraw one, if there is any."""

        def part(connection: Connection) -> None:
            for pair in ((user_id, other_id), (other_id, user_id)):
                for kind in (FRIEND, REQUEST):
                    _delete(connection, *pair, kind)

        await self._storage.write(part)

    async def block(self, user_id: str, other_id: str) -> None:
        """Block another user. They stop being friends, and invitations between them are deleted.

        Raises:
            NoSuchUser: the other user doesn't exist.
            Yourself: both are the same user.
            TooManyFriends: the user has blocked too many users.
        """

        def block(connection: Connection) -> None:
            _lock(connection, user_id, other_id)
            self._add(connection, user_id, other_id, BLOCK, MAX_BLOCKS)
            for pair, kind in (
                ((user_id, other_id), FRIEND),
                ((other_id, user_id), FRIEND),
                ((user_id, other_id), REQUEST),
            ):
                _delete(connection, *pair, kind)
            connection.execute(_UNINVITE, user_id=user_id, other_id=other_id)

        await self._storage.write(block, then=lambda _: self._blocks_changed(user_id))

    async def unblock(self, user_id: str, other_id: str) -> None:
        """Stop blocking another user, if they are blocked."""
        await self._storage.write(
            partial(_delete, user_id=user_id, other_id=other_id, kind=BLOCK),
            then=lambda _: self._blocks_changed(user_id),
        )

    async def blocked_by(self, user_id: str | None) -> frozenset[str]:
        """Return whom a user has blocked; nobody for `None`."""
        if user_id is None:
            return frozenset()
        while (known := self._hidden.get(user_id)) is None:
            changes = self._changes
            rows = await self._storage.read(lambda connection: connection.execute(_HIDDEN, user_id=user_id))
            if changes == self._changes:  # a block that was made while we read must not be missed
                remember(self._hidden, user_id, frozenset(other_id for (other_id,) in rows))
        return known

    def forget_blocks(self, user_id: str) -> None:
        """Remove a user's blocks from the cache, since another node has changed them."""
        self._changes += 1
        self._hidden.pop(user_id, None)

    def forget_all_blocks(self) -> None:
        """Empty the cache, since changes of other nodes may have been missed."""
        self._changes += 1
        self._hidden.clear()

    async def recent(self, user_id: str, limit: int) -> list[Person]:
        """Return up to `limit` people who have played at the same tables, most recent first.

        Friends and blocked people aren't among them.
        """
        rows = await self._storage.read(lambda connection: connection.execute(_RECENT, user_id=user_id, limit=limit))
        return [Person(*row) for row in rows]

    async def last_games(self, user_id: str) -> dict[str, str]:
        """Return the id of the game that a user has played last with each friend, by the friend's id."""
        rows = await self._storage.read(
            lambda connection: connection.execute(_LAST_GAMES, user_id=user_id, limit=MOST_TABLES)
        )
        return dict(reversed(rows))

    async def invite(self, user_id: str, other_id: str, table_id: str) -> bool:
        """Invite a friend to a table; return whether the invitation is new.

        An invitation that they have already isn't replaced, even if they declined it.

        Raises:
            NoSuchUser: the other user doesn't exist.
            NotFriends: they aren't friends.
        """
        now = self._clock()

        def invite(connection: Connection) -> bool:
            _lock(connection, user_id, other_id)
            if self._relation(connection, user_id, other_id) != FRIEND:
                raise NotFriends(_("you can only invite your friends; ask them to be friends first"))
            invited: Values = {"table_id": table_id, "user_id": other_id, "from_id": user_id, "made_at": now}
            return bool(connection.execute(_INVITE, since=now - INVITATION_DAYS * DAY, **invited))

        return await self._storage.write(invite)

    async def decline(self, user_id: str, table_id: str) -> None:
        """Decline an invitation, if there is one."""
        given: Values = {"table_id": table_id, "user_id": user_id, "now": self._clock()}
        await self._storage.write(lambda connection: connection.execute(_DECLINE, **given))

    async def withdraw(self, user_id: str, other_id: str, table_id: str) -> None:
        """Withdraw an invitation that the user has sent, if there is one."""
        given: Values = {"table_id": table_id, "user_id": other_id, "from_id": user_id}
        await self._storage.write(lambda connection: connection.execute(_WITHDRAW, **given))

    async def inbox(self, user_id: str) -> Inbox:
        """Return a user's invitations, and the number of requests that they can answer."""
        now = self._clock()
        given: Values = {"user_id": user_id, "limit": MOST_SHOWN}

        def query(connection: Connection) -> Inbox:
            found = []
            for ask in (_INVITED, _SENT):
                rows = connection.execute(ask, since=now - INVITATION_DAYS * DAY, **given)
                listed = [(row, reading.listed(row[4:])) for row in rows]
                found.append(
                    [Invitation(one, Person(*row[:3]), bool(row[3])) for row, one in listed if one is not None]
                )
            received = [one for one in found[0] if not sits_at(one.table.listing, user_id)]
            requests = connection.execute(_RECEIVED, since=now - REQUEST_DAYS * DAY, **given)
            return Inbox(received, found[1], len(requests))

        return await self._storage.read(query)

    async def forget_expired(self) -> int:
        """Delete expired requests and invitations, up to `ROWS_AT_ONCE` of each; return the larger number deleted."""
        now = self._clock()

        def forget(connection: Connection) -> int:
            return max(
                len(connection.execute(statement, since=now - days * DAY, limit=ROWS_AT_ONCE))
                for statement, days in ((_FORGET_REQUESTS, REQUEST_DAYS), (_FORGET_INVITATIONS, INVITATION_DAYS))
            )

        return await self._storage.write(forget)

    def _relation(self, connection: Connection, user_id: str, other_id: str) -> str:
        since = self._clock() - REQUEST_DAYS * DAY
        rows = connection.execute(_BETWEEN, user_id=user_id, other_id=other_id)
        found = {(sender == user_id, kind) for sender, kind, made_at in rows if kind != REQUEST or made_at > since}
        order = ((True, BLOCK), (True, FRIEND), (False, REQUEST), (True, REQUEST))
        first = next((one for one in order if one in found), None)
        return "" if first is None else RECEIVED if first == (False, REQUEST) else first[1]

    def _add(self, connection: Connection, user_id: str, other_id: str, kind: str, most: int) -> None:
        """Add a relation, or renew it.

        Raises:
            TooManyFriends: the user has `most` of this kind.
        """
        if connection.execute(_COUNT, user_id=user_id, other_id=other_id, kind=kind)[0][0] >= most:
            raise TooManyFriends(_(_TOO_MANY[kind], most=most))
        row: Values = {"user_id": user_id, "other_id": other_id, "kind": kind, "made_at": self._clock()}
        connection.execute(_ADD, **row)

    def _blocks_changed(self, user_id: str) -> None:
        self.forget_blocks(user_id)
        for listener in self._listeners:
            listener(user_id)


def _lock(connection: Connection, user_id: str, other_id: str) -> None:
    """Lock what is between two users until the transaction ends.

    Raises:
        NoSuchUser: one of them doesn't exist.
        Yourself: both are the same user.
    """
    if user_id == other_id:
        raise Yourself(_("this is you; choose another player"))
    if len(connection.execute(_LOCK, user_id=user_id, other_id=other_id)) < 2:
        raise NoSuchUser(_("this user doesn't exist"))


def _delete(connection: Connection, user_id: str, other_id: str, kind: str) -> None:
    connection.execute(_DELETE, user_id=user_id, other_id=other_id, kind=kind)
