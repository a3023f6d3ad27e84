"""A server of live tables: the addresses of it and its tables, and its HTTP API."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from liarspoker.core.errors import LiarsPokerError, format_value
from liarspoker.language import _, language

SECONDS = 20.0
"""Timeout of a request."""

MOST_BYTES = 64 * 1024 * 1024
"""Maximum size of an answer."""

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,100}")
_LINK = re.compile(r"(?P<before>.*?)(?:/api)?/(?:tables|t)/(?P<table>[A-Za-z0-9_-]{1,100})(?:/.*)?")
_LIKE_A_HOST = re.compile(r"(?:localhost|\[[0-9a-fA-F:]+\]|[\w.-]+\.[\w-]+)(?::\d+)?(?:/.*)?")


class BadAddress(LiarsPokerError):
    """The text is neither a server's address nor a table's link."""

    code = "bad-address"


class NoServer(LiarsPokerError):
    """No server of live tables answers at the address."""

    code = "no-server"


class Refused(LiarsPokerError):
    """The server refused a request; `code` is the server's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Place:
    """A server, without a slash at the end, and the id of one of its tables, or `None`."""

    server: str
    table: str | None = None

    def at(self, table: str) -> Place:
        """Return the place of a table of the same server."""
        return Place(self.server, table)

    @property
    def link(self) -> str:
        """The link to share with friends."""
        return self.server if self.table is None else f"{self.server}/tables/{self.table}"

    @property
    def socket(self) -> str:
        """The address of the table's WebSocket."""
        return f"ws{self.server.removeprefix('http')}/api/tables/{self.table}/socket?protocol=1"


def place_of(text: str) -> Place:
    """Read the address of a server or table; the default scheme is http.

    Raises:
        BadAddress: it is neither.

    >>> place_of("http://127.0.0.1:8000/tables/Ab_1?x=2").table, place_of("localhost:8000").server
    ('Ab_1', 'http://localhost:8000')
    >>> place_of("http://127.0.0.1:8000/t/Ab_1").table
    'Ab_1'
    >>> place_of("https://club.example/api/tables/Ab_1").link
    'https://club.example/tables/Ab_1'
    """
    plain = text.strip()
    if "://" not in plain and _LIKE_A_HOST.fullmatch(plain):
        plain = f"http://{plain}"
    try:
        parts = urlsplit(plain)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known or "@" in parts.netloc:
        raise BadAddress(
            _(
                "{address}: write a server's address as http://127.0.0.1:8000, or paste a table's link",
                address=format_value(text),
            )
        )
    path = parts.path.rstrip("/")
    found = _LINK.fullmatch(path)
    before = found["before"] if found else path.removesuffix("/api")
    return Place(f"{parts.scheme}://{parts.netloc}{before}", found["table"] if found else None)


def table_of(text: str, server: str) -> Place | None:
    """Read a table of a server, given as its link or its id; `None` if it is neither.

    >>> table_of("Ab_1", "http://localhost:8000").link
    'http://localhost:8000/tables/Ab_1'
    """
    if _TABLE.fullmatch(text):
        return Place(server, text)
    try:
        place = place_of(text)
    except BadAddress:
        return None
    return place if place.table is not None else None


class Server:
    """A server's HTTP API, used with the player's credentials."""

    def __init__(self, address: str, token: str | None = None, cookie: str = "") -> None:
        self.address = address
        self.cookie = cookie
        self._token = token

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request: the player's language, and what authenticates them."""
        spoken = {"Accept-Language": language()}
        if self._token is not None:
            return spoken | {"Authorization": f"Bearer {self._token}"}
        return spoken | ({"Cookie": self.cookie} if self.cookie else {})

    def greet(self) -> None:
        """Check that a server of live tables answers.

        Raises:
            NoServer: it doesn't.
        """
        try:
            answer = self.get("/health")
        except Refused as refusal:
            raise _strange(self.address) from refusal
        if not isinstance(answer, dict):
            raise _strange(self.address)

    def get(self, path: str) -> Any:
        """Return the answer to a GET request of `path`, such as `/api/me`.

        Raises:
            NoServer: no server answers.
            Refused: the server refused the request.
        """
        return self._ask(path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Return the answer to posting `body` to `path`.

        Raises:
            NoServer: no server answers.
            Refused: the server refused the request.
        """
        return self._ask(path, body)

    def _ask(self, path: str, body: dict[str, Any] | None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", **self.headers}
        if data is not None:
            headers["Content-Type"] = "application/json"
        try:
            with urlopen(Request(self.address + path, data, headers), timeout=SECONDS) as response:
                self._keep(response.headers.get_all("Set-Cookie") or [])
                return json.loads(response.read(MOST_BYTES) or b"null")
        except HTTPError as error:
            raise _refusal(error, self.address) from error
        except (URLError, HTTPException, OSError) as error:
            why = getattr(error, "reason", error)
            raise NoServer(
                _(
                    "{address}: no answer ({why}); is `liarspoker serve` running there?",
                    address=self.address,
                    why=_why(why),
                )
            ) from error
        except ValueError as error:
            raise _strange(self.address) from error

    def _keep(self, cookies: list[str]) -> None:
        for cookie in cookies:
            pair = cookie.partition(";")[0].strip()
            if "liarspoker" in pair.partition("=")[0]:
                self.cookie = pair


def _refusal(error: HTTPError, address: str) -> NoServer | Refused:
    """Return the error that a server sent; an error of another form comes from another program."""
    try:
        fault = json.loads(error.read(MOST_BYTES))["error"]
        return Refused(str(fault["code"]), str(fault["message"]))
    except (ValueError, KeyError, TypeError, OSError):
        return _strange(address)


def _strange(address: str) -> NoServer:
    return NoServer(
        _("{address}: something answers, but it isn't a server of live tables; check the address", address=address)
    )


def _why(why: object) -> str:
    return str(getattr(why, "strerror", None) or why).lower()
