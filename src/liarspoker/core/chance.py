"""Deterministic randomness for fair deals: a stream of uniform integers derived from a key.

Anybody with the key can reproduce the stream. `docs/reference/fair-deals.md` specifies it byte by byte.
"""

from __future__ import annotations

import hmac

STREAM_TAG = "liarspoker-fair-1/stream"
"""The first field of every block's input."""


def fields(*values: str | bytes | int | None) -> bytes:
    r"""Encode several values as bytes, injectively.

    Each value is encoded as its length in bytes (a four-byte int) and its contents: UTF-8 for a string, eight bytes for
    an int, nothing for `None`. Ints are unsigned and big-endian.

    Raises:
        OverflowError: an int is negative or needs more than eight bytes.

    >>> fields("ab", 7, None)
    b'\x00\x00\x00\x02ab\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x00'
    """
    return b"".join(len(plain).to_bytes(4, "big") + plain for plain in map(_plain, values))


def _plain(value: str | bytes | int | None) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return b"" if value is None else value.to_bytes(8, "big")


class Stream:
    """A deterministic stream of bytes and uniform integers, derived from a key and a label.

    Block i, from 0, is the HMAC-SHA256 of `fields(STREAM_TAG, label, i)` with the key. The bytes of the blocks are used
    in order.

    Args:
        key: the secret key; without it, the stream is unpredictable.
        label: the purpose of the stream. Streams with different labels are independent.
    """

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._head = fields(STREAM_TAG, label)
        self._blocks = 0
        self._drawn = b""
        self._place = 0

    def below(self, n: int) -> int:
        """Return a uniform int from 0 to n - 1.

        The next bytes, as many as n - 1 needs, are read as a big-endian int and reduced to the low bits that n - 1
        needs. If the result is n or more, it is rejected and the next bytes are used. For n = 1, no bytes are used.

        Raises:
            ValueError: `n` is below 1.

        >>> below = Stream(b"key", "label").below
        >>> [below(10) for _ in range(8)], below(1)
        ([2, 8, 4, 9, 4, 7, 6, 1], 0)
        """
        if n < 1:
            raise ValueError(f"below: n is {n}; it must be at least 1")
        bits = (n - 1).bit_length()
        size, mask = bits + 7 >> 3, (1 << bits) - 1
        while True:
            place = self._place
            self._place = place + size
            if self._place > len(self._drawn):
                place = self._draw(place, size)
            drawn = self._drawn[place] if size == 1 else int.from_bytes(self._drawn[place : place + size], "big")
            number = drawn & mask
            if number < n:
                return number

    def _draw(self, place: int, size: int) -> int:
        """Drop the bytes before `place`, draw blocks until `size` bytes are available, and return the new place."""
        self._drawn = self._drawn[place:]
        while len(self._drawn) < size:
            self._drawn += hmac.digest(self._key, self._head + fields(self._blocks), "sha256")
            self._blocks += 1
        self._place = size
        return 0
