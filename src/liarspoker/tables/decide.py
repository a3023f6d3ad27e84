"""What follows from a command: events, or a refusal. Nothing else judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.protocol.settings import Settings
from liarspoker.tables import agreements, rounds, seating
from liarspoker.tables.commands import Asker, Draft
from liarspoker.tables.fold import begun
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import ENDED, GATHERING, ROUND, Table, due, pick_deadline, ready_deadline, turn_deadline

Decided = tuple[tuple[e.Event, ...], Table]
"""The events of a command, and the state after them with its version counted up."""

_EARLY = 0.001
"""Seconds by which a timer may ring too early."""


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

    Args:
        table: the state as it stands.
        command: what is asked.
        asker: who asks, when, and fresh chance that may be used.

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
        return _step_of_gathering(draft)
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
        rounds.play_default(draft)
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
    if not _end_if_all_played(draft):
        rounds.gather(draft)


def _end_if_all_played(draft: Draft) -> bool:
    """Close the table once it has played as many rounds as were agreed on, and no match is left half played."""
    table, most = draft.table, draft.table.settings.rounds
    if most is None or table.rounds_played < most or table.match is not None:
        return False
    draft.emit(e.Ended("the rounds that were agreed on have been played"))
    return True


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


def _step_of_gathering(draft: Draft) -> bool:
    table, gathering = draft.table, draft.table.gathering
    assert gathering is not None
    if _end_if_all_played(draft):
        return True
    if not gathering.opening:
        if not rounds.everybody_ready(table):
            return False
        chooser = rounds.next_to_pick(table)
        if chooser is not None:
            return _step_of_choosing(draft, chooser)
        if rounds.opening_due(table):
            rounds.begin_opening(draft)
            return True
    elif rounds.opening_due(table):
        return False
    rounds.deal(draft)
    return True


def _step_of_choosing(draft: Draft, chooser: str) -> bool:
    table = draft.table
    assert table.gathering is not None
    chair = table.chair_of(chooser)
    if chair is None or chair.bot or chair.away:
        draft.emit(e.Picked(chooser, rounds.free_picks(table)[0]))
        return True
    if not table.gathering.choosing:
        draft.emit(e.Choosing(pick_deadline(table, draft.asker.now)))
        return True
    return False


def _close(draft: Draft, why: str) -> None:
    table = draft.table
    if table.stage == ROUND and table.sitting is not None and table.sitting.session.in_play:
        draft.emit(e.Aborted(table.deals[-1].number))
    draft.emit(e.Ended(why))


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
        rounds.play_default(draft)
    else:
        _expire_gathering(draft)


def _expire_gathering(draft: Draft) -> None:
    table, gathering = draft.table, draft.table.gathering
    assert gathering is not None
    if gathering.opening:
        rounds.deal(draft)
        return
    chooser = rounds.next_to_pick(table) if rounds.everybody_ready(table) else None
    if chooser is not None:
        draft.emit(e.Picked(chooser, rounds.free_picks(table)[0]))
        return
    draft.emit(e.ClockStarted(None))
    for user in rounds.waited_for(table):
        draft.emit(e.SatOut(user, away=True))


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
    c.Act: rounds.act,
    c.Play: rounds.act,
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
}
