"""Promises made before a deal: of the server's seed, and of each player's nonce.

A commitment tells nothing of what it promises, and nothing else fits it. So the server, which must choose its seed
first, cannot fit it to the nonces, and nobody can fit a nonce to the others'.
"""

from __future__ import annotations

import re
from hashlib import sha256
from hmac import compare_digest

from liarspoker.core.chance import fields

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
