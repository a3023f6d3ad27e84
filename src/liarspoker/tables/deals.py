"""The next deal of a table: the session it belongs to, and its derivation from everyone's contributions."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.session import CarryOver, RoundSetup, Session
from liarspoker.protocol.codec import Options
from liarspoker.protocol.events import Dealt
from liarspoker.tables.fair.deal import Shares, deal_key, dealt, root_of
from liarspoker.tables.settings import begin_session, game_of
from liarspoker.tables.state import Table


@dataclass(frozen=True, slots=True)
class NextDeal:
    """The players and the session of the next deal.

    Attributes:
        users: user ids by seat.
        session: the session before the deal.
        fresh: the session starts with this deal.
        losses: losses at the start of a new session, by seat.
        opener: the seat that opens, if the previous session determines it.
        stake: the stake carried over from the previous session, if any.
    """

    users: tuple[str, ...]
    session: Session
    fresh: bool
    losses: tuple[int, ...] = ()
    opener: int | None = None
    stake: int | None = None


def next_deal(table: Table) -> NextDeal:
    """Return the players and session of the next deal.

    The current session continues while the same people play; otherwise a new one starts. A new session takes over the
    opener, the stake and, in a match, the losses, unless a match starts with it. If the opener has left, the next
    player clockwise who plays on opens. In an event, every hand that doesn't continue a match is a new session without
    anything carried over, so that it is the same at all tables.
    """
    users, sitting = table.users_of_next, table.sitting
    game = game_of(table)
    if sitting is None or (table.match is None and (game.preset.has_winner or table.event is not None)):
        return _new_session(table, users, ())
    playing = {sitting.users[seat] for seat in sitting.session.alive}
    if users == sitting.users or (table.match is not None and playing == set(users)):
        return NextDeal(sitting.users, sitting.session, fresh=False)
    carry = sitting.session.carry_over()
    losses = tuple(table.match.losses.get(user, 0) for user in users) if table.match is not None else ()
    new = _new_session(table, users, losses)
    opener = _carried_opener(carry, sitting.users, users)
    return NextDeal(users, new.session, True, losses, opener, carry.stake)


def _new_session(table: Table, users: tuple[str, ...], losses: tuple[int, ...]) -> NextDeal:
    game = game_of(table)
    session = begin_session(game, table.settings, len(users), losses)
    return NextDeal(users, session, fresh=True, losses=losses)


def _carried_opener(carry: CarryOver, before: tuple[str, ...], users: tuple[str, ...]) -> int | None:
    if carry.opener is None:
        return None
    clockwise = (*before[carry.opener :], *before[: carry.opener])
    return next((users.index(user) for user in clockwise if user in users), None)


def key_of(table: Table, number: int, seed: bytes, shares: Shares) -> bytes:
    """Return the key that a deal is derived from."""
    return deal_key(seed, table.deals_id, number, table.settings.game, shares)


def root_and_opener(table: Table, before: NextDeal, key: bytes, named: Options) -> tuple[str, int | None]:
    """Return the hash-tree root of the deal, in hexadecimal, and the seat drawn at random to open, if any."""
    deal, opener = dealt(before.session, key, named or None)
    return root_of(deal.parts(), key).hex(), opener


def after_deal(table: Table, before: NextDeal, event: Dealt, seed: bytes) -> Session:
    """Return the session after the deal of `event`."""
    key = key_of(table, event.deal, seed, Shares(tuple(map(bytes.fromhex, event.nonces)), event.picks))
    deal, _ = dealt(before.session, key, dict(event.named) or None)
    return before.session.deal(deal, RoundSetup(event.opener, event.stake, event.named, event.carried is True))
