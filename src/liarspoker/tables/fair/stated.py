"""What an audit document states of one deal, read with distrust: anybody may have written it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.records.faults import Fault
from liarspoker.records.shapes import LIST, TABLE, TEXT, TEXTS, WHOLE, WHOLES, Key, Shape, Table, check
from liarspoker.tables.fair.deal import LONGEST_NONCE, MOST, Proof, Shares
from liarspoker.tables.fair.document import FULL

_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_HASH_BYTES = 32


def _list_of(name: str, test: Callable[[object], bool]) -> Shape:
    return Shape(f"a list of {name}", lambda value: isinstance(value, list) and all(map(test, value)))


_TEXTS_OR_NULLS = _list_of("texts and nulls", lambda one: one is None or isinstance(one, str))
_WHOLES_OR_NULLS = _list_of("whole numbers and nulls", lambda one: one is None or type(one) is int)
_WHOLES_OR_NULL = Shape("a list of whole numbers, or null", lambda value: value is None or WHOLES.fits(value))

_KEYS = {
    "deal": Key(WHOLE, required=True),
    "game": Key(TEXT, required=True),
    "seats": Key(WHOLE, required=True),
    "draw": Key(TABLE, required=True),
    "commitment": Key(TEXT, required=True),
    "chairs": Key(_WHOLES_OR_NULLS, required=True),
    "nonce_commitments": Key(_TEXTS_OR_NULLS, required=True),
    "nonces": Key(TEXTS, required=True),
    "withheld": Key(WHOLES, required=True),
    "picks": Key(_WHOLES_OR_NULLS, required=True),
    "root": Key(TEXT, required=True),
    "opener": Key(WHOLE),
    "record": Key(_WHOLES_OR_NULL, required=True),
}
_FULL_KEYS = {**_KEYS, "seed": Key(TEXT, required=True), "dealt": Key(TABLE, required=True)}
_LEAVES_KEYS = {**_KEYS, "proofs": Key(LIST, required=True)}
_PROOF_KEYS = {
    "path": Key(TEXT, required=True),
    "text": Key(TEXT, required=True),
    "salt": Key(TEXT, required=True),
    "hashes": Key(TEXTS, required=True),
}


@dataclass(frozen=True, slots=True)
class StatedDeal:
    """One deal as a document states it; `KeptDeal` tells what most of it means.

    Attributes:
        number: which deal of the table it is, from 0.
        game: the catalogue id.
        draw: what was drawn.
        lots: the seats among which lots were drawn for the opener; empty if none were.
        commitment: the server's promise.
        chairs: each seat's chair at the table.
        promises: each seat's promise.
        shares: each seat's nonce and pick.
        withheld: the seats that kept their nonces back.
        root: what was published with the deal.
        opener: the seat that the lots fell on.
        seed: the server's seed, where it is revealed.
        dealt: what was dealt, where it is revealed.
        proofs: of what the rules have shown, where seeds are kept.
        record: which record and which round in it were played with it.
    """

    number: int
    game: str
    draw: Table
    lots: tuple[int, ...]
    commitment: bytes
    chairs: tuple[int | None, ...]
    promises: tuple[bytes | None, ...]
    shares: Shares
    withheld: tuple[int, ...]
    root: bytes
    opener: int | None
    seed: bytes | None
    dealt: Table | None
    proofs: tuple[Proof, ...]
    record: tuple[int, int] | None

    @property
    def seats(self) -> int:
        """How many are dealt to."""
        return len(self.promises)


def read_deal(stated: object, number: int, audit: str) -> StatedDeal:
    """One deal of a document.

    Raises:
        Fault: naming what is not as it should be.
    """
    place = f"deal {number}"
    if not isinstance(stated, dict):
        raise Fault("bad-record", f"{place}: it should be a table of keys and values")
    check(stated, _FULL_KEYS if audit == FULL else _LEAVES_KEYS, place)
    if stated["deal"] != number:
        raise Fault("bad-record", f"{place}: deal should be {number}: every deal is told, and in order")
    seats = _seats(stated, place)
    return StatedDeal(
        number=number,
        game=stated["game"],
        draw=stated["draw"],
        lots=_lots(stated, seats, place),
        commitment=_bytes(stated["commitment"], f"{place}: commitment"),
        chairs=_chairs(stated, seats, place),
        promises=tuple(
            None if told is None else _bytes(told, f"{place}: nonce_commitments")
            for told in _one_each(stated, "nonce_commitments", seats, place)
        ),
        shares=_shares(stated, seats, place),
        withheld=tuple(stated["withheld"]),
        root=_bytes(stated["root"], f"{place}: root"),
        opener=stated.get("opener"),
        seed=_bytes(stated["seed"], f"{place}: seed") if audit == FULL else None,
        dealt=stated.get("dealt"),
        proofs=tuple(_proof(told, place) for told in stated.get("proofs", ())),
        record=_record(stated["record"], place),
    )


def _chairs(stated: Table, seats: int, place: str) -> tuple[int | None, ...]:
    chairs: tuple[int | None, ...] = tuple(_one_each(stated, "chairs", seats, place))
    taken = [chair for chair in chairs if chair is not None]
    if len(set(taken)) < len(taken) or any(not 0 <= chair <= MOST for chair in taken):
        raise Fault("bad-record", f"{place}: chairs should be numbers from 0, no two the same")
    return chairs


def _seats(stated: Table, place: str) -> int:
    """How many seats; as many as the game seats."""
    try:
        fewest, most = catalogue.row(stated["game"]).seats
    except UnknownGame as error:
        raise Fault("bad-record", f"{place}: {error}") from error
    seats = stated["seats"]
    if type(seats) is not int or not fewest <= seats <= most:
        raise Fault("bad-record", f"{place}: seats should be {fewest} to {most}")
    return seats


def _one_each(stated: Table, name: str, seats: int, place: str) -> list[Any]:
    values: list[Any] = stated[name]
    if len(values) != seats:
        raise Fault("bad-record", f"{place}: {name}: {len(values)} for {seats} seats")
    return values


def _shares(stated: Table, seats: int, place: str) -> Shares:
    _one_each(stated, "picks", seats, place)
    nonces = tuple(_bytes(told or "", f"{place}: nonces", None) for told in _one_each(stated, "nonces", seats, place))
    if any(len(nonce) > LONGEST_NONCE for nonce in nonces):
        raise Fault("bad-record", f"{place}: nonces: one has more than {LONGEST_NONCE} bytes")
    if any(pick is not None and not 0 <= pick <= MOST for pick in stated["picks"]):
        raise Fault("bad-record", f"{place}: picks: they should be 0 to {MOST}")
    return Shares(nonces, tuple(stated["picks"]))


def _lots(stated: Table, seats: int, place: str) -> tuple[int, ...]:
    lots = stated["draw"].get("lots", False)
    if lots is None:
        return ()
    if not WHOLES.fits(lots) or not lots or lots != sorted(set(lots)) or not 0 <= lots[0] <= lots[-1] < seats:
        raise Fault("bad-record", f"{place}: draw: lots should be seats, ascending, or null")
    return tuple(lots)


def _record(told: list[int] | None, place: str) -> tuple[int, int] | None:
    if told is None:
        return None
    if len(told) != 2:
        raise Fault("bad-record", f"{place}: record should be a record and a round, both from 0")
    return told[0], told[1]


def _proof(told: object, place: str) -> Proof:
    if not isinstance(told, dict):
        raise Fault("bad-record", f"{place}: proofs: each should be a table")
    check(told, _PROOF_KEYS, f"{place}: proofs")
    if not (told["path"] + told["text"]).isascii():
        raise Fault("bad-record", f"{place}: proofs: path and text should be of ASCII signs")
    return Proof(
        told["path"],
        told["text"],
        _bytes(told["salt"], f"{place}: proofs: salt"),
        tuple(_bytes(one, f"{place}: proofs: hashes") for one in told["hashes"]),
    )


def _bytes(told: str, place: str, size: int | None = _HASH_BYTES) -> bytes:
    """Bytes from their hexadecimal form, which is always in small letters."""
    if not _HEX.fullmatch(told) or size not in (None, len(told) // 2):
        wanted = "bytes" if size is None else f"{size} bytes"
        raise Fault("bad-record", f"{place} should be {wanted} in hexadecimal, in small letters")
    return bytes.fromhex(told)
