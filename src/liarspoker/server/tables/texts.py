"""The views of a table as JSON. Each part is written once, and what has not changed is not written again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import orjson

from liarspoker.tables import view
from liarspoker.tables.state import Table

ViewOf = Callable[[str | None, bool], str]
"""The whole view of a user, or of nobody known, who watches one round behind or not."""


def encode(told: Any) -> str:
    """JSON without blanks."""
    try:
        return orjson.dumps(told).decode()
    except TypeError:  # stakes that compound outgrow 64 bits
        return json.dumps(told, separators=(",", ":"))


class Texts:
    """The views of one table, state after state."""

    def __init__(self) -> None:
        self._private: dict[str, tuple[object, str]] = {}
        self._lasting: dict[bool, tuple[Table, str]] = {}
        self._chats: tuple[Table | None, dict[object, str]] = None, {}

    def of_state(self, table: Table, now: float) -> ViewOf:
        """The views of `table`, at the time `now`."""
        heads: dict[bool, str] = {}
        strangers: dict[bool, str] = {}
        standing_of = view.standings(table)

        def head(behind: bool) -> str:
            """All of it but what one user alone may know."""
            lasting, passing = self._lasting_of(table, behind), encode(view.passing(table, behind))
            public = f"{lasting[:-1]},{passing[1:]}"
            return f'{{"kind":"state","version":{table.version},"now":{now:.3f},"public":{public},"you":'

        def whole(user: str | None, behind: bool) -> str:
            if behind not in heads:
                heads[behind] = head(behind)
            if user is not None:
                return f"{heads[behind]}{self._private_of(table, user, standing_of(user))}}}"
            if behind not in strangers:
                strangers[behind] = f"{heads[behind]}null}}"
            return strangers[behind]

        return whole

    def of_chat(self, table: Table, user: str | None) -> str:
        """The chat of `user` at `table`."""
        if self._chats[0] is not table:
            self._chats = table, {}
        chats, hearing = self._chats[1], view.hearing(table, user)
        if hearing not in chats:
            chats[hearing] = encode({"kind": "chat", "lines": view.chat(table, user)})
        return chats[hearing]

    def forget(self, user: str) -> None:
        """Nobody shows `user` this table any more."""
        self._private.pop(user, None)

    def _lasting_of(self, table: Table, behind: bool) -> str:
        known = self._lasting.get(behind)
        if known is None or not view.lasts(known[0], table):
            known = self._lasting[behind] = table, encode(view.lasting(table, behind))
        return known[1]

    def _private_of(self, table: Table, user: str, standing: object) -> str:
        if standing is None:
            return encode(view.private(table, user))
        before, text = self._private.get(user, (None, ""))
        if standing != before:
            text = encode(view.private(table, user))
            self._private[user] = standing, text
        return text
