"""What is made ready between two rounds: what events about it change."""

from __future__ import annotations

from dataclasses import replace

from liarspoker.protocol import events as e
from liarspoker.tables.folds import Folds
from liarspoker.tables.state import GATHERING, Gathering, Table


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


FOLDS: Folds = {
    e.Gathered: _gathered,
    e.Readied: _readied,
    e.Choosing: _choosing,
    e.Picked: _picked,
    e.Named: _named,
    e.Opening: _opening,
    e.Opened: _opened,
}
"""What each of these events changes."""
