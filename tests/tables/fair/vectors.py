"""Test vectors of fair deals: `python -m tests.tables.fair.vectors` writes docs/reference/fair-vectors.json.

All of them are deterministic, so that implementations in any language can be tested against them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import card_text
from liarspoker.core.chance import Stream, fields
from liarspoker.core.session import RoundSetup, Session
from liarspoker.games.thorin.deal import Stock
from liarspoker.protocol.settings import EventPlayer, EventProof
from liarspoker.records import document_of
from liarspoker.tables.fair.deal import (
    Shares,
    deal_key,
    dealt,
    draw_of,
    leaf_of,
    nonce_commitment,
    proofs_of,
    salt_of,
    seed_commitment,
    texts_of,
)
from liarspoker.tables.fair.document import FULL, LEAVES, StoredDeal, audit_document, parts_drawn, proof_document
from liarspoker.tables.fair.event import event_commitment, event_key, hand_seed, share_of

PATH = Path(__file__).resolve().parents[3] / "docs" / "reference" / "fair-vectors.json"
TABLE = "table-7f3a"

Vector = dict[str, Any]


def bytes_for(label: str) -> bytes:
    """Return 32 pseudo-random bytes."""
    return sha256(label.encode()).digest()


def vectors() -> Vector:
    """Return all vectors."""
    return {
        "protocol": "liarspoker-fair-1",
        "fields": list(field_vectors()),
        "commitments": list(commitment_vectors()),
        "streams": list(stream_vectors()),
        "deals": list(deal_vectors()),
        "discards": list(discard_vectors()),
        "proofs": list(proof_vectors()),
        "documents": list(document_vectors()),
    }


def field_vectors() -> Iterator[Vector]:
    """Return a value as JSON, with bytes written as `{"hex": ...}`."""
    listed: list[list[str | bytes | int | None]] = [
        [],
        [""],
        [None, b""],
        ["ab", "c"],
        ["a", "bc"],
        [0, 1, 255, 256, 2**53 - 1],
        ["Zoë", b"\x00\xff", None, 7],
    ]
    for values in listed:
        told = [{"hex": value.hex()} if isinstance(value, bytes) else value for value in values]
        yield {"values": told, "hex": fields(*values).hex()}


def commitment_vectors() -> Iterator[Vector]:
    """Yield commitments to seeds, and to nonces for seats."""
    for number in (0, 1, 2**32):
        seed = bytes_for(f"seed {number}")
        common = {"table": TABLE, "deal": number}
        yield {**common, "seed": seed.hex(), "commitment": seed_commitment(seed, TABLE, number).hex()}
        for seat, nonce in enumerate([b"\x00", bytes_for("nonce"), bytes(64)]):
            commitment = nonce_commitment(nonce, TABLE, number, seat).hex()
            yield {**common, "seat": seat, "nonce": nonce.hex(), "commitment": commitment}


def stream_vectors() -> Iterator[Vector]:
    """Yield numbers below `below` from one stream."""
    cases = {
        "digits, six values in sixteen thrown away": [10] * 40,
        "one byte, nothing thrown away": [256] * 70,
        "a deck": list(range(52, 1, -1)),
        "one number takes no byte": [1, 256, 1, 1, 256],
        "two bytes and more, highest first": [257, 65536, 65537, 2**24, 2**24 + 1, 2**32, 2**48],
        "powers of two and one more": [2, 3, 4, 5, 8, 9, 16, 17, 128, 129],
    }
    for what, bounds in cases.items():
        key, label = bytes_for(what), "deal"
        stream = Stream(key, label)
        numbers = [stream.below(n) for n in bounds]
        yield {"what": what, "key": key.hex(), "label": label, "below": bounds, "numbers": numbers}


def sessions() -> Iterator[tuple[str, Session]]:
    """Yield sessions of all seven games before a round, and what is special about each."""
    yield "bills for two", session_of("dollar-bill", 2)
    yield "short numbers of few digits, sixteen seats", session_of("dollar-bill", 16, hand_size=3, symbols=6)
    yield "bills with letters that choose the opener", session_of("salomon-1986", 5)
    yield (
        "letters drawn again until one pair is lowest: try 8",
        session_of("salomon-1986", 16, first_opener_tie="redraw"),
    )
    slips = session_of("slips", 3, from_slips=True)
    yield "a slip for each", slips
    yield "a slip goes on: nothing is drawn", played(slips, bytes_for("the slip's first hand"))
    yield "a deck without jokers", session_of("thorin", 4)
    yield "a deck with two jokers", session_of("thorin", 2, jokers=2)
    queen = session_of("queen-annes", 3)
    yield "five cards each", queen
    yield "four cards for who has lost", played(queen, bytes_for("the first round"))
    yield "cards on the forehead", session_of("queen-annes-indian", 4, jokers=1)
    yield "hole cards, and the rest of the deck", session_of("queen-annes-stud", 3)


def session_of(game_id: str, seats: int, from_slips: bool | None = None, **changes: object) -> Session:
    """Return a session of a game with some options changed."""
    game = catalogue.load(game_id)
    return (
        game.session(seats, game.options(changes), from_slips)
        if from_slips
        else game.session(seats, game.options(changes))
    )


def played(session: Session, key: bytes) -> Session:
    """Return the session after another round: the lowest claim, challenged by everyone."""
    deal, opener = dealt(session, key)
    session = session.deal(deal, RoundSetup(opener))
    while session.in_play:
        answers = {session.write(action): action for action in session.legal().answers}
        wanted = next((answers[text] for text in ("challenge", "count") if text in answers), None)
        session = session.apply(session.legal().claims[0] if wanted is None else wanted)
    return session


def kept(what: str, session: Session, number: int) -> StoredDeal:
    """Return a deal with every feature: seats without a nonce, a withheld nonce, and picks."""
    nonces: list[bytes] = []
    commitments: list[bytes | None] = []
    for seat in range(session.seats):
        nonce = bytes_for(f"{what}, nonce {seat}")[: 32 - 8 * (seat % 3)]
        nonces.append(b"" if seat % 4 in (1, 3) else nonce)
        commitments.append(None if seat % 4 == 1 else nonce_commitment(nonce, TABLE, number, 2 * seat))
    withheld = tuple(seat for seat in range(session.seats) if seat % 4 == 3)
    picks = tuple([3, None, 0, 2**53 - 1][seat % 4] for seat in range(session.seats))
    shares = Shares(tuple(nonces), picks)
    game = session.view(None).game
    chairs = tuple(2 * seat for seat in range(session.seats))
    seed = bytes_for(f"{what}, seed")
    return StoredDeal(game, draw_of(session), seed, tuple(commitments), shares, withheld, chairs=chairs)


def key_of(deal: StoredDeal, number: int) -> bytes:
    """Return the key of a deal."""
    return deal_key(deal.seed, TABLE, number, deal.game, deal.shares)


def deal_vectors() -> Iterator[Vector]:
    """Yield deals as in a full audit document, with their keys, and the leaves of short ones."""
    listed = [(what, kept(what, session, number)) for number, (what, session) in enumerate(sessions())]
    told = audit_document(TABLE, FULL, [], [deal for _, deal in listed])["deals"]
    for number, ((what, deal), one) in enumerate(zip(listed, told, strict=True)):
        key = key_of(deal, number)
        vector = {"what": what, **one, "key": key.hex()}
        texts = texts_of(one["dealt"])
        if len(texts) < 20:
            salts = {path: salt_of(path, key) for path in texts}
            vector["salts"] = {path: salt.hex() for path, salt in salts.items()}
            vector["leaves"] = {path: leaf_of(path, text, salts[path]).hex() for path, text in texts.items()}
        yield vector


def discard_vectors() -> Iterator[Vector]:
    """Yield discards in Thorin's game and the order in which they are shuffled into the stock."""
    for count, drawn in ((42, 52), (45, 54), (40, 97)):
        shuffle, thrown = bytes_for(f"discards {count}"), tuple(range(count))
        stock = Stock((*range(count), *[0] * (drawn - count)), 0, drawn, drawn, thrown, shuffle)
        later = stock.draw(1)[1]
        assert later.deck is not None
        cards = [list(map(card_text, cards)) for cards in (thrown, later.deck[drawn:])]
        yield {"shuffle": shuffle.hex(), "drawn": drawn, "discards": cards[0], "order": cards[1]}


def proof_vectors() -> Iterator[Vector]:
    """Yield valid and invalid proofs."""
    for number, (what, session) in enumerate(sessions()):
        deal = kept(what, session, number)
        key = key_of(deal, number)
        parts = parts_drawn(deal.game, deal.seats, deal.draw, key)
        paths = list(texts_of(parts))
        told = audit_document(TABLE, LEAVES, [], [replace(deal, shown=()) for _ in range(number + 1)])["deals"][number]
        about = {"what": what, "game": deal.game, "seats": deal.seats, "draw": deal.draw, "root": told["root"]}
        for proof in proofs_of(parts, key, [*paths[:1], *paths[-1:]]):
            yield {**about, "proof": proof_document(proof), "holds": True}
        for proof in proofs_of(parts, key, paths[1:2]):
            right = proof_document(proof)
            other = paths[0]
            for wrong in (
                {"text": right["text"][::-1] + "0"},
                {"path": other},
                {"path": "deal/99"},
                {"salt": bytes_for("salt").hex()},
                {"hashes": right["hashes"][1:]},
                {"hashes": [*right["hashes"], right["salt"]]},
            ):
                yield {**about, "proof": {**right, **wrong}, "holds": False}


def document_vectors() -> Iterator[Vector]:
    """Yield audit documents and the numbers of their faulty deals."""
    for game_id in [row.id for row in catalogue.games()]:
        sound = evening(game_id, FULL)
        yield {"what": f"{game_id}, seeds revealed", "document": sound, "faulty": []}
        if game_id in ("dollar-bill", "queen-annes"):
            proved = evening(game_id, LEAVES)
            yield {"what": f"{game_id}, seeds kept", "document": proved, "faulty": []}
        if game_id == "dollar-bill":
            other = bytes_for("another").hex()
            yield {"what": "another seed", "document": changed(sound, 1, seed=other), "faulty": [1]}
            yield {"what": "another pick", "document": changed(sound, 0, picks=[2, None, 0]), "faulty": [0]}
            yield {"what": "nobody kept back", "document": changed(sound, 0, withheld=[1]), "faulty": [0]}
            yield {"what": "another promise", "document": changed(sound, 2, commitment=other), "faulty": [2]}
            yield {"what": "another root", "document": changed(sound, 2, root=other), "faulty": [2]}
            yield {"what": "another root, seeds kept", "document": changed(proved, 2, root=other), "faulty": [2]}
            yield {"what": "another opener", "document": changed(sound, 0, opener=1), "faulty": [0]}
            yield {
                "what": "another deal",
                "document": changed(sound, 1, dealt=sound["deals"][0]["dealt"]),
                "faulty": [1],
            }

    yield from event_vectors()


def event_vectors() -> Iterator[Vector]:
    """Yield audit documents of a table of an event, with what verifies the event."""
    event, seed = TABLE, bytes_for("the seed of an event")
    players = [("ann", share_of(event, "shuffle well")), ("bob", b""), ("cyd", share_of(event, "Zoë"))]
    for game_id in ("salomon-1986", "queen-annes"):
        key = event_key(seed, event, game_id, 3, 2, players)
        proof = EventProof(
            commitment=event_commitment(seed, event).hex(),
            seed=seed.hex(),
            game=game_id,
            seats=3,
            hands=2,
            players=tuple(EventPlayer(user, share.hex()) for user, share in players),
        )
        session, deals = session_of(game_id, 3), list[StoredDeal]()
        nothing = Shares((b"",) * 3, (None,) * 3)
        for number in range(2):
            deals.append(
                StoredDeal(game_id, draw_of(session), hand_seed(key, number), (None,) * 3, nothing, record=(0, number))
            )
            session = played(session, key_of(deals[-1], number))
        records = [document_of(catalogue.load(game_id), session, ["Ann", "Bob", "Cyd"])]
        sound = audit_document(event, FULL, records, deals, proof)
        yield {"what": f"an event of {game_id}", "document": sound, "faulty": []}
        other = {**sound["x-event"], "players": sound["x-event"]["players"][::-1]}
        yield {"what": "other shares", "document": {**sound, "x-event": other}, "faulty": [0, 1]}
        fewer = {**sound["x-event"], "hands": 1}
        yield {"what": "fewer hands", "document": {**sound, "x-event": fewer}, "faulty": [0, 1]}
        unproved = audit_document(event, LEAVES, [], deals, proof)
        yield {"what": "an event without seeds", "document": unproved, "faulty": [0, 1]}


def changed(document: Vector, number: int, **values: object) -> Vector:
    """Return the document with one deal changed."""
    deals = [{**told, **values} if told["deal"] == number else told for told in document["deals"]]
    return {**document, "deals": deals}


def evening(game_id: str, audit: str) -> Vector:
    """Return a table with two rounds for three players and an aborted round in between."""
    session = session_of(game_id, 3, game_id == "slips")
    deals = []
    for number, record in enumerate([(0, 0), None, (0, 1)]):
        deal = kept(f"{game_id} {number}", session, number)
        key = key_of(deal, number)
        paths = tuple(texts_of(parts_drawn(game_id, 3, deal.draw, key)))
        deals.append(replace(deal, record=record, shown=paths if record else ()))
        session = played(session, key) if record else session
    players = ["Ann", "Bob", "Cyd"]
    return audit_document(TABLE, audit, [document_of(catalogue.load(game_id), session, players)], deals)


def written() -> str:
    """Return the contents of the file, with one vector per line."""
    parts = []
    for name, held in vectors().items():
        lines = held if isinstance(held, list) else None
        body = json.dumps(held) if lines is None else "[\n" + ",\n".join(map(json.dumps, lines)) + "\n]"
        parts.append(f"{json.dumps(name)}: {body}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
