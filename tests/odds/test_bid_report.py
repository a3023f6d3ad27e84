"""One bid, in figures and in words."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import BadDeal, LiarsPokerError, UnknownGame
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.notation import write
from liarspoker.odds.bid_report import (
    BidReport,
    bid_from_text,
    check_own,
    check_stronger,
    digit_rules,
    own_count,
    signed,
    told,
)
from liarspoker.odds.figures import percent

GAMES = ("dollar-bill", "salomon-1986", "slips")


def report_of(bid: str, players: int, own: int, game: str = "salomon-1986", over: str | None = None) -> BidReport:
    rules = digit_rules(game, players)
    standing = None if over is None else bid_from_text(over, rules)
    return BidReport(game, rules, bid_from_text(bid, rules), own, standing)


@st.composite
def reports(draw: st.DrawFn) -> BidReport:
    """Any bid at any table, perhaps over another one."""
    game, own = draw(st.sampled_from(GAMES)), draw(st.integers(0, 8))
    rules = digit_rules(game, draw(st.integers(2, 30)))
    claim = draw(st.integers(1, ladder_length(rules) - 1))
    return BidReport(game, rules, claim, own, draw(st.none() | st.integers(0, claim - 1)))


# ----------------------------------------------------------------------------------------------- in figures


@given(reports())
def test_the_json_of_a_report_is_exact(report: BidReport) -> None:
    told_json = json.loads(json.dumps(report.as_json()))
    assert Fraction(told_json["p_made"]["fraction"]) == report.chance
    assert Fraction(told_json["expected_units"]["fraction"]) == report.value
    assert sum(Fraction(case["chance"]["fraction"]) for case in told_json["prospects"]) == 1
    assert told_json["bid"] == write(report.claim, report.rules)
    assert told_json["need"] == max(0, int(told_json["bid"].partition("x")[0]) - report.own)


def test_the_standing_bid_is_told_and_costs_its_own_multiplier() -> None:
    told_json = report_of("9x6", 5, 2, over="8x0").as_json()
    assert (told_json["over"], told_json["challenge_units"]) == ("8x0", -2)
    assert report_of("9x6", 5, 2).challenge_value == -1


# ------------------------------------------------------------------------------------------------- in words


@given(reports())
def test_a_report_in_words_fits_the_terminal_and_agrees_with_its_figures(report: BidReport) -> None:
    lines = told(report).splitlines()
    assert max(map(len, lines)) <= 80
    verdict = lines[-1].split()[1].rstrip(";")
    gain = report.value - report.challenge_value
    assert verdict == ("raise" if gain > 0 else "challenge" if gain < 0 else "it")


def test_the_bid_of_the_manual() -> None:
    assert told(report_of("5x7", 4, 1)).splitlines() == [
        "5 sevens, 4 players, salomon-1986",
        "",
        "  you hold    1 seven",
        "  you need    4 more, among the 24 digits of the 3 others",
        "  chance      21.43%, 1 in 4.7",
        "",
        "If the bid is counted, at stake 1:",
        "  made       21.43%   each pays you 1   +3",
        "  failed     78.57%   you pay each 1    -3",
        "  on average                            -1.714",
        "",
        "Say the standing bid (it pays ×1) is good, and all will challenge your raise:",
        "  challenge   -1",
        "  raise       -1.714 on average",
        "  so          challenge; raising pays from 33.33% on",
    ]


def test_a_bidder_without_the_digit_is_told_of_hero_and_skunk() -> None:
    text = told(report_of("9x6", 5, 0))
    for word in ("hero", "none", "sixes: ×2", "×5", "you hold    no sixes", "the skunk aside"):
        assert word in text


def test_where_no_rule_multiplies_none_is_told() -> None:
    text = told(report_of("9x6", 5, 0, "dollar-bill"))
    assert "×2" not in text
    assert "skunk" not in text


def test_a_skunk_of_three_players_pays_nobody() -> None:
    assert "nobody pays" in told(report_of("5x6", 3, 0))


def test_a_bid_that_you_hold_yourself_needs_no_more() -> None:
    text = told(report_of("2x8", 2, 2, "dollar-bill"))
    assert "you need    no more" in text
    assert "chance      100%" in text


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


@pytest.mark.parametrize("text", ["5x7", "five sevens", "5 sevens", "Five 7s"])
def test_a_bid_may_be_written_or_said(text: str) -> None:
    rules = digit_rules("slips", 4)
    assert write(bid_from_text(text, rules), rules) == "5x7"


@pytest.mark.parametrize("text", ["challenge", "count", "bla", "5x77", "", "x7", "5 x 7"])
def test_what_is_no_bid_is_told_how_one_is_written(text: str) -> None:
    with pytest.raises(LiarsPokerError, match="is no bid; write one as 5x7") as refused:
        bid_from_text(text, digit_rules("slips", 4))
    assert refused.value.code == "unreadable-action"


@pytest.mark.parametrize("text", ["0x7", "33x7", "thirty-three sevens", "9" * 200 + "x1"])
def test_a_level_that_the_table_lacks_is_refused_with_the_levels_it_has(text: str) -> None:
    with pytest.raises(LiarsPokerError, match="levels go from 1 to 32") as refused:
        bid_from_text(text, digit_rules("slips", 4))
    assert refused.value.code == "no-such-claim"


@pytest.mark.parametrize(("bid", "over"), [("5x7", "5x8"), ("5x7", "5x7"), ("4x0", "5x1")])
def test_a_raise_must_beat_the_standing_bid(bid: str, over: str) -> None:
    rules = digit_rules("slips", 4)
    with pytest.raises(LiarsPokerError, match="does not beat"):
        check_stronger(bid_from_text(bid, rules), bid_from_text(over, rules), rules)


@pytest.mark.parametrize("hand", ["", "0674208", "067420889", "0674208x", "0674208?", "0674 208"])
def test_a_hand_that_is_no_number_of_the_game_is_refused(hand: str) -> None:
    rules = digit_rules("salomon-1986", 4)
    with pytest.raises(BadDeal, match="hand: "):
        own_count(hand, bid_from_text("5x7", rules), rules)


def test_the_hand_of_source_003_holds_two_zeros() -> None:
    rules = digit_rules("dollar-bill", 3)
    assert own_count("06742088", bid_from_text("2x0", rules), rules) == 2


@pytest.mark.parametrize("own", [-1, 9])
def test_no_hand_holds_fewer_than_none_or_more_than_eight(own: int) -> None:
    with pytest.raises(BadDeal, match="in a hand of 8"):
        check_own(own, digit_rules("slips", 2))


def test_a_game_that_the_catalogue_lacks_is_told_so() -> None:
    with pytest.raises(UnknownGame, match="the catalogue has"):
        digit_rules("poker", 4)
