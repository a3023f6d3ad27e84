"""The rounds: what is dealt, played, taken back and won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from liarspoker.protocol import events as e
from liarspoker.tables.deals import after_deal, draw_told, prospect
from liarspoker.tables.folds import Folds
from liarspoker.tables.folds.chairs import with_chair
from liarspoker.tables.folds.gatherings import gathering_at
from liarspoker.tables.games.family import game_of
from liarspoker.tables.state import (
    ROUND,
    SHEET_KEPT,
    Deal,
    Match,
    RoundScore,
    Sitting,
    Table,
)


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
        draw_told(before, dict(event.named)),
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
    before = _sitting(table)
    session = before.session
    sitting = Sitting(
        before.users,
        before.names,
        session.apply(session.read(event.action)),
        before=session,
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
    score = RoundScore(table.rounds_played, event.units, lost)
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


FOLDS: Folds = {
    e.Dealt: _dealt,
    e.Acted: _acted,
    e.Undone: _undone,
    e.RoundEnded: _round_ended,
    e.MatchWon: _match_won,
    e.Aborted: _aborted,
    e.NumbersShown: _numbers_shown,
}
"""What each of these events changes."""
