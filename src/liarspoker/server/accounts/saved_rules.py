"""The house rules that users have saved under names of their choice."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa

from liarspoker.language import _
from liarspoker.server.accounts.credentials import AccountError
from liarspoker.server.accounts.words import clean_label
from liarspoker.server.storage.connection import Connection, Values, insert, value
from liarspoker.server.storage.schema import SAVED_RULES
from liarspoker.server.storage.storage import Storage

MAX_SAVED = 50
"""The maximum number of house rules per user."""

_OWN = SAVED_RULES.c.user_id == value(SAVED_RULES.c.user_id)
_INSERT = insert(SAVED_RULES)
_SAVE = _INSERT.on_conflict_do_update(
    index_elements=[SAVED_RULES.c.user_id, SAVED_RULES.c.name],
    set_={name: _INSERT.excluded[name] for name in ("rules", "saved_at")},
)
_DELETE = (
    sa.delete(SAVED_RULES).where(_OWN, SAVED_RULES.c.name == value(SAVED_RULES.c.name)).returning(SAVED_RULES.c.name)
)
RULES_OF = (
    sa.select(SAVED_RULES.c.name, SAVED_RULES.c.rules, SAVED_RULES.c.saved_at).where(_OWN).order_by(SAVED_RULES.c.name)
)


class TooManyRules(AccountError):
    """The user has the maximum number of saved house rules; some have to be deleted first."""

    code = "too-many-rules"


@dataclass(frozen=True, slots=True)
class Saved:
    """House rules that a user has saved.

    Attributes:
        name: the user's name for them.
        rules: their code; see `liarspoker.tables.house_rules`.
        saved_at: when they were saved, in seconds since 1970.
    """

    name: str
    rules: str
    saved_at: float


class SavedRules:
    """The saved house rules of all users. Jobs that write are idempotent."""

    def __init__(self, storage: Storage, clock: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._clock = clock

    async def of(self, user_id: str) -> list[Saved]:
        """Return a user's saved house rules by name."""
        return await self._storage.read(lambda connection: _saved(connection, user_id))

    async def save(self, user_id: str, name: str, rules: str) -> Saved:
        """Save house rules under a name; they replace those with the same name.

        Raises:
            BadName: the name is invalid.
            TooManyRules: the user has the maximum number of saved house rules.
        """
        saved = Saved(clean_label(name), rules, self._clock())
        row: Values = {"user_id": user_id, "name": saved.name, "rules": rules, "saved_at": saved.saved_at}

        def save(connection: Connection) -> None:
            if len([one for one in _saved(connection, user_id) if one.name != saved.name]) >= MAX_SAVED:
                raise TooManyRules(
                    _("you have the maximum of {count} saved house rules; delete some first", count=MAX_SAVED)
                )
            connection.execute(_SAVE, **row)

        await self._storage.write(save)
        return saved

    async def delete(self, user_id: str, name: str) -> bool:
        """Delete saved house rules; return false if the user has none with this name.

        Raises:
            BadName: the name is invalid.
        """
        given: Values = {"user_id": user_id, "name": clean_label(name)}
        return bool(await self._storage.write(lambda connection: connection.execute(_DELETE, **given)))


def _saved(connection: Connection, user_id: str) -> list[Saved]:
    return [Saved(*row) for row in connection.execute(RULES_OF, user_id=user_id)]
