"""Reducers: apply events to a table's state, without validating them; and the log entries that store events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from msgspec import Struct

from liarspoker.core.session import Session
from liarspoker.language import _
from liarspoker.protocol import events as e
from liarspoker.protocol.codec import Malformed, Reader, encode
from liarspoker.protocol.frames import ChatLine
from liarspoker.protocol.views import RematchView, ReservedView, RoundScoreView
from liarspoker.tables.deals import after_deal, next_deal
from liarspoker.tables.fair.deal import draw_of
from liarspoker.tables.highlights import after_round, with_bluffs
from liarspoker.tables.rated import forfeits_after_leaving
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import (
    CHAT_KEPT,
    ENDED,
    READY_PHASE,
    ROUND,
    SHEET_KEPT,
    Chair,
    Deal,
    Match,
    Proposal,
    ReadyPhase,
    Sitting,
    Table,
)

LOG_VERSION = 1
"""Written into every entry. The meaning of an event never changes; a new meaning needs a new event."""

Seeds = Callable[[int], bytes]
"""Returns the seed of a deal, given its number."""


class LogEntry(Struct, frozen=True):
    """A log entry: all events of one command.

    Attributes:
        v: version of the log format.
        events: the events, in order.
    """

    v: int
    events: tuple[e.AnyEvent, ...]


def write_entry(events: tuple[e.Event, ...]) -> str:
    """Encode the events of one command as a log entry."""
    return encode(LogEntry(LOG_VERSION, cast("tuple[e.AnyEvent, ...]", events)))


_ENTRIES: Reader[LogEntry] = Reader(LogEntry)


def read_entry(body: str) -> tuple[e.Event, ...]:
    """Decode the events of a log entry.

    Raises:
        Malformed: the entry is damaged, or its format is newer than this program.
    """
    entry = _ENTRIES.read(body)
    if entry.v != LOG_VERSION:
        raise Malformed(_("log version {v}; this program reads version {known}", v=entry.v, known=LOG_VERSION))
    return entry.events


def apply_entry(table: Table | None, events: Iterable[e.Event], seeds: Seeds) -> Table:
    """Return the state after a log entry; `table` is `None` for the first entry."""
    for event in events:
        table = new_table(event) if isinstance(event, e.Made) else apply_event(cast(Table, table), event)
        if isinstance(event, e.Gathered):
            table = with_seed(table, seeds(event.deal))
    assert table is not None
    return table._replace(version=table.version + 1)


def new_table(event: e.Made) -> Table:
    """Return the initial state of a table."""
    settings = event.settings
    return Table(
        event.table,
        settings,
        event.owner,
        event.at,
        chairs=(None,) * settings.seats,
        chat=settings.chat,
        event=event.event or None,
    )


def apply_event(table: Table, event: e.Event) -> Table:
    """Return the state after `event`."""
    return _REDUCERS[type(event)](table, event)


def _joined(table: Table, event: e.Joined) -> Table:
    bank = table.settings.clock.bank if table.settings.clock else 0.0
    bank = table.banks.get(event.user, bank)
    chairs = list(table.chairs)
    chairs[event.chair] = Chair(event.user, event.name, event.bot, bank=bank)
    reserved = tuple(one for one in table.reserved if one.user != event.user and one.chair != event.chair)
    return table._replace(chairs=tuple(chairs), names={**table.names, event.user: event.name}, reserved=reserved)


def _reserved(table: Table, event: e.Reserved) -> Table:
    seat = ReservedView(chair=event.chair, user=event.user, name=event.name)
    return table._replace(reserved=(*table.reserved, seat))


def _released(table: Table, event: e.Released) -> Table:
    return table._replace(reserved=tuple(one for one in table.reserved if one.chair != event.chair))


def _rematched(table: Table, event: e.Rematched) -> Table:
    return table._replace(rematch=RematchView(table=event.table, user=event.user, name=table.names[event.user]))


def _leaving(table: Table, event: e.Leaving) -> Table:
    later = with_chair(table, event.user, leaving=True)
    return later._replace(forfeits=forfeits_after_leaving(table, event.user))


def _left(table: Table, event: e.Left) -> Table:
    chairs = tuple(None if chair is not None and chair.user == event.user else chair for chair in table.chairs)
    match, chair = table.match, table.chair_of(event.user)
    assert chair is not None
    if match is not None and event.user in match.still_in:
        match = replace(match, still_in=_without(match.still_in, event.user))
    banks, forfeits = {**table.banks, event.user: chair.bank}, forfeits_after_leaving(table, event.user)
    later = table._replace(chairs=chairs, match=match, banks=banks, forfeits=forfeits)
    return _not_ready(later, event.user)


def _stood_in(table: Table, event: e.StoodIn) -> Table:
    later = with_chair(table, event.user, stand_in=event.bot)
    if not event.bot:
        return later
    later = with_chair(later, event.user, away=False)
    sitting = later.sitting
    if sitting is None:
        return later
    return later._replace(sitting=replace(sitting, absent=sitting.absent - {event.user}))


def _without(users: tuple[str, ...], user: str) -> tuple[str, ...]:
    return tuple(other for other in users if other != user)


def _not_ready(table: Table, user: str) -> Table:
    """Remove `user` from the ready phase, unless nonces are already being opened."""
    ready_phase = table.ready_phase
    if ready_phase is None or ready_phase.opening:
        return table
    commitments, picks = dict(ready_phase.nonce_commitments), dict(ready_phase.picks)
    commitments.pop(user, None)
    picks.pop(user, None)
    without = replace(ready_phase, ready=ready_phase.ready - {user}, nonce_commitments=commitments, picks=picks)
    return table._replace(ready_phase=without)


def with_chair(table: Table, user: str, **changes: Any) -> Table:
    """Return the table with changes to the table seat of `user`."""
    chairs = (
        replace(chair, **changes) if chair is not None and chair.user == user else chair for chair in table.chairs
    )
    return table._replace(chairs=tuple(chairs))


def _sat_out(table: Table, event: e.SatOut) -> Table:
    later = with_chair(table, event.user, away=event.away)
    return _not_ready(later, event.user) if event.away else later


def _gathered(table: Table, event: e.Gathered) -> Table:
    ready_phase = ReadyPhase(event.deal, event.commitment, deadline=event.deadline)
    return table._replace(stage=READY_PHASE, ready_phase=ready_phase, deadline=None)


def with_seed(table: Table, seed: bytes) -> Table:
    """Return the table with the seed of the next deal, which isn't part of any event."""
    return table._replace(ready_phase=replace(current_ready_phase(table), seed=seed))


def current_ready_phase(table: Table) -> ReadyPhase:
    """Return the ready phase, which must be in progress."""
    assert table.ready_phase is not None
    return table.ready_phase


def _readied(table: Table, event: e.Readied) -> Table:
    ready_phase = current_ready_phase(table)
    commitments = dict(ready_phase.nonce_commitments)
    if event.nonce_commitment is not None:
        commitments[event.user] = event.nonce_commitment
    ready = ready_phase.ready | {event.user}
    return table._replace(ready_phase=replace(ready_phase, ready=ready, nonce_commitments=commitments))


def _picked(table: Table, event: e.Picked) -> Table:
    ready_phase = current_ready_phase(table)
    picks = {**ready_phase.picks, event.user: event.choice}
    return table._replace(ready_phase=replace(ready_phase, picks=picks, deadline=None))


def _choosing(table: Table, event: e.Choosing) -> Table:
    return table._replace(ready_phase=replace(current_ready_phase(table), choosing=True, deadline=event.deadline))


def _named(table: Table, event: e.Named) -> Table:
    return table._replace(ready_phase=replace(current_ready_phase(table), named=event.options, named_by=event.user))


def _opening(table: Table, event: e.Opening) -> Table:
    return table._replace(ready_phase=replace(current_ready_phase(table), opening=event.users, deadline=event.deadline))


def _opened(table: Table, event: e.Opened) -> Table:
    ready_phase = current_ready_phase(table)
    return table._replace(ready_phase=replace(ready_phase, nonces={**ready_phase.nonces, event.user: event.nonce}))


def _dealt(table: Table, event: e.Dealt) -> Table:
    ready_phase = current_ready_phase(table)
    closed = table.closed
    if event.fresh and table.sitting is not None and table.sitting.session.rounds_played:
        closed = (*closed, table.sitting)
    before = next_deal(table)
    if event.fresh != before.fresh or event.users != before.users:
        raise ValueError(f"deal {event.deal}: the log doesn't match the table's state")
    session = after_deal(table, before, event, ready_phase.seed)
    sitting = Sitting(
        event.users,
        tuple(table.names[user] for user in event.users),
        session,
        absent=frozenset(chair.user for chair in table.seated if chair.away),
        shown=frozenset() if event.fresh or table.sitting is None else table.sitting.shown,
    )
    match = table.match
    if match is None and game_of(table).preset.has_winner:
        match = Match(event.users, event.users)
    deal = Deal(
        event.deal,
        event.at,
        event.users,
        tuple(map(table.chair_number, event.users)),
        ready_phase.commitment,
        ready_phase.seed,
        tuple(ready_phase.nonce_commitments.get(user) for user in event.users),
        event.nonces,
        event.picks,
        event.root,
        draw_of(before.session, dict(event.named) or None, lots=before.opener is None),
        (len(closed), session.rounds_played),
    )
    return table._replace(
        stage=ROUND,
        ready_phase=None,
        sitting=sitting,
        closed=closed,
        deals=(*table.deals, deal),
        match=match,
        turn=table.turn + 1,
        turn_began=event.at,
        deadline=None,
        stake=None,
    )


def _sitting(table: Table) -> Sitting:
    assert table.sitting is not None
    return table.sitting


def _acted(table: Table, event: e.Acted) -> Table:
    session = _sitting(table).session
    return after_action(table, event, session.apply(session.read(event.action)))


def after_action(table: Table, event: e.Acted, session: Session) -> Table:
    """Return the state after an action that leads to `session`.

    `decide` has already computed the session; a log reader computes it from the event.
    """
    before = _sitting(table)
    sitting = Sitting(
        before.users,
        before.names,
        session,
        before=before.session,
        mover=before.seat_of(event.user),
        absent=before.absent,
        shown=before.shown,
        lapsed=before.lapsed | {event.user} if event.by_clock else before.lapsed - {event.user},
    )
    if event.bank is not None:
        table = _with_bank(table, event.user, event.bank)
    return table._replace(sitting=sitting, turn=table.turn + 1, turn_began=event.at, deadline=None)


def _with_bank(table: Table, user: str, bank: float) -> Table:
    chair = table.chair_of(user)
    return table if chair is None or chair.bank == bank else with_chair(table, user, bank=bank)


def _undone(table: Table, event: e.Undone) -> Table:
    sitting = _sitting(table)
    assert sitting.before is not None
    later = replace(sitting, session=sitting.before, before=None, mover=None)
    paused = None if table.paused is None else 0.0  # the remaining time belonged to another seat
    return table._replace(sitting=later, turn=table.turn + 1, turn_began=event.at, deadline=None, paused=paused)


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
        match = replace(match, still_in=tuple(user for user in match.still_in if user in still), losses=losses)
        lost = tuple(
            user for user in before.still_in if user not in still or losses.get(user, 0) > before.losses.get(user, 0)
        )
    score = RoundScoreView(round=table.rounds_played, units=event.units, lost=lost)
    return table._replace(
        sitting=sitting,
        match=match,
        units=_paid(table.units, event.units),
        rounds_played=table.rounds_played + 1,
        deadline=None,
        delayed_sitting=sitting,
        sheet=(*table.sheet[-SHEET_KEPT + 1 :], score),
        highlights=after_round(table, sitting, event.units),
    )


def _match_won(table: Table, event: e.MatchWon) -> Table:
    return table._replace(match=None, units=_paid(table.units, event.units))


def _aborted(table: Table, event: e.Aborted) -> Table:
    deals = tuple(replace(deal, record=None) if deal.number == event.deal else deal for deal in table.deals)
    return table._replace(deals=deals, deadline=None)


def _numbers_shown(table: Table, event: e.NumbersShown) -> Table:
    sitting = _sitting(table)
    session = sitting.session.show_numbers()
    last = session.rounds_played - 1
    shown = sitting.shown.union((last, seat) for seat in range(session.seats))
    later = _shown(table, replace(sitting, session=session, shown=shown))
    return later._replace(highlights=with_bluffs(later, _sitting(later), table.rounds_played - 1))


def _hand_shown(table: Table, event: e.HandShown) -> Table:
    sitting = _sitting(table)
    seat = sitting.seat_of(event.user)
    assert seat is not None
    return _shown(table, replace(sitting, shown=sitting.shown | {(sitting.session.rounds_played - 1, seat)}))


def _shown(table: Table, sitting: Sitting) -> Table:
    return table._replace(sitting=sitting, delayed_sitting=sitting)


def _proposed(table: Table, event: e.Proposed) -> Table:
    proposal = Proposal(event.number, event.kind, event.user, event.value, table.turn, event.voters)
    return table._replace(proposals=(*table.proposals, proposal), proposal_count=event.number + 1)


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
    if later.ready_phase is not None:
        return later._replace(ready_phase=replace(later.ready_phase, deadline=None))
    return later


def _running(table: Table, deadline: float | None) -> Table:
    """Return the table with its clock running until `deadline`."""
    if table.ready_phase is not None:
        return table._replace(ready_phase=replace(table.ready_phase, deadline=deadline))
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
        ready_phase=None,
        deadline=None,
        paused=None,
        proposals=(),
        closed=closed,
        match=None,
        end_reason=event.reason or "",
    )


_REDUCERS: Mapping[type[e.Event], Callable[[Table, Any], Table]] = {
    e.Joined: _joined,
    e.Leaving: _leaving,
    e.Left: _left,
    e.SatOut: _sat_out,
    e.Removed: lambda table, event: table._replace(removed=table.removed | {event.user}),
    e.Admitted: lambda table, event: table._replace(removed=table.removed - {event.user}),
    e.Locked: lambda table, event: table._replace(locked=event.on),
    e.StoodIn: _stood_in,
    e.TookVacation: lambda table, event: with_chair(table, event.user, vacation=event.until),
    e.Reserved: _reserved,
    e.Released: _released,
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
    e.HandShown: _hand_shown,
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
    e.Rematched: _rematched,
}
