"""Spoken bids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import Reason
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.language import LANGUAGES, speaking
from liarspoker.records import replay
from liarspoker.records.words import bid_in_words, digit_name, read_spoken_bid, reason_in_words
from tests.records.bad_records import fault_of
from tests.records.samples import hand, record
from tests.records.speller import number_in_words, ways_to_say

WIDEST = packed(DigitOptions(hand_size=15), seats=16)


def read_phrase(text: str) -> str | None:
    """Return the bid in `text` in the notation, or the error code of an impossible one."""
    try:
        bid = read_spoken_bid(text, WIDEST)
    except IllegalAction as error:
        return error.code
    return None if bid is None else write(bid, WIDEST)


def test_spoken_bids_are_read() -> None:
    bids = {
        **dict.fromkeys(["five sevens", "  five \t sevens\n", "five-sevens"], "5x7"),
        **dict.fromkeys(["2 5's", "2 5’s"], "2x5"),
        **dict.fromkeys(["twenty-one nines", "twenty one nines"], "21x9"),
        **dict.fromkeys(["one hundred eights", "a hundred eights"], "100x8"),
        **dict.fromkeys(["one hundred and two fours", "one hundred two fours"], "102x4"),
        **dict.fromkeys(["a ten", "one zero"], "1x0"),
        "7 tens": "7x0",
        "4 6s": "4x6",
        "an ace": "1x1",
        "Two Zeroes": "2x0",
        "three noughts": "3x0",
        "FOUR ACES": "4x1",
        "one six": "1x6",
        "ten tens": "10x0",
        "twelve ones": "12x1",
        "twenty nines": "20x9",
        "ninety-nine threes": "99x3",
        "two hundred and forty twos": "240x2",
    }
    assert {text: read_phrase(text) for text in bids} == bids


def test_every_phrase_for_every_level_and_digit_is_read() -> None:
    for level in range(1, 241):
        for digit in range(10):
            for words in ways_to_say(level, digit):
                assert read_phrase(words) == f"{level}x{digit}", words


def test_the_speller_spells_numbers() -> None:
    numbers = [1, 12, 13, 15, 18, 20, 21, 40, 99, 100, 112, 999]
    words = "one, twelve, thirteen, fifteen, eighteen, twenty, twenty-one, forty, ninety-nine, one hundred, "
    words += "one hundred and twelve, nine hundred and ninety-nine"
    assert ", ".join(map(number_in_words, numbers)) == words
    assert len({number_in_words(number) for number in range(1, 1000)}) == 999


def test_digit_names_depend_on_the_order_and_can_be_read_back() -> None:
    names = {"zero_low": "zero zeros one ones", "zero_high": "zero zeros one ones", "ace_high": "zero zeros ace aces"}
    for order, called in names.items():
        rules = packed(DigitOptions(order=order), seats=3)
        found = [digit_name(digit, count, rules) for digit in (0, 1, 6) for count in (1, 2)]
        assert found == [*called.split(), "six", "sixes"]
        for code in LANGUAGES:
            with speaking(code):
                assert all(read_spoken_bid(bid_in_words(claim, rules), rules) == claim for claim in range(240)), code


NO_BIDS = [
    *["", " ", "five", "sevens", "sevens five", "five sevens please", "I bid five sevens", "five of sevens"],
    *["five and sevens", "five elevens", "fiveteen sevens", "twenty ten sevens", "twenty and one sevens"],
    *["forty forty sevens", "and sevens", "hundred sevens", "ten hundred sevens", "twenty hundred sevens"],
    *["no hundred sevens", "one hundred and sevens", "one hundred and and two sevens", "two thousand sevens"],
    *["1,000 sevens", "5.0 sevens", "+5 sevens", "0x5 sevens", "5 7", "5 x 7", "5x7s", "5 7ss", "5 77s", "5 7'", "5 s"],
    *["\N{FULLWIDTH DIGIT FIVE} sevens", "5 \N{FULLWIDTH DIGIT SEVEN}s", "\N{ARABIC-INDIC DIGIT FIVE} sevens"],
    *["\N{SUPERSCRIPT TWO} sevens", "challenge", "all sevens", "two pair"],
]


def test_other_phrases_are_not_read_as_bids() -> None:
    assert [text for text in NO_BIDS if read_phrase(text) is not None] == []
    minus = {read_phrase(text) for text in ("-5 sevens", "- 5 sevens", "-five sevens")}
    assert minus <= {None, "no-such-claim"}  # a minus sign isn't ignored
    for text in ("zero sevens", "no sevens", "0 sevens", f"1{'0' * 100} sevens"):
        assert read_phrase(text) == "no-such-claim"


@given(st.text(alphabet="aefhinorstvwx0579 -'’"))
def test_only_phrases_of_the_speller_are_read_as_bids(text: str) -> None:
    bid = read_phrase(text)
    if bid not in (None, "no-such-claim"):
        assert bid is not None
        level, _, digit = bid.partition("x")
        plain = " ".join(text.lower().replace("-", " ").split())
        plural = plain if plain.endswith("s") else plain + ("es" if plain.endswith("six") else "s")
        ways = ways_to_say(int(level), int(digit)) if int(level) < 1000 else [f"{level} {plural.split()[-1]}"]
        assert plural in {way.replace("-", " ") for way in ways}


CARRY_WORDS = {
    "bid-carries": "the bid's multiplier is ×2, so 2 carries over",
    "bid-compounds": "the bid's multiplier times the old stake: 2 carries over",
    "none-carries": "the bidder held none, so 2 carries over",
}


def test_a_carried_stake_is_not_called_the_next_stake() -> None:
    # The tenth hand of a slip doubles it, and where stakes don't carry across slips, a new slip starts at 1.
    across, within = (packed(DigitOptions(carry_across_slips=across), seats=3) for across in (True, False))
    for rule, words in CARRY_WORDS.items():
        assert reason_in_words(Reason(rule, 2), across) == words
        assert reason_in_words(Reason(rule, 2), within) == f"{words}, but not to a new slip"
        for code, wrong in {"de": "nächste Einsatz", "es": "próxima apuesta"}.items():
            with speaking(code):
                assert wrong not in reason_in_words(Reason(rule, 2), within)
                assert len(reason_in_words(Reason(rule, 2), within)) > len(reason_in_words(Reason(rule, 2), across))


def test_a_digit_not_in_play_cannot_be_bid() -> None:
    three = packed(DigitOptions(symbols=3), seats=2)
    assert read_spoken_bid("two threes", three) is not None
    with pytest.raises(IllegalAction) as refused:
        read_spoken_bid("two fours", three)
    assert refused.value.code == "no-such-claim"


def test_bids_are_normalized_in_records_and_answers_are_strict() -> None:
    for text in ("5x7", " 5x7 ", "05x7", "0005x7", "five sevens", "Five Sevens", "5 7s", "five seven"):
        played = replay(record(hand(text)))
        assert played.fault is None
        assert played.document["rounds"][0]["actions"] == ["5x7"]
    for text in ("Challenge", "I challenge", "challenges", "Count", "count it", "call", "bluff", "5X7"):
        assert fault_of(record(hand(f"2x5, {text}"))).code == "unreadable-action", text


def test_an_illegal_spoken_bid_is_named_in_words() -> None:
    fault = fault_of(record(hand("three nines, three eights")))
    assert (fault.code, fault.message) == ("not-stronger", "3 eights does not beat 3 nines")
