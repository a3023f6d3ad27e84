"""What a deal follows from: the seed and all nonces and picks give a key, and the key gives the opener and the deal."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from liarspoker.core.chance import Stream, fields
from liarspoker.core.session import ChanceSpec, Deal, Session
from liarspoker.records.family import Table
from liarspoker.tables.fair.commitment import LONGEST_NONCE, SEED_BYTES, BadPromise, check_number, check_table

KEY_TAG = "liarspoker-fair-1/deal"
OPENER = "opener"
DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Shares:
    """What the players have given to a deal, one value a seat.

    Attributes:
        nonces: 0 to 64 bytes; empty from who has none, or has kept back what was promised.
        picks: the bill, slip or cut that was chosen face down, from 0; `None` from who chose nothing.
    """

    nonces: tuple[bytes, ...]
    picks: tuple[int | None, ...]


def deal_key(seed: bytes, table: str, number: int, game: str, shares: Shares) -> bytes:
    """The key that everything in a deal follows from, 32 bytes.

    Args:
        seed: the server's 32 bytes.
        table: the table's id.
        number: which deal of the table it is, from 0.
        game: the catalogue id.
        shares: what each seat has given; so many seats are dealt to.

    Raises:
        BadPromise: a value that the protocol does not allow.
    """
    check_table(table)
    check_number(number, "deal")
    if len(seed) != SEED_BYTES:
        raise BadPromise(f"seed: {len(seed)} bytes; it has {SEED_BYTES}")
    if len(shares.nonces) != len(shares.picks):
        raise BadPromise(f"picks: {len(shares.picks)} for {len(shares.nonces)} seats")
    given: list[bytes | int | None] = []
    for seat, (nonce, pick) in enumerate(zip(shares.nonces, shares.picks, strict=True)):
        if len(nonce) > LONGEST_NONCE:
            raise BadPromise(f"nonce, seat {seat}: {len(nonce)} bytes; it has 0 to {LONGEST_NONCE}")
        if pick is not None:
            check_number(pick, f"pick, seat {seat}")
        given += [nonce, pick]
    return hmac.digest(seed, fields(KEY_TAG, table, number, game, len(shares.nonces), *given), "sha256")


def opener_by_lot(session: Session, key: bytes) -> int | None:
    """The seat that opens the next round if lots are drawn for it; `None` if the rules say who opens.

    It does not depend on how the deal itself is drawn, so that an opener may first name the rules of his round.
    """
    return one_of(session.alive, key) if session.chance_spec().opener else None


def one_of(seats: Sequence[int], key: bytes) -> int:
    """The seat, one of these, that the lots of `key` fall on."""
    return seats[Stream(key, OPENER).below(len(seats))]


def dealt(session: Session, key: bytes, named: Mapping[str, object] | None = None) -> tuple[Any, int | None]:
    """The next round's deal, and its opener if lots are drawn for it.

    Args:
        session: the session before the round.
        key: see `deal_key`.
        named: the options that the opener has named for the round, in a game where he has the choice.

    Returns:
        What `session.deal` takes: the deal, and the opener or `None`.

    Raises:
        NotNow: no round can begin now.
    """
    return drawn(needs_of(session, named), key), opener_by_lot(session, key)


def drawn(needs: ChanceSpec, key: bytes) -> Deal:
    """The deal of a round that draws `needs`."""
    return needs.draw(Stream(key, DEAL).below)


def needs_of(session: Session, named: Mapping[str, object] | None = None) -> ChanceSpec:
    """What the next round draws, under the options that its opener has named if he has the choice."""
    return session.chance_spec(named)


def draw_of(session: Session, named: Mapping[str, object] | None = None, lots: bool = True) -> Table:
    """What the next round draws, told so that a verifier need not know the rules; to be kept with the deal."""
    return told_draw(needs_of(session, named), session, lots)


def told_draw(needs: ChanceSpec, session: Session, lots: bool = True) -> Table:
    """What is drawn, with the seats among which lots are drawn for the opener."""
    return {**needs.parts(), "lots": list(session.alive) if lots and session.chance_spec().opener else None}
