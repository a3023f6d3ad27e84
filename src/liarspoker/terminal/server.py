"""A server as a client knows it: its address and the addresses of its tables, its HTTP side, and what can go wrong."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from liarspoker.core.errors import LiarsPokerError, told

SECONDS = 20.0
"""The longest that an answer may take."""

MOST_BYTES = 64 * 1024 * 1024
"""The longest answer."""

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,100}")
_LINK = re.compile(r"(?P<before>.*?)(?:/api)?/(?:tables|t)/(?P<table>[A-Za-z0-9_-]{1,100})(?:/.*)?")
_LIKE_A_HOST = re.compile(r"(?:localhost|\[[0-9a-fA-F:]+\]|[\w.-]+\.[\w-]+)(?::\d+)?(?:/.*)?")


class BadAddress(LiarsPokerError):
    """What was given is no server's address and no table's link."""

    code = "bad-address"


class NoServer(LiarsPokerError):
    """Nobody answers there, or not as a server of live tables does."""

    code = "no-server"


class Turned(LiarsPokerError):
    """The server says no, with its code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Place:
    """A server, without a slash at the end, and a table of it; `None` where only the server is known."""

    server: str
    table: str | None = None

    def at(self, table: str) -> Place:
        """A table of the same server."""
        return Place(self.server, table)

    @property
    def link(self) -> str:
        """What friends are given."""
        return self.server if self.table is None else f"{self.server}/tables/{self.table}"

    @property
    def socket(self) -> str:
        """The address of the table's socket."""
        return f"ws{self.server.removeprefix('http')}/api/tables/{self.table}/socket?protocol=1"


def place_of(text: str) -> Place:
    """The server or the table that an address names; where it says nothing else, over http.

    Raises:
        BadAddress: it names neither.

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
        raise BadAddress(f"{told(text)}: a server's address is like http://127.0.0.1:8000, a table's link like it too")
    path = parts.path.rstrip("/")
    found = _LINK.fullmatch(path)
    before = found["before"] if found else path.removesuffix("/api")
    return Place(f"{parts.scheme}://{parts.netloc}{before}", found["table"] if found else None)


def table_of(text: str, server: str) -> Place | None:
    """The table that somebody names at a server, by its link or by its id alone; `None` if they name none.

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
    """One server, and who asks it."""

    def __init__(self, address: str, token: str | None = None, cookie: str = "") -> None:
        self.address = address
        self.cookie = cookie
        self._token = token

    @property
    def credentials(self) -> dict[str, str]:
        """The headers that say who asks."""
        if self._token is not None:
            return {"Authorization": f"Bearer {self._token}"}
        return {"Cookie": self.cookie} if self.cookie else {}

    def greet(self) -> None:
        """Find out whether a server of live tables is there.

        Raises:
            NoServer: there is none.
        """
        try:
            answer = self.get("/health")
        except Turned as refusal:
            raise _strange(self.address) from refusal
        if not isinstance(answer, dict):
            raise _strange(self.address)

    def get(self, path: str) -> Any:
        """What `path`, such as `/api/me`, tells.

        Raises:
            NoServer: nobody answers there.
            Turned: the server's refusal.
        """
        return self._ask(path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """What comes of sending `body` to `path`.

        Raises:
            NoServer: nobody answers there.
            Turned: the server's refusal.
        """
        return self._ask(path, body)

    def _ask(self, path: str, body: dict[str, Any] | None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", **self.credentials}
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
                f"{self.address}: nobody answers ({_why(why)}); does `liarspoker serve` run there?"
            ) from error
        except ValueError as error:
            raise _strange(self.address) from error

    def _keep(self, cookies: list[str]) -> None:
        for cookie in cookies:
            pair = cookie.partition(";")[0].strip()
            if "liarspoker" in pair.partition("=")[0]:
                self.cookie = pair


def _refusal(error: HTTPError, address: str) -> NoServer | Turned:
    """What a server's error says; an error of any other form comes from something else."""
    try:
        fault = json.loads(error.read(MOST_BYTES))["error"]
        return Turned(str(fault["code"]), str(fault["message"]))
    except (ValueError, KeyError, TypeError, OSError):
        return _strange(address)


def _strange(address: str) -> NoServer:
    return NoServer(f"{address}: something answers, but no server of live tables; look at the address again")


def _why(why: object) -> str:
    return str(getattr(why, "strerror", None) or why).lower()
