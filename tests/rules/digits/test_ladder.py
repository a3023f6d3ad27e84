"""Which bid beats which. Sources 000 (overview), 001 (terms), 003 (steps 5 and 8, hierarchy of numerals)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import LEGAL, NO_SUCH_CLAIM, NOT_STRONGER, REPEATED_CLAIM, IllegalAction
from liarspoker.games.digits.ladder import beats, claim_of, digit_of, ladder_length, level_of, rank_of
from liarspoker.games.digits.notation import read
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from tests.rules.digits.plays import GAME_IDS, bid_on, play, table
from tests.rules.digits.strategies import any_options

ZEROS = ("00000000",) * 3


def answer_to(standing: str, bid: str, game_id: str = "salomon-1986", **options: object) -> int:
    """The refusal of `bid` over `standing`, three players."""
    session = play(table(game_id, 3, **options), ZEROS, standing)
    return session.refusal(session.read(bid))


def test_a_bid_is_a_level_and_a_digit() -> None:
    rules = packed(DigitOptions(), seats=4)
    five_sevens = read("5x7", rules)
    assert (level_of(five_sevens, rules), digit_of(five_sevens, rules)) == (5, 7)


@pytest.mark.parametrize("digit", "1234567890")
def test_each_digit_from_one_to_nine_and_zero_can_be_bid(digit: str) -> None:
    session = play(table("slips", 3), ZEROS, f"1x{digit}")
    assert session.view(None).moves == ((0, session.read(f"1x{digit}")),)


@pytest.mark.parametrize("bid", ["5x9", "6x3", "6x7", "5x8", "5x0", "6x1", "24x0"])
def test_as_many_of_a_higher_digit_or_more_of_any_digit_is_stronger(bid: str) -> None:
    assert answer_to("5x7", bid) == LEGAL


@pytest.mark.parametrize("bid", ["5x7", "5x6", "4x9", "4x0", "1x8", "5x1"])
def test_as_many_of_a_lower_digit_or_fewer_of_any_digit_is_not_stronger(bid: str) -> None:
    assert answer_to("5x7", bid) == NOT_STRONGER


@pytest.mark.parametrize("game_id", ["salomon-1986", "slips"])
def test_seven_tens_beat_seven_of_anything_else_in_salomons_games(game_id: str) -> None:
    for digit in "123456789":
        assert answer_to(f"7x{digit}", "7x0", game_id) == LEGAL
        assert answer_to("7x0", f"7x{digit}", game_id) == NOT_STRONGER


def test_with_dollar_bills_zeros_are_low_and_nines_are_high() -> None:
    for digit in "123456789":
        assert answer_to("3x0", f"3x{digit}", "dollar-bill") == LEGAL
    for digit in "012345678":
        assert answer_to(f"3x{digit}", "3x9", "dollar-bill") == LEGAL


def test_where_ones_are_aces_and_zeros_are_tens_the_ace_is_highest_and_the_ten_below_it() -> None:
    order = ["2", "3", "4", "5", "6", "7", "8", "9", "0", "1"]
    for lower, higher in pairwise(order):
        assert answer_to(f"2x{lower}", f"2x{higher}", "dollar-bill", order="ace_high") == LEGAL
        assert answer_to(f"2x{higher}", f"2x{lower}", "dollar-bill", order="ace_high") == NOT_STRONGER


@pytest.mark.parametrize("bid", ["3x5", "4x4", "4x2", "2x6"])
@pytest.mark.parametrize("order", ["zero_low", "zero_high", "ace_high"])
def test_over_two_fives_one_may_bid_more_fives_more_of_a_lower_or_as_many_of_a_higher_digit(
    bid: str, order: str
) -> None:
    assert answer_to("2x5", bid, "dollar-bill", order=order) == LEGAL


def test_one_ace_beats_two_fives_only_where_the_loose_order_is_played() -> None:
    assert answer_to("2x5", "1x1", "dollar-bill", order="ace_high") == NOT_STRONGER
    assert answer_to("2x5", "1x1", "dollar-bill", order="ace_high", loose_order=True) == LEGAL


def test_under_the_loose_order_a_lower_digit_still_needs_a_higher_level() -> None:
    assert answer_to("2x5", "2x4", "dollar-bill", loose_order=True) == NOT_STRONGER
    assert answer_to("2x5", "3x4", "dollar-bill", loose_order=True) == LEGAL


def test_under_the_loose_order_bids_run_in_circles_but_none_is_made_twice() -> None:
    session = play(table("dollar-bill", 3, loose_order=True), ZEROS, "2x5 1x9")
    assert session.refusal(session.read("2x5")) == REPEATED_CLAIM
    session = bid_on(session, "2x4")
    assert session.refusal(session.read("1x9")) == REPEATED_CLAIM
    assert session.refusal(session.read("1x8")) == LEGAL


def test_a_bid_made_before_is_reported_as_repeated_even_where_it_is_also_too_weak() -> None:
    session = play(table("dollar-bill", 3, loose_order=True), ZEROS, "2x5 1x9 2x9")
    assert session.refusal(session.read("2x5")) == REPEATED_CLAIM
    assert session.refusal(session.read("2x4")) == NOT_STRONGER


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_no_bid_asks_for_more_digits_than_there_are_on_the_table(game_id: str) -> None:
    session = play(table(game_id, 3), ZEROS, "")
    top = "24x9" if game_id == "dollar-bill" else "24x0"
    assert session.refusal(session.read(top)) == LEGAL
    assert session.refusal(session.read("25x1")) == NO_SUCH_CLAIM


def test_without_the_cap_any_level_may_be_bid() -> None:
    assert answer_to("24x0", "25x1", cap_level=False) == LEGAL
    assert answer_to("24x0", "900x1", cap_level=False) == LEGAL


def test_without_a_top_only_the_bids_that_come_next_are_listed() -> None:
    for loose in (False, True):
        legal = play(table("dollar-bill", 2, cap_level=False, loose_order=loose), ZEROS[:2], "100000x5").legal()
        assert legal.endless
        assert len(legal.claims) < 500
        assert max(legal.claims) > 999_990


def test_a_bid_too_weak_over_the_cap_is_no_claim_at_all() -> None:
    assert answer_to("24x0", "25x1") == NO_SUCH_CLAIM
    assert answer_to("24x0", "24x0") == NOT_STRONGER


@pytest.mark.parametrize("bid", ["5x10", "5x", "x5", "5X5", "5 x 5", "5.5x5", "five sevens", "pass", ""])
def test_what_is_no_bid_is_not_read(bid: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        read(bid, packed(DigitOptions(), seats=3))
    assert refused.value.code == "unreadable-action"


@pytest.mark.parametrize("bid", ["0x5", "-1x5"])
def test_a_level_below_one_is_no_claim(bid: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        read(bid, packed(DigitOptions(), seats=3))
    assert refused.value.code == "no-such-claim"


def test_with_fewer_symbols_the_lowest_digits_of_the_order_are_in_play() -> None:
    for order, digits in {"zero_low": "012", "zero_high": "123", "ace_high": "234"}.items():
        session = table("dollar-bill", 2, order=order, symbols=3, hand_size=3)
        assert session.chance_spec().digits == digits
        with pytest.raises(IllegalAction, match="no-such-claim"):
            session.read("1x9")


@given(any_options(), st.integers(2, 16), st.data())
def test_every_bid_has_its_own_place_on_the_ladder(options: DigitOptions, seats: int, data: st.DataObject) -> None:
    rules = packed(options, seats)
    claim = data.draw(st.integers(0, ladder_length(rules) - 1))
    level, digit = level_of(claim, rules), digit_of(claim, rules)
    assert 1 <= level <= options.hand_size * seats
    assert 0 <= rank_of(digit, rules) < options.symbols
    assert claim_of(level, digit, rules) == claim


@given(any_options(loose_order=False), st.integers(2, 16), st.data())
def test_the_order_of_bids_is_total_and_strict(options: DigitOptions, seats: int, data: st.DataObject) -> None:
    rules = packed(options, seats)
    one, other = (data.draw(st.integers(0, ladder_length(rules) - 1)) for _ in range(2))
    assert beats(one, other, rules) == stronger_in_words(one, other, rules)
    assert beats(one, other, rules) + beats(other, one, rules) == (one != other)


@given(any_options(loose_order=True), st.integers(2, 16), st.data())
def test_loosely_a_higher_level_or_a_higher_digit_beats(options: DigitOptions, seats: int, data: st.DataObject) -> None:
    rules = packed(options, seats)
    one, other = (data.draw(st.integers(0, ladder_length(rules) - 1)) for _ in range(2))
    higher_level = level_of(one, rules) > level_of(other, rules)
    higher_digit = rank_of(digit_of(one, rules), rules) > rank_of(digit_of(other, rules), rules)
    assert beats(one, other, rules) == (higher_level or higher_digit)


def stronger_in_words(new: int, old: int, rules: Rules) -> bool:
    """Source 000: at least as many of a higher rank, or more of any."""
    ranks = rank_of(digit_of(new, rules), rules), rank_of(digit_of(old, rules), rules)
    levels = level_of(new, rules), level_of(old, rules)
    return levels[0] > levels[1] or (levels[0] == levels[1] and ranks[0] > ranks[1])
