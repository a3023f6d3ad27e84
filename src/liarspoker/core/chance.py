"""Chance that was drawn beforehand: a key decides it all, so that everybody who has the key finds the same again.

`docs/reference/fair-deals.md` tells it byte by byte, for whoever writes it in another language.
"""

from __future__ import annotations

import hmac

STREAM_TAG = "liarspoker-fair-1/stream"


def fields(*values: str | bytes | int | None) -> bytes:
    r"""Several values as bytes, so that no two lists of values look alike.

    Each is written as its length in bytes, an int of four bytes, and then itself: text in UTF-8, an int of eight
    bytes, nothing for `None`. Ints are 0 or more, their highest byte first.

    Raises:
        OverflowError: an int below 0 or beyond eight bytes.

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
    """A stream of chance: bytes that follow from a key and a label, and whole numbers made of them.

    Block i, from 0, is HMAC-SHA256 of `fields(STREAM_TAG, label, i)` under the key; the bytes of the blocks are used
    in order.

    Args:
        key: whoever has it knows the stream; whoever has not can tell nothing of it.
        label: what the stream is for. Streams of other labels have nothing to do with it.
    """

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._head = fields(STREAM_TAG, label)
        self._blocks = 0
        self._drawn = b""
        self._place = 0

    def below(self, n: int) -> int:
        """A uniform int from 0 to n - 1.

        It takes as many bytes as n - 1 needs, the highest first, and of them as many low bits; what is n or more is
        thrown away and the next bytes are taken. So every number is as likely as any other, and of 1 number, which
        needs no chance, none is taken.

        Raises:
            ValueError: `n` is below 1.

        >>> below = Stream(b"key", "label").below
        >>> [below(10) for _ in range(8)], below(1)
        ([2, 8, 4, 9, 4, 7, 6, 1], 0)
        """
        if n < 1:
            raise ValueError(f"below: there is no number from 0 to {n - 1}")
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
        """Draw blocks until `size` bytes lie from `place` on; what lies before it is forgotten, so it moves."""
        self._drawn = self._drawn[place:]
        while len(self._drawn) < size:
            self._drawn += hmac.digest(self._key, self._head + fields(self._blocks), "sha256")
            self._blocks += 1
        self._place = size
        return 0
