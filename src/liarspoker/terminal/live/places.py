"""Where a live table is: the addresses that people are given, taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from liarspoker.core.errors import told
from liarspoker.terminal.live.errors import BadAddress

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,100}")
_LINK = re.compile(r"(?P<before>.*?)(?:/api)?/(?:tables|t)/(?P<table>[A-Za-z0-9_-]{1,100})(?:/.*)?")
_LIKE_A_HOST = re.compile(r"(?:localhost|\[[0-9a-fA-F:]+\]|[\w.-]+\.[\w-]+)(?::\d+)?(?:/.*)?")


@dataclass(frozen=True, slots=True)
class Place:
    """A server, and a table of it.

    Attributes:
        server: its address, without a slash at the end.
        table: the table's id; `None` where only the server is known.
    """

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
    """The table that somebody names at a server, by its link or by its id alone; `None` if he names none.

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
