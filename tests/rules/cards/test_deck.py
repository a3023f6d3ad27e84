"""Cards, their notation, and shuffling."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import (
    UNKNOWN,
    card_text,
    cards_text,
    check_cards,
    full_deck,
    read_cards,
    read_joined_cards,
    shuffled,
)
from liarspoker.core.errors import BadDeal


@given(st.lists(st.integers(-1, 52)))
def test_written_cards_can_be_read(cards: list[int]) -> None:
    assert read_joined_cards(cards_text(cards)) == read_cards(map(card_text, cards)) == tuple(cards)


@pytest.mark.parametrize("text", ["7H", "10h", "1h", "h7", "jk", "7", "", "?", "7x"])
def test_text_that_is_not_a_card_is_rejected(text: str) -> None:
    with pytest.raises(BadDeal, match="isn't a card"):
        read_cards([text])


def test_each_order_results_from_exactly_one_random_sequence() -> None:
    """Four cards need draws from 4, 3 and 2: 24 sequences, 24 orders."""
    orders, asked = set(), []
    for answers in product(range(4), range(3), range(2)):
        left = list(answers)

        def below(most: int, left: list[int] = left) -> int:
            asked.append(most)
            return left.pop(0)

        orders.add(shuffled((0, 1, 2, 3), below))
    assert len(orders) == 24
    assert asked == [4, 3, 2] * 24


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_a_full_deck_is_valid(jokers: int) -> None:
    check_cards((*full_deck(jokers), UNKNOWN, UNKNOWN), jokers, "deck")
    for more in (0, 52):
        with pytest.raises(BadDeal):
            check_cards((*full_deck(jokers), more), jokers, "deck")
