"""Writing the audit document of a finished table, with everything that is needed to verify its deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import to_builtins

from liarspoker.core import catalogue
from liarspoker.core.session import ChanceSpec
from liarspoker.protocol.settings import EventProof
from liarspoker.records.family import Table, record_format
from liarspoker.tables.fair.deal import (
    Proof,
    Shares,
    deal_key,
    drawn,
    proofs_of,
    random_seat,
    root_of,
    seed_commitment,
    texts_of,
)

VERSION = 1
FULL = "full"
LEAVES = "leaves"
EVENT = "x-event"
"""The key with what verifies the event of the table. Verifiers without events ignore it, and check the deals alone."""


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """One deal of a table, for its audit document.

    Attributes:
        game: catalogue id of the game.
        draw: description of what was drawn, from `draw_of` before the round.
        seed: the server's seed, 32 bytes.
        nonce_commitments: nonce commitments by seat; `None` for a seat without one.
        shares: opened nonces and picks by seat.
        withheld: seats that didn't open the nonce they had committed to, ascending.
        record: index of the record and of the round in it that were played with this deal, both from 0; `None` if the
            round was aborted.
        shown: paths of what the rules showed, which are proved if seeds stay secret.
        chairs: table seats by seat in the round, which are part of the nonce commitments; `None` for a player who has
            left. Empty if both numbers are equal for all players.
    """

    game: str
    draw: Table
    seed: bytes
    nonce_commitments: tuple[bytes | None, ...]
    shares: Shares
    withheld: tuple[int, ...] = ()
    record: tuple[int, int] | None = None
    shown: tuple[str, ...] = ()
    chairs: tuple[int | None, ...] = ()

    @property
    def seats(self) -> int:
        """Number of players in the deal."""
        return len(self.nonce_commitments)


def audit_document(
    table: str, audit: str, records: Sequence[Table], deals: Sequence[StoredDeal], event: EventProof | None = None
) -> Table:
    """Return the audit document of a table.

    Args:
        table: id of the table, or of the event that it belongs to.
        audit: `"full"` reveals the seeds, and so every hand; `"leaves"` proves only what the rules showed.
        records: the table's records in Liar's Poker Notation, in order. With `"leaves"` they must hide everything that
            wasn't shown.
        deals: every deal of the table from number 0, including those of aborted rounds.
        event: what verifies the event that the table belongs to, if any.

    Raises:
        BadDealInput: the protocol doesn't allow a seed, nonce, pick or id.
        KeyError: nothing was dealt at a path in `shown`.
    """
    described = [_deal_document(deal, number, table, audit) for number, deal in enumerate(deals)]
    document: Table = {"fair": VERSION, "table": table, "audit": audit, "records": list(records), "deals": described}
    return document if event is None else {**document, EVENT: to_builtins(event)}


def _deal_document(deal: StoredDeal, number: int, table: str, audit: str) -> Table:
    key = deal_key(deal.seed, table, number, deal.game, deal.shares)
    parts = parts_drawn(deal.game, deal.seats, deal.draw, key)
    document: Table = {"deal": number, "game": deal.game, "seats": deal.seats, "draw": deal.draw}
    document["commitment"] = seed_commitment(deal.seed, table, number).hex()
    if audit == FULL:
        document["seed"] = deal.seed.hex()
    document["chairs"] = list(deal.chairs or range(deal.seats))
    document["nonce_commitments"] = [None if one is None else one.hex() for one in deal.nonce_commitments]
    document["nonces"] = [nonce.hex() for nonce in deal.shares.nonces]
    document["withheld"] = list(deal.withheld)
    document["picks"] = list(deal.shares.picks)
    document["root"] = root_of(parts, key).hex()
    if deal.draw["lots"] is not None:
        document["opener"] = random_seat(deal.draw["lots"], key)
    if audit == FULL:
        document["dealt"] = parts
    else:
        document["proofs"] = [proof_document(proof) for proof in proofs_of(parts, key, deal.shown)]
    return {**document, "record": None if deal.record is None else list(deal.record)}


def proof_document(proof: Proof) -> Table:
    """Return a proof as JSON."""
    hashes = [one.hex() for one in proof.hashes]
    return {"path": proof.path, "text": proof.text, "salt": proof.salt.hex(), "hashes": hashes}


def parts_drawn(game: str, seats: int, draw: Table, key: bytes) -> Table:
    """Derive what `key` deals, under the keys of a record.

    Args:
        game: catalogue id of the game.
        seats: number of players in the deal.
        draw: description of what is drawn.
        key: key of the deal.

    Raises:
        Fault, LiarsPokerError: `draw` isn't valid for the game.
    """
    parts = {name: value for name, value in draw.items() if name != "lots"}
    spec: ChanceSpec = record_format(catalogue.load(game)).read_draw(parts, seats)
    return drawn(spec, key).parts()


def paths_drawn(game: str, seats: int, draw: Table) -> tuple[str, ...]:
    """Return every path of a deal in the order of its leaves. They don't depend on the key."""
    return tuple(texts_of(parts_drawn(game, seats, draw, b"")))
