"""Tampered audit documents: one value is changed, left out or duplicated."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from liarspoker.games.digits.hands import ROWS
from liarspoker.tables.fair.document import FULL
from tests.tables.fair.endings import Document

Deal = dict[str, Any]
Change = Callable[[Random, Deal], bool]
"""Changes a deal in one place; returns `False` if there is nothing to change."""


def flipped(chance: Random, text: str) -> str:
    """Return hexadecimal text with one bit flipped."""
    changed = bytearray.fromhex(text)
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return changed.hex()


def change_seed(chance: Random, deal: Deal) -> bool:
    deal["seed"] = flipped(chance, deal["seed"])
    return True


def change_commitment(chance: Random, deal: Deal) -> bool:
    deal["commitment"] = flipped(chance, deal["commitment"])
    return True


def change_root(chance: Random, deal: Deal) -> bool:
    deal["root"] = flipped(chance, deal["root"])
    return "seed" in deal or bool(deal["proofs"])


def change_nonce(chance: Random, deal: Deal) -> bool:
    seats = [seat for seat, nonce in enumerate(deal["nonces"]) if nonce]
    if seats:
        seat = chance.choice(seats)
        deal["nonces"][seat] = flipped(chance, deal["nonces"][seat])
    return bool(seats)


def change_promise(chance: Random, deal: Deal) -> bool:
    seats = [seat for seat, nonce in enumerate(deal["nonces"]) if nonce]
    if seats:
        seat = chance.choice(seats)
        deal["nonce_commitments"][seat] = flipped(chance, deal["nonce_commitments"][seat])
    return bool(seats)


def add_nonce(chance: Random, deal: Deal) -> bool:
    seats = [seat for seat, nonce in enumerate(deal["nonces"]) if not nonce]
    if seats:
        deal["nonces"][chance.choice(seats)] = chance.randbytes(chance.randint(1, 64)).hex()
    return bool(seats)


def change_withheld(chance: Random, deal: Deal) -> bool:
    seat = chance.randrange(deal["seats"])
    deal["withheld"] = sorted({seat} ^ set(deal["withheld"]))
    return True


def change_pick(chance: Random, deal: Deal) -> bool:
    seat = chance.randrange(deal["seats"])
    pick = deal["picks"][seat]
    deal["picks"][seat] = chance.choice([other for other in (None, 0, 1, 2**53 - 1) if other != pick])
    return bool(deal["dealt"])  # a deal that draws nothing doesn't depend on picks


def change_opener(chance: Random, deal: Deal) -> bool:
    if "opener" in deal:
        deal["opener"] = chance.choice([seat for seat in range(deal["seats"]) if seat != deal["opener"]])
    return "opener" in deal


def change_dealt(chance: Random, deal: Deal) -> bool:
    """Change one character of one number or card."""
    held, place = deal["dealt"], chance.choice(list(deal["dealt"]) or [None])
    if place is None:
        return False
    while not isinstance(held[place], str):
        held = held[place]
        filled = [number for number, one in enumerate(held) if one]
        if not filled:
            return False
        place = chance.choice(filled)
    held[place] = other_text(chance, held[place])
    return True


def other_text(chance: Random, text: str) -> str:
    """Return the text with one character changed."""
    at = chance.randrange(len(text))
    return text[:at] + chance.choice([sign for sign in "0123456789abcdefTJQKAs" if sign != text[at]]) + text[at + 1 :]


def change_proof(chance: Random, deal: Deal) -> bool:
    if not deal["proofs"]:
        return False
    proof = chance.choice(deal["proofs"])
    name = chance.choice(["path", "text", "salt", "hashes"])
    if name == "hashes":
        if not proof["hashes"]:
            return False
        at = chance.randrange(len(proof["hashes"]))
        proof["hashes"][at] = flipped(chance, proof["hashes"][at])
    else:
        proof[name] = flipped(chance, proof[name]) if name == "salt" else other_text(chance, proof[name])
    return True


ALWAYS: list[Change] = [change_root, change_nonce, change_promise, add_nonce, change_withheld]
WITH_SEEDS: list[Change] = [*ALWAYS, change_seed, change_commitment, change_pick, change_opener, change_dealt]
WITH_PROOFS: list[Change] = [*ALWAYS, change_proof]


def tampered(chance: Random, document: Document) -> tuple[Document, int | None]:
    """Return the document with one value of one deal changed, and the number of the deal, or `None`."""
    number = chance.randrange(len(document["deals"]))
    changed: Document = json.loads(json.dumps(document))
    change = chance.choice(WITH_SEEDS if document["audit"] == FULL else WITH_PROOFS)
    return (changed, number) if change(chance, changed["deals"][number]) else (document, None)


def tampered_wholes(chance: Random, document: Document) -> Iterator[tuple[str, Document]]:
    """Return variants of the document with one item changed, left out or duplicated."""
    for what in ("deal", "record", "round", "proof", "slip", "sign"):
        for twice in (False, True) if what in ("deal", "round", "slip") else (False,):
            other: Document = json.loads(json.dumps(document))
            places = list(_places(other, what, twice))
            if places:
                held, at = chance.choice(places)
                if what == "sign":
                    held[at] = other_text(chance, held[at])
                elif what == "slip":
                    held[at] = [[*rows, *rows[-ROWS:]] if twice else rows[:-ROWS] for rows in held[at]]
                elif twice:
                    held.insert(at, held[at])
                else:
                    del held[at]
                yield f"a {what} {'told twice' if twice else 'left out or changed'}", other
    if document["audit"] == FULL and len(document["deals"]) > 1:
        other = json.loads(json.dumps(document))
        one, two = chance.sample(other["deals"], 2)
        one["seed"], two["seed"] = two["seed"], one["seed"]
        yield "two seeds changed places", other


def _places(document: Document, what: str, twice: bool) -> Iterator[tuple[Any, Any]]:
    """Yield the containers and indexes of values that match."""
    records, deals = document["records"], document["deals"]
    match what:
        case "deal":  # aborted deals may be left out
            yield from ((deals, at) for at, deal in enumerate(deals) if twice or deal["record"] is not None)
        case "record":
            yield from ((records, at) for at in range(len(records)))
        case "round":
            yield from ((record["rounds"], at) for record in records for at in range(len(record["rounds"])))
        case "proof":  # only cards shown in the round itself need a proof
            yield from ((deal["proofs"], at) for deal in deals for at in range(len(deal.get("proofs", ()))))
        case "slip":
            yield from ((record, "slips") for record in records if "slips" in record)
        case "sign":
            yield from (place for record in records for place in _shown_in(record))


def _shown_in(record: Document) -> Iterator[tuple[list[str], int]]:
    """Yield the lists and indexes of numbers and cards in a record."""
    lists: list[list[str]] = [*record.get("slips", [])]
    for told in record["rounds"]:
        deal = told.get("deal", [])
        lists += deal if deal and isinstance(deal[0], list) else [deal]
        lists.append(told.get("deck", []))
    for held in lists:
        # Later positions in a deck are reshuffled discards, which are determined by the rules.
        yield from ((held, at) for at, text in enumerate(held[:52]) if "?" not in text)
