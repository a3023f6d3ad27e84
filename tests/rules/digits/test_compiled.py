"""The rule functions compile as they stand, and compiled they say what they say in Python.

There is one copy of the rules; the engine compiles that. So each function on ints must be written as numba can read
it, and what numba makes of it must be the same on whole hands: legal and illegal actions, count, payment and carry.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import pytest

from liarspoker.core.errors import LEGAL
from liarspoker.games.digits import auction, hands, ladder, settlement
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, OPEN, OVER
from liarspoker.games.digits.hands import packed_counts
from liarspoker.games.digits.options import OPTIONS, DigitOptions, Rules, packed

pytest.importorskip("numba", reason="numba is not installed; the rules do without it")

# Below the import of numba: without it there is nothing to compile.
from liarspoker.engine.compiling import compiled
from tests.effort import effort

HANDS_A_TABLE = 25


def functions_of(module: ModuleType) -> dict[str, FunctionType]:
    """The functions that a module of the rules defines itself, by name."""
    return {
        name: thing
        for name, thing in vars(module).items()
        if isinstance(thing, FunctionType) and thing.__module__ == module.__name__
    }


# What works on text, for people: no part of what is compiled.
ON_TEXT = {"packed_counts", "ends_odd"}
COMPILED = {
    function.__name__: function
    for module in (ladder, auction, settlement, hands)
    for function in functions_of(module).values()
    if function.__name__ not in ON_TEXT
}

Twin = Callable[..., Any]


@cache
def twins() -> dict[str, Twin]:
    """Every rule function, compiled."""
    return {name: compiled(function) for name, function in COMPILED.items()}


class Pair:
    """Every rule function beside its compiled twin; calling one calls both and compares."""

    def __init__(self) -> None:
        self.called: dict[str, int] = dict.fromkeys(COMPILED, 0)

    def __call__(self, function: Any, *arguments: Any) -> Any:
        assert isinstance(function, FunctionType)
        name = function.__name__
        self.called[name] += 1
        answer = function(*arguments)
        compiled = twins()[name](*arguments)
        assert compiled == answer, f"{name}{arguments}: compiled {compiled}, in Python {answer}"
        return answer


def random_options(chance: random.Random) -> DigitOptions:
    """Options of every kind, with a top to the ladder and no cycles in it."""
    chosen: dict[str, object] = {info.name: chance.choice(info.choices) for info in OPTIONS}
    if chance.random() < 0.5:
        chosen |= {"hand_size": 8, "symbols": 10}
    return DigitOptions().with_values(chosen | {"loose_order": False, "cap_level": True})


def random_action(chance: random.Random, standing: int, rules: Rules) -> int:
    """Anything: mostly a challenge, a count or a bid that is a little stronger, now and then what nobody may do."""
    throw = chance.random()
    if throw < 0.4:
        return CHALLENGE
    if throw < 0.5:
        return COUNT
    if throw < 0.9:
        return standing + 1 + chance.randrange(1 + rules.symbols // 2)
    return chance.randrange(-4, ladder.ladder_length(rules) + rules.symbols)


def auctioned(both: Pair, chance: random.Random, opener: int, rules: Rules) -> auction.Auction:
    """A whole auction, each action judged and played twice."""
    state: auction.Auction = both(auction.opening, opener)
    while state.phase != OVER:
        action = random_action(chance, state.claim, rules)
        made_before = chance.random() < 0.1
        again = both(auction.refusal_again, state, action, made_before, rules)
        if both(auction.refusal, state, action, rules) == LEGAL:
            assert rules.loose or again == LEGAL
            state = both(auction.after, state, action, rules)
        elif state.phase in (OPEN, DECIDE) and chance.random() < 0.5:
            action = COUNT if state.phase == DECIDE else 0
            assert both(auction.refusal, state, action, rules) == LEGAL
            state = both(auction.after, state, action, rules)
    assert both(auction.refusal, state, CHALLENGE, rules) != LEGAL
    return state


def counted(both: Pair, chance: random.Random, state: auction.Auction, rules: Rules) -> tuple[int, int]:
    """How many of the digit last bid the bidder holds, and how many all do."""
    digits = [(rules.lowest_digit + rank) % 10 for rank in range(rules.symbols)]
    few = chance.sample(digits, k=chance.randint(1, len(digits)))
    numbers = ["".join(str(chance.choice(few)) for _ in range(rules.hand_size)) for _ in range(rules.seats)]
    digit = both(ladder.digit_of, state.claim, rules)
    held = [both(hands.count_of, packed_counts(number), digit) for number in numbers]
    return held[state.bidder], sum(held)


@pytest.mark.parametrize("played_hands", [effort(500, quick=100, soak=100_000)])
def test_whole_sessions_come_out_the_same_compiled_and_in_python(played_hands: int) -> None:
    both, chance = Pair(), random.Random(played_hands)
    for _ in range(played_hands // HANDS_A_TABLE):
        rules = packed(random_options(chance), seats=chance.randint(2, 16), from_slips=chance.random() < 0.5)
        assert both(ladder.ladder_length, rules) > 0
        opener, carried, row, played = 0, 1, 0, 1
        for hand in range(HANDS_A_TABLE):
            base = both(settlement.base_stake, hand, carried, rules)
            assert base == (1 if both(settlement.starts_anew, hand, rules) else carried)
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
    assert both.called["settle"] == played_hands


def test_claims_come_out_the_same_compiled_and_in_python() -> None:
    both, chance = Pair(), random.Random(1991)
    for _ in range(500):
        rules = packed(random_options(chance), seats=chance.randint(2, 16))
        claim, other = (chance.randrange(ladder.ladder_length(rules)) for _ in range(2))
        level, digit = both(ladder.level_of, claim, rules), both(ladder.digit_of, claim, rules)
        assert both(ladder.claim_of, level, digit, rules) == claim
        assert both(ladder.rank_of, digit, rules) == claim % rules.symbols
        both(ladder.beats, claim, other, rules)
        assert claim < both(ladder.listed_end, claim, rules)
        worth = both(settlement.bid_multiplier, claim, rules)
        assert worth == both(settlement.level_part, claim, rules) * both(settlement.sixes_part, claim, rules)
        both(settlement.level_multiplier, level, rules.seats)
        both(settlement.none_multiplier, rules.seats)


def test_no_rule_function_is_left_out_of_the_comparison() -> None:
    """A function that is added to the rules must be compared above, or be named as one that works on text."""
    assert set(twins()) == {
        *("ladder_length", "level_of", "digit_of", "rank_of", "claim_of", "beats", "listed_end"),
        *("opening", "refusal", "refusal_again", "after"),
        *("level_multiplier", "level_part", "sixes_part", "bid_multiplier", "none_multiplier", "settle", "payoff"),
        *("carry_rule", "next_stake", "starts_anew", "base_stake", "is_doubled", "stake_of_hand", "next_opener"),
        *("next_row", "begins_slip", "rows_needed", "row_of_hand", "played_after", "count_of"),
    }


def test_compiling_leaves_the_rules_themselves_as_they_are() -> None:
    before = {name: (function.__code__, function.__globals__) for name, function in COMPILED.items()}
    twins()
    assert all(function.__globals__ is before[name][1] for name, function in COMPILED.items())
    assert auction.refusal.__globals__["beats"] is ladder.beats


def test_packed_rules_and_numbers_stay_below_62_bits() -> None:
    extreme: dict[str, object] = {info.name: info.choices[-1] for info in OPTIONS}
    assert max(packed(DigitOptions().with_values(extreme), seats=16)) < 2**16
    assert packed_counts("9" * 15) < 2**62
