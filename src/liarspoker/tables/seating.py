"""Who sits where: coming and going, sitting out, bots, and to whom the table belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.bot_names import BOT_NAMES
from liarspoker.tables.names import look_alike
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import ROUND, Table

if TYPE_CHECKING:
    from liarspoker.tables.decide import Draft

BOT_PREFIX = "bot:"
"""How the user id of a bot at a table begins; no person's does."""


def join(draft: Draft, command: c.Join) -> None:
    """Sit down."""
    chair = draft.table.chair_of(draft.asker.user)
    if chair is not None:
        if chair.leaving:
            raise Refused("leaving", "you have left in the middle of this round; come back when it is over")
        raise Refused("seated", "you sit at this table already")
    if draft.asker.user in draft.table.removed:
        raise Refused("removed", "the others at this table have removed you from it")
    _check_name(draft.table, draft.asker.user, draft.asker.name)
    draft.emit(e.Joined(_free_chair(draft.table, command.chair), draft.asker.user, draft.asker.name))


def leave(draft: Draft, command: c.Leave) -> None:
    """Get up for good."""
    get_up(draft, draft.chair.user)


def get_up(draft: Draft, user: str) -> None:
    """Free somebody's chair: now, or when the round that he plays is over."""
    chair = draft.table.chair_of(user)
    if chair is not None and chair.leaving:
        raise Refused("leaving", "he has left already; the round is played to its end for him")
    draft.emit(e.Leaving(user) if _plays(draft.table, user) else e.Left(user))
    for proposal in draft.table.proposals:
        if user in (proposal.by, proposal.value):
            draft.emit(e.Settled(proposal.number, agreed=False))
    if draft.table.owner == user and draft.table.people:
        draft.emit(e.Owned(draft.table.people[0].user))


def _plays(table: Table, user: str) -> bool:
    """Whether somebody is in the round in play, or in the deal that is being made."""
    if table.gathering is not None:
        return user in table.gathering.opening
    in_round = table.stage == ROUND and table.sitting is not None and user in table.sitting.users
    return in_round and (table.match is None or user in table.match.living)


def sit_out(draft: Draft, command: c.SitOut) -> None:
    """Sit out from the next round on."""
    if draft.chair.away:
        raise Refused("away", "you sit out already")
    draft.emit(e.SatOut(draft.asker.user, away=True))


def sit_in(draft: Draft, command: c.SitIn) -> None:
    """Play again from the next round on."""
    if not draft.chair.away:
        raise Refused("not-away", "you do not sit out")
    draft.emit(e.SatOut(draft.asker.user, away=False))


def seat_bot(draft: Draft, command: c.SeatBot) -> None:
    """Seat a bot; whether there is such a bot, whoever runs the bots must know."""
    draft.only_owner("seat a bot")
    table = draft.table
    free = _free_chair(table, command.chair)
    free_names = (name for name in BOT_NAMES if look_alike(name, table.names.values()) is None)
    name = next(free_names, f"Bot {len(table.names) + 1}")
    draft.emit(e.Joined(free, f"{BOT_PREFIX}{len(table.names)}", name, command.bot))


def unseat(draft: Draft, command: c.Unseat) -> None:
    """Send a bot away."""
    draft.only_owner("send a bot away")
    chairs, number = draft.table.chairs, command.chair
    chair = chairs[number] if number < len(chairs) else None
    if chair is None or not chair.bot:
        raise Refused("no-such-bot", f"chair {number}: no bot sits there")
    get_up(draft, chair.user)


def _free_chair(table: Table, wanted: int | None) -> int:
    """The chair to sit down in.

    Raises:
        Refused: `no-chair`: it is taken, or none is free.
    """
    free = [number for number, chair in enumerate(table.chairs) if chair is None]
    if not free:
        raise Refused("no-chair", f"all {len(table.chairs)} chairs are taken")
    if wanted is None:
        return free[0]
    if wanted >= len(table.chairs):
        raise Refused("no-chair", f"chair {wanted}: there are chairs 0 to {len(table.chairs) - 1}")
    if wanted not in free:
        raise Refused("no-chair", f"chair {wanted}: it is taken; free are {', '.join(map(str, free))}")
    return wanted


def _check_name(table: Table, user: str, name: str) -> None:
    """Refuse a name that looks like that of anybody else who sits here, or has sat here and is on the score sheet."""
    other = look_alike(name, (other for known, other in table.names.items() if known != user))
    if other is None:
        return
    whose = f"somebody called {name}" if other.casefold() == name.casefold() else f"{name} looks like {other}, who"
    sits = "sits here already" if any(chair.name == other for chair in table.seated) else "has sat here"
    raise Refused("name-taken", f"{whose} {sits}; choose another name")
