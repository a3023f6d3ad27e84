"""A server's HTTP side: a question, and its answer as JSON."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from liarspoker.terminal.live.errors import NoServer, Turned

SECONDS = 20.0
"""So long an answer may take."""

MOST_BYTES = 64 * 1024 * 1024
"""No answer is longer."""


class Server:
    """One server, and who asks it.

    Args:
        address: as `Place.server` has it.
        token: of an account's; a cookie is kept besides, where the server gives one.
        cookie: one that it gave earlier, as `name=value`.
    """

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
            told = self.get("/health")
        except Turned as refusal:
            raise _strange(self.address) from refusal
        if not isinstance(told, dict):
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
                f"{self.address}: nobody answers ({_told(why)}); does `liarspoker serve` run there?"
            ) from error
        except ValueError as error:
            raise _strange(self.address) from error

    def _keep(self, cookies: list[str]) -> None:
        for cookie in cookies:
            pair = cookie.partition(";")[0].strip()
            if "liarspoker" in pair.partition("=")[0]:
                self.cookie = pair


def _refusal(error: HTTPError, address: str) -> NoServer | Turned:
    """What a server's error says; an error that is told otherwise comes from something else."""
    try:
        told = json.loads(error.read(MOST_BYTES))["error"]
        return Turned(str(told["code"]), str(told["message"]))
    except (ValueError, KeyError, TypeError, OSError):
        return _strange(address)


def _strange(address: str) -> NoServer:
    return NoServer(f"{address}: something answers, but no server of live tables; look at the address again")


def _told(why: object) -> str:
    return str(getattr(why, "strerror", None) or why).lower()
