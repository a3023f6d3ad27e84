"""What a bid is worth, held against hands that are dealt and counted by the rules themselves."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.games.digits.deal import digits_in_play
from liarspoker.games.digits.hands import count_of, packed_counts
from liarspoker.games.digits.ladder import claim_of, digit_of, ladder_length, level_of
from liarspoker.games.digits.notation import read, write
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.settlement import FAILED, HERO, NONE
from liarspoker.odds.bids import (
    bid_value,
    chance_nobody_has,
    chance_to_make,
    needed_to_raise,
    prospects,
    raise_threshold,
    raise_threshold_general,
)
from liarspoker.odds.figures import rounded
from tests.rules.digits.plays import chances, final, random_options, result_of, study

# Seats, digits in a hand, digits in play: few enough deals to play them all. Seven digits have a six among them.
SMALL = [(2, 1, 7), (3, 1, 7), (2, 2, 3), (3, 2, 3), (2, 3, 2), (4, 1, 3), (5, 1, 2), (5, 1, 3)]
PRESET_NAMES = sorted(presets())
players = st.integers(2, 40)


def results_of_every_deal(options: DigitOptions, number: str, bid: str, seats: int, stake: int) -> list[DigitResult]:
    """Seat 0 holds `number` and its `bid` is counted: once for every deal that the others may have."""
    session = study(seats, options)
    hands = ["".join(hand) for hand in product(digits_in_play(session.setup.rules), repeat=options.hand_size)]
    deals = product(hands, repeat=seats - 1)
    return [result_of(final(session, (number, *others), bid, stake=stake)) for others in deals]


def small_bid(chance: Random) -> tuple[DigitOptions, int, str, int]:
    """Options of any kind at a small size, the seats, the bidder's number and a bid."""
    seats, hand_size, symbols = chance.choice(SMALL)
    options = random_options(chance, hand_size=hand_size, symbols=symbols)
    rules = packed(options, seats)
    number = "".join(chance.choice(digits_in_play(rules)) for _ in range(hand_size))
    return options, seats, number, chance.randrange(ladder_length(rules))


@given(chances)
def test_a_bid_is_worth_the_mean_over_every_deal_that_the_rules_count(chance: Random) -> None:
    """And its prospects are what comes out of every deal, and it is made as often as the table holds it."""
    options, seats, number, claim = small_bid(chance)
    rules, stake = packed(options, seats), chance.randint(1, 3)
    own, level = count_of(packed_counts(number), digit_of(claim, rules)), level_of(claim, rules)
    results = results_of_every_deal(options, number, write(claim, rules), seats, stake)
    won = [result.payoffs[0] for result in results]
    assert bid_value(rules, claim, own, stake) == Fraction(sum(won), len(won))
    seen = Counter((*result.settlement[:2], result.payoffs[0] // stake) for result in results)
    foreseen = {prospect[:3]: prospect.chance for prospect in prospects(rules, claim, own)}
    assert foreseen == {case: Fraction(times, len(results)) for case, times in seen.items()}
    made = sum(result.total >= level for result in results)
    assert chance_to_make(rules, own, level) == Fraction(made, len(results))


def preset_bid(chance: Random) -> tuple[Rules, int, int]:
    """A bid at a table of one of the three games, and how many of its digit the bidder holds."""
    rules = packed(presets()[chance.choice(sorted(presets()))].options, chance.randint(2, 16))
    return rules, chance.randrange(ladder_length(rules)), chance.randint(0, 8)


@given(chances)
def test_prospects_sum_to_one_and_average_to_the_value_which_grows_with_the_stake_alone(chance: Random) -> None:
    bid = preset_bid(chance)
    cases, stake = prospects(*bid), chance.randint(1, 1000)
    assert sum(case.chance for case in cases) == 1
    assert sum(case.chance * case.units for case in cases) == bid_value(*bid)
    assert [case.units for case in cases] == sorted((case.units for case in cases), reverse=True)
    assert bid_value(*bid, stake) == stake * bid_value(*bid)
    # A raise at its break-even chance would be worth what a challenge costs.
    made = [case for case in cases if case.outcome not in (FAILED, NONE)]
    if made:
        assert needed_to_raise(*bid) == raise_threshold_general(bid[0].seats, made[0].multiplier, 1)


@given(players)
def test_the_threshold_is_that_of_source_003(n: int) -> None:
    assert raise_threshold(n) == Fraction(n - 2, 2 * n - 2) == raise_threshold_general(n, 1, 1)
    assert chance_nobody_has(n) == Fraction(9, 10) ** (8 * (n - 1))


@given(players, st.integers(0, 12), st.integers(0, 12))
def test_at_the_threshold_a_raise_and_a_lost_challenge_are_worth_the_same(n: int, pays: int, current: int) -> None:
    chance = raise_threshold_general(n, pays, current)
    raising = (n - 1) * (chance * pays - (1 - chance))
    assert raising == -current or (chance == 0 and raising > -current)


def test_source_003_names_the_thresholds_of_two_three_and_four_players() -> None:
    assert [rounded(raise_threshold(n), 4) for n in (2, 3, 4)] == ["0.0000", "0.2500", "0.3333"]


def test_a_hero_needs_less_than_a_bidder_who_holds_one() -> None:
    rules = packed(DigitOptions(), seats=5)
    assert needed_to_raise(rules, read("6x6", rules), own=0) < needed_to_raise(rules, read("6x6", rules), own=1)


def test_what_the_standing_bid_would_win_counts_against_a_challenge() -> None:
    rules = packed(DigitOptions(), seats=5)
    raised, standing = read("8x7", rules), read("8x6", rules)
    assert needed_to_raise(rules, raised, 2, standing) == raise_threshold_general(5, 2, 4) == 0


def test_wikipedias_two_examples() -> None:
    two, five = packed(DigitOptions(), seats=2), packed(DigitOptions(), seats=5)
    assert rounded(chance_to_make(two, 0, 2), 5) == "0.18690"  # it prints 0.18670 and, rightly, 18.69%
    assert rounded(chance_to_make(five, 0, 4), 5) == "0.39969"


def test_three_players_gain_and_lose_nothing_by_a_skunk() -> None:
    rules = packed(DigitOptions(), seats=3)
    skunk = [case for case in prospects(rules, read("9x5", rules), own=0) if case.outcome == NONE]
    assert [(case.units, case.chance) for case in skunk] == [(0, chance_nobody_has(3))]


@pytest.mark.parametrize(("digit", "worth"), [(5, 3), (6, 5)])
def test_a_hero_wins_one_more_after_the_sixes_double(digit: int, worth: int) -> None:
    rules = packed(DigitOptions(), seats=5)
    best = prospects(rules, claim_of(8, digit, rules), own=0)
    assert [case.multiplier for case in best if case.outcome == HERO] == [worth]


def test_a_bid_that_you_hold_yourself_is_certain() -> None:
    rules = packed(presets()["dollar-bill"].options, seats=4)
    assert prospects(rules, read("2x8", rules), own=2)[0].chance == 1
    assert bid_value(rules, read("2x8", rules), own=2) == 3
