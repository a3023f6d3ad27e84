"""One JSON question a line in, one answer a line out."""

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
from liarspoker.odds.bids import bid_value, chance_to_make
from liarspoker.odds.counts import at_least
from liarspoker.odds.figures import written
from liarspoker.odds.questions import BadQuestion, UnknownKind
from tests.odds.test_card_answers import GOOD as ABOUT_CARDS

# Good questions about digits, and their answers; those about cards are in test_card_answers.
GOOD: list[tuple[dict[str, Any], str]] = [
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
LEVELS = {"family": "salomon1986", "n": 3, "own": 2, "digit": "9"}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def asked(question: object) -> dict[str, Any]:
    """The answer to a question, as a program on the other side of the pipe reads it."""
    return dict(json.loads(answer_line(json.dumps(question).encode())))


def code_of(line: bytes) -> str:
    """The code of the error that a line is answered with."""
    told = json.loads(answer_line(line))
    assert list(told) == ["error"]
    assert sorted(told["error"]) == ["code", "message"]
    return str(told["error"]["code"])


def code_for(question: object) -> str:
    return code_of(json.dumps(question).encode())


# ------------------------------------------------------------------------------------------ good questions


@pytest.mark.parametrize(("question", "fraction"), GOOD, ids=str)
def test_a_question_is_answered_exactly(question: dict[str, Any], fraction: str) -> None:
    told = asked(question)
    assert told["fraction"] == fraction
    assert told["value"] == float(Fraction(fraction))


def test_every_kind_of_question_has_an_example() -> None:
    assert {question["kind"] for question, _ in (*GOOD, *ABOUT_CARDS)} == set(KINDS)


@given(st.integers(0, 40), st.integers(-10, 400))
def test_the_fraction_is_exact_in_lowest_terms_and_the_float_is_the_nearest(others: int, need: int) -> None:
    told = asked({"kind": "others_at_least", "others": others, "need": need})
    top, bottom = map(int, told["fraction"].split("/"))
    exact = at_least(8 * others, need)
    assert (top, bottom) == (exact.numerator, exact.denominator)
    assert told["value"] == top / bottom


@given(
    st.sampled_from([("dollar", "dollar-bill"), ("salomon1986", "salomon-1986"), ("slips", "slips")]),
    st.integers(2, 16),
    st.integers(0, 8),
    st.integers(1, 128),
    st.sampled_from("0123456789"),
)
def test_a_final_bid_is_worth_what_its_game_pays(
    family: tuple[str, str], n: int, own: int, level: int, digit: str
) -> None:
    question = {"kind": "final_bid_value", "family": family[0], "n": n, "own": own, "level": level, "digit": digit}
    if level > 8 * n:
        assert code_for(question) == "no-such-claim"
        return
    rules = packed(presets()[family[1]].options, n)
    told = asked(question)
    assert Fraction(told["fraction"]) == bid_value(rules, read(f"{level}x{digit}", rules), own)
    assert told["p_made"] == float(chance_to_make(rules, own, level))
    assert list(told) == ["value", "fraction", "p_made"]


@given(st.fractions())
def test_a_fraction_is_always_written_with_its_denominator(value: Fraction) -> None:
    assert written(value) == f"{value.numerator}/{value.denominator}"


@pytest.mark.parametrize("exponent", [3999, 4000, 4001, 9000])
def test_a_fraction_longer_than_python_writes_is_written_whole(exponent: int) -> None:
    top, _, bottom = written(Fraction(-(10**exponent + 7), 3)).partition("/")
    assert (top, bottom) == ("-1" + "7".zfill(exponent), "3")


def test_a_thousand_other_players_are_answered() -> None:
    told = asked({"kind": "others_at_least", "others": 1000, "need": 8000})
    assert told["fraction"] == "1/1" + "0" * 8000


def test_an_answer_from_python_needs_no_json() -> None:
    assert answer({"kind": "raise_threshold", "n": 5}).value == Fraction(3, 8)


# ------------------------------------------------------------------------------------------- bad questions


@given(st.sampled_from(GOOD), st.data())
def test_a_question_that_lacks_a_field_is_bad(good: tuple[dict[str, Any], str], data: st.DataObject) -> None:
    question = dict(good[0])
    del question[data.draw(st.sampled_from(sorted(question)))]
    assert code_for(question) == "bad-question"


@given(st.sampled_from(GOOD), st.text(max_size=60).filter(lambda name: name not in GOOD[0][0]))
def test_a_question_with_a_field_too_many_is_bad(good: tuple[dict[str, Any], str], name: str) -> None:
    if name not in good[0]:
        assert code_for({**good[0], name: 1}) == "bad-question"


@given(st.sampled_from(GOOD), st.data(), st.sampled_from([None, True, 2.0, 1.5, [], [True] * 8, {}, "a", "", "66"]))
def test_a_field_of_another_type_is_bad(good: tuple[dict[str, Any], str], data: st.DataObject, value: object) -> None:
    name = data.draw(st.sampled_from(sorted(set(good[0]) - {"kind"})))
    assert code_for({**good[0], name: value}) == "bad-question"


@pytest.mark.parametrize(
    "changed",
    [
        {"kind": "others_exactly", "others": -1, "count": 0},
        {"kind": "others_exactly", "others": 1, "count": -1},
        {"kind": "others_at_least", "others": 10**9, "need": 0},
        {"kind": "one_bill_partition", "parts": [4, 4, 0]},
        {"kind": "one_bill_partition", "parts": [4, 3]},
        {"kind": "one_bill_partition", "parts": [9, -1]},
        {"kind": "one_bill_partition", "parts": [4.0, 4]},
        {"kind": "raise_threshold", "n": 1},
        {"kind": "raise_threshold_general", "n": 3, "multiplier_raise": -1, "multiplier_current": 1},
        {"kind": "none_given_bidder_none", "n": 10**9},
        {"kind": "final_bid_value", "level": 3, **LEVELS, "own": 9},
        {"kind": "final_bid_value", "level": 3, **LEVELS, "digit": 9},
        {"kind": "final_bid_value", "level": 3, **LEVELS, "digit": "٣"},
        {"kind": "final_bid_value", "level": 3, **LEVELS, "family": "salomon-1986"},
    ],
    ids=str,
)
def test_a_field_out_of_range_is_bad(changed: dict[str, Any]) -> None:
    assert code_for(changed) == "bad-question"


@pytest.mark.parametrize("level", [0, -1, 25, 10**40])
def test_a_level_that_cannot_be_bid_is_no_claim(level: int) -> None:
    assert code_for({"kind": "final_bid_value", "level": level, **LEVELS}) == "no-such-claim"


@pytest.mark.parametrize("level", [1, 24])
def test_the_lowest_and_the_highest_level_can_be_bid(level: int) -> None:
    assert "value" in asked({"kind": "final_bid_value", "level": level, **LEVELS})


@given(st.text(max_size=40).filter(lambda kind: kind not in KINDS))
def test_a_kind_that_there_is_not_is_told_so(kind: str) -> None:
    assert code_for({"kind": kind, "n": 3}) == "unknown-kind"


@pytest.mark.parametrize("question", [{}, {"kind": None}, {"kind": 3}, {"kind": ["others_exactly"]}, {"n": 3}])
def test_a_question_without_a_kind_is_bad(question: dict[str, Any]) -> None:
    assert code_for(question) == "bad-question"


def test_from_python_a_bad_question_is_raised() -> None:
    with pytest.raises(BadQuestion, match="n: missing"):
        answer({"kind": "raise_threshold"})
    with pytest.raises(UnknownKind):
        answer({"kind": "raise"})


# ---------------------------------------------------------------------------------------- what is no JSON


@pytest.mark.parametrize(
    "line",
    [
        b"odds?",
        b"{",
        b"{'kind': 'raise_threshold', 'n': 3}",
        b'{"kind": "raise_threshold", "n": 3} {}',
        b'{"kind": "raise_threshold", "n": 03}',
        b'{"kind": "raise_threshold", "n": NaN}',
        b'{"kind": "raise_threshold", "n": -Infinity}',
        b'{"kind": "raise_\xff", "n": 3}',
        b'{"kind": "raise_threshold", "n": 3}\x00',
        '{"kind": "raise_threshold", "n": 3}'.encode("utf-16"),
        b"[" * 200_000,
        b'{"a":' * 200_000,
    ],
    ids=lambda line: str(line[:40]),
)
def test_a_line_that_is_no_json_is_told_so(line: bytes) -> None:
    assert code_of(line) == "not-json"


@pytest.mark.parametrize("line", [b"[]", b"null", b"3", b'"raise_threshold"', b"true"])
def test_json_that_is_no_object_is_a_bad_question(line: bytes) -> None:
    assert code_of(line) == "bad-question"


def test_a_number_too_long_to_read_is_out_of_range_and_no_burden() -> None:
    huge = b"9" * 1_000_000
    assert code_of(b'{"kind": "raise_threshold", "n": ' + huge + b"}") == "bad-question"
    assert json.loads(answer_line(b'{"kind": "others_at_least", "others": 2, "need": -' + huge + b"}"))["value"] == 1
    assert json.loads(answer_line(b'{"kind": "others_exactly", "others": 2, "count": ' + huge + b"}"))["value"] == 0
    assert code_of(b'{"kind": "raise_threshold", "n": 1e999}') == "bad-question"


@pytest.mark.parametrize("line", [b'{"kind": "\\ud800"}', b'{"kind": "raise_threshold", "n": 3, "\\udfff": 1}'])
def test_half_a_character_is_answered_in_plain_letters(line: bytes) -> None:
    assert code_of(line) in ("unknown-kind", "bad-question")
    assert answer_line(line).isascii()


@given(st.binary(max_size=80))
def test_any_bytes_get_one_answer(line: bytes) -> None:
    told = answer_line(line)
    assert "\n" not in told
    assert list(json.loads(told)) == ["error"]


@given(st.dictionaries(st.sampled_from(["kind", "n", "others", "need", "level", "parts"]), json_values))
def test_any_json_gets_one_answer(question: dict[str, Any]) -> None:
    assert json.loads(answer_line(json.dumps({"kind": "others_at_least", **question}).encode()))


@given(st.sampled_from(sorted(KINDS)), st.data())
def test_any_values_of_the_right_fields_get_one_answer(kind: str, data: st.DataObject) -> None:
    question = {name: data.draw(json_values, label=name) for name in KINDS[kind].fields}
    assert json.loads(answer_line(json.dumps({"kind": kind, **question}).encode()))


def test_a_long_name_is_not_repeated_at_length() -> None:
    assert len(answer_line(json.dumps({"kind": "x" * 100_000}).encode())) < 500


def test_every_line_that_is_not_blank_gets_one_answer_and_a_bad_one_stops_nothing() -> None:
    good = b'{"kind": "raise_threshold", "n": 4}'
    told = list(answer_lines([good + b"\r\n", b"\n", b" \t\r\n", b"\xff\n", b"", good]))
    assert [next(iter(json.loads(line))) for line in told] == ["value", "error", "value"]


@pytest.mark.parametrize("kind", ["one_bill_specific_digit", "one_bill_greatest_frequency"])
@pytest.mark.parametrize("count", [9, 1000])
def test_more_digits_than_a_bill_has_stand_on_it_with_no_chance(kind: str, count: int) -> None:
    assert json.loads(answer_line(json.dumps({"kind": kind, "count": count}).encode()))["fraction"] == "0/1"


def test_a_key_that_stands_twice_is_a_bad_question() -> None:
    told = json.loads(answer_line(b'{"kind": "raise_threshold", "n": 3, "n": 4}'))
    assert told["error"]["code"] == "bad-question"
