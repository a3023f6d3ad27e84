"""Which bid beats which. Sources 000 (overview), 001 (terms), 003 (steps 5 and 8, hierarchy of numerals)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given

from liarspoker.core.errors import LEGAL, NO_SUCH_CLAIM, NOT_STRONGER, REPEATED_CLAIM, IllegalAction
from liarspoker.games.digits.ladder import beats, claim_of, digit_of, ladder_length, level_of, rank_of
from liarspoker.games.digits.notation import read
from liarspoker.games.digits.options import DigitOptions, packed
from tests.rules.digits.plays import GAME_IDS, chances, play, random_options, table

ZEROS = ("00000000",) * 3
LOOSE = {"loose_order": True}
ACE_HIGH = {"order": "ace_high"}


def answers_to(standing: str, bids: str, game_id: str = "dollar-bill", /, **options: object) -> set[int]:
    """Return the refusals of `bids` over `standing`, with three players."""
    session = play(table(game_id, 3, **options), ZEROS, standing)
    return {session.refusal(session.read(bid)) for bid in bids.split()}


@pytest.mark.parametrize(
    ("standing", "options", "stronger", "weaker"),
    [
        ("5x7", {"order": "zero_high"}, "5x9 6x3 6x7 5x8 5x0 6x1 24x0", "5x7 5x6 4x9 4x0 1x8 5x1"),
        *(("2x5", {"order": order}, "3x5 4x4 4x2 2x6", "2x4 2x5") for order in ("zero_low", "zero_high", "ace_high")),
        # One ace beats two fives only in the loose order; a lower digit still needs a higher level.
        ("2x5", ACE_HIGH, "3x4", "1x1"),
        ("2x5", ACE_HIGH | LOOSE, "1x1 3x4", "2x4"),
        ("24x9", {"cap_level": False}, "25x1 900x1", "24x9"),
    ],
)
def test_a_higher_level_or_the_same_level_of_a_higher_digit_is_stronger(
    standing: str, options: dict[str, object], stronger: str, weaker: str
) -> None:
    assert answers_to(standing, stronger, **options) == {LEGAL}
    assert answers_to(standing, weaker, **options) == {NOT_STRONGER}


@pytest.mark.parametrize(
    ("game_id", "options", "order"),
    [
        ("dollar-bill", {}, "0123456789"),
        ("dollar-bill", ACE_HIGH, "2345678901"),
        ("salomon-1986", {}, "1234567890"),
        ("slips", {}, "1234567890"),
    ],
)
def test_every_digit_can_be_bid_and_digits_rank_in_the_games_order(
    game_id: str, options: dict[str, object], order: str
) -> None:
    for lower, higher in pairwise(order):
        assert answers_to(f"7x{lower}", f"7x{higher}", game_id, **options) == {LEGAL}
        assert answers_to(f"7x{higher}", f"7x{lower}", game_id, **options) == {NOT_STRONGER}


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_level_is_capped_at_the_digits_on_the_table(game_id: str) -> None:
    top = "24x9" if game_id == "dollar-bill" else "24x0"
    assert answers_to("", top, game_id) == {LEGAL}
    assert answers_to("", "25x1", game_id) == answers_to(top, "25x1", game_id) == {NO_SUCH_CLAIM}


def test_the_loose_order_has_cycles_but_no_bid_is_made_twice() -> None:
    """A repeated bid is reported as repeated even if it is also too weak."""
    assert answers_to("2x5 1x9", "2x5", **LOOSE) == answers_to("2x5 1x9 2x4", "1x9", **LOOSE) == {REPEATED_CLAIM}
    assert answers_to("2x5 1x9 2x4", "1x8", **LOOSE) == {LEGAL}
    assert answers_to("2x5 1x9 2x9", "2x5", **LOOSE) == {REPEATED_CLAIM}
    assert answers_to("2x5 1x9 2x9", "2x4", **LOOSE) == {NOT_STRONGER}


def test_without_a_cap_only_the_next_bids_are_listed() -> None:
    for loose in (False, True):
        legal = play(table("dollar-bill", 2, cap_level=False, loose_order=loose), ZEROS[:2], "100000x5").legal()
        assert legal.endless
        assert len(legal.claims) < 500
        assert max(legal.claims) > 999_990


@pytest.mark.parametrize(
    ("code", "bids"),
    [
        ("unreadable-action", ["5x10", "5x", "x5", "5X5", "5 x 5", "5.5x5", "five sevens", "pass", ""]),
        ("no-such-claim", ["0x5", "-1x5"]),
    ],
)
def test_invalid_bids_are_rejected(code: str, bids: list[str]) -> None:
    for bid in bids:
        with pytest.raises(IllegalAction) as refused:
            read(bid, packed(DigitOptions(), seats=3))
        assert refused.value.code == code, bid


def test_with_fewer_symbols_the_lowest_digits_of_the_order_are_in_play() -> None:
    for order, digits in {"zero_low": "012", "zero_high": "123", "ace_high": "234"}.items():
        session = table("dollar-bill", 2, order=order, symbols=3, hand_size=3)
        assert session.chance_spec().digits == digits
        with pytest.raises(IllegalAction, match="no-such-claim"):
            session.read("1x9")


@given(chances)
def test_every_bid_is_a_level_and_a_digit_with_a_unique_int(chance: Random) -> None:
    options, seats = random_options(chance), chance.randint(2, 16)
    rules = packed(options, seats)
    claim = chance.randrange(ladder_length(rules))
    level, digit = level_of(claim, rules), digit_of(claim, rules)
    assert 1 <= level <= options.hand_size * seats
    assert 0 <= rank_of(digit, rules) < options.symbols
    assert claim_of(level, digit, rules) == claim == read(f"{level}x{digit}", rules)


@given(chances)
def test_the_order_of_bids_is_total_and_strict_or_loose(chance: Random) -> None:
    """Source 000: at least as many of a higher rank, or more of any. In the loose order, either is enough."""
    rules = packed(random_options(chance), chance.randint(2, 16))
    one, other = (chance.randrange(ladder_length(rules)) for _ in range(2))
    (level, rank), (old_level, old_rank) = (
        (level_of(claim, rules), rank_of(digit_of(claim, rules), rules)) for claim in (one, other)
    )
    if rules.loose:
        assert beats(one, other, rules) == (level > old_level or rank > old_rank)
    else:
        assert beats(one, other, rules) == (level > old_level or (level == old_level and rank > old_rank))
        assert beats(one, other, rules) + beats(other, one, rules) == (one != other)
