"""Bots at live tables: whose turn it is is asked what it plays."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Protocol

from liarspoker.core import catalogue
from liarspoker.protocol.commands import Play
from liarspoker.server.storage.errors import StorageError
from liarspoker.tables.state import Table

if TYPE_CHECKING:
    from liarspoker.server.tables.actor import TableActor
    from liarspoker.server.tables.registry import TableRegistry

log = logging.getLogger(__name__)


class Bots(Protocol):
    """Whatever answers for the bots at the tables."""

    async def action(self, bot: str, family: str, view: Any, seed: bytes) -> int:
        """The action of a bot that sees `view`."""

    async def close(self) -> None:
        """End."""


async def play_bot(registry: TableRegistry, actor: TableActor, table: Table) -> None:
    """Ask the bot whose turn it is, and play what it says; if it fails, the clock plays for it."""
    if registry.node.bot_pause:
        await asyncio.sleep(registry.node.bot_pause)
    sitting, chair = table.sitting, table.chair_of(table.to_act)
    if sitting is None or chair is None or not _waits_still(actor, table):
        return
    session = sitting.session
    family = catalogue.row(table.settings.game).family
    try:
        action = await registry.bots.action(chair.bot, family, session.view(session.to_act), registry.chance(16))
        if not _waits_still(actor, table):
            return
        answer = await actor.ask(chair.user, chair.name, None, Play(turn=table.turn, action=action))
    except StorageError:
        return
    except Exception as error:
        log.warning("bot failed", extra={"table": table.id, "bot": chair.bot, "error": type(error).__name__})
        return
    if not answer.ok:
        log.warning("bot refused", extra={"table": table.id, "bot": chair.bot, "code": answer.code})


def _waits_still(actor: TableActor, table: Table) -> bool:
    """Whether the table waits for the same bot as in the state `table`, and no pause has come between."""
    return actor.table.turn == table.turn and actor.table.paused is None and not actor.gone
