"""Reports of the odds of one bid."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import BadDeal, LiarsPokerError, UnknownGame
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.notation import write
from liarspoker.language import LANGUAGES, speaking
from liarspoker.odds.bid_report import (
    BidReport,
    bid_from_text,
    check_own,
    check_stronger,
    describe_payers,
    digit_rules,
    format_bid,
    own_count,
    signed,
)
from liarspoker.odds.figures import percent

GAMES = ("dollar-bill", "salomon-1986", "slips")


def report_of(bid: str, players: int, own: int, game: str = "salomon-1986", over: str | None = None) -> BidReport:
    rules = digit_rules(game, players)
    standing = None if over is None else bid_from_text(over, rules)
    return BidReport(game, rules, bid_from_text(bid, rules), own, standing)


@st.composite
def reports(draw: st.DrawFn) -> BidReport:
    """Draw any bid at any table, possibly over another one."""
    game, own = draw(st.sampled_from(GAMES)), draw(st.integers(0, 8))
    rules = digit_rules(game, draw(st.integers(2, 30)))
    claim = draw(st.integers(1, ladder_length(rules) - 1))
    return BidReport(game, rules, claim, own, draw(st.none() | st.integers(0, claim - 1)))


# ----------------------------------------------------------------------------------------------- in figures


@given(reports())
def test_the_json_of_a_report_is_exact(report: BidReport) -> None:
    data = json.loads(json.dumps(report.as_json()))
    assert Fraction(data["p_made"]["fraction"]) == report.probability
    assert Fraction(data["expected_units"]["fraction"]) == report.value
    assert sum(Fraction(case["chance"]["fraction"]) for case in data["prospects"]) == 1
    assert data["bid"] == write(report.claim, report.rules)
    assert data["need"] == max(0, int(data["bid"].partition("x")[0]) - report.own)


def test_the_report_includes_the_standing_bid_and_its_multiplier() -> None:
    data = report_of("9x6", 5, 2, over="8x0").as_json()
    assert (data["over"], data["challenge_units"]) == ("8x0", -2)
    assert report_of("9x6", 5, 2).challenge_value == -1


# ------------------------------------------------------------------------------------------------- in words


@given(reports())
def test_a_report_in_words_fits_the_terminal_and_agrees_with_its_figures(report: BidReport) -> None:
    lines = format_bid(report).splitlines()
    assert max(map(len, lines)) <= 80
    verdict = lines[-1].split()[1].rstrip(";")
    gain = report.value - report.challenge_value
    assert verdict == ("raise" if gain > 0 else "challenge" if gain < 0 else "it")


def test_the_example_of_the_manual() -> None:
    assert format_bid(report_of("5x7", 4, 1)).splitlines() == [
        "5 sevens, 4 players, salomon-1986",
        "",
        "  you hold    1 seven",
        "  you need    4 more, among the 24 digits of the 3 others",
        "  chance      21.43%, 1 in 4.7",
        "",
        "If the bid is counted, at stake 1:",
        "  made       21.43%   each pays you 1   +3",
        "  failed     78.57%   you pay each 1    -3",
        "  EV                                    -1.714",
        "",
        "If the standing bid (it pays ×1) is good and everyone challenges your raise:",
        "  challenge   -1",
        "  raise       -1.714 (EV)",
        "  advice      challenge; a raise pays off above 33.33%",
    ]


@pytest.mark.parametrize("code", LANGUAGES)
@given(report=reports())
def test_the_columns_of_a_report_are_aligned_in_every_language(code: str, report: BidReport) -> None:
    with speaking(code):
        lines = format_bid(report).splitlines()
        made = lines[lines.index("", 2) + 2 :][: len(report.prospects) + 1]
        units = [signed(case.units) for case in report.prospects] + [signed(report.value)]
        payers = [describe_payers(case) for case in report.prospects]
        shares = [percent(case.probability) for case in report.prospects]
    assert all(line.endswith(f"  {won}") for line, won in zip(made, units, strict=True))
    assert len({len(line) - len(won) for line, won in zip(made, units, strict=True)}) == 1
    assert len({line.index(payer) for line, payer in zip(made, payers, strict=False)}) == 1
    assert len({line.index(f" {share}   ") + len(share) for line, share in zip(made, shares, strict=False)}) == 1


def test_the_text_lists_the_possible_outcomes() -> None:
    skunk = format_bid(report_of("9x6", 5, 0))
    assert all(
        word in skunk for word in ("hero", "none", "sixes: ×2", "×5", "you hold    no sixes", "ignoring the skunk")
    )
    plain = format_bid(report_of("9x6", 5, 0, "dollar-bill"))
    assert not any(word in plain for word in ("×2", "skunk"))
    assert "nobody pays" in format_bid(report_of("5x6", 3, 0))
    held = format_bid(report_of("2x8", 2, 2, "dollar-bill"))
    assert all(words in held for words in ("you need    no more", "chance      100%"))


@given(st.fractions(0, 1))
def test_only_what_is_certain_looks_certain(chance: Fraction) -> None:
    assert (percent(chance) == "100%") == (chance == 1)
    assert (percent(chance) == "0%") == (chance == 0)
    assert percent(chance) not in ("0.00%", "100.00%")


@given(st.fractions(-100, 100))
def test_a_win_has_a_plus_and_a_loss_a_minus(units: Fraction) -> None:
    assert signed(units).startswith("+") == (units > 0)
    if units < 0 and abs(units) >= Fraction(1, 1000):
        assert signed(units).startswith("-")


# ------------------------------------------------------------------------------------------ what people type


def test_a_bid_may_be_in_notation_or_in_words() -> None:
    rules = digit_rules("slips", 4)
    texts = ("5x7", "five sevens", "5 sevens", "Five 7s")
    assert {write(bid_from_text(text, rules), rules) for text in texts} == {"5x7"}


@pytest.mark.parametrize(
    ("texts", "match", "code"),
    [
        (
            ["challenge", "count", "bla", "5x77", "", "x7", "5 x 7"],
            "isn't a bid; write one as 5x7",
            "unreadable-action",
        ),
        (
            ["0x7", "33x7", "thirty-three sevens", "9" * 200 + "x1"],
            "the level must be between 1 and 32",
            "no-such-claim",
        ),
    ],
)
def test_the_error_for_an_invalid_bid_shows_a_valid_one(texts: list[str], match: str, code: str) -> None:
    for text in texts:
        with pytest.raises(LiarsPokerError, match=match) as refused:
            bid_from_text(text, digit_rules("slips", 4))
        assert refused.value.code == code


@pytest.mark.parametrize(("bid", "over"), [("5x7", "5x8"), ("5x7", "5x7"), ("4x0", "5x1")])
def test_a_raise_must_beat_the_standing_bid(bid: str, over: str) -> None:
    rules = digit_rules("slips", 4)
    with pytest.raises(LiarsPokerError, match="does not beat"):
        check_stronger(bid_from_text(bid, rules), bid_from_text(over, rules), rules)


def test_a_hand_must_be_a_number_of_the_game_and_gives_the_own_count() -> None:
    rules = digit_rules("dollar-bill", 3)
    bid = bid_from_text("2x0", rules)
    assert own_count("06742088", bid, rules) == 2
    for hand in ("", "0674208", "067420889", "0674208x", "0674208?", "0674 208"):
        with pytest.raises(BadDeal, match="hand: "):
            own_count(hand, bid, rules)
    for own in (-1, 9):
        with pytest.raises(BadDeal, match="it must be between 0 and 8"):
            check_own(own, rules)


def test_an_unknown_game_is_reported() -> None:
    with pytest.raises(UnknownGame, match="the catalogue has"):
        digit_rules("poker", 4)
