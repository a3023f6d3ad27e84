"""Leaves, roots and proofs of single numbers and cards."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.records.family import Table
from liarspoker.tables.fair.deal import proofs_of, proves, root_of, texts_of

KEYS = st.binary(min_size=32, max_size=32)
TEXTS = st.sampled_from(["06742088", "92859819", "7h", "Jk"])
NUMBERS = st.lists(TEXTS, min_size=1, max_size=40)


@st.composite
def parts(draw: st.DrawFn) -> Table:
    """Random dealt parts: flat or in hands, some of them empty."""
    hands = draw(st.booleans())
    told: Table = {"deal": draw(st.lists(st.lists(TEXTS, max_size=5), max_size=9) if hands else NUMBERS)}
    return {**told, "extras": draw(NUMBERS)} if hands else told


@given(parts(), KEYS)
def test_every_dealt_text_has_a_valid_proof(dealt: Table, key: bytes) -> None:
    paths = list(texts_of(dealt))
    root = root_of(dealt, key)
    assert all(proves(proof, paths, root) for proof in proofs_of(dealt, key, paths))


@given(parts(), KEYS, st.data())
def test_changed_proofs_are_invalid(dealt: Table, key: bytes, data: st.DataObject) -> None:
    paths, root = list(texts_of(dealt)), root_of(dealt, key)
    if not paths:
        return
    path = data.draw(st.sampled_from(paths))
    (proof,) = proofs_of(dealt, key, [path])
    other = data.draw(st.sampled_from(paths))
    wrong = [
        replace(proof, text=proof.text + "0"),
        replace(proof, text=""),
        replace(proof, salt=bytes(32)),
        replace(proof, path=f"{path}/0"),
        replace(proof, hashes=(*proof.hashes, bytes(32))),
        *([replace(proof, hashes=proof.hashes[:-1])] if proof.hashes else []),
        *([replace(proof, hashes=proof.hashes[::-1])] if proof.hashes != proof.hashes[::-1] else []),
        *([replace(proof, path=other)] if other != path else []),
    ]
    assert not any(proves(one, paths, root) for one in wrong)
    assert not proves(proof, paths, bytes(32))
    assert not proves(proof, [one for one in paths if one != path], root)


@given(parts(), KEYS, st.data())
def test_a_root_depends_on_the_deal_and_the_key(dealt: Table, key: bytes, data: st.DataObject) -> None:
    other, key_too = data.draw(parts()), data.draw(KEYS)
    same = texts_of(dealt) == texts_of(other) and (key == key_too or not texts_of(dealt))
    assert (root_of(dealt, key) == root_of(other, key_too)) == same


@given(parts(), KEYS)
def test_a_proof_reveals_only_its_own_text(dealt: Table, key: bytes) -> None:
    """Sibling hashes are salted: the same text at another path has a different hash."""
    beside = [one for proof in proofs_of(dealt, key, list(texts_of(dealt))) for one in (proof.salt, *proof.hashes)]
    assert key not in beside
    leaves = [proof.salt for proof in proofs_of(dealt, key, list(texts_of(dealt)))]
    assert len(set(leaves)) == len(leaves)


def test_texts_that_were_not_dealt_have_no_proof() -> None:
    with pytest.raises(KeyError):
        proofs_of({"deal": ["06742088"]}, bytes(32), ["deal/1"])


def test_an_empty_deal_has_a_root() -> None:
    assert root_of({}, bytes(32)) == root_of({"deal": [[], []]}, b"another key")
