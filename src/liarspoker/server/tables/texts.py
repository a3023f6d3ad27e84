"""The views of a table. Each part is built and encoded once; what has not changed is not built again."""

from __future__ import annotations

from collections.abc import Callable

from liarspoker.protocol.codec import Encoded
from liarspoker.protocol.frames import Chat, EncodedPublic, EncodedState
from liarspoker.protocol.views import PrivateView
from liarspoker.tables import view
from liarspoker.tables.state import Table

ViewOf = Callable[[str | None, bool], EncodedState]
"""The whole view of a user, or of nobody known, who watches one round behind or not."""


class Texts:
    """The views of one table, state after state."""

    def __init__(self) -> None:
        self._private: dict[str, tuple[object, Encoded[PrivateView]]] = {}
        self._public: dict[bool, tuple[Table, EncodedPublic]] = {}
        self._chats: tuple[Table | None, dict[object, Encoded[Chat]]] = None, {}

    def of_state(self, table: Table, now: float) -> ViewOf:
        """The views of `table`, at the time `now`."""
        strangers: dict[bool, EncodedState] = {}
        standing_of = view.standings(table)

        def whole(user: str | None, behind: bool) -> EncodedState:
            public = self._public_of(table, behind)
            if user is not None:
                return EncodedState(now, public, self._private_of(table, user, standing_of(user)))
            if behind not in strangers:
                strangers[behind] = EncodedState(now, public, None)
            return strangers[behind]

        return whole

    def of_chat(self, table: Table, user: str | None) -> Encoded[Chat]:
        """The chat of `user` at `table`."""
        if self._chats[0] is not table:
            self._chats = table, {}
        chats, hearing = self._chats[1], view.hearing(table, user)
        if hearing not in chats:
            chats[hearing] = Encoded(Chat(lines=view.chat(table, user)))
        return chats[hearing]

    def forget(self, user: str) -> None:
        """Nobody shows `user` this table any more."""
        self._private.pop(user, None)

    def _public_of(self, table: Table, behind: bool) -> EncodedPublic:
        before, known = self._public.get(behind, (None, None))
        if before is table and known is not None:
            return known
        if before is not None and known is not None and view.lasts(before, table):
            shown = known.after(view.passing(table, behind))
        else:
            shown = EncodedPublic(view.public(table, behind))
        self._public[behind] = table, shown
        return shown

    def _private_of(self, table: Table, user: str, standing: object) -> Encoded[PrivateView]:
        if standing is None:
            return Encoded(view.private(table, user))
        before, known = self._private.get(user, (None, None))
        if known is None or standing != before:
            known = Encoded(view.private(table, user))
            self._private[user] = standing, known
        return known
