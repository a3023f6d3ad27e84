"""Parsing the deals of an audit document, which is untrusted input."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct, field

from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.language import _
from liarspoker.protocol.codec import Malformed, Reader
from liarspoker.records.schema import INTEGERS, Fault, Table, is_private
from liarspoker.tables.fair.deal import LONGEST_NONCE, MOST, Proof, Shares
from liarspoker.tables.fair.document import FULL

Number: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Ascii: TypeAlias = Annotated[str, Meta(pattern=r"\A[\0-\x7f]*\Z")]


class Nonce(bytes):
    """Bytes that are written as lower-case hexadecimal digits."""

    lengths = range(LONGEST_NONCE + 1)


class Hash(Nonce):
    """32 bytes that are written as lower-case hexadecimal digits."""

    lengths = range(32, 33)


class ParsedProof(Struct, frozen=True, forbid_unknown_fields=True):
    """A `Proof` from an audit document."""

    path: Ascii
    text: Ascii
    salt: Hash
    hashes: tuple[Hash, ...]

    @property
    def proof(self) -> Proof:
        """The proof."""
        return Proof(self.path, self.text, self.salt, self.hashes)


class ParsedDeal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One deal from an audit document; see `StoredDeal` for the other attributes.

    Attributes:
        number: number of the deal, from 0.
        opener: the seat drawn at random to open, if any.
        seed: the server's seed, if it is revealed.
        dealt: what was dealt, if it is revealed.
        proofs: proofs of what the rules showed, if the seed stays secret.
    """

    number: int = field(name="deal")
    game: str
    seats: int
    draw: Table
    commitment: Hash
    chairs: tuple[Number | None, ...]
    nonce_commitments: tuple[Hash | None, ...]
    nonces: tuple[Nonce, ...]
    withheld: tuple[int, ...]
    picks: tuple[Number | None, ...]
    root: Hash
    opener: int | None = None
    seed: Hash | None = None
    dealt: Table | None = None
    proofs: tuple[ParsedProof, ...] = ()
    record: tuple[int, int] | None

    @property
    def shares(self) -> Shares:
        """Nonces and picks by seat."""
        return Shares(self.nonces, self.picks)

    @property
    def opener_candidates(self) -> tuple[int, ...]:
        """The seats among which the opener was drawn at random; empty if it wasn't."""
        return tuple(self.draw["lots"] or ())


def _from_hex(kind: type[Nonce], value: object) -> Nonce:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]*", value) or len(value) / 2 not in kind.lengths:
        lengths = f"{kind.lengths[0]} to {kind.lengths[-1]}" if len(kind.lengths) > 1 else kind.lengths[0]
        raise ValueError(f"expected {lengths} bytes in lower-case hexadecimal")
    return kind.fromhex(value)


_DEALS: Reader[ParsedDeal] = Reader(ParsedDeal, _from_hex)


def read_deal(value: object, number: int, audit: str) -> ParsedDeal:
    """Parse one deal of an audit document.

    Args:
        value: the deal as decoded JSON.
        number: the number that the deal must have.
        audit: kind of audit, which determines the required keys.

    Raises:
        Fault: the deal isn't valid; the message gives the reason.
    """
    where = f"deal {number}"
    if not isinstance(value, dict):
        raise Fault("bad-record", _("{where}: must be an object", where=where))
    given = _without_private(value)
    if isinstance(given.get("proofs"), list):
        given["proofs"] = [_without_private(one) if isinstance(one, dict) else one for one in given["proofs"]]
    required = {"seed", "dealt"} if audit == FULL else {"proofs"}
    if {"seed", "dealt", "proofs"} & given.keys() != required:
        keys = " and ".join(sorted(required))
        raise Fault(
            "bad-record",
            _(
                "{where}: with this kind of audit, it must have {keys} and no other of these keys",
                where=where,
                keys=keys,
            ),
        )
    if any(given.get(name, 0) is None for name in ("opener", *required)):
        raise Fault(
            "bad-record",
            _("{where}: {names} can't be null", where=where, names=", ".join(("opener", *sorted(required)))),
        )
    try:
        deal = _DEALS.convert(given)
    except Malformed as error:
        raise Fault("bad-record", f"{where}: {error}") from None
    if deal.number != number:
        raise Fault(
            "bad-record",
            _("{where}: its number must be {number}; deals must be complete and in order", where=where, number=number),
        )
    _check_seats(deal, where)
    return deal


def _without_private(table: Table) -> Table:
    return {name: value for name, value in table.items() if not is_private(name)}


def _check_seats(deal: ParsedDeal, where: str) -> None:
    """Check the number of seats, and that everything given by seat matches it."""
    try:
        fewest, most = catalogue.preset(deal.game).seats
    except UnknownGame as error:
        raise Fault("bad-record", f"{where}: {error}") from error
    if not fewest <= deal.seats <= most:
        raise Fault(
            "bad-record", _("{where}: seats must be between {fewest} and {most}", where=where, fewest=fewest, most=most)
        )
    for name in ("chairs", "nonce_commitments", "nonces", "picks"):
        given = len(getattr(deal, name))
        if given != deal.seats:
            raise Fault(
                "bad-record",
                _(
                    "{where}: {name}: {given} values for {seats} seats",
                    where=where,
                    name=name,
                    given=given,
                    seats=deal.seats,
                ),
            )
    taken = [chair for chair in deal.chairs if chair is not None]
    if len(set(taken)) < len(taken):
        raise Fault("bad-record", _("{where}: `chairs` must be different numbers from 0", where=where))
    lots: Any = deal.draw.get("lots", False)
    are_seats = INTEGERS.fits(lots) and lots and lots == sorted(set(lots)) and 0 <= lots[0] <= lots[-1] < deal.seats
    if lots is not None and not are_seats:
        raise Fault("bad-record", _("{where}: draw: lots must be ascending seat numbers or null", where=where))
