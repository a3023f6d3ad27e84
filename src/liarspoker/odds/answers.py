"""Answers to questions in JSON: one question per line in, one answer per line out."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.digits.ladder import claim_of, ladder_length
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.language import speaking
from liarspoker.odds import bids, counts
from liarspoker.odds.card_report import DrawReport
from liarspoker.odds.figures import exact
from liarspoker.odds.pools import partial_pool
from liarspoker.odds.questions import (
    Answer,
    BadQuestion,
    NoSuchClaim,
    NotJson,
    UnknownKind,
    declaration,
    draw_option,
    gone_cards,
    hand_and_discard,
    named_in_pool,
    pool_cards,
    pooled_rules,
    quoted,
)
from liarspoker.records import strict_json

HAND_SIZE = DigitOptions().hand_size
"""The digits in a hand."""
SYMBOLS = DigitOptions().symbols
"""The digits in play."""

MAX_OTHERS = 1000
"""The maximum of `others` and `n` where answers have long fractions: 8,000 digits, computed in 0.1 s."""

MAX_STRAIGHT = 10**9
"""The maximum of fields for which every answer is a short fraction."""

MOST_JOKERS = 2
"""The most jokers in a deck."""
MOST_CARDS = len(full_deck(MOST_JOKERS))
"""The most cards in a deck."""

FAMILIES = {"dollar": "dollar-bill", "salomon1986": "salomon-1986", "slips": "slips"}
"""The game of each value of the field `family`."""


@dataclass(frozen=True, slots=True)
class Check:
    """The check of a field's value.

    Attributes:
        expected: the valid values in words.
        accepts: returns whether a JSON value is valid.
    """

    expected: str
    accepts: Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question.

    Attributes:
        answer: the function that computes the answer from the fields.
        fields: the required fields.
        optional: the optional fields.
    """

    answer: Callable[..., Answer]
    fields: Mapping[str, Check]
    optional: Mapping[str, Check] = field(default_factory=dict)

    def ask(self, given: Mapping[str, object]) -> Answer:
        """Check the fields and return the answer.

        Raises:
            BadQuestion: a field is missing, unknown, of the wrong type or out of range.
            NoSuchClaim: the claim doesn't exist.
        """
        checks = {**self.fields, **self.optional}
        missing = [name for name in self.fields if name not in given]
        if missing:
            raise BadQuestion(f"{missing[0]}: missing")
        for name, value in given.items():
            check = checks.get(name)
            if check is None:
                raise BadQuestion(f"{quoted(name)}: no such field; this kind has {', '.join(checks)}")
            if not check.accepts(value):
                raise BadQuestion(f"{name}: it must be {check.expected}")
        return self.answer(**given)


def integer(low: int | None = None, high: int | None = None) -> Check:
    """Return a check for integers from `low` to `high`; `true` and 2.0 aren't integers.

    >>> integer(2, 16).expected, integer(2, 16).accepts(16), integer().accepts(2.0), integer(0, 1).accepts(True)
    ('an integer from 2 to 16', True, False, False)
    """
    words = "an integer"
    if low is not None:
        words += f" from {low} to {high}" if high is not None else f", {low} or more"

    def accepts(value: object) -> bool:
        return type(value) is int and (low is None or low <= value) and (high is None or value <= high)

    return Check(words, accepts)


def one_of(values: Collection[str]) -> Check:
    """Return a check for one of several strings.

    >>> one_of(("a", "b")).expected
    '"a" or "b"'
    """
    words = [f'"{value}"' for value in values]
    expected = f"{', '.join(words[:-1])} or {words[-1]}"
    return Check(expected, lambda value: isinstance(value, str) and value in values)


def _are_parts(value: object) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= HAND_SIZE:
        return False
    return all(type(part) is int and part >= 1 for part in value) and sum(value) == HAND_SIZE


def _are_texts(value: object, most: int) -> bool:
    return isinstance(value, list) and len(value) <= most and all(isinstance(card, str) for card in value)


_SEATS = integer(2, MAX_OTHERS)
_PLAYERS = integer(2, MAX_STRAIGHT)
_MULTIPLIER = integer(0, MAX_STRAIGHT)
_PARTS = Check(f"a list of integers, each 1 or more, that sum to {HAND_SIZE}", _are_parts)
_CLAIM = Check("a claim, a string", lambda value: isinstance(value, str))
_CARDS = Check('a list of cards such as "As", "Td" or "Jk"', lambda value: _are_texts(value, MOST_CARDS))
_HAND = Check('a list of five cards such as "As", "Td" or "Jk"', lambda value: _are_texts(value, HAND_CARDS))
_JOKERS = integer(0, MOST_JOKERS)
_WILD_RANKS = Check('ranks, a string such as "2" or "29"', lambda value: isinstance(value, str))


@lru_cache(maxsize=256)
def _rules(family: str, n: int) -> Rules:
    return packed(presets()[FAMILIES[family]].options, seats=n)


def _final_bid_value(family: str, n: int, own: int, level: int, digit: str) -> Answer:
    rules = _rules(family, n)
    claim = claim_of(level, int(digit), rules)
    if level < 1 or claim >= ladder_length(rules):
        raise NoSuchClaim(f"level: with {n} players, it must be between 1 and {rules.hand_size * n}")
    made = bids.probability_made(rules, own, level)
    return Answer(bids.bid_value(rules, claim, own), {"p_made": float(made)})


def _pooled_exists(hand: str, known: Sequence[str], unknown: int, jokers: int, wild_ranks: str = "") -> Answer:
    rules = pooled_rules(jokers, wild_ranks)
    cards = pool_cards(known, unknown, jokers)
    named = named_in_pool(hand, rules)
    return Answer(partial_pool(cards, unknown, rules).probability(named))


def _thorin_reach(
    hand: Sequence[str],
    discard: Sequence[str],
    claim: str,
    jokers: int,
    gone: Sequence[str] = (),
    or_better: str = "worst",
    duplicate: str = "five_only",
) -> Answer:
    held, discarded = hand_and_discard(hand, discard, jokers)
    known = gone_cards(gone, held, jokers)
    named = declaration(claim, jokers, duplicate)
    return Answer(DrawReport(named, jokers, held, discarded, known, or_better, duplicate).choices[0].probability)


KINDS: Mapping[str, Kind] = {
    "others_exactly": Kind(
        lambda others, count: Answer(counts.exactly(HAND_SIZE * others, count, SYMBOLS)),
        {"others": integer(0, MAX_OTHERS), "count": integer(0)},
    ),
    "others_at_least": Kind(
        lambda others, need: Answer(counts.at_least(HAND_SIZE * others, need, SYMBOLS)),
        {"others": integer(0, MAX_OTHERS), "need": integer()},
    ),
    "one_bill_specific_digit": Kind(
        lambda count: Answer(counts.specific_digit(count, HAND_SIZE, SYMBOLS)), {"count": integer(0)}
    ),
    "one_bill_greatest_frequency": Kind(
        lambda count: Answer(counts.greatest_frequency(count, HAND_SIZE, SYMBOLS)), {"count": integer(0)}
    ),
    "one_bill_partition": Kind(lambda parts: Answer(counts.partition(parts, HAND_SIZE, SYMBOLS)), {"parts": _PARTS}),
    "raise_threshold": Kind(lambda n: Answer(bids.raise_threshold(n)), {"n": _PLAYERS}),
    "raise_threshold_general": Kind(
        lambda n, **multipliers: Answer(bids.raise_threshold_general(n, **multipliers)),
        {"n": _PLAYERS, "multiplier_raise": _MULTIPLIER, "multiplier_current": _MULTIPLIER},
    ),
    "none_given_bidder_none": Kind(lambda n: Answer(bids.none_probability(n, HAND_SIZE, SYMBOLS)), {"n": _SEATS}),
    "final_bid_value": Kind(
        _final_bid_value,
        {
            "family": one_of(FAMILIES),
            "n": _SEATS,
            "own": integer(0, HAND_SIZE),
            "level": integer(),
            "digit": one_of(tuple("0123456789")),
        },
    ),
    "pooled_exists": Kind(
        _pooled_exists,
        {"hand": _CLAIM, "known": _CARDS, "unknown": integer(0, MOST_CARDS), "jokers": _JOKERS},
        {"wild_ranks": _WILD_RANKS},
    ),
    "thorin_reach": Kind(
        _thorin_reach,
        {"hand": _HAND, "discard": _CARDS, "claim": _CLAIM, "jokers": _JOKERS},
        {"gone": _CARDS, "or_better": one_of(draw_option("or_better")), "duplicate": one_of(draw_option("duplicate"))},
    ),
}
"""Every kind of question, by name."""


def answer(question: Mapping[str, object]) -> Answer:
    """Return the exact answer to a question.

    Args:
        question: its `kind` and the fields of that kind; see `KINDS`.

    Raises:
        UnknownKind: there is no such kind.
        BadQuestion: a field or the kind is missing, unknown, of the wrong type or out of range.
        NoSuchClaim: the bid or the claim doesn't exist.

    >>> answer({"kind": "others_at_least", "others": 1, "need": 2}).value
    Fraction(18689527, 100000000)
    """
    given = dict(question)
    name = given.pop("kind", None)
    if not isinstance(name, str):
        raise BadQuestion(f"kind: it must be one of {', '.join(KINDS)}")
    if name not in KINDS:
        raise UnknownKind(f"kind: there is no kind {quoted(name)}; the kinds are {', '.join(KINDS)}")
    return KINDS[name].ask(given)


def answer_lines(lines: Iterable[bytes]) -> Iterator[str]:
    r"""Return an iterator over the answers to all lines that aren't blank, as JSON without line ends.

    >>> list(answer_lines([b'{"kind": "raise_threshold", "n": 4}\n', b"\n", b"what?\n"]))[0]
    '{"value": 0.3333333333333333, "fraction": "1/3"}'
    """
    return (answer_line(line) for line in lines if line.strip())


def answer_line(line: bytes) -> str:
    """Return the answer to one line as JSON: the value or an error.

    >>> answer_line(b'{"kind": "raise_threshold", "n": 1}')
    '{"error": {"code": "bad-question", "message": "n: it must be an integer from 2 to 1000000000"}}'
    """
    try:
        with speaking("en"):  # for programs
            value, extras = answer(_question(line))
    except LiarsPokerError as error:
        return json.dumps({"error": {"code": error.code, "message": str(error)}})
    return json.dumps({**exact(value), **extras})


def _question(line: bytes) -> dict[str, object]:
    """Return the JSON object on a line.

    Raises:
        NotJson: the line isn't UTF-8 or JSON, or is nested too deeply.
        BadQuestion: the JSON isn't an object, or it has a duplicate key.
    """
    try:
        found = strict_json.load(line)
    except strict_json.NotJson as error:
        raise NotJson(f"the line isn't JSON: {error}") from None
    except strict_json.DuplicateKey as error:
        raise BadQuestion(str(error)) from None
    if not isinstance(found, dict):
        raise BadQuestion("the line must be a JSON object with a kind")
    return found
