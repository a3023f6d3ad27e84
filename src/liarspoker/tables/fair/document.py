"""The audit document of a finished table: everything that lets somebody else check its deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from liarspoker.core import catalogue
from liarspoker.core.session import ChanceSpec
from liarspoker.records.family import Table, record_format
from liarspoker.tables.fair.deal import (
    Proof,
    Shares,
    deal_key,
    drawn,
    one_of,
    proofs_of,
    root_of,
    seed_commitment,
    texts_of,
)

VERSION = 1
FULL = "full"
LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class KeptDeal:
    """One deal of a table, as the table has kept it.

    Attributes:
        game: the catalogue id.
        draw: what was drawn, as `draw_of` told it before the round.
        seed: the server's 32 bytes.
        promises: each seat's commitment to a nonce; `None` from who made none.
        shares: each seat's nonce, as it was opened, and pick.
        withheld: the seats that never opened the nonce that they had promised, ascending.
        record: which record and which round in it, both from 0, were played with it; `None` if the round came to
            nothing.
        shown: paths of what the rules have shown, to be proved where seeds are kept.
        chairs: each seat's chair at the table, with whose number its nonce was promised; `None` for a seat that has
            left. Empty where chairs and seats are the same.
    """

    game: str
    draw: Table
    seed: bytes
    promises: tuple[bytes | None, ...]
    shares: Shares
    withheld: tuple[int, ...] = ()
    record: tuple[int, int] | None = None
    shown: tuple[str, ...] = ()
    chairs: tuple[int | None, ...] = ()

    @property
    def seats(self) -> int:
        """How many are dealt to."""
        return len(self.promises)


def audit_document(table: str, audit: str, records: Sequence[Table], deals: Sequence[KeptDeal]) -> Table:
    """The audit document of a table.

    Args:
        table: the table's id.
        audit: `"full"` reveals the seeds, and so every hand; `"leaves"` proves what the rules have shown and no more.
        records: the table's records in Liar's Poker Notation, in order. For `"leaves"` they must hide what is not
            shown.
        deals: every deal of the table from number 0, those that came to nothing included.

    Raises:
        BadPromise: a seed, nonce, pick or id that the protocol does not allow.
        KeyError: a path of `shown` where nothing was dealt.
    """
    told = [_told(deal, number, table, audit) for number, deal in enumerate(deals)]
    return {"fair": VERSION, "table": table, "audit": audit, "records": list(records), "deals": told}


def _told(deal: KeptDeal, number: int, table: str, audit: str) -> Table:
    key = deal_key(deal.seed, table, number, deal.game, deal.shares)
    parts = parts_drawn(deal.game, deal.seats, deal.draw, key)
    told: Table = {"deal": number, "game": deal.game, "seats": deal.seats, "draw": deal.draw}
    told["commitment"] = seed_commitment(deal.seed, table, number).hex()
    if audit == FULL:
        told["seed"] = deal.seed.hex()
    told["chairs"] = list(deal.chairs or range(deal.seats))
    told["nonce_commitments"] = [None if promise is None else promise.hex() for promise in deal.promises]
    told["nonces"] = [nonce.hex() for nonce in deal.shares.nonces]
    told["withheld"] = list(deal.withheld)
    told["picks"] = list(deal.shares.picks)
    told["root"] = root_of(parts, key).hex()
    if deal.draw["lots"] is not None:
        told["opener"] = one_of(deal.draw["lots"], key)
    if audit == FULL:
        told["dealt"] = parts
    else:
        told["proofs"] = [told_proof(proof) for proof in proofs_of(parts, key, deal.shown)]
    return {**told, "record": None if deal.record is None else list(deal.record)}


def told_proof(proof: Proof) -> Table:
    """A proof as JSON has it."""
    hashes = [one.hex() for one in proof.hashes]
    return {"path": proof.path, "text": proof.text, "salt": proof.salt.hex(), "hashes": hashes}


def parts_drawn(game: str, seats: int, draw: Table, key: bytes) -> Table:
    """What is dealt by `key` where `draw` is drawn, under the keys of a record.

    Raises:
        Fault, LiarsPokerError: `draw` is nothing that this game draws.
    """
    parts = {name: value for name, value in draw.items() if name != "lots"}
    needs: ChanceSpec = record_format(catalogue.load(game)).read_draw(parts, seats)
    return drawn(needs, key).parts()


def paths_drawn(game: str, seats: int, draw: Table) -> tuple[str, ...]:
    """Every path of a deal in the order of its leaves: they are the same whatever the key, so any key will do."""
    return tuple(texts_of(parts_drawn(game, seats, draw, b"")))
