"""What follows from a command: events, or a refusal. Nothing else judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET, Raw, UnsetType

from liarspoker.core.errors import IllegalAction, LiarsPokerError
from liarspoker.core.session import Session
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.protocol.codec import Malformed
from liarspoker.protocol.settings import Settings
from liarspoker.records.family import record_format
from liarspoker.tables import agreements, rounds, seating
from liarspoker.tables.fold import acted, begun, fold
from liarspoker.tables.refused import Refused, refused_by
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import (
    ENDED,
    GATHERING,
    ROUND,
    Chair,
    Table,
    bank_left,
    due,
    pick_deadline,
    ready_deadline,
    turn_deadline,
)

Decided = tuple[tuple[e.Event, ...], Table]
"""The events of a command, and the state after them with its version counted up."""

_EARLY = 0.001
"""Seconds by which a timer may ring too early."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, when, and the fresh chance that may be used up for it.

    Attributes:
        user: their id; empty for the table's own clock.
        name: what they are called.
        now: the time in seconds.
        seed: 32 random bytes which nobody else knows.
    """

    user: str
    name: str
    now: float
    seed: bytes = field(repr=False)


@dataclass(slots=True)
class Draft:
    """What a command brings about, event by event; each is folded as it comes, so that the next can build on it.

    Attributes:
        table: the state after the events so far.
        asker: who asks, and when.
        events: the events so far.
    """

    table: Table
    asker: Asker
    events: list[e.Event] = field(default_factory=list)

    def emit(self, *events: e.Event) -> None:
        """Let these things happen."""
        for event in events:
            self.table = fold(self.table, event)
            self.events.append(event)

    def act(self, event: e.Acted, session: Session) -> None:
        """Let an action happen whose outcome is `session`."""
        self.table = acted(self.table, event, session)
        self.events.append(event)

    @property
    def chair(self) -> Chair:
        """Where the asker sits.

        Raises:
            Refused: `not-seated`.
        """
        chair = self.table.chair_of(self.asker.user)
        if chair is None:
            raise Refused("not-seated", "you do not sit at this table; join it first")
        return chair

    def only_owner(self, what: str) -> None:
        """Refuse everybody but the owner.

        Raises:
            Refused: `not-owner`.
        """
        if self.asker.user != self.table.owner:
            raise Refused("not-owner", f"only the owner of the table can {what}")

    def still_open(self) -> None:
        """Refuse what comes after the end.

        Raises:
            Refused: `table-ended`.
        """
        if self.table.stage == ENDED:
            raise Refused("table-ended", "this table is closed; make a new one")


def read_command(given: Raw | Mapping[str, object]) -> c.Command:
    """Check a command that a client sends, as JSON or as an object.

    Raises:
        Refused: `bad-command`, naming the fault; `bad-option` for a value that no option has.
    """
    try:
        return c.COMMANDS.read(given) if isinstance(given, Raw) else c.COMMANDS.convert(given)
    except Malformed as error:
        raise refused_by(error, "command") from error


def make(table_id: str, settings: Settings, asker: Asker) -> Decided:
    """A new table, where whoever makes it sits down.

    Raises:
        Refused: the settings cannot be played.
    """
    made = e.Made(table_id, asker.user, settings, asker.now)
    draft = Draft(begun(made), asker, [made])
    seating.join(draft, c.Join())
    return _decided(draft)


def decide(table: Table, command: c.Command, asker: Asker) -> Decided:
    """What follows from `command`.

    Raises:
        Refused: nothing follows; the code says why.
    """
    draft = Draft(table, asker)
    draft.still_open()
    if command.version is not None and command.version != table.version:
        raise Refused("stale", f"version {command.version}: the table is at version {table.version}; look again")
    try:
        _COMMANDS[type(command)](draft, command)
        _settle(draft)
    except Refused:
        raise
    except LiarsPokerError as error:  # such as a stake that has outgrown all counting
        raise Refused(error.code, str(error)) from error
    _start_clock(draft)
    return _decided(draft)


def _decided(draft: Draft) -> Decided:
    return tuple(draft.events), draft.table._replace(version=draft.table.version + 1)


def _start_clock(draft: Draft) -> None:
    """Let a clock run for whoever is waited for, if none does."""
    table, now = draft.table, draft.asker.now
    if table.paused is not None or due(table) is not None:
        return
    deadline = None
    if table.stage == ROUND:
        deadline = turn_deadline(table, now)
    elif rounds.everybody_ready(table):  # only a choice can still be waited for
        deadline = pick_deadline(table, now)
    elif rounds.waited_for(table) and table.gathering is not None and table.gathering.ready:
        deadline = ready_deadline(table, now)
    if deadline is not None:
        draft.emit(e.ClockStarted(deadline))


def _settle(draft: Draft) -> None:
    """Let happen what follows by itself, until somebody is waited for."""
    while _step(draft):
        pass


def _step(draft: Draft) -> bool:
    """One thing that follows by itself; `False` if nothing does."""
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
    if table.stage == ROUND:
        return _step_of_round(draft)
    if table.stage == GATHERING and table.paused is None:
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
    given_up = chair is None or chair.leaving or user in sitting.absent
    if given_up and table.paused is None:
        _play_default(draft)
        return True
    return False


def _end_round(draft: Draft) -> None:
    """Pay the round, free the chairs of those who have left, and make the next one ready or close the table.

    Of those who leave a match together, the last to get up has won it.
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
        rounds.gather(draft)


def _match_is_over(table: Table) -> bool:
    """Whether one player is left in the match; in the middle of a round that is for its end to say."""
    if table.match is None or len(table.match.living) > 1:
        return False
    return table.sitting is None or not table.sitting.session.in_play


def _win_match(draft: Draft) -> None:
    match = draft.table.match
    assert match is not None
    winner = match.living[0]
    units = {user: len(match.users) - 1 if user == winner else -1 for user in match.users}
    draft.emit(e.MatchWon(winner, units))


def _act(draft: Draft, command: c.Act | c.Play) -> None:
    """Play an action."""
    table, sitting, user = draft.table, draft.table.sitting, draft.asker.user
    seat = None if sitting is None else sitting.seat_of(user)
    if seat is None:
        raise Refused("not-seated", "you do not play in this round")
    if command.turn != table.turn:
        raise Refused("stale", f"turn {command.turn}: the table is at turn {table.turn}; look again before you act")
    if table.stage != ROUND or sitting is None:
        raise Refused("round-over", "no round is in play")
    if table.paused is not None:
        raise Refused("paused", "the table is paused")
    session = sitting.session
    if seat != session.to_act and not session.anyone_challenges:
        raise _not_their_turn(table)
    _play(draft, user, *judged(table, seat, command.action), by_clock=False)


def judged(table: Table, seat: int, given: str | int) -> tuple[int, Session]:
    """Return an action of the round in play, and the session after it.

    Args:
        table: the state, in a round.
        seat: whose action it is.
        given: the action, or how somebody writes or says it.

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
    """The action that `text` writes, in the notation or in spoken words."""
    try:
        return session.read(text)
    except IllegalAction:
        return record_format(game_of(table)).read(session, text)


def _not_their_turn(table: Table) -> Refused:
    return Refused("not-your-turn", f"it is {table.names[str(table.to_act)]}'s turn")


def _play_default(draft: Draft) -> None:
    """Play what the rules provide for a seat to act that doesn't play itself."""
    table = draft.table
    assert table.sitting is not None
    session = table.sitting.session
    action = session.default_action()
    _play(draft, str(table.to_act), action, session.apply(action), by_clock=True)


def _play(draft: Draft, user: str, action: int, later: Session, by_clock: bool) -> None:
    """Let an action happen, after which the session is `later`."""
    table, now = draft.table, draft.asker.now
    assert table.sitting is not None
    text = table.sitting.session.write(action)
    draft.act(e.Acted(user, text, now, bank_left(table, user, now), by_clock), later)


def _close(draft: Draft, why: str, reason: str | UnsetType = UNSET) -> None:
    table = draft.table
    if table.stage == ROUND and table.sitting is not None and table.sitting.session.in_play:
        draft.emit(e.Aborted(table.deals[-1].number))
    draft.emit(e.Ended(why, reason))


def _say(draft: Draft, command: c.Say) -> None:
    """Say something to the table."""
    chair = draft.chair
    if not draft.table.chat:
        raise Refused("chat-off", "the chat is off at this table")
    text = command.text.strip()
    if not text:
        raise Refused("bad-command", "text: there is nothing in it")
    draft.emit(e.Said(chair.user, chair.name, text, draft.asker.now))


def _mute(draft: Draft, command: c.Mute) -> None:
    """Hear somebody no longer, or again."""
    user = draft.chair.user
    if command.user not in draft.table.names or command.user == user:
        raise Refused("no-such-player", "user: nobody else of this id has sat here")
    draft.emit(e.Muted(user, command.user, command.on))


def _set_chat(draft: Draft, command: c.SetChat) -> None:
    """Turn the chat off or on."""
    draft.only_owner("turn the chat off or on")
    draft.emit(e.ChatSet(command.on))


def _end(draft: Draft, command: c.End) -> None:
    draft.only_owner("close the table")
    _close(draft, "the owner has closed the table")


def _pause(draft: Draft, command: c.Pause) -> None:
    draft.only_owner("pause")
    if draft.table.paused is not None:
        raise Refused("paused", "the table is paused already")
    deadline = due(draft.table)
    draft.emit(e.Paused(None if deadline is None else max(_EARLY, deadline - draft.asker.now)))


def _resume(draft: Draft, command: c.Resume) -> None:
    draft.only_owner("resume")
    left, now = draft.table.paused, draft.asker.now
    if left is None:
        raise Refused("not-paused", "the table is not paused")
    draft.emit(e.Resumed(now + left if left else None))


def _expire(draft: Draft, command: c.Expire) -> None:
    """Time is up: for the seat to act, for those who are not ready, for a choice or for nonces."""
    table = draft.table
    deadline = due(table)
    if deadline is None or command.turn != table.turn or draft.asker.now < deadline - _EARLY:
        raise Refused("not-now", "no time is up")
    if table.stage == ROUND:
        _play_default(draft)
    else:
        rounds.expire(draft)


def _extend(draft: Draft, command: c.Extend) -> None:
    """Give back time that was lost while the server was away: the clock goes on from where it stood at `stopped`.

    That may lie ahead of `now`, where the machine's clock was put back meanwhile; what was left is left all the same.
    """
    deadline = due(draft.table)
    if deadline is None:
        raise Refused("not-now", "no clock is running")
    draft.emit(e.Extended(deadline + draft.asker.now - command.stopped))


def _abandon(draft: Draft, command: c.Abandon) -> None:
    """Close a table that nobody has come back to; where a clock runs, the table goes on by itself."""
    if due(draft.table) is not None:
        raise Refused("not-now", "a clock is running")
    _close(draft, "nobody has been here for a long time")


def _close_table(draft: Draft, command: c.Close) -> None:
    """Close a table because whoever runs the server says so."""
    _close(draft, "the server has closed the table", command.reason)


_COMMANDS: Mapping[type[c.Command], Callable[[Draft, Any], None]] = {
    c.Join: seating.join,
    c.Leave: seating.leave,
    c.SitOut: seating.sit_out,
    c.SitIn: seating.sit_in,
    c.SeatBot: seating.seat_bot,
    c.Unseat: seating.unseat,
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
    c.Pause: _pause,
    c.Resume: _resume,
    c.Say: _say,
    c.Mute: _mute,
    c.SetChat: _set_chat,
    c.End: _end,
    c.Expire: _expire,
    c.Extend: _extend,
    c.Abandon: _abandon,
    c.Close: _close_table,
}
