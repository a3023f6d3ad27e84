"""Commitments, keys and the derivation of deals."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import full_deck
from liarspoker.core.chance import Stream
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitChance
from liarspoker.tables.fair.deal import (
    BadDealInput,
    Shares,
    deal_key,
    dealt,
    draw_of,
    nonce_commitment,
    opens_nonce,
    opens_seed,
    random_opener,
    seed_commitment,
)
from liarspoker.tables.fair.document import parts_drawn
from tests.conformance.evenings import random_session
from tests.tables.fair.vectors import PATH
from tests.tables.play import GAMES

SEEDS = st.binary(min_size=32, max_size=32)
TABLES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=100)
NUMBERS = st.integers(0, 2**53 - 1)
NONCES = st.binary(min_size=1, max_size=64)
PICKS = st.none() | NUMBERS


@given(SEEDS, SEEDS, TABLES, NUMBERS, NUMBERS)
def test_a_seed_commitment_matches_only_its_seed_and_deal(
    seed: bytes, other: bytes, table: str, number: int, later: int
) -> None:
    promise = seed_commitment(seed, table, number)
    assert opens_seed(promise, seed, table, number)
    assert opens_seed(promise, other, table, number) == (seed == other)
    assert opens_seed(promise, seed, table, later) == (number == later)


@given(NONCES, NONCES, TABLES, st.integers(0, 15), st.integers(0, 15))
def test_a_nonce_commitment_matches_only_its_nonce_and_seat(
    nonce: bytes, other: bytes, table: str, seat: int, neighbour: int
) -> None:
    promise = nonce_commitment(nonce, table, 0, seat)
    assert opens_nonce(promise, nonce, table, 0, seat)
    assert opens_nonce(promise, other, table, 0, seat) == (nonce == other)
    assert opens_nonce(promise, nonce, table, 0, neighbour) == (seat == neighbour)


@given(st.data(), SEEDS, TABLES, NUMBERS, st.integers(2, 6))
def test_the_key_depends_on_every_contribution(
    data: st.DataObject, seed: bytes, table: str, number: int, seats: int
) -> None:
    nonces = data.draw(st.tuples(*[st.binary(max_size=64)] * seats))
    picks = data.draw(st.tuples(*[PICKS] * seats))
    seat = data.draw(st.integers(0, seats - 1))
    key = deal_key(seed, table, number, "slips", Shares(nonces, picks))
    assert key == deal_key(seed, table, number, "slips", Shares(nonces, picks))
    longer = (*nonces[:seat], nonces[seat] + b"\x00" if len(nonces[seat]) < 64 else b"", *nonces[seat + 1 :])
    other = (*picks[:seat], 0 if picks[seat] is None else None, *picks[seat + 1 :])
    others = [
        deal_key(bytes(one ^ 1 for one in seed), table, number, "slips", Shares(nonces, picks)),
        deal_key(seed, table + "x" if len(table) < 100 else "x", number, "slips", Shares(nonces, picks)),
        deal_key(seed, table, number ^ 1, "slips", Shares(nonces, picks)),
        deal_key(seed, table, number, "thorin", Shares(nonces, picks)),
        deal_key(seed, table, number, "slips", Shares(longer, picks)),
        deal_key(seed, table, number, "slips", Shares(nonces, other)),
        deal_key(seed, table, number, "slips", Shares((*nonces, b""), (*picks, None))),
    ]
    assert len({key, *others}) == 1 + len(others)


BAD: list[Callable[[], object]] = [
    lambda: seed_commitment(bytes(31), "t", 0),
    lambda: seed_commitment(bytes(32), "", 0),
    lambda: seed_commitment(bytes(32), "a b", 0),
    lambda: seed_commitment(bytes(32), "é", 0),
    lambda: seed_commitment(bytes(32), "t\n", 0),
    lambda: seed_commitment(bytes(32), "t" * 101, 0),
    lambda: seed_commitment(bytes(32), "t", -1),
    lambda: seed_commitment(bytes(32), "t", 2**53),
    lambda: nonce_commitment(b"", "t", 0, 0),
    lambda: nonce_commitment(bytes(65), "t", 0, 0),
    lambda: nonce_commitment(b"x", "t", 0, -1),
    lambda: deal_key(bytes(33), "t", 0, "slips", Shares((b"", b""), (None, None))),
    lambda: deal_key(bytes(32), "t", 0, "slips", Shares((bytes(65), b""), (None, None))),
    lambda: deal_key(bytes(32), "t", 0, "slips", Shares((b"", b""), (None, 2**53))),
    lambda: deal_key(bytes(32), "t", 0, "slips", Shares((b"", b""), (None,))),
]


@pytest.mark.parametrize("promise", BAD)
def test_invalid_values_cannot_be_committed_to(promise: Callable[[], object]) -> None:
    with pytest.raises(BadDealInput):
        promise()


@given(st.sampled_from(GAMES), st.integers(0, 2**32), SEEDS)
def test_deals_of_all_games_can_be_played_and_rederived_from_their_description(
    game_id: str, chance: int, key: bytes
) -> None:
    session = random_session(game_id, Random(chance))
    draw = draw_of(session)
    deal, opener = dealt(session, key)
    assert (draw["lots"] is None) == (opener is None)
    begun = session.deal(deal, RoundSetup(opener))
    assert begun.in_play
    assert opener in (None, begun.to_act)
    assert parts_drawn(game_id, session.seats, draw, key) == deal.parts()


@given(SEEDS, st.integers(0, 2))
def test_the_random_opener_does_not_depend_on_named_options(key: bytes, jokers: int) -> None:
    session: Any = catalogue.load("thorin").session(3, catalogue.load("thorin").options({"dealers_choice": True}))
    opener = random_opener(session, key)
    deal, same = dealt(session, key, {"jokers": jokers})
    assert same == opener
    assert sorted(deal.deck) == sorted(full_deck(jokers))
    assert session.deal(deal, RoundSetup(opener, options={"jokers": jokers})).to_act == opener


@given(SEEDS)
def test_only_seats_still_in_are_drawn_to_open(key: bytes) -> None:
    session: Any = catalogue.load("queen-annes").session(4, losses=(5, 0, 5, 1))
    assert draw_of(session)["lots"] == [1, 3]
    assert random_opener(session, key) in (1, 3)


def test_no_opener_is_drawn_if_the_table_determines_it() -> None:
    session = catalogue.load("dollar-bill").session(2)
    assert draw_of(session)["lots"] == [0, 1]
    assert draw_of(session, lots=False)["lots"] is None


def test_the_vectors_include_redrawn_letters() -> None:
    """In a draw of sixteen pairs, the lowest pair is sometimes drawn twice; one vector must contain such a deal."""
    again = "letters drawn again until one pair is lowest: try 8"
    (vector,) = [one for one in json.loads(PATH.read_text())["deals"] if one["what"] == again]
    stream = Stream(bytes.fromhex(vector["key"]), "deal")
    once = DigitChance(16, 8, vector["draw"]["digits"], numbers=True, slips=False, letters=True, redraw=False)
    assert once.draw(stream.below).letters != tuple(vector["dealt"]["letters"])
