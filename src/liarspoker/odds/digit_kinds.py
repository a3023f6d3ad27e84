"""The kinds of question about the digit games: numbers of eight digits of ten."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from liarspoker.games.digits.ladder import claim_of, ladder_length
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.presets import presets
from liarspoker.odds import bids, bills, counts
from liarspoker.odds.questions import Answer, Check, Kind, NoSuchClaim, one_of, whole

HAND_SIZE = DigitOptions().hand_size
SYMBOLS = DigitOptions().symbols

MAX_OTHERS = 1000
"""Far more players than a game seats. An exact chance among so many is a fraction of 8,000 digits, told in 0.1 s."""

MAX_STRAIGHT = 10**9
"""The bound where an answer is one small fraction, whatever the number of players."""

FAMILIES = {"dollar": "dollar-bill", "salomon1986": "salomon-1986", "slips": "slips"}


def _are_parts(value: object) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= HAND_SIZE:
        return False
    return all(type(part) is int and part >= 1 for part in value) and sum(value) == HAND_SIZE


_OTHERS = whole(0, MAX_OTHERS)
_SEATS = whole(2, MAX_OTHERS)
_PLAYERS = whole(2, MAX_STRAIGHT)
_MULTIPLIER = whole(0, MAX_STRAIGHT)
_PARTS = Check(f"a list of whole numbers, each 1 or more, that sum to {HAND_SIZE}", _are_parts)


def _others_exactly(others: int, count: int) -> Answer:
    return Answer(counts.exactly(HAND_SIZE * others, count, SYMBOLS))


def _others_at_least(others: int, need: int) -> Answer:
    return Answer(counts.at_least(HAND_SIZE * others, need, SYMBOLS))


def _one_bill_specific_digit(count: int) -> Answer:
    return Answer(bills.specific_digit(count, HAND_SIZE, SYMBOLS))


def _one_bill_greatest_frequency(count: int) -> Answer:
    return Answer(bills.greatest_frequency(count, HAND_SIZE, SYMBOLS))


def _one_bill_partition(parts: list[int]) -> Answer:
    return Answer(bills.partition(parts, HAND_SIZE, SYMBOLS))


def _raise_threshold(n: int) -> Answer:
    return Answer(bids.raise_threshold(n))


def _raise_threshold_general(n: int, multiplier_raise: int, multiplier_current: int) -> Answer:
    return Answer(bids.raise_threshold_general(n, multiplier_raise, multiplier_current))


def _none_given_bidder_none(n: int) -> Answer:
    return Answer(bids.chance_nobody_has(n, HAND_SIZE, SYMBOLS))


def _final_bid_value(family: str, n: int, own: int, level: int, digit: str) -> Answer:
    rules = _rules(family, n)
    claim = claim_of(level, int(digit), rules)
    if level < 1 or claim >= ladder_length(rules):
        raise NoSuchClaim(f"level: {n} players can be asked for 1 to {rules.hand_size * n} of a digit")
    made = bids.chance_to_make(rules, own, level)
    return Answer(bids.bid_value(rules, claim, own), {"p_made": float(made)})


@lru_cache(maxsize=256)
def _rules(family: str, n: int) -> Rules:
    return packed(presets()[FAMILIES[family]].options, seats=n)


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "others_exactly": Kind(_others_exactly, {"others": _OTHERS, "count": whole(0)}),
        "others_at_least": Kind(_others_at_least, {"others": _OTHERS, "need": whole()}),
        "one_bill_specific_digit": Kind(_one_bill_specific_digit, {"count": whole(0)}),
        "one_bill_greatest_frequency": Kind(_one_bill_greatest_frequency, {"count": whole(0)}),
        "one_bill_partition": Kind(_one_bill_partition, {"parts": _PARTS}),
        "raise_threshold": Kind(_raise_threshold, {"n": _PLAYERS}),
        "raise_threshold_general": Kind(
            _raise_threshold_general,
            {"n": _PLAYERS, "multiplier_raise": _MULTIPLIER, "multiplier_current": _MULTIPLIER},
        ),
        "none_given_bidder_none": Kind(_none_given_bidder_none, {"n": _SEATS}),
        "final_bid_value": Kind(
            _final_bid_value,
            {
                "family": one_of(FAMILIES),
                "n": _SEATS,
                "own": whole(0, HAND_SIZE),
                "level": whole(),
                "digit": one_of(tuple("0123456789")),
            },
        ),
    }
)
"""Every kind of this room, by name."""
