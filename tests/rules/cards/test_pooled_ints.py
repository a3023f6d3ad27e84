"""The rules of the pooled games on ints say what the ladder, the pool and the seats say when they are spelt out."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import JOKER, full_deck, mask_of
from liarspoker.core.cards.match import count_in, is_won, next_in, next_living, seats_in
from liarspoker.core.cards.match import mask_of as mask_of_seats
from liarspoker.games.queen_annes.ladder import all_wants, claim_of, ladder_length, missing, named_hand, prove, wanted
from liarspoker.games.queen_annes.state import losses_of, packed_losses
from tests.rules.cards.matches import queen_annes_rules

living = st.sets(st.integers(0, 9), min_size=1).map(lambda seats: tuple(sorted(seats)))


@pytest.mark.parametrize("wheel", [True, False])
@pytest.mark.parametrize("flush_of_straight", [True, False])
@pytest.mark.parametrize("flush_order", ["ranks_first", "suit_first"])
def test_the_ladder_is_as_long_as_it_has_hands(wheel: bool, flush_of_straight: bool, flush_order: str) -> None:
    rules = queen_annes_rules(wheel=wheel, flush_of_straight=flush_of_straight, flush_order=flush_order)
    length = ladder_length(rules)
    assert claim_of(named_hand(length - 1, rules), rules) == length - 1
    with pytest.raises(IndexError):
        named_hand(length, rules)


def test_what_a_hand_wants_is_packed_kind_by_kind() -> None:
    rules = queen_annes_rules()
    for claim, packed in enumerate(all_wants(rules)):
        kinds = []
        while packed:
            kinds.append((packed & 15, (packed >> 4 & 7) - 1, packed >> 7 & 7))
            packed >>= 10
        assert tuple(kinds) == wanted(named_hand(claim, rules))


@given(st.data(), st.integers(0, 2), st.sampled_from(["", "2", "29"]))
def test_a_pool_lacks_as_much_in_ints_as_its_proof_says(data: st.DataObject, jokers: int, wild_ranks: str) -> None:
    rules = queen_annes_rules(jokers=jokers, wild_ranks=wild_ranks)
    pool = data.draw(st.permutations(full_deck(jokers)))[: data.draw(st.integers(0, 30))]
    claim = data.draw(st.integers(0, ladder_length(rules) - 1))
    assert (
        missing(all_wants(rules)[claim], mask_of(pool), rules) == prove(named_hand(claim, rules), pool, rules).missing
    )
    assert mask_of(pool) >> JOKER == pool.count(JOKER)


@given(living, st.integers(0, 9))
def test_seats_are_the_same_in_a_mask(alive: tuple[int, ...], seat: int) -> None:
    mask = mask_of_seats(alive)
    assert seats_in(mask) == alive
    assert count_in(mask) == len(alive)
    assert is_won(mask) == (len(alive) == 1)
    following = min(alive, key=lambda other: (other - seat - 1) % 10)
    assert next_in(seat, mask) == next_living(seat, alive) == following


def test_losses_lie_side_by_side() -> None:
    for losses in product((0, 3, 6), repeat=3):
        assert tuple(losses_of(seat, packed_losses(losses)) for seat in range(3)) == losses
