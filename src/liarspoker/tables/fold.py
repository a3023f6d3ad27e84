"""What the log stores of a command, and from one state to the next: `fold` believes every event and judges none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from msgspec import Struct

from liarspoker.core.session import Session
from liarspoker.protocol import events as e
from liarspoker.protocol.codec import Malformed, Reader, encode
from liarspoker.protocol.frames import ChatLine
from liarspoker.protocol.views import RoundScoreView
from liarspoker.tables.deals import after_deal, prospect
from liarspoker.tables.fair.deal import draw_of
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import (
    CHAT_KEPT,
    ENDED,
    GATHERING,
    ROUND,
    SHEET_KEPT,
    Chair,
    Deal,
    Gathering,
    Match,
    Proposal,
    Sitting,
    Table,
)

LOG_VERSION = 1
"""Written into every entry. An event keeps its meaning forever; a new meaning is a new event."""

Seeds = Callable[[int], bytes]
"""Returns the seed of a deal, given its number."""


class LogEntry(Struct, frozen=True):
    """What the log stores of one command: all its events.

    Attributes:
        v: the version of the log's format.
        events: in order.
    """

    v: int
    events: tuple[e.AnyEvent, ...]


def write_entry(events: tuple[e.Event, ...]) -> str:
    """Encode the events of one command as the log stores them."""
    return encode(LogEntry(LOG_VERSION, cast("tuple[e.AnyEvent, ...]", events)))


_ENTRIES: Reader[LogEntry] = Reader(LogEntry)


def read_entry(body: str) -> tuple[e.Event, ...]:
    """Return the events of an entry of the log.

    Raises:
        Malformed: the entry is damaged, or newer than this program.
    """
    entry = _ENTRIES.read(body)
    if entry.v != LOG_VERSION:
        raise Malformed(f"log version {entry.v}; this program reads {LOG_VERSION}")
    return entry.events


def fold_entry(table: Table | None, events: Iterable[e.Event], seeds: Seeds) -> Table:
    """The state after one entry of the log, which holds all events of one command."""
    for event in events:
        table = begun(event) if isinstance(event, e.Made) else fold(cast(Table, table), event)
        if isinstance(event, e.Gathered):
            table = with_seed(table, seeds(event.deal))
    assert table is not None
    return table._replace(version=table.version + 1)


def begun(event: e.Made) -> Table:
    """The table as it was made."""
    settings = event.settings
    return Table(event.table, settings, event.owner, event.at, chairs=(None,) * settings.seats, chat=settings.chat)


def fold(table: Table, event: e.Event) -> Table:
    """The state after `event`."""
    return _FOLDS[type(event)](table, event)


def _joined(table: Table, event: e.Joined) -> Table:
    bank = table.settings.clock.bank if table.settings.clock else 0.0
    bank = table.banks.get(event.user, bank)
    chairs = list(table.chairs)
    chairs[event.chair] = Chair(event.user, event.name, event.bot, bank=bank)
    return table._replace(chairs=tuple(chairs), names={**table.names, event.user: event.name})


def _left(table: Table, event: e.Left) -> Table:
    chairs = tuple(None if chair is not None and chair.user == event.user else chair for chair in table.chairs)
    match, chair = table.match, table.chair_of(event.user)
    assert chair is not None
    if match is not None and event.user in match.living:
        match = replace(match, living=_without(match.living, event.user))
    later = table._replace(chairs=chairs, match=match, banks={**table.banks, event.user: chair.bank})
    return _not_ready(later, event.user)


def _without(users: tuple[str, ...], user: str) -> tuple[str, ...]:
    return tuple(other for other in users if other != user)


def _not_ready(table: Table, user: str) -> Table:
    """The table where `user` has no part in what is being made ready; once nonces are being opened he keeps it."""
    gathering = table.gathering
    if gathering is None or gathering.opening:
        return table
    promises, picks = dict(gathering.nonce_commitments), dict(gathering.picks)
    promises.pop(user, None)
    picks.pop(user, None)
    without = replace(gathering, ready=gathering.ready - {user}, nonce_commitments=promises, picks=picks)
    return table._replace(gathering=without)


def with_chair(table: Table, user: str, **changes: Any) -> Table:
    """The table with changes of the chair in which `user` sits."""
    chairs = (
        replace(chair, **changes) if chair is not None and chair.user == user else chair for chair in table.chairs
    )
    return table._replace(chairs=tuple(chairs))


def _sat_out(table: Table, event: e.SatOut) -> Table:
    later = with_chair(table, event.user, away=event.away)
    return _not_ready(later, event.user) if event.away else later


def _gathered(table: Table, event: e.Gathered) -> Table:
    gathering = Gathering(event.deal, event.commitment, deadline=event.deadline)
    return table._replace(stage=GATHERING, gathering=gathering, deadline=None)


def with_seed(table: Table, seed: bytes) -> Table:
    """The table with the seed of the deal that is being made ready, which no event holds."""
    return table._replace(gathering=replace(gathering_at(table), seed=seed))


def gathering_at(table: Table) -> Gathering:
    """What is made ready now; something is."""
    assert table.gathering is not None
    return table.gathering


def _readied(table: Table, event: e.Readied) -> Table:
    gathering = gathering_at(table)
    commitments = dict(gathering.nonce_commitments)
    if event.nonce_commitment is not None:
        commitments[event.user] = event.nonce_commitment
    ready = gathering.ready | {event.user}
    return table._replace(gathering=replace(gathering, ready=ready, nonce_commitments=commitments))


def _picked(table: Table, event: e.Picked) -> Table:
    gathering = gathering_at(table)
    picks = {**gathering.picks, event.user: event.choice}
    return table._replace(gathering=replace(gathering, picks=picks, deadline=None))


def _choosing(table: Table, event: e.Choosing) -> Table:
    return table._replace(gathering=replace(gathering_at(table), choosing=True, deadline=event.deadline))


def _named(table: Table, event: e.Named) -> Table:
    return table._replace(gathering=replace(gathering_at(table), named=event.options, named_by=event.user))


def _opening(table: Table, event: e.Opening) -> Table:
    return table._replace(gathering=replace(gathering_at(table), opening=event.users, deadline=event.deadline))


def _opened(table: Table, event: e.Opened) -> Table:
    gathering = gathering_at(table)
    return table._replace(gathering=replace(gathering, nonces={**gathering.nonces, event.user: event.nonce}))


def _dealt(table: Table, event: e.Dealt) -> Table:
    gathering = gathering_at(table)
    closed = table.closed
    if event.fresh and table.sitting is not None and table.sitting.session.rounds_played:
        closed = (*closed, table.sitting)
    before = prospect(table)
    if event.fresh != before.fresh or event.users != before.users:
        raise ValueError(f"deal {event.deal}: the log does not fit the table")
    session = after_deal(table, before, event, gathering.seed)
    sitting = Sitting(
        event.users,
        tuple(table.names[user] for user in event.users),
        session,
        absent=frozenset(chair.user for chair in table.seated if chair.away),
        shown=frozenset() if event.fresh or table.sitting is None else table.sitting.shown,
    )
    match = table.match
    if match is None and game_of(table).row.has_winner:
        match = Match(event.users, event.users)
    deal = Deal(
        event.deal,
        event.at,
        event.users,
        tuple(map(table.place_of, event.users)),
        gathering.commitment,
        gathering.seed,
        tuple(gathering.nonce_commitments.get(user) for user in event.users),
        event.nonces,
        event.picks,
        event.root,
        draw_of(before.session, dict(event.named) or None, lots=before.opener is None),
        (len(closed), session.rounds_played),
    )
    return table._replace(
        stage=ROUND,
        gathering=None,
        sitting=sitting,
        closed=closed,
        deals=(*table.deals, deal),
        match=match,
        turn=table.turn + 1,
        deadline=None,
        stake=None,
    )


def _sitting(table: Table) -> Sitting:
    assert table.sitting is not None
    return table.sitting


def _acted(table: Table, event: e.Acted) -> Table:
    session = _sitting(table).session
    return acted(table, event, session.apply(session.read(event.action)))


def acted(table: Table, event: e.Acted, session: Session) -> Table:
    """The state after an action whose outcome is `session`: `decide` has it already, a log's reader has to play."""
    before = _sitting(table)
    sitting = Sitting(
        before.users,
        before.names,
        session,
        before=before.session,
        mover=before.seat_of(event.user),
        absent=before.absent,
        shown=before.shown,
    )
    if event.bank is not None:
        table = _with_bank(table, event.user, event.bank)
    return table._replace(sitting=sitting, turn=table.turn + 1, deadline=None)


def _with_bank(table: Table, user: str, bank: float) -> Table:
    chair = table.chair_of(user)
    return table if chair is None or chair.bank == bank else with_chair(table, user, bank=bank)


def _undone(table: Table, event: e.Undone) -> Table:
    sitting = _sitting(table)
    assert sitting.before is not None
    later = replace(sitting, session=sitting.before, before=None, mover=None)
    paused = None if table.paused is None else 0.0  # the time that was left was another's
    return table._replace(sitting=later, turn=table.turn + 1, deadline=None, paused=paused)


def _paid(units: Mapping[str, int], won: Mapping[str, int]) -> Mapping[str, int]:
    return {**units, **{user: units.get(user, 0) + amount for user, amount in won.items()}}


def _round_ended(table: Table, event: e.RoundEnded) -> Table:
    sitting = replace(_sitting(table), before=None, mover=None)
    match = table.match
    lost: tuple[str, ...] = ()
    if match is not None:
        before = match
        carry = sitting.session.carry_over()
        losses = {sitting.users[seat]: lost for seat, lost in enumerate(carry.losses)}
        still = {sitting.users[seat] for seat in carry.alive}
        match = replace(match, living=tuple(user for user in match.living if user in still), losses=losses)
        lost = tuple(
            user for user in before.living if user not in still or losses.get(user, 0) > before.losses.get(user, 0)
        )
    score = RoundScoreView(round=table.rounds_played, units=event.units, lost=lost)
    return table._replace(
        sitting=sitting,
        match=match,
        units=_paid(table.units, event.units),
        rounds_played=table.rounds_played + 1,
        deadline=None,
        shown=sitting,
        sheet=(*table.sheet[-SHEET_KEPT + 1 :], score),
    )


def _match_won(table: Table, event: e.MatchWon) -> Table:
    return table._replace(match=None, units=_paid(table.units, event.units))


def _aborted(table: Table, event: e.Aborted) -> Table:
    deals = tuple(replace(deal, place=None) if deal.number == event.deal else deal for deal in table.deals)
    return table._replace(deals=deals, deadline=None)


def _numbers_shown(table: Table, event: e.NumbersShown) -> Table:
    sitting = _sitting(table)
    session = sitting.session.show_numbers()
    later = replace(sitting, session=session, shown=sitting.shown | {session.rounds_played - 1})
    return table._replace(sitting=later, shown=later)


def _proposed(table: Table, event: e.Proposed) -> Table:
    proposal = Proposal(event.number, event.kind, event.user, event.value, table.turn, event.voters)
    return table._replace(proposals=(*table.proposals, proposal), asked=event.number + 1)


def _answered(table: Table, event: e.Answered) -> Table:
    def voted(proposal: Proposal) -> Proposal:
        if proposal.number != event.number:
            return proposal
        yes, no = proposal.yes - {event.user}, proposal.no - {event.user}
        return (
            replace(proposal, yes=yes | {event.user}) if event.yes else replace(proposal, yes=yes, no=no | {event.user})
        )

    return table._replace(proposals=tuple(map(voted, table.proposals)))


def _settled(table: Table, event: e.Settled) -> Table:
    proposal = next(proposal for proposal in table.proposals if proposal.number == event.number)
    others = tuple(other for other in table.proposals if other.number != event.number)
    later = table._replace(proposals=others)
    if event.agreed and proposal.kind == "stake":
        return later._replace(stake=cast(int, proposal.value))
    if event.agreed and proposal.kind == "remove":
        return later._replace(removed=table.removed | {str(proposal.value)})
    return later


def _paused(table: Table, event: e.Paused) -> Table:
    later = table._replace(paused=event.left or 0.0, deadline=None)
    if later.gathering is not None:
        return later._replace(gathering=replace(later.gathering, deadline=None))
    return later


def _running(table: Table, deadline: float | None) -> Table:
    """The table with its clock running until `deadline`."""
    if table.gathering is not None:
        return table._replace(gathering=replace(table.gathering, deadline=deadline))
    return table._replace(deadline=deadline)


def _resumed(table: Table, event: e.Resumed) -> Table:
    return _running(table._replace(paused=None), event.deadline)


def _extended(table: Table, event: e.Extended) -> Table:
    return _running(table, event.deadline)


def _said(table: Table, event: e.Said) -> Table:
    line = ChatLine(event.at, event.user, event.name, event.text)
    return table._replace(lines=(*table.lines[-CHAT_KEPT + 1 :], line))


def _muted(table: Table, event: e.Muted) -> Table:
    others = table.muted.get(event.user, frozenset()) - {event.whom}
    return table._replace(muted={**table.muted, event.user: others | {event.whom} if event.on else others})


def _ended(table: Table, event: e.Ended) -> Table:
    closed, sitting = table.closed, table.sitting
    stage_was_round = table.stage == ROUND and sitting is not None and sitting.session.in_play
    if sitting is not None and (sitting.session.rounds_played or stage_was_round):
        closed = (*closed, sitting)
    return table._replace(
        stage=ENDED,
        gathering=None,
        deadline=None,
        paused=None,
        proposals=(),
        closed=closed,
        match=None,
        end_reason=event.reason or "",
    )


_FOLDS: Mapping[type[e.Event], Callable[[Table, Any], Table]] = {
    e.Joined: _joined,
    e.Leaving: lambda table, event: with_chair(table, event.user, leaving=True),
    e.Left: _left,
    e.SatOut: _sat_out,
    e.Gathered: _gathered,
    e.Readied: _readied,
    e.Choosing: _choosing,
    e.Picked: _picked,
    e.Named: _named,
    e.Opening: _opening,
    e.Opened: _opened,
    e.Dealt: _dealt,
    e.Acted: _acted,
    e.Undone: _undone,
    e.RoundEnded: _round_ended,
    e.MatchWon: _match_won,
    e.Aborted: _aborted,
    e.NumbersShown: _numbers_shown,
    e.Owned: lambda table, event: table._replace(owner=event.user),
    e.ClockStarted: lambda table, event: _running(table, event.deadline),
    e.Proposed: _proposed,
    e.Answered: _answered,
    e.Settled: _settled,
    e.Paused: _paused,
    e.Resumed: _resumed,
    e.Extended: _extended,
    e.Said: _said,
    e.Muted: _muted,
    e.ChatSet: lambda table, event: table._replace(chat=event.on),
    e.Ended: _ended,
}
