"""Queries on notices: which were sent, which kinds users have turned off, and the push subscriptions of browsers."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage.connection import LIMIT, ONE, Connection, Values, insert, value
from liarspoker.server.storage.schema import BANS, MUTES, NOTICES, SESSIONS, SUBSCRIPTIONS

_NEW_NOTICE = insert(NOTICES)
_CLAIM = _NEW_NOTICE.on_conflict_do_update(
    index_elements=[NOTICES.c.user_id, NOTICES.c.table_id, NOTICES.c.kind],
    set_={name: _NEW_NOTICE.excluded[name] for name in ("version", "sent_at")},
    where=(NOTICES.c.version < _NEW_NOTICE.excluded.version)
    # A commit with unknown outcome is repeated, and must give the same answer.
    | ((NOTICES.c.version == _NEW_NOTICE.excluded.version) & (NOTICES.c.sent_at == _NEW_NOTICE.excluded.sent_at)),
).returning(ONE)
_MUTES = sa.select(MUTES.c.channel, MUTES.c.kind).where(MUTES.c.user_id == value(MUTES.c.user_id))
_UNMUTE = sa.delete(MUTES).where(*(column == value(column) for column in MUTES.columns))
_MUTE = insert(MUTES).on_conflict_do_nothing()
_NOW = value(SESSIONS.c.expires_at, "now")
_SESSION = sa.exists().where(
    SESSIONS.c.session_hash == SUBSCRIPTIONS.c.session_hash,
    SESSIONS.c.user_id == SUBSCRIPTIONS.c.user_id,
    SESSIONS.c.revoked_at.is_(None),
    SESSIONS.c.expires_at > _NOW,
)
_BANNED = sa.exists().where(BANS.c.user_id == SUBSCRIPTIONS.c.user_id, sa.func.coalesce(BANS.c.until > _NOW, sa.true()))
_OWN = SUBSCRIPTIONS.c.user_id == value(SUBSCRIPTIONS.c.user_id)
_ONE = SUBSCRIPTIONS.c.subscription_id == value(SUBSCRIPTIONS.c.subscription_id)
_SHOWN = [
    SUBSCRIPTIONS.c[name]
    for name in ("subscription_id", "endpoint", "p256dh", "auth", "device", "created_at", "language")
]
_SUBSCRIPTIONS = (
    sa.select(*_SHOWN)
    .where(_OWN, _SESSION, ~_BANNED)
    .order_by(SUBSCRIPTIONS.c.created_at.desc(), SUBSCRIPTIONS.c.subscription_id)
)
_NEW_SUBSCRIPTION = insert(SUBSCRIPTIONS)
_SUBSCRIBE = _NEW_SUBSCRIPTION.on_conflict_do_update(
    index_elements=[SUBSCRIPTIONS.c.subscription_id],
    set_={
        name: _NEW_SUBSCRIPTION.excluded[name]
        for name in ("user_id", "session_hash", "p256dh", "auth", "device", "language")
    },
)
_NEWEST = (
    sa.select(SUBSCRIPTIONS.c.subscription_id).where(_OWN).order_by(SUBSCRIPTIONS.c.created_at.desc()).limit(LIMIT)
)
_DROP_OLDEST = sa.delete(SUBSCRIPTIONS).where(_OWN, SUBSCRIPTIONS.c.subscription_id.not_in(_NEWEST))
_UNSUBSCRIBE = sa.delete(SUBSCRIPTIONS).where(_ONE, _OWN).returning(ONE)
_DROP = sa.delete(SUBSCRIPTIONS).where(_ONE)
_DROP_SESSION = sa.delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.session_hash == value(SUBSCRIPTIONS.c.session_hash))
_DROP_ENDED = sa.delete(SUBSCRIPTIONS).where(~_SESSION)


class Subscription(NamedTuple):
    """A browser's push subscription.

    Attributes:
        subscription_id: its id, a hash of the endpoint.
        endpoint: the URL at the browser's push service.
        p256dh: the browser's public key, as URL-safe base64.
        auth: the browser's authentication secret, as URL-safe base64.
        device: what the browser and system are called, such as "Firefox on Android".
        created_at: when it was made, in seconds.
        language: the code of the language of its notices.
    """

    subscription_id: str
    endpoint: str
    p256dh: str
    auth: str
    device: str
    created_at: float
    language: str = "en"


def claim(connection: Connection, user_id: str, table_id: str, kind: str, version: int, now: float) -> bool:
    """Record that a notice is being sent; return false if one of this or a later version was sent before."""
    given: Values = {"user_id": user_id, "table_id": table_id, "kind": kind, "version": version, "sent_at": now}
    return bool(connection.execute(_CLAIM, **given))


def mutes(connection: Connection, user_id: str) -> frozenset[tuple[str, str]]:
    """Return each `(channel, kind)` that a user has turned off."""
    return frozenset((channel, kind) for channel, kind in connection.execute(_MUTES, user_id=user_id))


def mute(connection: Connection, user_id: str, channel: str, kind: str, on: bool) -> None:
    """Turn a kind of notices to a user over a channel off, or on again."""
    connection.execute(_MUTE if on else _UNMUTE, user_id=user_id, channel=channel, kind=kind)


def subscriptions(connection: Connection, user_id: str, now: float) -> list[Subscription]:
    """Return a user's subscriptions, newest first: none of ended sessions, and none of a banned user."""
    return [Subscription(*row) for row in connection.execute(_SUBSCRIPTIONS, user_id=user_id, now=now)]


def subscribe(connection: Connection, user_id: str, session_hash: bytes, made: Subscription, most: int) -> None:
    """Add a subscription, or give a known one to this user and session; of more than `most`, drop the oldest."""
    connection.execute(_SUBSCRIBE, user_id=user_id, session_hash=session_hash, **made._asdict())
    connection.execute(_DROP_OLDEST, user_id=user_id, limit=most)


def unsubscribe(connection: Connection, user_id: str, subscription_id: str) -> bool:
    """Delete one of a user's subscriptions; return false if the user has no such subscription."""
    return bool(connection.execute(_UNSUBSCRIBE, user_id=user_id, subscription_id=subscription_id))


def drop(connection: Connection, subscription_id: str) -> None:
    """Delete a subscription that its push service doesn't know any more."""
    connection.execute(_DROP, subscription_id=subscription_id)


def drop_session(connection: Connection, session_hash: bytes) -> None:
    """Delete the subscriptions that were made in a session."""
    connection.execute(_DROP_SESSION, session_hash=session_hash)


def drop_ended(connection: Connection, now: float) -> None:
    """Delete the subscriptions of ended sessions."""
    connection.execute(_DROP_ENDED, now=now)
