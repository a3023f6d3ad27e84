"""Questions in JSON, one per line, and their answers."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.games.digits.notation import read
from liarspoker.games.digits.options import packed
from liarspoker.games.digits.presets import presets
from liarspoker.odds.answers import KINDS, answer, answer_line, answer_lines
from liarspoker.odds.bids import bid_value, probability_made
from liarspoker.odds.counts import at_least
from liarspoker.odds.figures import written
from liarspoker.odds.questions import BadQuestion, UnknownKind

Question = dict[str, Any]

# Valid questions, and their answers computed by hand.
DIGITS: list[tuple[dict[str, Any], str]] = [
    ({"kind": "others_exactly", "others": 1, "count": 0}, "43046721/100000000"),
    ({"kind": "others_exactly", "others": 2, "count": 17}, "0/1"),
    ({"kind": "others_at_least", "others": 1, "need": 2}, "18689527/100000000"),
    ({"kind": "others_at_least", "others": 3, "need": -4}, "1/1"),
    ({"kind": "others_at_least", "others": 0, "need": 1}, "0/1"),
    ({"kind": "one_bill_specific_digit", "count": 8}, "1/100000000"),
    ({"kind": "one_bill_greatest_frequency", "count": 8}, "1/10000000"),
    ({"kind": "one_bill_partition", "parts": [1, 3, 1, 2, 1]}, "2646/15625"),
    ({"kind": "raise_threshold", "n": 2}, "0/1"),
    ({"kind": "raise_threshold", "n": 4}, "1/3"),
    ({"kind": "raise_threshold_general", "n": 5, "multiplier_raise": 2, "multiplier_current": 1}, "1/4"),
    ({"kind": "raise_threshold_general", "n": 3, "multiplier_raise": 1, "multiplier_current": 4}, "0/1"),
    ({"kind": "none_given_bidder_none", "n": 2}, "43046721/100000000"),
    ({"kind": "final_bid_value", "family": "dollar", "n": 2, "own": 1, "level": 16, "digit": "0"}, "-1/1"),
    ({"kind": "final_bid_value", "family": "slips", "n": 4, "own": 8, "level": 8, "digit": "6"}, "12/1"),
]
HAND = ["As", "Ad", "Kc", "7h", "2s"]
POOL: dict[str, Any] = {"kind": "pooled_exists", "hand": "pair 7", "known": ["7c"], "unknown": 1, "jokers": 0}
DRAW: dict[str, Any] = {"kind": "thorin_reach", "hand": HAND, "discard": ["7h", "2s"], "claim": "three", "jokers": 0}
KINGS = {**DRAW, "hand": ["Ks", "Kd", "Qc", "7h", "2s"], "discard": [], "claim": "pair _A"}

CARDS: list[tuple[dict[str, Any], str]] = [
    (POOL, "1/17"),
    ({**POOL, "jokers": 2}, "5/53"),
    ({**POOL, "wild_ranks": ""}, "1/17"),
    ({**POOL, "wild_ranks": "29"}, "11/51"),
    ({**POOL, "wild_ranks": "7"}, "1/17"),
    ({**POOL, "known": ["7c", "Jk"], "jokers": 1}, "1/1"),
    ({**POOL, "known": [], "unknown": 52}, "1/1"),
    ({**POOL, "hand": "straight 5", "known": ["As", "2c", "3d", "4h"]}, "1/12"),
    ({**POOL, "hand": "flush KJ752 c", "known": [], "unknown": 6}, "1/433160"),
    ({**POOL, "hand": " flush K J 7 5 2  c "}, "0/1"),
    ({**POOL, "hand": "royal-flush s", "known": ["Js", "Ts", "Qs", "Ks"]}, "1/48"),
    (DRAW, "2/23"),
    ({**DRAW, "discard": []}, "0/1"),
    ({**DRAW, "claim": "pair _A", "discard": []}, "1/1"),
    ({**DRAW, "claim": "high"}, "1/1"),
    ({**DRAW, "claim": "four A"}, "1/1081"),
    ({**DRAW, "claim": "five", "jokers": 2}, "0/1"),
    ({**DRAW, "gone": []}, "2/23"),
    ({**DRAW, "gone": ["Ah"]}, "16/345"),
    ({**DRAW, "gone": ["Ah", "Ac"]}, "1/330"),
    ({**KINGS, "or_better": "worst"}, "1/1"),
    ({**KINGS, "or_better": "words"}, "0/1"),
    ({**KINGS, "claim": "pair _Q", "or_better": "words"}, "1/1"),
    (
        {
            **DRAW,
            "hand": ["Ad", "Kd", "7d", "2d", "Jk"],
            "discard": [],
            "claim": "flush AA",
            "jokers": 1,
            "duplicate": "any",
        },
        "1/1",
    ),
    ({**DRAW, "hand": ["As", "Ad", "Kc", "7h", "Jk"], "discard": ["Kc", "7h"], "claim": "five", "jokers": 2}, "1/392"),
    ({**DRAW, "hand": ["Jk", "Ad", "Kc", "7h", "Jk"], "discard": ["Jk"], "claim": "three A", "jokers": 2}, "3/49"),
]
GOOD = [*DIGITS, *CARDS]
LEVELS = {"kind": "final_bid_value", "family": "salomon1986", "n": 3, "own": 2, "digit": "9"}

# Colloquial phrases, and their notation.
SAID = [
    ({**POOL, "hand": "pair of sevens"}, "pair 7"),
    ({**POOL, "hand": "two sevens"}, "pair 7"),
    ({**POOL, "hand": "full house A over 10", "unknown": 12}, "full-house AT"),
    ({**POOL, "hand": "two pair 8 and J", "unknown": 12}, "two-pair J8"),
    ({**POOL, "hand": "flush 2,5,7,J,K clubs", "unknown": 12}, "flush KJ752 c"),
    ({**POOL, "hand": "royal flush of spades", "unknown": 12}, "royal-flush s"),
    ({**DRAW, "claim": "two pair, sevens over threes"}, "two-pair 73"),
    ({**DRAW, "claim": "sevens over threes with a jack kicker"}, "two-pair 73J"),
    ({**DRAW, "claim": "three of a kind"}, "three"),
    ({**DRAW, "claim": "a pair, ace kicker"}, "pair _A"),
    ({**DRAW, "claim": "Q-J-9-4-2, all red"}, "color-flush QJ942"),
    ({**DRAW, "claim": "royal flush", "discard": ["Ad", "7h", "2s"]}, "straight-flush A"),
    ({**DRAW, "claim": "flush, king high, hearts"}, "flush K"),
    ({**DRAW, "claim": "five aces", "jokers": 2}, "five A"),
]
BAD: list[Question] = [
    {"kind": "others_exactly", "others": -1, "count": 0},
    {"kind": "others_exactly", "others": 1, "count": -1},
    {"kind": "others_at_least", "others": 10**9, "need": 0},
    *[{"kind": "one_bill_partition", "parts": parts} for parts in ([4, 4, 0], [4, 3], [9, -1], [4.0, 4])],
    {"kind": "raise_threshold", "n": 1},
    {"kind": "raise_threshold_general", "n": 3, "multiplier_raise": -1, "multiplier_current": 1},
    {"kind": "none_given_bidder_none", "n": 10**9},
    *[{**LEVELS, "level": 3, **odd} for odd in ({"own": 9}, {"digit": 9}, {"digit": "٣"}, {"family": "salomon-1986"})],
    *({"kind": kind} for kind in (None, 3, ["others_exactly"])),
    *({}, {"n": 3}),
]
"""Fields out of range, and questions without a kind."""
ODD_IN_POOL: dict[str, list[object]] = {
    "hand": [7, ["7c", "7d"]],
    "known": ["7c", [7], ["7c", "7c"], ["7C"], ["10c"], ["??"], [""], ["Jk"], ["Jk", "Jk"], ["7c"] * 55],
    "unknown": [-1, 52, 53, 1.0],
    "jokers": [3, True],
    "wild_ranks": [2, None, "1", "2 9", "22"],
}
ODD_IN_DRAW: dict[str, list[object]] = {
    "hand": [HAND[:4], [*HAND, "3s"], ["As", "As", "Kc", "7h", "2s"], [*HAND[:4], "Jk"], "AsAdKc7h2s"],
    "discard": [["3s"], ["2s", "2s"], ["Jk"], ["??"], "-"],
    "claim": [None],
    "jokers": [3],
    "gone": [None, "Ah", ["As"], ["??"], ["3c", "3c"], ["Jk"]],
    "or_better": [None, "best", ["worst"], True],
    "duplicate": [None, "", "five"],
    "wild_ranks": ["2"],
}
BAD += [{**POOL, name: value} for name, values in ODD_IN_POOL.items() for value in values]
BAD += [{**DRAW, name: value} for name, values in ODD_IN_DRAW.items() for value in values]
BAD += [
    {**POOL, "known": ["Jk", "Jk"], "jokers": 1},
    {**POOL, "unknown": 53, "jokers": 1},
    {**DRAW, "hand": [*HAND[:4], "Jk"], "discard": []},
    {**DRAW, "discard": ["Jk"], "jokers": 1},
    # If both cards and claim are invalid, the cards are reported.
    {**POOL, "hand": "pair", "known": ["7c", "7c"]},
    {**DRAW, "claim": "five", "discard": ["3s"]},
]
"""Fields of the wrong type, and invalid cards."""

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def asked(question: object) -> dict[str, Any]:
    """Return the parsed answer to a question."""
    return dict(json.loads(answer_line(json.dumps(question).encode())))


def code_of(line: bytes) -> str:
    """Return the error code in the answer to a line."""
    response = json.loads(answer_line(line))
    assert list(response) == ["error"], response
    assert sorted(response["error"]) == ["code", "message"]
    return str(response["error"]["code"])


def code_for(question: object) -> str:
    return code_of(json.dumps(question).encode())


# ------------------------------------------------------------------------------------------ good questions


def test_a_question_is_answered_exactly() -> None:
    response = [asked(question) for question, _ in GOOD]
    expected = [{"value": float(Fraction(fraction)), "fraction": fraction} for _, fraction in GOOD]
    assert [{key: answered[key] for key in ("value", "fraction")} for answered in response] == expected
    assert {question["kind"] for question, _ in GOOD} == set(KINDS)


def test_a_claim_may_be_a_spoken_phrase() -> None:
    for question, notation in SAID:
        field = "hand" if question["kind"] == "pooled_exists" else "claim"
        assert "value" in asked(question)
        assert asked(question) == asked({**question, field: notation})


@given(st.integers(0, 40), st.integers(-10, 400))
def test_the_fraction_is_exact_in_lowest_terms_and_the_float_is_the_nearest(others: int, need: int) -> None:
    response = asked({"kind": "others_at_least", "others": others, "need": need})
    top, bottom = map(int, response["fraction"].split("/"))
    exact = at_least(8 * others, need)
    assert (top, bottom) == (exact.numerator, exact.denominator)
    assert response["value"] == top / bottom


@given(
    st.sampled_from([("dollar", "dollar-bill"), ("salomon1986", "salomon-1986"), ("slips", "slips")]),
    st.integers(2, 16),
    st.integers(0, 8),
    st.integers(1, 128),
    st.sampled_from("0123456789"),
)
def test_the_value_of_a_final_bid_follows_from_the_payoffs_of_its_game(
    family: tuple[str, str], n: int, own: int, level: int, digit: str
) -> None:
    question = {"kind": "final_bid_value", "family": family[0], "n": n, "own": own, "level": level, "digit": digit}
    if level > 8 * n:
        assert code_for(question) == "no-such-claim"
        return
    rules = packed(presets()[family[1]].options, n)
    response = asked(question)
    assert Fraction(response["fraction"]) == bid_value(rules, read(f"{level}x{digit}", rules), own)
    assert response["p_made"] == float(probability_made(rules, own, level))
    assert list(response) == ["value", "fraction", "p_made"]


@given(st.fractions())
def test_a_fraction_is_always_written_with_its_denominator(value: Fraction) -> None:
    assert written(value) == f"{value.numerator}/{value.denominator}"


def test_a_fraction_beyond_pythons_conversion_limit_is_written_in_full() -> None:
    for exponent in (3999, 4000, 4001, 9000):
        top, _, bottom = written(Fraction(-(10**exponent + 7), 3)).partition("/")
        assert (top, bottom) == ("-1" + "7".zfill(exponent), "3")


def test_questions_with_a_thousand_other_players_are_answered() -> None:
    response = asked({"kind": "others_at_least", "others": 1000, "need": 8000})
    assert response["fraction"] == "1/1" + "0" * 8000


def test_an_answer_from_python_needs_no_json() -> None:
    assert answer({"kind": "raise_threshold", "n": 5}).value == Fraction(3, 8)


# ------------------------------------------------------------------------------------------- bad questions


@given(st.sampled_from(GOOD), st.data(), st.sampled_from([None, True, 2.0, 1.5, [], [True] * 8, {}, "a", "", "66"]))
def test_missing_and_extra_fields_and_wrong_types_are_rejected(
    good: tuple[Question, str], data: st.DataObject, value: object
) -> None:
    question = good[0]
    kind = KINDS[question["kind"]]
    lost = data.draw(st.sampled_from(["kind", *kind.fields]))
    assert code_for({name: kept for name, kept in question.items() if name != lost}) == "bad-question"
    more = data.draw(st.text(max_size=60).filter(lambda name: name not in {*question, *kind.optional}))
    assert code_for({**question, more: 1}) == "bad-question"
    if question["kind"] not in ("pooled_exists", "thorin_reach"):
        changed = data.draw(st.sampled_from(sorted(set(question) - {"kind"})))
        assert code_for({**question, changed: value}) == "bad-question"


def test_fields_out_of_range_wrong_types_and_invalid_cards_are_rejected() -> None:
    assert [question for question in BAD if code_for(question) != "bad-question"] == []


def test_an_impossible_level_is_rejected() -> None:
    assert {code_for({**LEVELS, "level": level}) for level in (0, -1, 25, 10**40)} == {"no-such-claim"}
    assert all("value" in asked({**LEVELS, "level": level}) for level in (1, 24))


def test_an_impossible_hand_or_declaration_is_rejected() -> None:
    hands = [
        *["pair", "pair 77", "pair 7 h", "pair _", "pair 77 h", "pair of sevens, ace kicker", "two-pair 37"],
        *["two-pair 77", "straight 4", "straight 9 h", "flush KJ752", "flush 65432 c", "flush A5432 c"],
        *["flush 2457J c", "straight-flush A s", "royal-flush", "royal-flush A s", "full-house 77", "five 7"],
        *["color-flush KJ752", "challenge", "", "\ud800"],
    ]
    claims = [
        *["five", "five A", "high 6", "high KQJT9", "high 5432A", "two-pair 37", "pair 7A7", "pair 7AKQJ"],
        *["flush KJ752 c", "flush AA", "royal-flush", "straight-flush 4", "full-house 77", "five 10s", "take", ""],
    ]
    questions = [*({**POOL, "hand": hand} for hand in hands), *({**DRAW, "claim": claim} for claim in claims)]
    questions += [{**DRAW, "claim": "flush AA", "jokers": jokers} for jokers in (1, 2)]
    assert [question for question in questions if code_for(question) != "no-such-claim"] == []
    assert all("value" in asked({**DRAW, "claim": "five", "jokers": jokers}) for jokers in (1, 2))


@given(st.sampled_from([POOL, DRAW]), st.text(max_size=20))
def test_any_text_for_a_claim_gets_an_answer(kind: Question, text: str) -> None:
    assert asked({**kind, "hand" if kind is POOL else "claim": text})


@given(st.text(max_size=40).filter(lambda kind: kind not in KINDS))
def test_an_unknown_kind_is_reported(kind: str) -> None:
    assert code_for({"kind": kind, "n": 3}) == "unknown-kind"


def test_the_python_function_raises_on_a_bad_question() -> None:
    with pytest.raises(BadQuestion, match="n: missing"):
        answer({"kind": "raise_threshold"})
    with pytest.raises(UnknownKind):
        answer({"kind": "raise"})


# ------------------------------------------------------------------------------------------ invalid JSON


def test_invalid_json_and_json_other_than_an_object_are_reported() -> None:
    no_json = [
        *[b"odds?", b"{", b"{'kind': 'raise_threshold', 'n': 3}", b'{"kind": "raise_threshold", "n": 3} {}'],
        *[b'{"kind": "raise_threshold", "n": 03}', b'{"kind": "raise_threshold", "n": NaN}'],
        *[b'{"kind": "raise_threshold", "n": -Infinity}', b'{"kind": "raise_\xff", "n": 3}'],
        *[b'{"kind": "raise_threshold", "n": 3}\x00', '{"kind": "raise_threshold", "n": 3}'.encode("utf-16")],
        *[b"[" * 200_000, b'{"a":' * 200_000],
    ]
    assert [line[:40] for line in no_json if code_of(line) != "not-json"] == []
    for line in (b"[]", b"null", b"3", b'"raise_threshold"', b"true", b'{"kind": "raise_threshold", "n": 3, "n": 4}'):
        assert code_of(line) == "bad-question"


def test_a_very_long_number_is_out_of_range_and_cheap_to_reject() -> None:
    huge = b"9" * 1_000_000
    assert code_of(b'{"kind": "raise_threshold", "n": ' + huge + b"}") == "bad-question"
    assert json.loads(answer_line(b'{"kind": "others_at_least", "others": 2, "need": -' + huge + b"}"))["value"] == 1
    assert json.loads(answer_line(b'{"kind": "others_exactly", "others": 2, "count": ' + huge + b"}"))["value"] == 0
    assert code_of(b'{"kind": "raise_threshold", "n": 1e999}') == "bad-question"


@pytest.mark.parametrize("line", [b'{"kind": "\\ud800"}', b'{"kind": "raise_threshold", "n": 3, "\\udfff": 1}'])
def test_a_lone_surrogate_is_escaped_in_the_answer(line: bytes) -> None:
    assert code_of(line) in ("unknown-kind", "bad-question")
    assert answer_line(line).isascii()


@given(st.binary(max_size=80))
def test_any_bytes_get_one_answer(line: bytes) -> None:
    response = answer_line(line)
    assert "\n" not in response
    assert list(json.loads(response)) == ["error"]


@given(st.dictionaries(st.sampled_from(["kind", "n", "others", "need", "level", "parts"]), json_values))
def test_any_json_gets_one_answer(question: dict[str, Any]) -> None:
    assert json.loads(answer_line(json.dumps({"kind": "others_at_least", **question}).encode()))


@given(st.sampled_from(sorted(KINDS)), st.data())
def test_any_values_of_the_right_fields_get_one_answer(kind: str, data: st.DataObject) -> None:
    names = [*KINDS[kind].fields, *data.draw(st.sets(st.sampled_from([*KINDS[kind].optional, "kind"])), label="more")]
    question = {name: data.draw(json_values, label=name) for name in names}
    assert json.loads(answer_line(json.dumps({"kind": kind, **question}).encode()))


def test_a_long_name_is_not_repeated_at_length() -> None:
    assert len(answer_line(json.dumps({"kind": "x" * 100_000}).encode())) < 500


def test_every_non_blank_line_gets_one_answer_even_after_a_bad_one() -> None:
    good = b'{"kind": "raise_threshold", "n": 4}'
    response = list(answer_lines([good + b"\r\n", b"\n", b" \t\r\n", b"\xff\n", b"", good]))
    assert [next(iter(json.loads(line))) for line in response] == ["value", "error", "value"]


def test_more_digits_than_a_bill_has_have_probability_zero() -> None:
    for kind in ("one_bill_specific_digit", "one_bill_greatest_frequency"):
        assert [asked({"kind": kind, "count": count})["fraction"] for count in (9, 1000)] == ["0/1", "0/1"]
