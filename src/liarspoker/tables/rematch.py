"""Rematches: a new table for the players of one that has ended, with the same settings, seats and bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarspoker.language import _
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.refused import Refused
from liarspoker.tables.rounds import start
from liarspoker.tables.seating import BOT_PREFIX, check_name
from liarspoker.tables.state import ENDED, Chair, Table

if TYPE_CHECKING:
    from liarspoker.tables.decide import Draft


def chair_in_rematch(before: Table, user: str) -> int:
    """Return the number of the table seat that `user` has in a rematch of `before` that they open.

    Everyone who ever sat there can open one: those who sat there at the end keep their seats, others get a free one.

    Raises:
        Refused: `not-ended`; `removed`; `not-seated`: the user has never sat there; `no-chair`: there is no free seat.
    """
    if before.stage != ENDED:
        raise Refused("not-ended", _("a rematch is possible when the table has ended"))
    if user in before.removed:
        raise Refused("removed", _("you have been removed from this table"))
    if user not in before.names:
        raise Refused("not-seated", _("only players of this table can open a rematch"))
    number = before.chair_number(user)
    if number is None:
        number = next((number for number, chair in enumerate(before.chairs) if not _returns(chair)), None)
    if number is None:
        raise Refused("no-chair", _("the other players of this table need all its seats"))
    return number


def seat_again(draft: Draft, before: Table) -> None:
    """Seat the sender and the bots of `before`, and reserve seats for its other players. Removed users stay removed.

    If the sender plays only with bots, the first round starts immediately.

    Raises:
        Refused: see `chair_in_rematch`; `name-taken`: the sender's new name looks like that of another player.
    """
    sender = draft.context
    check_name(before, sender.user, sender.name)
    draft.emit(e.Joined(chair_in_rematch(before, sender.user), sender.user, sender.name))
    draft.emit(*map(e.Removed, sorted(before.removed)))
    for number, chair in enumerate(before.chairs):
        if chair is None or chair.user == sender.user or not _returns(chair):
            continue
        if chair.bot:
            draft.emit(e.Joined(number, f"{BOT_PREFIX}{len(draft.table.names)}", chair.name, chair.bot))
        else:
            draft.emit(e.Reserved(number, chair.user, chair.name))
    if not draft.table.reserved and len(draft.table.seated) > 1:
        start(draft, c.Start())


def _returns(chair: Chair | None) -> bool:
    return chair is not None and not chair.leaving


def announce(draft: Draft, command: c.Announce) -> None:
    """Record the rematch that the sender has opened."""
    if draft.table.stage != ENDED or draft.table.rematch is not None:
        raise Refused("not-now", _("the table hasn't ended, or already has a rematch"))
    draft.emit(e.Rematched(draft.context.user, command.table))
