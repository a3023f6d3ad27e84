"""A fair deal, byte by byte: promises, the key that follows from all shares, the deal, and one root for all of it.

A commitment tells nothing of what it promises, and nothing else fits it. So the server, which must choose its seed
first, cannot fit it to the nonces, and nobody can fit a nonce to the others'. The seed and all nonces and picks give a
key, and the key gives the opener and the deal.

Every number or card of a deal has a path, such as `deal/0` or `slips/2/14`, and the draw alone says which paths there
are and in what order. Each is hashed with a salt of its own into a leaf; leaves are hashed in pairs, and those again,
up to one root. A proof shows one leaf and the hashes beside its way up. The place of a leaf in the tree follows from
its path, so that no root holds two cards for one place.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import Any

from liarspoker.core.chance import Stream, fields
from liarspoker.core.session import ChanceSpec, Deal, Session
from liarspoker.records.family import Table

SEED_TAG = "liarspoker-fair-1/seed"
NONCE_TAG = "liarspoker-fair-1/nonce"

SEED_BYTES = 32
LONGEST_NONCE = 64
MOST = (1 << 53) - 1
"""The highest number of a deal, and the highest pick: the highest whole number that every reader of JSON keeps."""

_TABLE = re.compile(r"[!-~]{1,100}")


class BadPromise(ValueError):
    """What nobody can commit to: a table's id, a seed, a nonce, a number or a pick that the protocol does not allow."""


def seed_commitment(seed: bytes, table: str, number: int) -> bytes:
    """The server's promise before deal `number` of a table, 32 bytes.

    Args:
        seed: 32 bytes, fresh for every deal.
        table: the table's id, 1 to 100 signs of ASCII that are no blanks.
        number: which deal of the table it is, from 0; deals that came to nothing count.

    Raises:
        BadPromise: a value that is not so.
    """
    check_table(table)
    check_number(number, "deal")
    if len(seed) != SEED_BYTES:
        raise BadPromise(f"seed: {len(seed)} bytes; it has {SEED_BYTES}")
    return sha256(fields(SEED_TAG, table, number, seed)).digest()


def nonce_commitment(nonce: bytes, table: str, number: int, chair: int) -> bytes:
    """A player's promise before deal `number` of a table, 32 bytes.

    Args:
        nonce: 1 to 64 bytes; 16 or more, so that nobody finds it by trying. Who has none makes no promise.
        table: the table's id.
        number: which deal of the table it is, from 0.
        chair: where he sits at the table, from 0, which he knows before the deal; so nobody can promise what another
            has promised.

    Raises:
        BadPromise: a value that is not so.
    """
    check_table(table)
    check_number(number, "deal")
    check_number(chair, "chair")
    if not 1 <= len(nonce) <= LONGEST_NONCE:
        raise BadPromise(f"nonce, chair {chair}: {len(nonce)} bytes; it has 1 to {LONGEST_NONCE}")
    return sha256(fields(NONCE_TAG, table, number, chair, nonce)).digest()


def opens_seed(commitment: bytes, seed: bytes, table: str, number: int) -> bool:
    """Whether `seed` is what was promised; see `seed_commitment`."""
    return compare_digest(commitment, seed_commitment(seed, table, number))


def opens_nonce(commitment: bytes, nonce: bytes, table: str, number: int, chair: int) -> bool:
    """Whether `nonce` is what was promised; see `nonce_commitment`."""
    return compare_digest(commitment, nonce_commitment(nonce, table, number, chair))


def check_table(table: str) -> None:
    """Refuse a table's id that could be written in more than one way.

    Raises:
        BadPromise: it is not 1 to 100 signs of ASCII without blanks.
    """
    if not _TABLE.fullmatch(table):
        raise BadPromise("table: its id should be 1 to 100 signs of ASCII, no blanks")


def check_number(number: int, place: str) -> None:
    """Refuse a number that some readers of JSON would change.

    Raises:
        BadPromise: it is below 0 or above `MOST`; the message begins with `place`.
    """
    if not 0 <= number <= MOST:
        raise BadPromise(f"{place}: it should be 0 to {MOST}")


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
    return drawn(session.chance_spec(named), key), opener_by_lot(session, key)


def drawn(needs: ChanceSpec, key: bytes) -> Deal:
    """The deal of a round that draws `needs`."""
    return needs.draw(Stream(key, DEAL).below)


def draw_of(session: Session, named: Mapping[str, object] | None = None, lots: bool = True) -> Table:
    """What the next round draws, told so that a verifier need not know the rules; to be kept with the deal."""
    return told_draw(session.chance_spec(named), session, lots)


def told_draw(needs: ChanceSpec, session: Session, lots: bool = True) -> Table:
    """What is drawn, with the seats among which lots are drawn for the opener."""
    return {**needs.parts(), "lots": list(session.alive) if lots and session.chance_spec().opener else None}


SALT_TAG = "liarspoker-fair-1/salt"

KEYS = ("deal", "slips", "letters", "extras", "deck", "shuffle")
"""The keys of what was dealt, in the order of their leaves."""

_LEAF, _NODE = b"\x00", b"\x01"


@dataclass(frozen=True, slots=True)
class Proof:
    """That one text was dealt in one place.

    Attributes:
        path: the place, such as `deal/0`.
        text: what was dealt there.
        salt: what its leaf was salted with, 32 bytes.
        hashes: the hashes beside the way up, lowest first; none where a node has no neighbour.
    """

    path: str
    text: str
    salt: bytes
    hashes: tuple[bytes, ...]


def texts_of(parts: Table) -> dict[str, str]:
    """Every text of what was dealt by its path, in the order of the leaves.

    >>> texts_of({"deal": [["7h"], [], ["2c", "Jk"]]})
    {'deal/0/0': '7h', 'deal/2/0': '2c', 'deal/2/1': 'Jk'}
    """
    return dict(leaf for key in KEYS if key in parts for leaf in _walk(key, parts[key]))


def _walk(path: str, held: Any) -> Iterator[tuple[str, str]]:
    if isinstance(held, str):
        yield path, held
        return
    for place, one in enumerate(held):
        yield from _walk(f"{path}/{place}", one)


def root_of(parts: Table, key: bytes) -> bytes:
    """The root that is published with a deal, 32 bytes."""
    return _levels(_leaves(texts_of(parts), key))[-1][0]


def proofs_of(parts: Table, key: bytes, paths: Sequence[str]) -> list[Proof]:
    """Proofs for some places of a deal.

    Raises:
        KeyError: a path where nothing was dealt.
    """
    texts = texts_of(parts)
    order = {path: place for place, path in enumerate(texts)}
    levels = _levels(_leaves(texts, key))
    return [Proof(path, texts[path], salt_of(path, key), _beside(levels, order[path])) for path in paths]


def proves(proof: Proof, paths: Sequence[str], root: bytes) -> bool:
    """Whether a proof holds.

    Args:
        proof: what somebody shows.
        paths: every path of the deal, in the order of the leaves.
        root: what was published with the deal.
    """
    if proof.path not in paths:
        return False
    place, size, node = paths.index(proof.path), len(paths), leaf_of(proof.path, proof.text, proof.salt)
    beside = list(proof.hashes)
    while size > 1:
        if place ^ 1 < size:
            if not beside:
                return False
            other = beside.pop(0)
            node = _above(other, node) if place & 1 else _above(node, other)
        place, size = place >> 1, size + 1 >> 1
    return not beside and compare_digest(node, root)


def salt_of(path: str, key: bytes) -> bytes:
    """The salt of one leaf, 32 bytes, without which its text could be guessed from its hash."""
    return hmac.digest(key, fields(SALT_TAG, path), "sha256")


def leaf_of(path: str, text: str, salt: bytes) -> bytes:
    """The hash of one text in its place."""
    return sha256(_LEAF + fields(salt, path, text)).digest()


def _leaves(texts: dict[str, str], key: bytes) -> list[bytes]:
    return [leaf_of(path, text, salt_of(path, key)) for path, text in texts.items()]


def _above(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()


def _levels(nodes: list[bytes]) -> list[list[bytes]]:
    """All levels of the tree, the leaves first; a node without a neighbour goes up as it is. Of nothing: one hash."""
    levels = [nodes or [sha256(b"").digest()]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        pairs = [below[place : place + 2] for place in range(0, len(below), 2)]
        levels.append([_above(*pair) if len(pair) == 2 else pair[0] for pair in pairs])
    return levels


def _beside(levels: list[list[bytes]], place: int) -> tuple[bytes, ...]:
    """The neighbours on the way up from the leaf in `place`."""
    found = []
    for level in levels[:-1]:
        if place ^ 1 < len(level):
            found.append(level[place ^ 1])
        place >>= 1
    return tuple(found)
