"""Web Push: encrypted notices to browsers whose pages are closed (RFC 8030, RFC 8291, RFC 8292).

A browser subscribes at the push service of its vendor and gives the server the address there. Since clients choose
these addresses, the server connects only by HTTPS and only to public addresses, and doesn't follow redirects.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import re
import socket
import ssl
from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

import aiohttp
import msgspec
from aiohttp.abc import AbstractResolver, ResolveResult
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPusher

from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _, language, speaking
from liarspoker.server.notices.notices import Notice, Outcome, TryAgain
from liarspoker.server.storage import notices as queries
from liarspoker.server.storage.notices import Subscription
from liarspoker.server.storage.storage import Storage

log = logging.getLogger(__name__)

MOST_DEVICES = 10
"""The maximum number of subscriptions per user; a new one replaces the oldest."""
MOST_ENDPOINT = 1000
"""The maximum length of an endpoint's URL."""
SENDS_AT_ONCE = 20
"""The maximum number of open connections to push services."""
SEND_SECONDS = 10.0
"""The time limit of one request to a push service."""
LONGEST_WAIT = 86_400.0
"""The maximum time that a push service keeps a notice for a browser that is offline, in seconds."""
TOKEN_SECONDS = 43_200
"""How long the server's signature of a request is valid."""
PADDING = 256
"""A payload is padded to a multiple of this many bytes, so that its length doesn't reveal the title of the table."""

_NAT64 = ip_network("64:ff9b::/96")
_KEY = re.compile(r"[A-Za-z0-9_-]{87}=?")
_SECRET = re.compile(r"[A-Za-z0-9_-]{22}={0,2}")


class BadSubscription(LiarsPokerError):
    """A subscription isn't valid, or its push service isn't allowed."""

    code = "bad-subscription"


class _PublicResolver(AbstractResolver):
    """Resolves names of hosts, but only to public addresses. The connection then goes to one of these."""

    def __init__(self) -> None:
        self._resolver = aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the public addresses of a host.

        Raises:
            OSError: it has none.
        """
        found = [one for one in await self._resolver.resolve(host, port, family) if is_public(one["host"])]
        if not found:
            raise OSError("the host has no public address")
        return found

    async def close(self) -> None:
        """Release resources."""
        await self._resolver.close()


class WebPush:
    """The channel that delivers notices to browsers.

    Args:
        storage: the database.
        secret: 32 secret bytes, from which the server's key pair is derived.
        contact: the contact that push services see, a `mailto:` or `https:` URL.
        private: whether push services may be at private addresses.
        now: returns the time in seconds since 1970.

    Attributes:
        public_key: the server's public key, as browsers want it: URL-safe base64 without padding.
    """

    name = "push"

    def __init__(self, storage: Storage, secret: bytes, contact: str, private: bool, now: Callable[[], float]) -> None:
        key = ec.derive_private_key(int.from_bytes(secret) % (ec.SECP256R1.group_order - 1) + 1, ec.SECP256R1())
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = base64.urlsafe_b64encode(point).rstrip(b"=").decode()
        self._vapid = Vapid02(key)
        self._storage = storage
        self._contact = contact
        self._private = private
        self._now = now
        self._session: aiohttp.ClientSession | None = None

    async def addresses(self, user: str) -> Sequence[Subscription]:
        """Return the subscriptions of a user's open sessions, newest first."""
        return await self._storage.read(partial(queries.subscriptions, user_id=user, now=self._now()))

    async def subscribe(self, user: str, credential: bytes, endpoint: str, p256dh: str, auth: str, device: str) -> None:
        """Add a subscription, which lasts as long as the user's session, for notices in the current language.

        Args:
            user: id of the user.
            credential: hash of the session's secret.
            endpoint: the URL at the push service.
            p256dh: the browser's public key, as URL-safe base64.
            auth: the browser's authentication secret, as URL-safe base64.
            device: what the browser and system are called.

        Raises:
            BadSubscription: the endpoint isn't allowed, or a key is malformed.
        """
        check_endpoint(endpoint, self._private)
        check_keys(p256dh, auth)
        subscription_id = hashlib.sha256(endpoint.encode()).hexdigest()[:32]
        made = Subscription(subscription_id, endpoint, p256dh, auth, device, self._now(), language())
        add = partial(queries.subscribe, user_id=user, session_hash=credential, made=made, most=MOST_DEVICES)
        await self._storage.write(add)
        log.info("push subscribed", extra={"user": user})

    async def unsubscribe(self, user: str, subscription_id: str) -> bool:
        """Delete one of a user's subscriptions; return false if the user has no such subscription."""
        remove = partial(queries.unsubscribe, user_id=user, subscription_id=subscription_id)
        return await self._storage.write(remove)

    async def deliver(self, address: Subscription, notice: Notice) -> Outcome:
        """Send a notice to a push service; delete the subscription if the service doesn't know it any more.

        Raises:
            TryAgain: the push service is unavailable or busy.
        """
        try:
            check_endpoint(address.endpoint, self._private)  # the configuration may have changed
            check_keys(address.p256dh, address.auth)
        except BadSubscription:
            return "refused"
        if self._session is None:
            resolver = None if self._private else _PublicResolver()
            connector = aiohttp.TCPConnector(resolver=resolver, limit=SENDS_AT_ONCE, ssl=ssl.create_default_context())
            self._session = aiohttp.ClientSession(
                connector=connector,
                timeout=aiohttp.ClientTimeout(total=SEND_SECONDS),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        keys = {"p256dh": address.p256dh, "auth": address.auth}
        body = WebPusher({"endpoint": address.endpoint, "keys": keys}).encode(payload_of(notice, address.language))[
            "body"
        ]
        try:
            request = self._session.post(
                address.endpoint, data=body, headers=self._headers(address.endpoint, notice), allow_redirects=False
            )
            async with request as response:
                status, after = response.status, response.headers.get("Retry-After", "")
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise TryAgain from error
        if status in (404, 410):
            await self._storage.write(partial(queries.drop, subscription_id=address.subscription_id))
            return "gone"
        if status == 429 or status >= 500:
            raise TryAgain(float(after) if after.isascii() and after.isdecimal() else 0.0)
        return "sent" if status in (200, 201, 202, 204) else "refused"

    async def close(self) -> None:
        """Close the connections to push services."""
        if self._session is not None:
            await self._session.close()

    def _headers(self, endpoint: str, notice: Notice) -> dict[str, str]:
        """Return the headers of a request, with the server's signature."""
        now, parts = self._now(), urlsplit(endpoint)
        left = LONGEST_WAIT if notice.until is None else min(LONGEST_WAIT, max(1.0, notice.until - now))
        claims = {"sub": self._contact, "aud": f"https://{parts.netloc}", "exp": int(now) + TOKEN_SECONDS}
        return {
            **self._vapid.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(left)),
            "Urgency": "high",
            # A later notice of this kind about the table replaces one that waits at the push service.
            "Topic": hashlib.sha256(f"{notice.kind} {notice.table}".encode()).hexdigest()[:32],
        }


def payload_of(notice: Notice, code: str) -> bytes:
    """Return what the service worker receives, as padded JSON, in the language `code`."""
    with speaking(code):
        shown = {"title": notice.title, "body": notice.body, "path": notice.path, "tag": f"{notice.kind} {notice.path}"}
    encoded = msgspec.json.encode(shown)
    return encoded.ljust(-(-len(encoded) // PADDING) * PADDING)


def check_endpoint(endpoint: str, private: bool = False) -> None:
    """Check the URL of a push service.

    Args:
        endpoint: the URL.
        private: whether it may be at a private address, on any port.

    Raises:
        BadSubscription: it isn't an HTTPS URL on the default port, or contains a private address.

    >>> check_endpoint("https://push.example/a")
    >>> check_endpoint("https://10.0.0.1/a")
    Traceback (most recent call last):
    liarspoker.server.notices.push.BadSubscription: the push service must be at an https URL with a public address
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    is_url = len(endpoint) <= MOST_ENDPOINT and endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    if not is_url or not host or parts.scheme != "https" or parts.username is not None or parts.fragment:
        raise BadSubscription(_("the push service must be at an https URL with a public address"))
    if not private and (port not in (None, 443) or not (_is_name(host) or is_public(host))):
        raise BadSubscription(_("the push service must be at an https URL with a public address"))


def check_keys(p256dh: str, auth: str) -> None:
    """Check the keys of a subscription.

    Raises:
        BadSubscription: they aren't a point on the curve P-256 and a secret of 16 bytes.
    """
    try:
        if not (_KEY.fullmatch(p256dh) and _SECRET.fullmatch(auth)):
            raise ValueError
        point = base64.urlsafe_b64decode(p256dh.rstrip("=") + "=")
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise BadSubscription(_("the keys of this subscription aren't valid")) from error


def is_public(address: str) -> bool:
    """Return whether an IP address, or the IPv4 address that it maps, is public.

    >>> [is_public(one) for one in ("8.8.8.8", "2606:4700::1111", "192.168.1.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1")]
    [True, True, False, False, False]
    """
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(known, IPv6Address):
        if known.sixtofour is not None or known.teredo is not None:
            return False  # tunnels, which can lead anywhere
        mapped = IPv4Address(int(known) & 0xFFFFFFFF) if known in _NAT64 else known.ipv4_mapped
        known = known if mapped is None else mapped
    return known.is_global and not known.is_multicast


def _is_name(host: str) -> bool:
    """Return whether a host is a name with a dot, not an address in any notation."""
    return re.fullmatch(r"(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*", host) is not None
