"""Commitments, the key derived from all contributions, the deal, and its Merkle tree.

A commitment reveals nothing about its value and binds to that value alone. The server must commit to its seed first, so
it can't adapt the seed to the nonces, and no player can adapt their nonce to those of others. The seed, all nonces and
all picks give a key, and the key determines the opener and the deal.

Every number or card of a deal has a path, such as `deal/0` or `slips/2/14`. The draw determines which paths exist and
their order. Each text is hashed with its own salt into a leaf of a Merkle tree. A proof consists of one leaf and the
sibling hashes on the way to the root. The position of a leaf follows from its path, so a root can't contain two cards
for one path.
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
from liarspoker.language import _
from liarspoker.records.family import Table

SEED_TAG = "liarspoker-fair-1/seed"
NONCE_TAG = "liarspoker-fair-1/nonce"

SEED_BYTES = 32
LONGEST_NONCE = 64
MOST = (1 << 53) - 1
"""Maximum of deal numbers, seat numbers and picks: the largest integer that every JSON parser reads exactly."""

_TABLE = re.compile(r"[!-~]{1,100}")


class BadDealInput(ValueError):
    """The protocol doesn't allow a table id, seed, nonce, number or pick."""


def seed_commitment(seed: bytes, table: str, number: int) -> bytes:
    """Return the server's commitment to its seed, 32 bytes.

    Args:
        seed: 32 bytes, fresh for every deal.
        table: id of the table, 1 to 100 visible ASCII characters.
        number: number of the deal at the table, from 0; aborted deals count.

    Raises:
        BadDealInput: an argument isn't valid.
    """
    check_table(table)
    check_number(number, "deal")
    if len(seed) != SEED_BYTES:
        raise BadDealInput(_("seed: must be {most} bytes, not {count}", most=SEED_BYTES, count=len(seed)))
    return sha256(fields(SEED_TAG, table, number, seed)).digest()


def nonce_commitment(nonce: bytes, table: str, number: int, chair: int) -> bytes:
    """Return a player's commitment to their nonce, 32 bytes.

    Args:
        nonce: 1 to 64 bytes; use at least 16 so that it can't be guessed. A player without a nonce makes no commitment.
        table: id of the table.
        number: number of the deal at the table, from 0.
        chair: the player's table seat, from 0. It prevents a player from copying another one's commitment; unlike
            the seat, it is known before the deal.

    Raises:
        BadDealInput: an argument isn't valid.
    """
    check_table(table)
    check_number(number, "deal")
    check_number(chair, "chair")
    if not 1 <= len(nonce) <= LONGEST_NONCE:
        raise BadDealInput(
            _(
                "nonce, table seat {seat}: must be 1 to {most} bytes, not {count}",
                seat=chair,
                most=LONGEST_NONCE,
                count=len(nonce),
            )
        )
    return sha256(fields(NONCE_TAG, table, number, chair, nonce)).digest()


def opens_seed(commitment: bytes, seed: bytes, table: str, number: int) -> bool:
    """Whether `commitment` is the commitment to `seed`; see `seed_commitment`."""
    return compare_digest(commitment, seed_commitment(seed, table, number))


def opens_nonce(commitment: bytes, nonce: bytes, table: str, number: int, chair: int) -> bool:
    """Whether `commitment` is the commitment to `nonce`; see `nonce_commitment`."""
    return compare_digest(commitment, nonce_commitment(nonce, table, number, chair))


def check_table(table: str) -> None:
    """Check a table id.

    Raises:
        BadDealInput: the id isn't 1 to 100 visible ASCII characters.
    """
    if not _TABLE.fullmatch(table):
        raise BadDealInput(_("table: the id must be 1 to 100 visible ASCII characters without spaces"))


def check_number(number: int, name: str) -> None:
    """Check that a number can be represented exactly by every JSON parser.

    Raises:
        BadDealInput: the number is negative or above `MOST`; the message starts with `name`.
    """
    if not 0 <= number <= MOST:
        raise BadDealInput(_("{name}: must be between 0 and {most}", name=name, most=MOST))


KEY_TAG = "liarspoker-fair-1/deal"
OPENER = "opener"
DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Shares:
    """The players' contributions to a deal, one value per seat.

    Attributes:
        nonces: 0 to 64 bytes; empty for a seat that had no nonce or withheld it.
        picks: number of the bill, slip or cut that was chosen face down, from 0; `None` for no choice.
    """

    nonces: tuple[bytes, ...]
    picks: tuple[int | None, ...]


def deal_key(seed: bytes, table: str, number: int, game: str, shares: Shares) -> bytes:
    """Return the key that a deal is derived from, 32 bytes.

    Args:
        seed: the server's seed, 32 bytes.
        table: id of the table.
        number: number of the deal at the table, from 0.
        game: catalogue id of the game.
        shares: the players' contributions, which also give the number of seats.

    Raises:
        BadDealInput: an argument isn't valid.
    """
    check_table(table)
    check_number(number, "deal")
    if len(seed) != SEED_BYTES:
        raise BadDealInput(_("seed: must be {most} bytes, not {count}", most=SEED_BYTES, count=len(seed)))
    if len(shares.nonces) != len(shares.picks):
        raise BadDealInput(f"picks: {len(shares.picks)} for {len(shares.nonces)} seats")
    given: list[bytes | int | None] = []
    for seat, (nonce, pick) in enumerate(zip(shares.nonces, shares.picks, strict=True)):
        if len(nonce) > LONGEST_NONCE:
            raise BadDealInput(
                _(
                    "nonce, seat {seat}: must be at most {most} bytes, not {count}",
                    seat=seat,
                    most=LONGEST_NONCE,
                    count=len(nonce),
                )
            )
        if pick is not None:
            check_number(pick, f"pick, seat {seat}")
        given += [nonce, pick]
    return hmac.digest(seed, fields(KEY_TAG, table, number, game, len(shares.nonces), *given), "sha256")


def random_opener(session: Session, key: bytes) -> int | None:
    """Return the seat drawn at random to open the next round; `None` if the rules determine the opener.

    It doesn't depend on the cards or numbers drawn, because the opener may choose the options of the round.
    """
    return random_seat(session.alive, key) if session.chance_spec().opener else None


def random_seat(seats: Sequence[int], key: bytes) -> int:
    """Return one of `seats`, drawn at random from `key`."""
    return seats[Stream(key, OPENER).below(len(seats))]


def dealt(session: Session, key: bytes, named: Mapping[str, object] | None = None) -> tuple[Any, int | None]:
    """Derive the next round's deal, and its opener if they are drawn at random.

    Args:
        session: the session before the round.
        key: see `deal_key`.
        named: options that the opener named for the round, if the game allows it.

    Returns:
        The arguments of `session.deal`: the deal, and the opener or `None`.

    Raises:
        NotNow: no round can begin now.
    """
    return drawn(session.chance_spec(named), key), random_opener(session, key)


def drawn(spec: ChanceSpec, key: bytes) -> Deal:
    """Derive the deal that `spec` describes."""
    return spec.draw(Stream(key, DEAL).below)


def draw_of(session: Session, named: Mapping[str, object] | None = None, lots: bool = True) -> Table:
    """Describe what the next round draws, for verifiers that don't know the rules; stored with the deal."""
    return draw_document(session.chance_spec(named), session, lots)


def draw_document(spec: ChanceSpec, session: Session, lots: bool = True) -> Table:
    """Describe a draw as JSON; `lots` adds the seats among which the opener is drawn at random."""
    return {**spec.parts(), "lots": list(session.alive) if lots and session.chance_spec().opener else None}


SALT_TAG = "liarspoker-fair-1/salt"

KEYS = ("deal", "slips", "letters", "extras", "deck", "shuffle")
"""The keys under which dealt texts are listed, in the order of their leaves."""

_LEAF, _NODE = b"\x00", b"\x01"


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that a text was dealt at a path.

    Attributes:
        path: the path, such as `deal/0`.
        text: what was dealt there.
        salt: salt of the leaf, 32 bytes.
        hashes: sibling hashes on the way to the root, lowest first; levels without a sibling are skipped.
    """

    path: str
    text: str
    salt: bytes
    hashes: tuple[bytes, ...]


def texts_of(parts: Table) -> dict[str, str]:
    """Return every dealt text by its path, in the order of the leaves.

    >>> texts_of({"deal": [["7h"], [], ["2c", "Jk"]]})
    {'deal/0/0': '7h', 'deal/2/0': '2c', 'deal/2/1': 'Jk'}
    """
    return dict(leaf for key in KEYS if key in parts for leaf in _walk(key, parts[key]))


def _walk(path: str, held: Any) -> Iterator[tuple[str, str]]:
    if isinstance(held, str):
        yield path, held
        return
    for index, one in enumerate(held):
        yield from _walk(f"{path}/{index}", one)


def root_of(parts: Table, key: bytes) -> bytes:
    """Return the Merkle root that is published with a deal, 32 bytes."""
    return _levels(_leaves(texts_of(parts), key))[-1][0]


def proofs_of(parts: Table, key: bytes, paths: Sequence[str]) -> list[Proof]:
    """Return proofs for some paths of a deal.

    Raises:
        KeyError: nothing was dealt at a path.
    """
    texts = texts_of(parts)
    order = {path: index for index, path in enumerate(texts)}
    levels = _levels(_leaves(texts, key))
    return [Proof(path, texts[path], salt_of(path, key), _siblings(levels, order[path])) for path in paths]


def proves(proof: Proof, paths: Sequence[str], root: bytes) -> bool:
    """Whether a proof is valid.

    Args:
        proof: the proof.
        paths: every path of the deal, in the order of the leaves.
        root: the root published with the deal.
    """
    if proof.path not in paths:
        return False
    index, size, node = paths.index(proof.path), len(paths), leaf_of(proof.path, proof.text, proof.salt)
    siblings = list(proof.hashes)
    while size > 1:
        if index ^ 1 < size:
            if not siblings:
                return False
            other = siblings.pop(0)
            node = _parent(other, node) if index & 1 else _parent(node, other)
        index, size = index >> 1, size + 1 >> 1
    return not siblings and compare_digest(node, root)


def salt_of(path: str, key: bytes) -> bytes:
    """Return the salt of a leaf, 32 bytes. Without a salt, the text could be guessed from its hash."""
    return hmac.digest(key, fields(SALT_TAG, path), "sha256")


def leaf_of(path: str, text: str, salt: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(_LEAF + fields(salt, path, text)).digest()


def _leaves(texts: dict[str, str], key: bytes) -> list[bytes]:
    return [leaf_of(path, text, salt_of(path, key)) for path, text in texts.items()]


def _parent(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()


def _levels(nodes: list[bytes]) -> list[list[bytes]]:
    """Return all levels of the tree, leaves first. A node without a sibling moves up unchanged.

    The tree of an empty deal is a single hash.
    """
    levels = [nodes or [sha256(b"").digest()]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        pairs = [below[index : index + 2] for index in range(0, len(below), 2)]
        levels.append([_parent(*pair) if len(pair) == 2 else pair[0] for pair in pairs])
    return levels


def _siblings(levels: list[list[bytes]], index: int) -> tuple[bytes, ...]:
    """Return the siblings on the way to the root from the leaf with index `index`."""
    found = []
    for level in levels[:-1]:
        if index ^ 1 < len(level):
            found.append(level[index ^ 1])
        index >>= 1
    return tuple(found)
