"""One hash for a whole deal, out of which one number or card can be proved without showing the others.

Every number or card of a deal has a path, such as `deal/0` or `slips/2/14`, and the draw alone says which paths there
are and in what order. Each is hashed with a salt of its own into a leaf; leaves are hashed in pairs, and those again,
up to one root. A proof shows one leaf and the hashes beside its way up. The place of a leaf in the tree follows from
its path, so that no root holds two cards for one place.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from liarspoker.core.chance import fields
from liarspoker.records.family import Table

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
    return not beside and hmac.compare_digest(node, root)


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
