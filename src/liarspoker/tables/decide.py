"""Validate commands: each is refused, or accepted with the events that it causes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import UNSET, Raw, UnsetType

from liarspoker.core.errors import IllegalAction, LiarsPokerError
from liarspoker.core.session import Session
from liarspoker.language import N_, _
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.protocol.codec import JOINER, Malformed
from liarspoker.protocol.settings import Settings, TableEvent
from liarspoker.records.family import record_format
from liarspoker.tables import agreements, rematch, rounds, seating
from liarspoker.tables.fair.event import hand_seed
from liarspoker.tables.rated import check_command, is_deserted
from liarspoker.tables.reducers import after_action, apply_event, new_table
from liarspoker.tables.refused import Refused, refusal_for
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import (
    ENDED,
    READY_PHASE,
    ROUND,
    VACATION_LEAST_SECONDS,
    Chair,
    Table,
    bank_left,
    clock_start,
    next_deadline,
    pick_deadline,
    ready_deadline,
    turn_deadline,
)


class Seat(NamedTuple):
    """Who takes a seat of an event's table: a user id, a display name and, for a bot, its catalogue name."""

    user: str
    name: str
    bot: str = ""


Decided = tuple[tuple[e.Event, ...], Table]
"""The events of a command, and the state after them with its version incremented."""

_EARLY = 0.001
"""Seconds by which a timer may fire early."""


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The sender of a command, its time, and fresh random bytes that it may use.

    Attributes:
        user: user id of the sender; empty for the server.
        name: display name of the sender.
        now: time in seconds.
        seed: 32 secret random bytes, used if the command starts a ready phase.
        event_key: the secret key of the event that the table belongs to; empty for none.
    """

    user: str
    name: str
    now: float
    seed: bytes = field(repr=False)
    event_key: bytes = field(default=b"", repr=False)

    def seed_of(self, number: int) -> bytes:
        """Return the seed of a deal, which in an event is the same at all tables."""
        return hand_seed(self.event_key, number) if self.event_key else self.seed


@dataclass(slots=True)
class Draft:
    """The events of a command while it is carried out; each event is applied immediately.

    Attributes:
        table: state after the events so far.
        context: sender and time of the command.
        events: the events so far.
    """

    table: Table
    context: CommandContext
    events: list[e.Event] = field(default_factory=list)

    def emit(self, *events: e.Event) -> None:
        """Add events and apply them to the table."""
        for event in events:
            self.table = apply_event(self.table, event)
            self.events.append(event)

    def act(self, event: e.Acted, session: Session) -> None:
        """Add an action that leads to `session`."""
        self.table = after_action(self.table, event, session)
        self.events.append(event)

    @property
    def chair(self) -> Chair:
        """The sender's table seat.

        Raises:
            Refused: `not-seated`.
        """
        return seat_of(self.table, self.context.user)

    def only_owner(self, message: str) -> None:
        """Refuse the command with a message unless the owner sent it.

        Raises:
            Refused: `not-owner`.
        """
        if self.context.user != self.table.owner:
            raise Refused("not-owner", _(message))


def seat_of(table: Table, user: str) -> Chair:
    """Return the table seat of `user`.

    Raises:
        Refused: `not-seated`.
    """
    chair = table.chair_of(user)
    if chair is None:
        raise Refused("not-seated", _("you aren't seated at this table; join it first"))
    return chair


def read_command(given: Raw | Mapping[str, object]) -> c.Command:
    """Decode a client's command from JSON or from an object.

    Raises:
        Refused: `bad-command` if it isn't valid; `bad-option` if an option has a value of the wrong type.
    """
    try:
        return c.COMMANDS.read(given) if isinstance(given, Raw) else c.COMMANDS.convert(given)
    except Malformed as error:
        raise refusal_for(error, "command") from error


def make(table_id: str, settings: Settings, context: CommandContext, before: Table | None = None) -> Decided:
    """Create a table whose creator is seated as its owner.

    Args:
        table_id: id of the new table.
        settings: its settings.
        context: the creator, the time, and fresh random bytes.
        before: a table that has ended, for a rematch with its players and bots.

    Raises:
        Refused: the creator can't sit down.
    """
    made = e.Made(table_id, context.user, settings, context.now)
    draft = Draft(new_table(made), context, [made])
    if before is None:
        seating.join(draft, c.Join())
    else:
        rematch.seat_again(draft, before)
        _settle(draft)
        _start_clock(draft)
    return _decided(draft)


def make_of_event(
    table_id: str, settings: Settings, event: TableEvent, seats: Sequence[Seat], context: CommandContext
) -> Decided:
    """Create a table of an event, with all its players and bots seated, and wait for them to get ready.

    Nobody owns it, since everyone there has the same rights.
    """
    made = e.Made(table_id, "", settings, context.now, event)
    draft = Draft(new_table(made), context, [made])
    for number, seat in enumerate(seats):
        draft.emit(e.Joined(number, seat.user, seat.name, seat.bot))
    draft.emit(e.Locked(True))
    rounds.begin_ready_phase(draft)
    _settle(draft)
    _start_clock(draft)
    return _decided(draft)


def decide(table: Table, command: c.Command, context: CommandContext) -> Decided:
    """Return the events of `command` and the state after them.

    Raises:
        Refused: the command isn't allowed; the code gives the reason.
    """
    draft = Draft(table, context)
    _check_current(table, command)
    if table.settings.rated:
        check_command(table, command)
    try:
        if isinstance(command, _PLAYS_AGAIN):
            chair = table.chair_of(context.user)
            if chair is not None and chair.stand_in:
                seating.end_stand_in(draft, context.user)
        _COMMANDS[type(command)](draft, command)
        _settle(draft)
    except Refused:
        raise
    except LiarsPokerError as error:  # such as a stake above the limit
        raise Refused(error.code, str(error)) from error
    _start_clock(draft)
    return _decided(draft)


def check_reaction(table: Table, user: str, command: c.React) -> None:
    """Check that `user` may show a reaction, which isn't an event and so isn't decided with the other commands.

    Raises:
        Refused: `table-ended`, `stale`, `not-seated` or `chat-off`.
    """
    _check_current(table, command)
    _check_talk(table, user)


def _check_current(table: Table, command: c.Command) -> None:
    """Refuse a command to a table that has ended, or is at another version than the one it names."""
    if table.stage == ENDED and not isinstance(command, c.Announce):
        raise Refused("table-ended", _("this table is closed; create a new one"))
    if command.version is not None and command.version != table.version:
        raise Refused(
            "stale",
            _(
                "version {version}: the table is at version {now}; get its current state and try again",
                version=command.version,
                now=table.version,
            ),
        )


def _check_talk(table: Table, user: str) -> Chair:
    """Return the table seat of a user who may chat and react."""
    chair = seat_of(table, user)
    if not table.chat:
        raise Refused("chat-off", _("chat is turned off at this table"))
    return chair


def _decided(draft: Draft) -> Decided:
    return tuple(draft.events), draft.table._replace(version=draft.table.version + 1)


def _start_clock(draft: Draft) -> None:
    """Start the clock of the players the table waits for, unless one is running."""
    table, now = draft.table, draft.context.now
    if table.paused is not None or next_deadline(table) is not None:
        return
    deadline = None
    if table.stage == ROUND:
        deadline = turn_deadline(table, now)
    elif rounds.everybody_ready(table):  # then only a face-down choice can be pending
        deadline = pick_deadline(table, now)
    elif rounds.awaited_users(table) and table.ready_phase is not None and table.ready_phase.ready:
        deadline = ready_deadline(table, now)
    if deadline is not None:
        draft.emit(e.ClockStarted(deadline))


def _settle(draft: Draft) -> None:
    """Take automatic steps until the table waits for someone."""
    while _step(draft):
        pass


def _step(draft: Draft) -> bool:
    """Take one automatic step; return `False` if there is none."""
    table = draft.table
    if table.stage == ENDED:
        return False
    concluded = agreements.concluded(table) if table.proposals else None
    if concluded is not None:
        agreements.conclude(draft, *concluded)
        return True
    if not table.people:
        _close(draft, "everybody has left")
        return True
    if _match_is_over(table):
        _win_match(draft)
        return True
    if table.settings.rated and is_deserted(table):
        _close(draft, "everybody else has left")
        return True
    if table.stage == ROUND:
        return _step_of_round(draft)
    if table.stage == READY_PHASE and table.paused is None:
        return rounds.step(draft)
    return False


def _step_of_round(draft: Draft) -> bool:
    table, sitting = draft.table, draft.table.sitting
    assert sitting is not None
    if not sitting.session.in_play:
        _end_round(draft)
        return True
    user = table.to_act
    chair = table.chair_of(user)
    is_absent = chair is None or chair.leaving or user in sitting.absent
    if is_absent and table.paused is None:
        _play_default(draft)
        return True
    return False


def _end_round(draft: Draft) -> None:
    """Pay the round, free the seats of players who left, and start the next ready phase or close the table.

    If all remaining players of a match leave in the same round, the last one to be removed wins it.
    """
    sitting = draft.table.sitting
    assert sitting is not None
    units = sitting.session.units()
    draft.emit(e.RoundEnded(dict(zip(sitting.users, units, strict=True))))
    if _match_is_over(draft.table):
        _win_match(draft)
    for chair in draft.table.seated:
        if chair.leaving:
            draft.emit(e.Left(chair.user))
            if _match_is_over(draft.table):
                _win_match(draft)
    if not rounds.end_if_all_played(draft):
        rounds.begin_ready_phase(draft)


def _match_is_over(table: Table) -> bool:
    """Whether at most one player is left in the match. During a round a match can't end."""
    if table.match is None or len(table.match.still_in) > 1:
        return False
    return table.sitting is None or not table.sitting.session.in_play


def _win_match(draft: Draft) -> None:
    match = draft.table.match
    assert match is not None
    winner = match.still_in[0]
    units = {user: len(match.users) - 1 if user == winner else -1 for user in match.users}
    draft.emit(e.MatchWon(winner, units))


def _act(draft: Draft, command: c.Act | c.Play) -> None:
    """Play an action."""
    table, sitting, user = draft.table, draft.table.sitting, draft.context.user
    seat = None if sitting is None else sitting.seat_of(user)
    if seat is None:
        raise Refused("not-seated", _("you aren't playing in this round"))
    if command.turn != table.turn:
        raise Refused(
            "stale",
            _(
                "turn {turn}: the table is at turn {now}; check its current state before you act",
                turn=command.turn,
                now=table.turn,
            ),
        )
    if table.stage != ROUND or sitting is None:
        raise Refused("round-over", _("no round is in progress"))
    if table.paused is not None:
        raise Refused("paused", _("the table is paused"))
    session = sitting.session
    if seat != session.to_act and not session.anyone_challenges:
        raise _not_their_turn(table)
    _play(draft, user, *resolve_action(table, seat, command.action), by_clock=False)


def resolve_action(table: Table, seat: int, given: str | int) -> tuple[int, Session]:
    """Return a legal action and the session after it.

    Args:
        table: the state, in a round.
        seat: the seat that plays the action.
        given: the action's number, or its text in the notation or in spoken words.

    Raises:
        Refused: `seat` can't play it now.
    """
    assert table.sitting is not None
    session = table.sitting.session
    try:
        action = given if isinstance(given, int) else _read(table, session, given)
        if session.mover(action) != seat:
            raise _not_their_turn(table)
        return action, session.apply(action)
    except IllegalAction as error:
        if isinstance(given, int):
            raise Refused(error.code, str(error)) from error
        raise Refused(error.code, record_format(game_of(table)).explain(session, given, error)) from error


def _read(table: Table, session: Session, text: str) -> int:
    """Parse an action from the notation or from spoken words."""
    try:
        return session.read(text)
    except IllegalAction:
        return record_format(game_of(table)).read(session, text)


def _not_their_turn(table: Table) -> Refused:
    return Refused("not-your-turn", _("it is {name}'s turn", name=table.names[str(table.to_act)]))


def _play_default(draft: Draft) -> None:
    """Play the default action of the seat to act."""
    table = draft.table
    assert table.sitting is not None
    session = table.sitting.session
    action = session.default_action()
    _play(draft, str(table.to_act), action, session.apply(action), by_clock=True)


def _play(draft: Draft, user: str, action: int, later: Session, by_clock: bool) -> None:
    """Record an action that leads to the session `later`."""
    table, now = draft.table, draft.context.now
    assert table.sitting is not None
    text = table.sitting.session.write(action)
    draft.act(e.Acted(user, text, now, bank_left(table, user, now), by_clock), later)


def _close(draft: Draft, why: str, reason: str | UnsetType = UNSET) -> None:
    table = draft.table
    if table.stage == ROUND and table.sitting is not None and table.sitting.session.in_play:
        draft.emit(e.Aborted(table.deals[-1].number))
    draft.emit(e.Ended(why, reason))


def _say(draft: Draft, command: c.Say) -> None:
    """Send a chat message."""
    chair = _check_talk(draft.table, draft.context.user)
    text = command.text.strip(f" {JOINER}")
    if not text:
        raise Refused("bad-command", _("text: can't be blank"))
    draft.emit(e.Said(chair.user, chair.name, text, draft.context.now))


def _mute(draft: Draft, command: c.Mute) -> None:
    """Mute or unmute a user."""
    user = draft.chair.user
    if command.user not in draft.table.names or command.user == user:
        raise Refused("no-such-player", _("user: must be another player who is or was at this table"))
    draft.emit(e.Muted(user, command.user, command.on))


def _set_chat(draft: Draft, command: c.SetChat) -> None:
    """Turn chat on or off."""
    draft.only_owner(N_("only the table's owner can turn chat on or off"))
    draft.emit(e.ChatSet(command.on))


def _end(draft: Draft, command: c.End) -> None:
    draft.only_owner(N_("only the table's owner can close the table"))
    _close(draft, "the owner has closed the table")


def _pause(draft: Draft, command: c.Pause) -> None:
    draft.only_owner(N_("only the table's owner can pause"))
    if draft.table.paused is not None:
        raise Refused("paused", _("the table is already paused"))
    deadline = next_deadline(draft.table)
    start = clock_start(draft.table, draft.context.now)
    draft.emit(e.Paused(None if deadline is None else max(_EARLY, deadline - start)))


def _resume(draft: Draft, command: c.Resume) -> None:
    draft.only_owner(N_("only the table's owner can resume"))
    left, now = draft.table.paused, draft.context.now
    if left is None:
        raise Refused("not-paused", _("the table isn't paused"))
    draft.emit(e.Resumed(clock_start(draft.table, now) + left if left else None))


def _expire(draft: Draft, command: c.Expire) -> None:
    """Act on an expired deadline: of the seat to act, of players who aren't ready, of a choice, or of nonces."""
    table = draft.table
    deadline = next_deadline(table)
    if deadline is None or command.turn != table.turn or draft.context.now < deadline - _EARLY:
        raise Refused("not-now", _("no deadline has passed"))
    if table.stage == ROUND:
        _play_default(draft)
    else:
        rounds.expire(draft)


def _extend(draft: Draft, command: c.Extend) -> None:
    """Extend the deadline by the time since `stopped`, in which the server was unavailable.

    `stopped` can be later than `now` if the machine's clock was set back; the remaining time is preserved either way.
    """
    deadline = next_deadline(draft.table)
    if deadline is None:
        raise Refused("not-now", _("no clock is running"))
    draft.emit(e.Extended(deadline + draft.context.now - command.stopped))


def _take_vacation(draft: Draft, command: c.TakeVacation) -> None:
    """Stop the clock of a user at a correspondence table during a vacation, or let it run again.

    The result is the same however late the table hears of it, unless the time has run out before.
    """
    table, began = draft.table, max(command.begins, draft.table.turn_began)
    chair = table.chair_of(command.user)
    if chair is None or chair.bot or not table.settings.days or chair.vacation == command.until:
        raise Refused("not-now", _("this user has no clock here that the vacation changes"))
    left = None
    if table.to_act == chair.user and table.deadline is not None and not chair.stand_in:
        left = table.deadline - clock_start(table, began)
    draft.emit(e.TookVacation(chair.user, command.until))
    if left is not None and left >= VACATION_LEAST_SECONDS:
        draft.emit(e.ClockStarted(max(began, command.until) + left))


def _abandon(draft: Draft, command: c.Abandon) -> None:
    """Close a table that nobody uses any more. A table with a running clock continues by itself and isn't closed."""
    if next_deadline(draft.table) is not None:
        raise Refused("not-now", _("a clock is running"))
    _close(draft, "nobody has been here for a long time")


def _close_table(draft: Draft, command: c.Close) -> None:
    """Close a table on the server operator's order."""
    _close(draft, "the server has closed the table", command.reason)


_PLAYS_AGAIN = (c.SitOut, c.Ready, c.Pick, c.NameOptions, c.Act)
"""Commands that end a stand-in. `Start` is a kind of `Ready`."""

_COMMANDS: Mapping[type[c.Command], Callable[[Draft, Any], None]] = {
    c.Join: seating.join,
    c.Leave: seating.leave,
    c.SitOut: seating.sit_out,
    c.SitIn: seating.sit_in,
    c.SeatBot: seating.seat_bot,
    c.Unseat: seating.unseat,
    c.StandIn: seating.stand_in,
    c.Remove: seating.remove,
    c.Admit: seating.admit,
    c.Transfer: seating.transfer,
    c.Lock: seating.lock,
    c.Start: rounds.start,
    c.Ready: rounds.ready,
    c.OpenNonce: rounds.open_nonce,
    c.Pick: rounds.pick,
    c.NameOptions: rounds.name_options,
    c.Act: _act,
    c.Play: _act,
    c.Propose: agreements.propose,
    c.AnswerProposal: agreements.answer,
    c.AskNumbers: rounds.ask_numbers,
    c.Show: rounds.show_hand,
    c.Pause: _pause,
    c.Resume: _resume,
    c.Say: _say,
    c.Mute: _mute,
    c.SetChat: _set_chat,
    c.End: _end,
    c.Expire: _expire,
    c.Extend: _extend,
    c.TakeVacation: _take_vacation,
    c.Abandon: _abandon,
    c.Announce: rematch.announce,
    c.Close: _close_table,
}
