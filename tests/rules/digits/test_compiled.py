"""The rule functions compile unchanged, with the same results as in Python.

There is only one copy of the rules, which the engine compiles. Therefore numba must be able to compile each function on
ints, with the same results on whole hands: legal and illegal actions, counts, payoffs and stakes that carry over.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from types import FunctionType
from typing import Any

import pytest

from liarspoker.core.errors import LEGAL
from liarspoker.games.digits import auction, hands, ladder, settlement
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, OPEN, OVER
from liarspoker.games.digits.hands import packed_counts
from liarspoker.games.digits.options import OPTIONS, DigitOptions, Rules, packed
from tests.effort import effort
from tests.rules.digits.plays import random_options

HANDS_A_TABLE = 25
PLAYED = effort(300, quick=100, soak=100_000)
ON_TEXT = {"packed_counts", "ends_odd"}
"""Functions that work on text, which aren't compiled."""
COMPILED = {
    name: thing
    for module in (ladder, auction, settlement, hands)
    for name, thing in vars(module).items()
    if isinstance(thing, FunctionType) and thing.__module__ == module.__name__ and name not in ON_TEXT
}


@cache
def twins() -> dict[str, Any]:
    """Return every rule function, compiled."""
    pytest.importorskip("numba", reason="numba is not installed; the rules do without it")
    from liarspoker.engine.compiling import compiled

    return {name: compiled(function) for name, function in COMPILED.items()}


class Pair:
    """Return functions that call a rule function and its compiled version and compare the results."""

    def __init__(self) -> None:
        self.called: Counter[str] = Counter()

    def __call__(self, function: Any, *arguments: Any) -> Any:
        name = function.__name__
        self.called[name] += 1
        answer, compiled = function(*arguments), twins()[name](*arguments)
        assert compiled == answer, f"{name}{arguments}: compiled {compiled}, in Python {answer}"
        return answer


def any_rules(chance: Random, **how: Any) -> Rules:
    """Draw rules with a capped ladder without cycles."""
    return packed(random_options(chance, loose_order=False, cap_level=True), chance.randint(2, 16), **how)


def random_action(chance: Random, standing: int, rules: Rules) -> int:
    """Draw an action: usually a challenge, a count or a slightly stronger bid, sometimes an illegal int."""
    throw = chance.random()
    if throw < 0.5:
        return CHALLENGE if throw < 0.4 else COUNT
    if throw < 0.9:
        return standing + 1 + chance.randrange(1 + rules.symbols // 2)
    return chance.randrange(-4, ladder.ladder_length(rules) + rules.symbols)


def auctioned(both: Pair, chance: Random, opener: int, rules: Rules) -> auction.Auction:
    """Play an auction, checking and applying each action both ways."""
    state: auction.Auction = both(auction.opening, opener)
    while state.phase != OVER:
        action = random_action(chance, state.claim, rules)
        again = both(auction.refusal_with_repeats, state, action, chance.random() < 0.1, rules)
        if both(auction.refusal, state, action, rules) == LEGAL:
            assert rules.loose or again == LEGAL
            state = both(auction.after, state, action, rules)
        elif state.phase in (OPEN, DECIDE) and chance.random() < 0.5:
            action = COUNT if state.phase == DECIDE else 0
            assert both(auction.refusal, state, action, rules) == LEGAL
            state = both(auction.after, state, action, rules)
    assert both(auction.refusal, state, CHALLENGE, rules) != LEGAL
    return state


def counted(both: Pair, chance: Random, state: auction.Auction, rules: Rules) -> tuple[int, int]:
    """Return how many of the digit last bid the bidder holds, and how many all players hold."""
    digits = [(rules.lowest_digit + rank) % 10 for rank in range(rules.symbols)]
    few = chance.sample(digits, k=chance.randint(1, len(digits)))
    numbers = ["".join(str(chance.choice(few)) for _ in range(rules.hand_size)) for _ in range(rules.seats)]
    digit = both(ladder.digit_of, state.claim, rules)
    held = [both(hands.count_of, packed_counts(number), digit) for number in numbers]
    return held[state.bidder], sum(held)


def play_session(both: Pair, chance: Random) -> None:
    """Play the hands of a table, with the stakes that carry over."""
    rules = any_rules(chance, from_slips=chance.random() < 0.5)
    opener, carried, row, played = 0, 1, 0, 1
    for hand in range(HANDS_A_TABLE):
        base = both(settlement.base_stake, hand, carried, rules)
        assert base == (1 if both(settlement.resets_stake, hand, rules) else carried)
        stake = both(settlement.stake_of_hand, hand, base, rules)
        both(settlement.carry_rule, hand % 3, base, rules)
        assert both(settlement.is_doubled, hand, rules) == bool(rules.tenth_double and hand % 10 == 9)
        state = auctioned(both, chance, opener, rules)
        own, total = counted(both, chance, state, rules)
        outcome = both(settlement.settle, state.claim, own, total, rules)
        paid = [both(settlement.payoff, seat, state.bidder, outcome, stake, rules) for seat in range(rules.seats)]
        assert sum(paid) == 0
        opener = both(settlement.next_opener, opener, state.bidder, outcome.outcome, rules)
        carried = both(settlement.next_stake, outcome.bid_multiplier, own, base, rules)
        carried = carried if carried < 2**40 else 1  # the engine's stakes stay far below 62 bits
        assert both(hands.rows_needed, hand + 1) % hands.ROWS == 0
        if not both(hands.begins_slip, hand):
            both(hands.next_row, row, played, chance.randint(0, rules.seats))
        row = both(hands.row_of_hand, hand, row, played, chance.randint(0, rules.seats))
        played = both(hands.played_after, hand, row, played)


def compare_claims(both: Pair, chance: Random) -> None:
    """Compare two bids of a ladder, and the multiplier of the first."""
    rules = any_rules(chance)
    claim, other = (chance.randrange(both(ladder.ladder_length, rules)) for _ in range(2))
    level, digit = both(ladder.level_of, claim, rules), both(ladder.digit_of, claim, rules)
    assert both(ladder.claim_of, level, digit, rules) == claim
    assert both(ladder.rank_of, digit, rules) == claim % rules.symbols
    both(ladder.beats, claim, other, rules)
    assert claim < both(ladder.listing_end, claim, rules)
    multiplier = both(settlement.bid_multiplier, claim, rules)
    assert multiplier == both(settlement.level_factor, claim, rules) * both(settlement.sixes_factor, claim, rules)
    both(settlement.level_multiplier, level, rules.seats)
    both(settlement.none_multiplier, rules.seats)


def test_every_rule_function_gives_the_same_results_compiled_and_in_python() -> None:
    """A new rule function must be compared, or be listed as one that works on text."""
    before = {name: function.__globals__ for name, function in COMPILED.items()}
    both, chance = Pair(), Random(1991)
    for _ in range(PLAYED // HANDS_A_TABLE):
        play_session(both, chance)
    for _ in range(PLAYED // 2):
        compare_claims(both, chance)
    assert set(both.called) == set(COMPILED)
    # Compiling doesn't change the functions themselves.
    assert all(function.__globals__ is before[name] for name, function in COMPILED.items())
    assert auction.refusal.__globals__["beats"] is ladder.beats


def test_packed_rules_and_numbers_stay_below_62_bits() -> None:
    extreme: dict[str, object] = {info.name: info.choices[-1] for info in OPTIONS}
    assert max(packed(DigitOptions().with_values(extreme), seats=16)) < 2**16
    assert packed_counts("9" * 15) < 2**62
