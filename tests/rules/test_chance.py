"""Deterministic randomness: encoded fields, streams and their numbers."""

from __future__ import annotations

import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.chance import STREAM_TAG, Stream, fields

VALUES = st.lists(st.text(st.characters(codec="utf-8")) | st.binary() | st.integers(0, 2**53) | st.none(), max_size=8)
KEYS = st.binary(max_size=80)

# RFC 4231, test cases 1 to 4, 6 and 7: key, data and HMAC-SHA256.
RFC_4231 = [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]


def test_the_keyed_hash_matches_rfc_4231() -> None:
    codes = [hmac.digest(key, data, "sha256").hex() for key, data, _ in RFC_4231]
    assert codes == [code for *_, code in RFC_4231]


@given(VALUES)
def test_encoded_fields_can_be_decoded(values: list[str | bytes | int | None]) -> None:
    left, found = fields(*values), []
    while left:
        size = int.from_bytes(left[:4], "big")
        found.append(left[4 : 4 + size])
        left = left[4 + size :]
    assert found == [fields(value)[4:] for value in values]


@pytest.mark.parametrize("value", [-1, 2**64])
def test_an_int_that_does_not_fit_is_rejected(value: int) -> None:
    with pytest.raises(OverflowError):
        fields(value)


@given(KEYS, st.integers(1, 20))
def test_numbers_below_256_are_the_bytes_of_consecutive_blocks(key: bytes, blocks: int) -> None:
    stream = Stream(key, "bytes")
    drawn = bytes(stream.below(256) for _ in range(32 * blocks))
    assert drawn == b"".join(hmac.digest(key, fields(STREAM_TAG, "bytes", i), "sha256") for i in range(blocks))


@given(KEYS, st.lists(st.sampled_from([1, 2, 10, 52, 53, 255, 256, 257, 65536, 65537, 2**24 + 1]), max_size=40))
def test_numbers_are_masked_bytes_and_too_high_ones_are_rejected(key: bytes, sizes: list[int]) -> None:
    """An independent implementation with bit strings. A range of one number uses no bytes."""
    stream, source = Stream(key, "x"), Stream(key, "x")
    for n in sizes:
        bits = f"{n - 1:b}" if n > 1 else ""
        number = n
        while number >= n:
            taken = "".join(f"{source.below(256):08b}" for _ in range(-(-len(bits) // 8)))
            number = int(taken[len(taken) - len(bits) :] or "0", 2)
        assert stream.below(n) == number


@pytest.mark.parametrize("n", [0, -1])
def test_a_bound_below_one_is_rejected(n: int) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        Stream(b"", "").below(n)


def test_a_stream_is_uniform() -> None:
    below = Stream(b"even", "faces").below
    counts = Counter(below(6) for _ in range(6000))
    assert all(880 < counts[face] < 1120 for face in range(6))
