"""What an audit document states of one deal, read with distrust: anybody may have written it."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct, field

from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.protocol.codec import Malformed, Reader
from liarspoker.records.shapes import WHOLES, Fault, Table, is_private
from liarspoker.tables.fair.deal import LONGEST_NONCE, MOST, Proof, Shares
from liarspoker.tables.fair.document import FULL

Number: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Ascii: TypeAlias = Annotated[str, Meta(pattern=r"\A[\0-\x7f]*\Z")]


class Nonce(bytes):
    """Bytes whose hexadecimal form is always in small letters."""

    lengths = range(LONGEST_NONCE + 1)


class Hash(Nonce):
    """32 bytes in this form."""

    lengths = range(32, 33)


class StatedProof(Struct, frozen=True, forbid_unknown_fields=True):
    """A `Proof` as a document states it."""

    path: Ascii
    text: Ascii
    salt: Hash
    hashes: tuple[Hash, ...]

    @property
    def proof(self) -> Proof:
        """The proof."""
        return Proof(self.path, self.text, self.salt, self.hashes)


class StatedDeal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One deal as a document states it; `KeptDeal` tells what most of it means.

    Attributes:
        number: which deal of the table it is, from 0.
        promises: each seat's promise of a nonce.
        opener: the seat that the lots fell on.
        seed: the server's seed, where it is revealed.
        dealt: what was dealt, where it is revealed.
        proofs: of what the rules have shown, where seeds are kept.
    """

    number: int = field(name="deal")
    game: str
    seats: int
    draw: Table
    commitment: Hash
    chairs: tuple[Number | None, ...]
    promises: tuple[Hash | None, ...] = field(name="nonce_commitments")
    nonces: tuple[Nonce, ...]
    withheld: tuple[int, ...]
    picks: tuple[Number | None, ...]
    root: Hash
    opener: int | None = None
    seed: Hash | None = None
    dealt: Table | None = None
    proofs: tuple[StatedProof, ...] = ()
    record: tuple[int, int] | None

    @property
    def shares(self) -> Shares:
        """Each seat's nonce and pick."""
        return Shares(self.nonces, self.picks)

    @property
    def lots(self) -> tuple[int, ...]:
        """The seats among which lots were drawn for the opener; empty if none were."""
        return tuple(self.draw["lots"] or ())


def _from_hex(kind: type[Nonce], told: object) -> Nonce:
    if not isinstance(told, str) or not re.fullmatch("[0-9a-f]*", told) or len(told) / 2 not in kind.lengths:
        lengths = f"{kind.lengths[0]} to {kind.lengths[-1]}" if len(kind.lengths) > 1 else kind.lengths[0]
        raise ValueError(f"expected {lengths} bytes in hexadecimal, in small letters")
    return kind.fromhex(told)


_DEALS: Reader[StatedDeal] = Reader(StatedDeal, _from_hex)


def read_deal(stated: object, number: int, audit: str) -> StatedDeal:
    """One deal of a document, which should have this number and open what `audit` says.

    Raises:
        Fault: naming what is not as it should be.
    """
    place = f"deal {number}"
    if not isinstance(stated, dict):
        raise Fault("bad-record", f"{place}: it should be a table of keys and values")
    told = _without_private(stated)
    if isinstance(told.get("proofs"), list):
        told["proofs"] = [_without_private(one) if isinstance(one, dict) else one for one in told["proofs"]]
    opened = {"seed", "dealt"} if audit == FULL else {"proofs"}
    if {"seed", "dealt", "proofs"} & told.keys() != opened:
        raise Fault("bad-record", f"{place}: with this audit it should tell {' and '.join(sorted(opened))}")
    if any(told.get(name, 0) is None for name in ("opener", *opened)):
        raise Fault("bad-record", f"{place}: null is told where there should be a value or nothing")
    try:
        deal = _DEALS.convert(told)
    except Malformed as error:
        raise Fault("bad-record", f"{place}: {error}") from None
    if deal.number != number:
        raise Fault("bad-record", f"{place}: deal should be {number}: every deal is told, and in order")
    _check_seats(deal, place)
    return deal


def _without_private(table: Table) -> Table:
    return {name: value for name, value in table.items() if not is_private(name)}


def _check_seats(deal: StatedDeal, place: str) -> None:
    """See that the game has so many seats, that of each is told what it gave, and that lots were drawn among them."""
    try:
        fewest, most = catalogue.row(deal.game).seats
    except UnknownGame as error:
        raise Fault("bad-record", f"{place}: {error}") from error
    if not fewest <= deal.seats <= most:
        raise Fault("bad-record", f"{place}: seats should be {fewest} to {most}")
    for name in ("chairs", "promises", "nonces", "picks"):
        given = len(getattr(deal, name))
        if given != deal.seats:
            raise Fault("bad-record", f"{place}: {name}: {given} for {deal.seats} seats")
    taken = [chair for chair in deal.chairs if chair is not None]
    if len(set(taken)) < len(taken):
        raise Fault("bad-record", f"{place}: chairs should be numbers from 0, no two the same")
    lots: Any = deal.draw.get("lots", False)
    seats = WHOLES.fits(lots) and lots and lots == sorted(set(lots)) and 0 <= lots[0] <= lots[-1] < deal.seats
    if lots is not None and not seats:
        raise Fault("bad-record", f"{place}: draw: lots should be seats, ascending, or null")
