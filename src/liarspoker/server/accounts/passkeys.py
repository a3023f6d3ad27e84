"""Passkeys (WebAuthn): creating them, and logging in with them.

A challenge is stored in the database, can be used once and expires soon, so any node can verify the answer.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from liarspoker.language import _
from liarspoker.server.accounts.accounts import ROWS_AT_ONCE, Accounts, check_ban, find_user, give_login
from liarspoker.server.accounts.credentials import AccountError, BadLogin, Session, User
from liarspoker.server.accounts.words import clean_label, clean_login
from liarspoker.server.storage import orders
from liarspoker.server.storage.connection import LIMIT, ONE, Connection, Values, insert, value
from liarspoker.server.storage.schema import PASSKEY_CHALLENGES, PASSKEYS, USERS
from liarspoker.server.storage.storage import Storage

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

log = logging.getLogger(__name__)

MAX_PASSKEYS = 10
CHALLENGE_SECONDS = 300.0
"""How long a challenge can be answered."""
NAME = "Liar's Poker"

_P, _C = PASSKEYS.c, PASSKEY_CHALLENGES.c
_ADD_CHALLENGE = insert(PASSKEY_CHALLENGES)
_TAKE_CHALLENGE = (
    sa.delete(PASSKEY_CHALLENGES)
    .where(_C.challenge == value(_C.challenge), _C.user_id == value(_C.user_id))
    .returning(_C.expires_at)
)
_EXPIRED = sa.select(_C.challenge).where(_C.expires_at <= value(_C.expires_at, "now")).limit(LIMIT)
_FORGET = sa.delete(PASSKEY_CHALLENGES).where(_C.challenge.in_(_EXPIRED)).returning(ONE)
_SHOWN = (_P.passkey_id, _P.label, _P.host, _P.created_at, _P.used_at)
_OF = sa.select(*_SHOWN).where(_P.user_id == value(_P.user_id)).order_by(_P.created_at, _P.passkey_id)
_ADD = insert(PASSKEYS, *(column for column in PASSKEYS.columns if column.name != "used_at")).on_conflict_do_nothing()
_FIND = sa.select(_P.user_id, _P.public_key, _P.sign_count).where(_P.passkey_id == value(_P.passkey_id))
_USED = (
    sa.update(PASSKEYS)
    .values(sign_count=value(_P.sign_count), used_at=value(_P.used_at, "now"))
    .where(
        _P.passkey_id == value(_P.passkey_id), _P.sign_count.in_([value(_P.sign_count, "known"), value(_P.sign_count)])
    )
    .returning(ONE)
)
_REMOVE = (
    sa.delete(PASSKEYS).where(_P.passkey_id == value(_P.passkey_id), _P.user_id == value(_P.user_id)).returning(ONE)
)
_LOCK = sa.select(USERS.c.passphrase_hash).where(USERS.c.user_id == value(USERS.c.user_id)).with_for_update()


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The address that passkeys belong to.

    Attributes:
        host: the host name, without a port.
        origin: the origin of the pages, as browsers report it.
    """

    host: str
    origin: str

    @classmethod
    def of(cls, authority: str, tls: bool) -> RelyingParty:
        """Return the relying party for pages at a host, with its port if it has one.

        Raises:
            NoPasskeys: browsers don't allow passkeys there.

        >>> RelyingParty.of("play.example:8443", tls=True)
        RelyingParty(host='play.example', origin='https://play.example:8443')
        """
        authority = authority.lower()
        host = authority if authority.endswith("]") else authority.rpartition(":")[0] or authority
        if not tls and host != "localhost" and not host.endswith(".localhost"):
            raise NoPasskeys(_("passkeys work only over HTTPS; use a passphrase here"))
        if not host or _is_address(host.strip("[]")):
            raise NoPasskeys(_("passkeys need a host name instead of an IP address; use a passphrase here"))
        return cls(host, f"{'https' if tls else 'http'}://{authority}")


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey, as it is listed for its owner.

    Attributes:
        passkey_id: its id, which isn't a secret.
        label: the name chosen by its owner.
        host: the host name at which it works.
        created_at: when it was created, in seconds.
        used_at: when it was last used to log in, in seconds; `None` for never.
    """

    passkey_id: str
    label: str
    host: str
    created_at: float
    used_at: float | None


class NoPasskeys(AccountError):
    """Browsers don't allow passkeys at this address."""

    code = "no-passkeys"


class BadPasskey(AccountError):
    """The answer to a challenge isn't valid, or came too late."""

    code = "bad-passkey"


class TooManyPasskeys(AccountError):
    """The account has the maximum number of passkeys; one has to be removed first."""

    code = "too-many-passkeys"


class LastWayIn(AccountError):
    """Without this passkey, nobody could log in to the account."""

    code = "last-way-in"


class Passkeys:
    """The passkeys of all accounts."""

    def __init__(self, accounts: Accounts, storage: Storage, clock: Callable[[], float] = time.time) -> None:
        self._accounts = accounts
        self._storage = storage
        self._clock = clock

    async def of(self, user_id: str) -> list[Passkey]:
        """Return a user's passkeys, oldest first."""
        return await self._storage.read(partial(_passkeys, user_id=user_id))

    async def creation_options(self, party: RelyingParty, user: User, login: str) -> str:
        """Return the options with which the user's browser creates a passkey, as JSON.

        Args:
            party: the address of the page.
            user: the user.
            login: the login that the passkey is listed under in the browser.

        Raises:
            BadName: the login is invalid.
        """
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        chosen = AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        )
        options = generate_registration_options(
            rp_id=party.host,
            rp_name=NAME,
            user_id=user.user_id.encode(),
            user_name=user.login or clean_login(login),
            user_display_name=user.name,
            challenge=await self._challenge(user.user_id),
            authenticator_selection=chosen,
            exclude_credentials=[_descriptor(one) for one in await self.of(user.user_id)],
        )
        return options_to_json(options)

    async def add(
        self, party: RelyingParty, user: User, credential: Mapping[str, Any], label: str, login: str = ""
    ) -> Session | None:
        """Add a passkey to an account, or turn a guest into an account with it.

        Args:
            party: the address of the page.
            user: the user.
            credential: the browser's answer to `creation_options`.
            label: the name of the passkey.
            login: the login of the new account; ignored for an account.

        Returns:
            The session of a new account, which replaces the guest's; `None` if the user has an account.

        Raises:
            BadPasskey: the answer isn't valid.
            BadName: the label or the login is invalid.
            LoginTaken: another user has the login.
            TooManyPasskeys: the account has the maximum number of passkeys.
        """
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url

        label, login = clean_label(label), clean_login(login) if user.is_guest else ""
        challenge = await self._answered(credential, user.user_id)
        verified = _checked(
            verify_registration_response,
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            require_user_verification=True,
        )
        row: Values = {
            "passkey_id": bytes_to_base64url(verified.credential_id),
            "user_id": user.user_id,
            "public_key": verified.credential_public_key,
            "sign_count": verified.sign_count,
            "host": party.host,
            "label": label,
            "created_at": self._clock(),
        }
        order_id = orders.new_order_id()

        def add(connection: Connection) -> None:
            if user.is_guest:
                give_login(connection, user.user_id, login, None)
            connection.execute(_LOCK, user_id=user.user_id)
            others = [one for one in _passkeys(connection, user.user_id) if one.passkey_id != row["passkey_id"]]
            if len(others) >= MAX_PASSKEYS:
                raise TooManyPasskeys(
                    _("you have the maximum of {count} passkeys; remove one first", count=MAX_PASSKEYS)
                )
            connection.execute(_ADD, **row)
            if not [one for one in connection.execute(_FIND, passkey_id=row["passkey_id"]) if one[0] == user.user_id]:
                raise BadPasskey(_("this passkey belongs to another account"))
            what = "register" if user.is_guest else "passkey-added"
            orders.record(connection, order_id, orders.SERVER, what, user_id=user.user_id, details={"label": label})

        if user.is_guest:
            session = await self._accounts.registered(User(user.user_id, user.name, user.created_at, login), add)
        else:
            session = None
            await self._storage.write(add)
        log.info("passkey added", extra={"user": user.user_id})
        return session

    async def login_options(self, party: RelyingParty) -> str:
        """Return the options with which a browser proves that it has a passkey, as JSON."""
        from webauthn import generate_authentication_options, options_to_json
        from webauthn.helpers.structs import UserVerificationRequirement

        options = generate_authentication_options(
            rp_id=party.host,
            challenge=await self._challenge(""),
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json(options)

    async def log_in(self, party: RelyingParty, credential: Mapping[str, Any], ending: str | None = None) -> Session:
        """Log in with the browser's answer to `login_options`, and return a new session.

        Args:
            party: the address of the page.
            credential: the answer.
            ending: the secret of a session, of any user, that the new one replaces; `None` for none.

        Raises:
            BadPasskey: the answer isn't valid, or the passkey is unknown.
            Banned: the passkey is right, but the user is banned.
        """
        from webauthn import verify_authentication_response
        from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

        challenge = await self._answered(credential, "")
        passkey_id = bytes_to_base64url(_checked(base64url_to_bytes, credential.get("id")))
        rows = await self._storage.read(lambda connection: connection.execute(_FIND, passkey_id=passkey_id))
        if not rows:
            raise BadPasskey(_("this passkey isn't known here; it may have been removed"))
        user_id, public_key, known = rows[0]
        verified = _checked(
            verify_authentication_response,
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=bytes(public_key),
            credential_current_sign_count=known,
            require_user_verification=True,
        )
        now = self._clock()

        def use(connection: Connection) -> None:
            check_ban(connection, user_id, now)
            find_user(connection, user_id)
            counted: Values = {"sign_count": verified.new_sign_count, "known": known, "now": now}
            if not connection.execute(_USED, passkey_id=passkey_id, **counted):
                raise BadLogin  # it has just been removed, or used elsewhere

        session = await self._accounts.begin(await self._accounts.user(user_id), use, ending=ending)
        log.info("logged in", extra={"user": user_id})
        return session

    async def remove(self, user_id: str, passkey_id: str) -> None:
        """Remove one of a user's passkeys, if they have it.

        Raises:
            LastWayIn: the user has no passphrase and no other passkey.
        """
        order_id = orders.new_order_id()

        def remove(connection: Connection) -> None:
            [[stored]] = connection.execute(_LOCK, user_id=user_id)
            known = [one.passkey_id for one in _passkeys(connection, user_id)]
            if known == [passkey_id] and stored is None:
                raise LastWayIn(_("this is the last way to log in; set a passphrase or add another passkey first"))
            if connection.execute(_REMOVE, passkey_id=passkey_id, user_id=user_id):
                orders.record(connection, order_id, orders.SERVER, "passkey-removed", user_id=user_id)

        await self._storage.write(remove)
        log.info("passkey removed", extra={"user": user_id})

    async def forget_challenges(self) -> int:
        """Delete up to `ROWS_AT_ONCE` expired challenges; return the number deleted."""
        now = self._clock()
        return len(
            await self._storage.write(lambda connection: connection.execute(_FORGET, now=now, limit=ROWS_AT_ONCE))
        )

    async def _challenge(self, user_id: str) -> bytes:
        """Store and return a new challenge for a user; for a login, the user isn't known yet and `user_id` is empty."""
        challenge = secrets.token_bytes(32)
        row: Values = {"challenge": challenge, "user_id": user_id, "expires_at": self._clock() + CHALLENGE_SECONDS}
        await self._storage.write(lambda connection: connection.execute(_ADD_CHALLENGE, **row))
        return challenge

    async def _answered(self, credential: Mapping[str, Any], user_id: str) -> bytes:
        """Return the challenge that a browser has answered; it can't be answered again.

        Raises:
            BadPasskey: it is unknown, expired, or another user's.
        """
        from webauthn.helpers import base64url_to_bytes, parse_client_data_json

        def challenge_of(credential: Mapping[str, Any]) -> bytes:
            return parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"])).challenge

        challenge: bytes = _checked(challenge_of, credential)
        found = await self._storage.write(
            lambda connection: connection.execute(_TAKE_CHALLENGE, challenge=challenge, user_id=user_id)
        )
        if not found or found[0][0] <= self._clock():
            raise BadPasskey(_("this took too long; try again"))
        return challenge


def _checked(check: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Return the result of a function that checks a browser's answer.

    Raises:
        BadPasskey: the answer isn't valid.
    """
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return check(*given, **named)
    except (WebAuthnException, KeyError, TypeError, ValueError, AttributeError) as error:
        log.warning("passkey refused", extra={"error": type(error).__name__})
        raise BadPasskey(_("this passkey can't be used here; try again, or use another one")) from None


def _passkeys(connection: Connection, user_id: str) -> list[Passkey]:
    return [Passkey(*row) for row in connection.execute(_OF, user_id=user_id)]


def _descriptor(passkey: Passkey) -> PublicKeyCredentialDescriptor:
    from webauthn.helpers import base64url_to_bytes
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    return PublicKeyCredentialDescriptor(id=base64url_to_bytes(passkey.passkey_id))
