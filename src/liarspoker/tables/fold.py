"""From one state to the next: `fold` believes every event and judges none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import cast

from liarspoker.protocol import events as e
from liarspoker.tables.folds import Folds, chairs, gatherings, rounds
from liarspoker.tables.folds.gatherings import with_seed
from liarspoker.tables.state import (
    CHAT_KEPT,
    ENDED,
    ROUND,
    Line,
    Proposal,
    Table,
)

Seeds = Callable[[int], bytes]
"""Returns the seed of a deal, given its number."""


def fold_entry(table: Table | None, events: Iterable[e.Event], seeds: Seeds) -> Table:
    """The state after one entry of the log, which holds all events of one command."""
    table = fold_all(table, events, seeds)
    return table._replace(version=table.version + 1)


def fold_all(table: Table | None, events: Iterable[e.Event], seeds: Seeds) -> Table:
    """The state after these events, its version not counted up."""
    for event in events:
        table = begun(event) if isinstance(event, e.Made) else fold(cast(Table, table), event)
        if isinstance(event, e.Gathered):
            table = with_seed(table, seeds(event.deal))
    assert table is not None
    return table


def begun(event: e.Made) -> Table:
    """The table as it was made."""
    settings = event.settings
    return Table(event.table, settings, event.owner, event.at, chairs=(None,) * settings.seats, chat=settings.chat)


def fold(table: Table, event: e.Event) -> Table:
    """The state after `event`."""
    return _FOLDS[type(event)](table, event)


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
    line = Line(event.at, event.user, event.name, event.text)
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
        stage=ENDED, gathering=None, deadline=None, paused=None, proposals=(), closed=closed, match=None
    )


_FOLDS: Folds = {
    **chairs.FOLDS,
    **gatherings.FOLDS,
    **rounds.FOLDS,
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
