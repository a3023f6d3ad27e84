"""Questions as programs ask them: one JSON object a line in, one answer a line out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.digits.ladder import claim_of, ladder_length
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import floor_of
from liarspoker.odds import bids, counts
from liarspoker.odds.draws import reach
from liarspoker.odds.figures import exact
from liarspoker.odds.pools import half_known_pool
from liarspoker.odds.questions import (
    Answer,
    BadQuestion,
    Check,
    Kind,
    NoSuchClaim,
    NotJson,
    UnknownKind,
    declaration,
    hand_and_discard,
    named_in_pool,
    one_of,
    pool_cards,
    pooled_rules,
    quoted,
    whole,
)
from liarspoker.records import strict_json

HAND_SIZE = DigitOptions().hand_size
SYMBOLS = DigitOptions().symbols

MAX_OTHERS = 1000
"""Far more players than a game seats. An exact chance among so many is a fraction of 8,000 digits, told in 0.1 s."""

MAX_STRAIGHT = 10**9
"""The bound where an answer is one small fraction, whatever the number of players."""

MOST_JOKERS = 2
MOST_CARDS = len(full_deck(MOST_JOKERS))

FAMILIES = {"dollar": "dollar-bill", "salomon1986": "salomon-1986", "slips": "slips"}


def _are_parts(value: object) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= HAND_SIZE:
        return False
    return all(type(part) is int and part >= 1 for part in value) and sum(value) == HAND_SIZE


def _are_texts(value: object, most: int) -> bool:
    return isinstance(value, list) and len(value) <= most and all(isinstance(card, str) for card in value)


_SEATS = whole(2, MAX_OTHERS)
_PLAYERS = whole(2, MAX_STRAIGHT)
_MULTIPLIER = whole(0, MAX_STRAIGHT)
_PARTS = Check(f"a list of whole numbers, each 1 or more, that sum to {HAND_SIZE}", _are_parts)
_CLAIM = Check("a claim, a string", lambda value: isinstance(value, str))
_CARDS = Check('a list of cards such as "As", "Td" or "Jk"', lambda value: _are_texts(value, MOST_CARDS))
_HAND = Check('a list of five cards such as "As", "Td" or "Jk"', lambda value: _are_texts(value, HAND_CARDS))
_JOKERS = whole(0, MOST_JOKERS)
_WILD_RANKS = Check('ranks, a string such as "2" or "29"', lambda value: isinstance(value, str))


@lru_cache(maxsize=256)
def _rules(family: str, n: int) -> Rules:
    return packed(presets()[FAMILIES[family]].options, seats=n)


def _final_bid_value(family: str, n: int, own: int, level: int, digit: str) -> Answer:
    rules = _rules(family, n)
    claim = claim_of(level, int(digit), rules)
    if level < 1 or claim >= ladder_length(rules):
        raise NoSuchClaim(f"level: {n} players can be asked for 1 to {rules.hand_size * n} of a digit")
    made = bids.chance_to_make(rules, own, level)
    return Answer(bids.bid_value(rules, claim, own), {"p_made": float(made)})


def _pooled_exists(hand: str, known: Sequence[str], unknown: int, jokers: int, wild_ranks: str = "") -> Answer:
    rules = pooled_rules(jokers, wild_ranks)
    cards = pool_cards(known, unknown, jokers)
    named = named_in_pool(hand, rules)
    return Answer(half_known_pool(cards, unknown, rules).chance(named))


def _thorin_reach(hand: Sequence[str], discard: Sequence[str], claim: str, jokers: int) -> Answer:
    held, thrown = hand_and_discard(hand, discard, jokers)
    return Answer(reach(held, thrown, floor_of(declaration(claim, jokers)), jokers))


KINDS: Mapping[str, Kind] = {
    "others_exactly": Kind(
        lambda others, count: Answer(counts.exactly(HAND_SIZE * others, count, SYMBOLS)),
        {"others": whole(0, MAX_OTHERS), "count": whole(0)},
    ),
    "others_at_least": Kind(
        lambda others, need: Answer(counts.at_least(HAND_SIZE * others, need, SYMBOLS)),
        {"others": whole(0, MAX_OTHERS), "need": whole()},
    ),
    "one_bill_specific_digit": Kind(
        lambda count: Answer(counts.specific_digit(count, HAND_SIZE, SYMBOLS)), {"count": whole(0)}
    ),
    "one_bill_greatest_frequency": Kind(
        lambda count: Answer(counts.greatest_frequency(count, HAND_SIZE, SYMBOLS)), {"count": whole(0)}
    ),
    "one_bill_partition": Kind(lambda parts: Answer(counts.partition(parts, HAND_SIZE, SYMBOLS)), {"parts": _PARTS}),
    "raise_threshold": Kind(lambda n: Answer(bids.raise_threshold(n)), {"n": _PLAYERS}),
    "raise_threshold_general": Kind(
        lambda n, **multipliers: Answer(bids.raise_threshold_general(n, **multipliers)),
        {"n": _PLAYERS, "multiplier_raise": _MULTIPLIER, "multiplier_current": _MULTIPLIER},
    ),
    "none_given_bidder_none": Kind(lambda n: Answer(bids.chance_nobody_has(n, HAND_SIZE, SYMBOLS)), {"n": _SEATS}),
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
    "pooled_exists": Kind(
        _pooled_exists,
        {"hand": _CLAIM, "known": _CARDS, "unknown": whole(0, MOST_CARDS), "jokers": _JOKERS},
        {"wild_ranks": _WILD_RANKS},
    ),
    "thorin_reach": Kind(_thorin_reach, {"hand": _HAND, "discard": _CARDS, "claim": _CLAIM, "jokers": _JOKERS}),
}
"""Every kind of question, by name."""


def answer(question: Mapping[str, object]) -> Answer:
    """The exact answer to a question.

    Args:
        question: its `kind`, and the fields of that kind; see `KINDS`.

    Raises:
        UnknownKind: there is no such kind.
        BadQuestion: a field, or the kind itself, is missing, unknown, of the wrong type or out of range.
        NoSuchClaim: the bid does not exist among so many players, or no cards make the claim.

    >>> answer({"kind": "others_at_least", "others": 1, "need": 2}).value
    Fraction(18689527, 100000000)
    """
    given = dict(question)
    name = given.pop("kind", None)
    if not isinstance(name, str):
        raise BadQuestion(f"kind: should be one of {', '.join(KINDS)}")
    if name not in KINDS:
        raise UnknownKind(f"kind: {quoted(name)} is none; there are {', '.join(KINDS)}")
    return KINDS[name].ask(given)


def answer_lines(lines: Iterable[bytes]) -> Iterator[str]:
    r"""One answer, a line of JSON without its end, for every line that is not blank.

    >>> list(answer_lines([b'{"kind": "raise_threshold", "n": 4}\n', b"\n", b"what?\n"]))[0]
    '{"value": 0.3333333333333333, "fraction": "1/3"}'
    """
    return (answer_line(line) for line in lines if line.strip())


def answer_line(line: bytes) -> str:
    """The answer to one line: its value, or what is wrong with it; never an exception.

    >>> answer_line(b'{"kind": "raise_threshold", "n": 1}')
    '{"error": {"code": "bad-question", "message": "n: should be a whole number from 2 to 1000000000"}}'
    """
    try:
        value, extras = answer(_question(line))
    except LiarsPokerError as error:
        return json.dumps({"error": {"code": error.code, "message": str(error)}})
    return json.dumps({**exact(value), **extras})


def _question(line: bytes) -> dict[str, object]:
    """The JSON object on a line.

    Raises:
        NotJson: not UTF-8, not JSON (NaN is none), or nested too deeply to read.
        BadQuestion: JSON, but no object, or one with a key twice.
    """
    try:
        found = strict_json.load(line)
    except strict_json.NotJson as error:
        raise NotJson(f"the line is not JSON: {error}") from None
    except strict_json.KeyTwice as error:
        raise BadQuestion(str(error)) from None
    if not isinstance(found, dict):
        raise BadQuestion("the line is JSON, but not an object with a kind")
    return found
