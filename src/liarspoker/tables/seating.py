"""Seating: joining, leaving, sitting out, adding and removing bots, and ownership of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarspoker.language import N_, _
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.bot_names import BOT_NAMES
from liarspoker.tables.names import look_alike
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import ROUND, Table

if TYPE_CHECKING:
    from liarspoker.tables.decide import Draft

BOT_PREFIX = "bot:"
"""Prefix of the user ids of bots; ids of people never start with it."""


def join(draft: Draft, command: c.Join) -> None:
    """Sit down."""
    chair = draft.table.chair_of(draft.context.user)
    if chair is not None:
        if chair.leaving:
            raise Refused("leaving", _("you left during this round; you can rejoin when it is over"))
        raise Refused("seated", _("you are already seated at this table"))
    if draft.context.user in draft.table.removed:
        raise Refused("removed", _("you have been removed from this table"))
    reserved = draft.table.reserved_chair(draft.context.user)
    is_new = draft.context.user not in draft.table.names and draft.context.user != draft.table.owner
    if draft.table.locked and is_new and reserved is None:
        raise Refused("locked", _("the owner has locked this table, so nobody new can join"))
    check_name(draft.table, draft.context.user, draft.context.name)
    wanted = reserved if command.chair is None else command.chair
    chair_number = _free_chair(draft.table, wanted, draft.context.user)
    draft.emit(e.Joined(chair_number, draft.context.user, draft.context.name))


def leave(draft: Draft, command: c.Leave) -> None:
    """Leave the table. In an event, a bot plays on in the player's seat, and they can come back."""
    if draft.table.event is None:
        vacate(draft, draft.chair.user)
    elif draft.chair.stand_in:
        raise Refused("away", _("a bot already plays for you"))
    else:
        draft.emit(absence(draft.table, draft.chair.user))


def absence(table: Table, user: str) -> e.Event:
    """Return the event by which a player is absent: they sit out, or in an event, a bot plays for them.

    The tables of an event can be compared only if every seat is played at all of them.
    """
    return e.SatOut(user, away=True) if table.event is None else e.StoodIn(user, table.event.bot)


def vacate(draft: Draft, user: str) -> None:
    """Free a user's seat: immediately, or at the end of the round that they play in."""
    chair = draft.table.chair_of(user)
    if chair is not None and chair.leaving:
        raise Refused(
            "leaving", _("this player has already left; their seat plays default actions until the round ends")
        )
    draft.emit(e.Leaving(user) if _plays(draft.table, user) else e.Left(user))
    for proposal in draft.table.proposals:
        if user in (proposal.by, proposal.value):
            draft.emit(e.Settled(proposal.number, agreed=False))
    if draft.table.owner == user and draft.table.people:
        draft.emit(e.Owned(draft.table.people[0].user))


def _plays(table: Table, user: str) -> bool:
    """Whether `user` plays in the current round, or in a deal whose players are final."""
    if table.ready_phase is not None:
        return user in table.ready_phase.opening
    in_round = table.stage == ROUND and table.sitting is not None and user in table.sitting.users
    return in_round and (table.match is None or user in table.match.still_in)


def sit_out(draft: Draft, command: c.SitOut) -> None:
    """Sit out, starting with the next round."""
    if draft.chair.away:
        raise Refused("away", _("you are already sitting out"))
    draft.emit(absence(draft.table, draft.context.user))


def sit_in(draft: Draft, command: c.SitIn) -> None:
    """Play again: immediately if a bot plays for the user, else starting with the next round."""
    if draft.chair.stand_in:
        end_stand_in(draft, draft.context.user)
        return
    if not draft.chair.away:
        raise Refused("not-away", _("you aren't sitting out"))
    draft.emit(e.SatOut(draft.context.user, away=False))


def seat_bot(draft: Draft, command: c.SeatBot) -> None:
    """Add a bot. The caller must have checked that it exists and plays this game."""
    draft.only_owner(N_("only the table's owner can add a bot"))
    table = draft.table
    free = _free_chair(table, command.chair)
    used = (*table.names.values(), *(one.name for one in table.reserved))
    free_names = (name for name in BOT_NAMES if look_alike(name, used) is None)
    name = next(free_names, f"Bot {len(table.names) + 1}")
    draft.emit(e.Joined(free, f"{BOT_PREFIX}{len(table.names)}", name, command.bot))


def unseat(draft: Draft, command: c.Unseat) -> None:
    """Remove a bot, or free a reserved seat."""
    draft.only_owner(N_("only the table's owner can remove a bot"))
    chairs, number = draft.table.chairs, command.chair
    if any(one.chair == number for one in draft.table.reserved):
        draft.emit(e.Released(number))
        return
    chair = chairs[number] if number < len(chairs) else None
    if chair is None or not chair.bot:
        raise Refused("no-such-bot", _("seat {number} isn't taken by a bot", number=number))
    vacate(draft, chair.user)


def remove(draft: Draft, command: c.Remove) -> None:
    """Remove a person or a bot for good."""
    draft.only_owner(N_("only the table's owner can remove a player"))
    user = command.user
    if user == draft.table.owner:
        raise Refused("no-such-player", _("user: you can't remove yourself; leave the table instead"))
    chair, reserved = draft.table.chair_of(user), draft.table.reserved_chair(user)
    if chair is None and reserved is None and user not in draft.table.names:
        raise Refused("no-such-player", _("user: {user} isn't a player at this table", user=user))
    if reserved is not None:
        draft.emit(e.Released(reserved))
    if chair is not None and not chair.leaving:
        vacate(draft, user)
    if not user.startswith(BOT_PREFIX):
        draft.emit(e.Removed(user))


def admit(draft: Draft, command: c.Admit) -> None:
    """Let a removed user come back."""
    draft.only_owner(N_("only the table's owner can admit a removed player"))
    if command.user not in draft.table.removed:
        raise Refused("no-such-player", _("user: {user} isn't removed from this table", user=command.user))
    draft.emit(e.Admitted(command.user))


def transfer(draft: Draft, command: c.Transfer) -> None:
    """Make another person at the table its owner."""
    draft.only_owner(N_("only the table's owner can choose another owner"))
    if command.user == draft.table.owner or command.user not in {chair.user for chair in draft.table.people}:
        raise Refused("no-such-player", _("user: must be another person at this table"))
    draft.emit(e.Owned(command.user))


def lock(draft: Draft, command: c.Lock) -> None:
    """Lock or unlock the table."""
    draft.only_owner(
        N_("only the table's owner can lock the table")
        if command.on
        else N_("only the table's owner can unlock the table")
    )
    if draft.table.locked == command.on:
        raise Refused("not-now", _("the table is already locked") if command.on else _("the table is already open"))
    draft.emit(e.Locked(command.on))


def stand_in(draft: Draft, command: c.StandIn) -> None:
    """Let a bot play for a person. The caller must have checked that it exists and plays this game."""
    if command.user != draft.context.user:
        draft.only_owner(N_("only the table's owner can let a bot play for another player"))
    chair = draft.table.chair_of(command.user)
    if chair is None or chair.bot:
        raise Refused("no-such-player", _("user: must be a person at this table"))
    if chair.leaving:
        raise Refused("leaving", _("this player has left; their seat plays default actions until the round ends"))
    if chair.away:
        draft.emit(e.SatOut(chair.user, away=False))
    draft.emit(e.StoodIn(chair.user, command.bot))


def end_stand_in(draft: Draft, user: str) -> None:
    """Let a person play again after a bot has played for them."""
    draft.emit(e.StoodIn(user, ""))
    if draft.table.settings.clock is None and draft.table.to_act == user:
        draft.emit(e.ClockStarted(None))  # the deadline was the bot's


def _free_chair(table: Table, wanted: int | None, user: str | None = None) -> int:
    """Return the number of the table seat to sit in.

    Raises:
        Refused: `no-chair`: the seat is taken, kept for another user or doesn't exist, or none is free.
    """
    kept = {one.chair for one in table.reserved if one.user != user}
    free = [number for number, chair in enumerate(table.chairs) if chair is None and number not in kept]
    if not free:
        raise Refused(
            "no-chair",
            _("all {count} seats are taken or reserved", count=len(table.chairs))
            if kept
            else _("all {count} seats are taken", count=len(table.chairs)),
        )
    if wanted is None:
        return free[0]
    if wanted >= len(table.chairs):
        raise Refused(
            "no-chair",
            _("seat {seat} doesn't exist; choose one from 0 to {most}", seat=wanted, most=len(table.chairs) - 1),
        )
    if wanted not in free:
        message = (
            N_("seat {seat} is reserved; free seats: {free}")
            if wanted in kept
            else N_("seat {seat} is already taken; free seats: {free}")
        )
        raise Refused("no-chair", _(message, seat=wanted, free=", ".join(map(str, free))))
    return wanted


def check_name(table: Table, user: str, name: str) -> None:
    """Refuse a name that looks like the name of anyone else who is or was at this table.

    Former players are included because they stay on the score sheet.
    """
    reserved = ((one.user, one.name) for one in table.reserved)
    other = look_alike(name, (other for known, other in (*table.names.items(), *reserved) if known != user))
    if other is None:
        return
    same = other.casefold() == name.casefold()
    taken = other in [*(chair.name for chair in table.seated), *(kept.name for kept in table.reserved)]
    messages = (
        N_("{name} looks too similar to {other}, a name that was used earlier at this table; choose another name"),
        N_("{name} looks too similar to {other}, a name that is already taken at this table; choose another name"),
        N_("the name {name} was used earlier at this table; choose another name"),
        N_("the name {name} is already taken at this table; choose another name"),
    )
    raise Refused("name-taken", _(messages[2 * same + taken], name=name, other=other))
