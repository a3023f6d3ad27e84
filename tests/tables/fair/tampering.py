"""Audit documents in which one value has been changed, left out or told twice: a bit, a card, a round, a slip."""

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
"""Changes a deal in one place; false if it has nothing there to be changed."""


def flipped(chance: Random, text: str) -> str:
    """A text of hexadecimal digits with one bit flipped."""
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
    return bool(deal["dealt"])  # what draws nothing follows from no pick


def change_opener(chance: Random, deal: Deal) -> bool:
    if "opener" in deal:
        deal["opener"] = chance.choice([seat for seat in range(deal["seats"]) if seat != deal["opener"]])
    return "opener" in deal


def change_dealt(chance: Random, deal: Deal) -> bool:
    """One sign of one number or card, somewhere."""
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
    """The text with one sign changed."""
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
    """The document with one value of one deal changed, and the number of that deal; `None` if nothing was found."""
    number = chance.randrange(len(document["deals"]))
    changed: Document = json.loads(json.dumps(document))
    change = chance.choice(WITH_SEEDS if document["audit"] == FULL else WITH_PROOFS)
    return (changed, number) if change(chance, changed["deals"][number]) else (document, None)


def tampered_wholes(chance: Random, document: Document) -> Iterator[tuple[str, Document]]:
    """The document with one thing changed, left out or told twice, in all the ways for which it has anything."""
    for name, change in _WHOLES.items():
        other: Document = json.loads(json.dumps(document))
        if change(chance, other):
            yield name, other


def _swap_seeds(chance: Random, document: Document) -> bool:
    if document["audit"] != FULL or len(document["deals"]) < 2:
        return False
    one, other = chance.sample(document["deals"], 2)
    one["seed"], other["seed"] = other["seed"], one["seed"]
    return True


def _change_seed(chance: Random, document: Document) -> bool:
    return (
        document["audit"] == FULL and bool(document["deals"]) and change_seed(chance, chance.choice(document["deals"]))
    )


def _change_proof(chance: Random, document: Document) -> bool:
    proved = [deal for deal in document["deals"] if deal.get("proofs")]
    return bool(proved) and change_proof(chance, chance.choice(proved))


def _drop_proof(chance: Random, document: Document) -> bool:
    """A proof of what its own round shows; cards that other rounds show need not be proved for it."""
    proved = [deal for deal in document["deals"] if deal.get("proofs")]
    if proved:
        proofs = chance.choice(proved)["proofs"]
        del proofs[chance.randrange(len(proofs))]
    return bool(proved)


def _change_record(chance: Random, document: Document) -> bool:
    """One sign of a number or a card that was dealt, in a record."""
    shown = [place for record in document["records"] for place in _shown_in(record)]
    if shown:
        held, at = chance.choice(shown)
        held[at] = other_text(chance, held[at])
    return bool(shown)


def _shown_in(record: Document) -> Iterator[tuple[list[str], int]]:
    """Where a record shows something: the lists, and the place in each."""
    lists: list[list[str]] = [*record.get("slips", [])]
    for told in record["rounds"]:
        deal = told.get("deal", [])
        lists += deal if deal and isinstance(deal[0], list) else [deal]
        lists.append(told.get("deck", []))
    for held in lists:
        # Further on in a deck lie discards that were shuffled in; what they are only the rules say.
        yield from ((held, at) for at, text in enumerate(held[:52]) if "?" not in text)


def _some_record(chance: Random, document: Document) -> Document | None:
    return chance.choice(document["records"]) if document["records"] else None


def _drop_round(chance: Random, document: Document) -> bool:
    record = _some_record(chance, document)
    if record is not None:
        del record["rounds"][chance.randrange(len(record["rounds"]))]
    return record is not None


def _repeat_round(chance: Random, document: Document) -> bool:
    record = _some_record(chance, document)
    if record is not None:
        at = chance.randrange(len(record["rounds"]))
        record["rounds"].insert(at, record["rounds"][at])
    return record is not None


def _drop_slip(chance: Random, document: Document) -> bool:
    record = _some_record(chance, document)
    if record is None or "slips" not in record:
        return False
    record["slips"] = [rows[:-ROWS] for rows in record["slips"]]
    return True


def _repeat_slip(chance: Random, document: Document) -> bool:
    record = _some_record(chance, document)
    if record is None or "slips" not in record:
        return False
    record["slips"] = [[*rows, *rows[-ROWS:]] for rows in record["slips"]]
    return True


def _drop_deal(chance: Random, document: Document) -> bool:
    played = [at for at, deal in enumerate(document["deals"]) if deal["record"] is not None]
    if played:
        del document["deals"][chance.choice(played)]
    return bool(played)


def _repeat_deal(chance: Random, document: Document) -> bool:
    deals = document["deals"]
    if deals:
        at = chance.randrange(len(deals))
        deals.insert(at, deals[at])
    return bool(deals)


def _drop_record(chance: Random, document: Document) -> bool:
    if document["records"]:
        del document["records"][chance.randrange(len(document["records"]))]
        return True
    return False


_WHOLES: dict[str, Change] = {
    "another digit in a seed": _change_seed,
    "two seeds changed places": _swap_seeds,
    "another sign in a proof": _change_proof,
    "a proof left out": _drop_proof,
    "another sign in a record": _change_record,
    "a round left out": _drop_round,
    "a round told twice": _repeat_round,
    "a slip left out": _drop_slip,
    "a slip told twice": _repeat_slip,
    "a deal left out": _drop_deal,
    "a deal told twice": _repeat_deal,
    "a record left out": _drop_record,
}
