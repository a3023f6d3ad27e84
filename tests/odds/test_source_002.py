"""Hands that source 002 calls easily improved: the probability that the taker can truthfully declare a better one."""

from __future__ import annotations

from fractions import Fraction

from liarspoker.core.cards.claims import read_spelling
from liarspoker.core.cards.deck import read_joined_cards
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.ladder import claim_of, floor_of, next_value
from liarspoker.games.thorin.options import packed
from liarspoker.games.thorin.presets.thorin import PRESET
from liarspoker.games.thorin.session import ThorinGame
from liarspoker.odds.draws import best_discard, reach

RULES = packed(ThorinGame(PRESET).options(), seats=4)


def to_beat(declared: str) -> int:
    """Return the lowest value that may be declared over `declared`."""
    spelt = read_spelling(declared)
    assert spelt is not None
    claim = claim_of(spelt, RULES)
    assert claim is not None
    least = next_value(floor_of(claim), RULES)
    assert least is not None
    return least


def improved(declared: str, held: str) -> Fraction:
    """Return the probability that the taker of `held`, declared truthfully, can truthfully declare better."""
    return best_discard(read_joined_cards(held), to_beat(declared)).probability


def test_three_of_a_kind_is_easily_improved_upon_and_three_fours_with_ace_and_king_is_not() -> None:
    assert improved("three", "4c4d4h8s6c") == 1  # the hand is already better than what was declared
    assert improved("three 4", "4c4d4h3s2c") > Fraction(9, 10)
    assert improved("three 4AK", "4c4d4hAsKc") < Fraction(1, 4)


def test_a_pair_of_tens_with_the_best_kickers_is_worse_than_tens_over_fives_and_harder_to_improve() -> None:
    hand = "TcTd5h5s2c"
    assert to_beat("pair TAKJ") < to_beat("two-pair T52")
    assert improved("two-pair T52", hand) > Fraction(9, 10)
    assert improved("pair TAKJ", "TcTdAhKsJc") < Fraction(1, 2)
    assert hand_value(read_joined_cards(hand)) >= to_beat("pair TAKJ")  # the declaration is true, so a challenge fails


def test_breaking_a_set_improves_kickers_but_rarely_reaches_the_declaration() -> None:
    held = read_joined_cards("4c4d4h9s7c")
    better = to_beat("three 497")
    assert best_discard(held, better).discard == read_joined_cards("9s7c")
    broken = reach(held, read_joined_cards("4h9s7c"), better)
    assert broken < reach(held, read_joined_cards("9s7c"), better) / 2


def test_after_a_lie_no_discard_often_reaches_the_declaration() -> None:
    held = read_joined_cards("Qh7c7d6d2d")
    assert best_discard(held, to_beat("three")).probability < Fraction(1, 5)
