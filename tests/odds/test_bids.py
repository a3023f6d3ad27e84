"""The value of a bid, compared with hands that are dealt and counted by the rules."""

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
    break_even_probability,
    none_probability,
    probability_made,
    prospects,
    raise_threshold,
    raise_threshold_general,
)
from liarspoker.odds.figures import rounded
from tests.rules.digits.plays import chances, final, random_options, result_of, study

# Seats, digits in a hand, digits in play: few enough deals to play them all. Seven digits in play include the six.
SMALL = [(2, 1, 7), (3, 1, 7), (2, 2, 3), (3, 2, 3), (2, 3, 2), (4, 1, 3), (5, 1, 2), (5, 1, 3)]
PRESET_NAMES = sorted(presets())
players = st.integers(2, 40)


def results_of_every_deal(options: DigitOptions, number: str, bid: str, seats: int, stake: int) -> list[DigitResult]:
    """Yield the results of counting seat 0's `bid` with `number` in hand, for every deal of the others."""
    session = study(seats, options)
    hands = ["".join(hand) for hand in product(digits_in_play(session.setup.rules), repeat=options.hand_size)]
    deals = product(hands, repeat=seats - 1)
    return [result_of(final(session, (number, *others), bid, stake=stake)) for others in deals]


def small_bid(chance: Random) -> tuple[DigitOptions, int, str, int]:
    """Draw small options, seats, the bidder's number and a bid."""
    seats, hand_size, symbols = chance.choice(SMALL)
    options = random_options(chance, hand_size=hand_size, symbols=symbols)
    rules = packed(options, seats)
    number = "".join(chance.choice(digits_in_play(rules)) for _ in range(hand_size))
    return options, seats, number, chance.randrange(ladder_length(rules))


@given(chances)
def test_the_value_of_a_bid_is_the_mean_over_all_deals(chance: Random) -> None:
    """The prospects and the probability of making the bid match too."""
    options, seats, number, claim = small_bid(chance)
    rules, stake = packed(options, seats), chance.randint(1, 3)
    own, level = count_of(packed_counts(number), digit_of(claim, rules)), level_of(claim, rules)
    results = results_of_every_deal(options, number, write(claim, rules), seats, stake)
    won = [result.payoffs[0] for result in results]
    assert bid_value(rules, claim, own, stake) == Fraction(sum(won), len(won))
    seen = Counter((*result.settlement[:2], result.payoffs[0] // stake) for result in results)
    foreseen = {prospect[:3]: prospect.probability for prospect in prospects(rules, claim, own)}
    assert foreseen == {case: Fraction(times, len(results)) for case, times in seen.items()}
    made = sum(result.total >= level for result in results)
    assert probability_made(rules, own, level) == Fraction(made, len(results))


def preset_bid(chance: Random) -> tuple[Rules, int, int]:
    """Draw a bid in one of the three games, and how many of its digit the bidder holds."""
    rules = packed(presets()[chance.choice(sorted(presets()))].options, chance.randint(2, 16))
    return rules, chance.randrange(ladder_length(rules)), chance.randint(0, 8)


@given(chances)
def test_prospects_sum_to_one_and_their_mean_is_the_value(chance: Random) -> None:
    bid = preset_bid(chance)
    cases, stake = prospects(*bid), chance.randint(1, 1000)
    assert sum(case.probability for case in cases) == 1
    assert sum(case.probability * case.units for case in cases) == bid_value(*bid)
    assert [case.units for case in cases] == sorted((case.units for case in cases), reverse=True)
    assert bid_value(*bid, stake) == stake * bid_value(*bid)
    # At the break-even probability, a raise has the value of a lost challenge.
    made = [case for case in cases if case.outcome not in (FAILED, NONE)]
    if made:
        assert break_even_probability(*bid) == raise_threshold_general(bid[0].seats, made[0].multiplier, 1)


@given(players)
def test_the_threshold_is_that_of_source_003(n: int) -> None:
    assert raise_threshold(n) == Fraction(n - 2, 2 * n - 2) == raise_threshold_general(n, 1, 1)
    assert none_probability(n) == Fraction(9, 10) ** (8 * (n - 1))


@given(players, st.integers(0, 12), st.integers(0, 12))
def test_at_the_threshold_a_raise_and_a_lost_challenge_have_the_same_value(n: int, pays: int, current: int) -> None:
    chance = raise_threshold_general(n, pays, current)
    raising = (n - 1) * (chance * pays - (1 - chance))
    assert raising == -current or (chance == 0 and raising > -current)


def test_source_003_states_the_thresholds_for_two_three_and_four_players() -> None:
    assert [rounded(raise_threshold(n), 4) for n in (2, 3, 4)] == ["0.0000", "0.2500", "0.3333"]


def test_a_hero_has_a_lower_threshold_than_a_bidder_who_holds_one() -> None:
    rules = packed(DigitOptions(), seats=5)
    assert break_even_probability(rules, read("6x6", rules), own=0) < break_even_probability(
        rules, read("6x6", rules), own=1
    )


def test_the_multiplier_of_the_standing_bid_lowers_the_threshold() -> None:
    rules = packed(DigitOptions(), seats=5)
    raised, standing = read("8x7", rules), read("8x6", rules)
    assert break_even_probability(rules, raised, 2, standing) == raise_threshold_general(5, 2, 4) == 0


def test_wikipedias_two_examples() -> None:
    two, five = packed(DigitOptions(), seats=2), packed(DigitOptions(), seats=5)
    assert rounded(probability_made(two, 0, 2), 5) == "0.18690"  # the source prints 0.18670 and, correctly, 18.69%
    assert rounded(probability_made(five, 0, 4), 5) == "0.39969"


def test_a_skunk_pays_nothing_with_three_players() -> None:
    rules = packed(DigitOptions(), seats=3)
    skunk = [case for case in prospects(rules, read("9x5", rules), own=0) if case.outcome == NONE]
    assert [(case.units, case.probability) for case in skunk] == [(0, none_probability(3))]


@pytest.mark.parametrize(("digit", "multiplier"), [(5, 3), (6, 5)])
def test_the_heros_extra_multiple_is_added_after_doubling_for_sixes(digit: int, multiplier: int) -> None:
    rules = packed(DigitOptions(), seats=5)
    best = prospects(rules, claim_of(8, digit, rules), own=0)
    assert [case.multiplier for case in best if case.outcome == HERO] == [multiplier]


def test_a_bid_covered_by_your_own_hand_is_certain() -> None:
    rules = packed(presets()["dollar-bill"].options, seats=4)
    assert prospects(rules, read("2x8", rules), own=2)[0].probability == 1
    assert bid_value(rules, read("2x8", rules), own=2) == 3
