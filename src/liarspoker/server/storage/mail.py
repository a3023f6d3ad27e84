"""The e-mail addresses of users, and whom to send mail about their turns in correspondence play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage.connection import LIMIT, ONE, Among, Connection, insert, value
from liarspoker.server.storage.schema import BANS, LISTINGS, MAILBOXES, VACATIONS

_OWN = MAILBOXES.c.user_id == value(MAILBOXES.c.user_id)
_NOW = value(MAILBOXES.c.mailed_at, "now")
_KNOWN = value(MAILBOXES.c.mailed_at, "known")
_NEW = insert(MAILBOXES, MAILBOXES.c.user_id, MAILBOXES.c.address, MAILBOXES.c.language)
_SET = _NEW.on_conflict_do_update(
    index_elements=[MAILBOXES.c.user_id],
    set_={
        "address": _NEW.excluded.address,
        "language": _NEW.excluded.language,
        "confirmed_at": sa.null(),
        "mailed_at": sa.null(),
    },
)
_OF = sa.select(MAILBOXES.c.address, MAILBOXES.c.confirmed_at).where(_OWN)
_CONFIRM = (
    sa.update(MAILBOXES)
    .values(confirmed_at=_NOW, mailed_at=_NOW)
    .where(_OWN, MAILBOXES.c.address == value(MAILBOXES.c.address), MAILBOXES.c.confirmed_at.is_(None))
)
_REMOVE = sa.delete(MAILBOXES).where(_OWN)
_UNREAD = (LISTINGS.c.awaits == MAILBOXES.c.user_id, LISTINGS.c.since > MAILBOXES.c.mailed_at)
_BANNED = sa.exists().where(BANS.c.user_id == MAILBOXES.c.user_id, sa.func.coalesce(BANS.c.until > _NOW, sa.true()))
_ON_VACATION = sa.exists().where(VACATIONS.c.user_id == MAILBOXES.c.user_id, VACATIONS.c.ends > _NOW)
_DUE = (
    sa.select(MAILBOXES.c.user_id, MAILBOXES.c.address, MAILBOXES.c.mailed_at, MAILBOXES.c.language)
    .where(sa.exists().where(*_UNREAD, LISTINGS.c.since <= value(LISTINGS.c.since, "before")), ~_BANNED, ~_ON_VACATION)
    .order_by(MAILBOXES.c.mailed_at)
    .limit(LIMIT)
)
_SEEN = (
    sa.update(MAILBOXES)
    .values(mailed_at=_NOW)
    .where(Among(MAILBOXES.c.user_id, "user_ids"), sa.exists().where(*_UNREAD))
)
_CLAIM = (
    sa.update(MAILBOXES)
    .values(mailed_at=_NOW)
    # A commit with unknown outcome is repeated, and must give the same answer.
    .where(_OWN, MAILBOXES.c.mailed_at.in_([_KNOWN, _NOW]))
    .returning(ONE)
)
_GIVE_BACK = sa.update(MAILBOXES).values(mailed_at=_KNOWN).where(_OWN, MAILBOXES.c.mailed_at == _NOW)


class Mailbox(NamedTuple):
    """The e-mail address of a user, and when the user confirmed it, in seconds; `None` if they haven't."""

    address: str
    confirmed_at: float | None


class Due(NamedTuple):
    """A user who is to be sent mail.

    Attributes:
        user_id: the user.
        address: the confirmed address.
        mailed_at: the time, in seconds, up to which mail or an open page has covered the user's turns.
        language: the code of the language of the mail.
    """

    user_id: str
    address: str
    mailed_at: float
    language: str = "en"


def set_address(connection: Connection, user_id: str, address: str, language: str) -> None:
    """Store a user's address, which isn't confirmed yet, and the code of the language of mail to it."""
    connection.execute(_SET, user_id=user_id, address=address, language=language)


def mailbox(connection: Connection, user_id: str) -> Mailbox | None:
    """Return the e-mail address of a user; `None` if the user has none."""
    rows = connection.execute(_OF, user_id=user_id)
    return Mailbox(*rows[0]) if rows else None


def confirm(connection: Connection, user_id: str, address: str, now: float) -> None:
    """Confirm a user's address; turns that wait already aren't mailed."""
    connection.execute(_CONFIRM, user_id=user_id, address=address, now=now)


def remove(connection: Connection, user_id: str) -> None:
    """Delete a user's address."""
    connection.execute(_REMOVE, user_id=user_id)


def due(connection: Connection, before: float, now: float, limit: int) -> list[Due]:
    """Return users with a turn that began after their last mail and no later than `before`, in seconds.

    Users who are banned or on vacation aren't included.
    """
    return [Due(*row) for row in connection.execute(_DUE, before=before, now=now, limit=limit)]


def seen(connection: Connection, user_ids: Sequence[str], now: float) -> None:
    """Record that users have a page open, so that they aren't sent mail about turns that have begun by now."""
    connection.execute(_SEEN, user_ids=connection.array(user_ids), now=now)


def claim(connection: Connection, due: Due, now: float) -> bool:
    """Record that mail covers the turns of a user up to now; return false if another server has done so."""
    return bool(connection.execute(_CLAIM, user_id=due.user_id, known=due.mailed_at, now=now))


def give_back(connection: Connection, due: Due, now: float) -> None:
    """Undo a claim, because the mail couldn't be sent."""
    connection.execute(_GIVE_BACK, user_id=due.user_id, known=due.mailed_at, now=now)
