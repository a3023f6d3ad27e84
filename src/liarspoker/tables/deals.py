"""The deal that a table makes: whose session it begins or goes on with, and what follows from everybody's share."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.session import CarryOver, RoundSetup, Session
from liarspoker.protocol.codec import Options
from liarspoker.protocol.events import Dealt
from liarspoker.tables.fair.deal import Shares, deal_key, dealt, root_of
from liarspoker.tables.settings import begin_session, game_of
from liarspoker.tables.state import Table


@dataclass(frozen=True, slots=True)
class Prospect:
    """The session that the next deal goes to.

    Attributes:
        users: who sits in which seat of it.
        session: as it stands between rounds.
        fresh: it begins with this deal.
        losses: with which it begins.
        opener: the seat that opens, where an earlier session left it.
        stake: what it left to play for.
    """

    users: tuple[str, ...]
    session: Session
    fresh: bool
    losses: tuple[int, ...] = ()
    opener: int | None = None
    stake: int | None = None


def prospect(table: Table) -> Prospect:
    """The session that the next deal goes to: the one on the table as long as the same people play, else a new one.

    A new one takes over the opener, the stake and in a match the losses, unless a match begins with it. Where the
    opener has gone, the next of the old seats clockwise that plays on opens.
    """
    users, sitting = table.users_of_next, table.sitting
    game = game_of(table)
    if sitting is None or (game.row.has_winner and table.match is None):
        return _begun(table, users, ())
    playing = {sitting.users[seat] for seat in sitting.session.alive}
    if users == sitting.users or (table.match is not None and playing == set(users)):
        return Prospect(sitting.users, sitting.session, fresh=False)
    carry = sitting.session.carry_over()
    losses = tuple(table.match.losses.get(user, 0) for user in users) if table.match is not None else ()
    begun = _begun(table, users, losses)
    opener = _carried_opener(carry, sitting.users, users)
    return Prospect(users, begun.session, True, losses, opener, carry.stake)


def _begun(table: Table, users: tuple[str, ...], losses: tuple[int, ...]) -> Prospect:
    game = game_of(table)
    session = begin_session(game, table.settings, len(users), losses)
    return Prospect(users, session, fresh=True, losses=losses)


def _carried_opener(carry: CarryOver, before: tuple[str, ...], users: tuple[str, ...]) -> int | None:
    if carry.opener is None:
        return None
    clockwise = (*before[carry.opener :], *before[: carry.opener])
    return next((users.index(user) for user in clockwise if user in users), None)


def key_of(table: Table, number: int, seed: bytes, shares: Shares) -> bytes:
    """The key that everything in a deal follows from."""
    return deal_key(seed, table.id, number, table.settings.game, shares)


def root_and_opener(table: Table, before: Prospect, key: bytes, named: Options) -> tuple[str, int | None]:
    """The root of all that will be dealt, as hexadecimal digits, and the seat that lots have chosen to open."""
    deal, opener = dealt(before.session, key, named or None)
    return root_of(deal.parts(), key).hex(), opener


def after_deal(table: Table, before: Prospect, event: Dealt, seed: bytes) -> Session:
    """The session with the round of `event` on the table."""
    key = key_of(table, event.deal, seed, Shares(tuple(map(bytes.fromhex, event.nonces)), event.picks))
    deal, _ = dealt(before.session, key, dict(event.named) or None)
    return before.session.deal(deal, RoundSetup(event.opener, event.stake, event.named))
