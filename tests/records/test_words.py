"""Bids as people say them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import IllegalAction
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.records import replay
from liarspoker.records.words import bid_in_words, digit_name, spoken_bid
from tests.records.samples import hand, record
from tests.records.speller import number_in_words, ways_to_say

WIDEST = packed(DigitOptions(hand_size=15), seats=16)
ORDERS = [packed(DigitOptions(order=order), seats=3) for order in ("zero_low", "zero_high", "ace_high")]


def heard(text: str) -> str | None:
    """The bid in `text`, in the notation; the code, where it is one that cannot be."""
    try:
        bid = spoken_bid(text, WIDEST)
    except IllegalAction as error:
        return error.code
    return None if bid is None else write(bid, WIDEST)


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("five sevens", "5x7"),
        ("7 tens", "7x0"),
        ("2 5's", "2x5"),
        ("2 5’s", "2x5"),
        ("4 6s", "4x6"),
        ("an ace", "1x1"),
        ("a ten", "1x0"),
        ("one zero", "1x0"),
        ("Two Zeroes", "2x0"),
        ("three noughts", "3x0"),
        ("FOUR ACES", "4x1"),
        ("one six", "1x6"),
        ("ten tens", "10x0"),
        ("twelve ones", "12x1"),
        ("twenty nines", "20x9"),
        ("twenty-one nines", "21x9"),
        ("twenty one nines", "21x9"),
        ("ninety-nine threes", "99x3"),
        ("one hundred eights", "100x8"),
        ("a hundred eights", "100x8"),
        ("one hundred and two fours", "102x4"),
        ("one hundred two fours", "102x4"),
        ("two hundred and forty twos", "240x2"),
        ("  five \t sevens\n", "5x7"),
        ("five-sevens", "5x7"),
    ],
)
def test_what_people_say_is_heard(text: str, bid: str) -> None:
    assert heard(text) == bid


def test_every_level_and_digit_is_heard_however_it_is_said() -> None:
    for level in range(1, 241):
        for digit in range(10):
            for words in ways_to_say(level, digit):
                assert heard(words) == f"{level}x{digit}", words


def test_the_speller_knows_its_numbers() -> None:
    numbers = [1, 12, 13, 14, 15, 18, 20, 21, 40, 99, 100, 102, 112, 240, 999]
    assert [number_in_words(number) for number in numbers] == [
        "one",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "eighteen",
        "twenty",
        "twenty-one",
        "forty",
        "ninety-nine",
        "one hundred",
        "one hundred and two",
        "one hundred and twelve",
        "two hundred and forty",
        "nine hundred and ninety-nine",
    ]
    assert len({number_in_words(number) for number in range(1, 1000)}) == 999


@pytest.mark.parametrize("rules", ORDERS, ids=["zero_low", "zero_high", "ace_high"])
def test_whatever_the_program_says_it_hears(rules: object) -> None:
    assert isinstance(rules, type(WIDEST))
    for claim in range(rules.seats * 80):
        assert spoken_bid(bid_in_words(claim, rules), rules) == claim


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("zero_low", ["zero", "zeros", "one", "ones", "six", "sixes"]),
        ("zero_high", ["ten", "tens", "one", "ones", "six", "sixes"]),
        ("ace_high", ["ten", "tens", "ace", "aces", "six", "sixes"]),
    ],
)
def test_a_digit_is_called_by_its_rank(order: str, names: list[str]) -> None:
    rules = packed(DigitOptions(order=order), seats=3)
    assert [digit_name(digit, count, rules) for digit in (0, 1, 6) for count in (1, 2)] == names


NO_BIDS = [
    "",
    " ",
    "five",
    "sevens",
    "sevens five",
    "five sevens please",
    "I bid five sevens",
    "five of sevens",
    "five and sevens",
    "five elevens",
    "fiveteen sevens",
    "twenty ten sevens",
    "twenty and one sevens",
    "forty forty sevens",
    "and sevens",
    "hundred sevens",
    "ten hundred sevens",
    "twenty hundred sevens",
    "no hundred sevens",
    "one hundred and sevens",
    "one hundred and and two sevens",
    "two thousand sevens",
    "1,000 sevens",
    "5.0 sevens",
    "+5 sevens",
    "0x5 sevens",
    "5 7",
    "5 x 7",
    "5x7s",
    "5 7ss",
    "5 77s",
    "5 7'",
    "5 s",
    "\N{FULLWIDTH DIGIT FIVE} sevens",
    "5 \N{FULLWIDTH DIGIT SEVEN}s",
    "\N{ARABIC-INDIC DIGIT FIVE} sevens",
    "\N{SUPERSCRIPT TWO} sevens",
    "challenge",
    "all sevens",
    "two pair",
]


@pytest.mark.parametrize("text", NO_BIDS)
def test_what_is_no_bid_is_not_heard_as_one(text: str) -> None:
    assert heard(text) is None


@pytest.mark.parametrize("text", ["-5 sevens", "- 5 sevens", "-five sevens"])
def test_a_minus_sign_is_not_overheard(text: str) -> None:
    assert heard(text) in (None, "no-such-claim")


@given(st.text(alphabet="aefhinorstvwx0579 -'’"))
def test_only_what_the_speller_says_is_heard_as_a_bid(text: str) -> None:
    bid = heard(text)
    if bid not in (None, "no-such-claim"):
        assert bid is not None
        level, _, digit = bid.partition("x")
        plain = " ".join(text.lower().replace("-", " ").split())
        plural = plain if plain.endswith("s") else plain + ("es" if plain.endswith("six") else "s")
        ways = ways_to_say(int(level), int(digit)) if int(level) < 1000 else [f"{level} {plural.split()[-1]}"]
        assert plural in {way.replace("-", " ") for way in ways}


@pytest.mark.parametrize("text", ["zero sevens", "no sevens", "0 sevens", f"1{'0' * 100} sevens"])
def test_no_sevens_at_all_cannot_be_bid(text: str) -> None:
    assert heard(text) == "no-such-claim"


def test_a_digit_that_is_not_in_play_cannot_be_bid() -> None:
    three = packed(DigitOptions(symbols=3), seats=2)
    assert spoken_bid("two threes", three) is not None
    with pytest.raises(IllegalAction) as refused:
        spoken_bid("two fours", three)
    assert refused.value.code == "no-such-claim"


@pytest.mark.parametrize("text", ["5x7", " 5x7 ", "05x7", "0005x7", "five sevens", "Five Sevens", "5 7s", "five seven"])
def test_however_it_was_entered_a_record_writes_the_bid_one_way(text: str) -> None:
    played = replay(record(hand(text)))
    assert played.fault is None
    assert played.document["rounds"][0]["actions"] == ["5x7"]


@pytest.mark.parametrize(
    "text", ["Challenge", "I challenge", "challenges", "Count", "count it", "call", "bluff", "5X7"]
)
def test_answers_and_the_notation_itself_are_strict(text: str) -> None:
    played = replay(record(hand(f"2x5, {text}")))
    assert played.fault is not None
    assert played.fault.code == "unreadable-action"


def test_a_spoken_bid_that_is_refused_is_named_in_words() -> None:
    played = replay(record(hand("three nines, three eights")))
    assert played.fault is not None
    assert (played.fault.code, played.fault.message) == ("not-stronger", "3 eights does not beat 3 nines")
