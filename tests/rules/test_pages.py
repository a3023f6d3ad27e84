"""The rules pages of the digit games: their examples and tables match the rules."""

from __future__ import annotations

import re

import pytest

from liarspoker.core import catalogue
from liarspoker.core.catalogue import rules_page
from liarspoker.core.errors import UnknownGame
from liarspoker.games.digits.hands import next_row
from liarspoker.games.digits.ladder import beats, claim_of, ladder_length
from liarspoker.games.digits.options import Rules, packed
from liarspoker.games.digits.settlement import (
    FAILED,
    HERO,
    MADE,
    NONE,
    bid_multiplier,
    next_stake,
    payoff,
    settle,
    stake_of_hand,
)

TRADING_FLOOR = pytest.mark.parametrize("game", ["salomon-1986", "slips"])


def rules(game: str, seats: int) -> Rules:
    return packed(catalogue.load(game).options(), seats)


def flowing(game: str) -> str:
    return " ".join(rules_page(game).split())


def table_rows(game: str) -> list[list[str]]:
    """Return the cells of all tables of a page, row by row."""
    rows = [line for line in rules_page(game).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_a_rules_page_has_a_few_hundred_words_and_all_sections() -> None:
    for row in catalogue.games():
        page = rules_page(row.id)
        assert 250 <= len(re.findall(r"[\w'+]+", page)) <= 450, row.id
        if row.family == "digits":
            headings = re.findall(r"^## (.*)$", page, flags=re.MULTILINE)
            assert headings == ["Setup", "Bids", "Auction", "Count", "Payoffs", "Next hand", "Slips"]
            assert row.seats == (2, 16)
            assert "Two to sixteen players" in flowing(row.id)


def test_an_unknown_game_has_no_rules_page() -> None:
    with pytest.raises(UnknownGame):
        rules_page("../errors")


def test_dollar_bill_examples_of_stronger_bids_are_right() -> None:
    three = rules("dollar-bill", 3)
    assert 'Over "two fives", "two sixes" and "three zeros" are stronger, "two fours" is not.' in flowing("dollar-bill")
    standing = claim_of(2, 5, three)
    assert [beats(claim_of(*bid, three), standing, three) for bid in ((2, 6), (3, 0), (2, 4))] == [True, True, False]
    assert ladder_length(three) == claim_of(8 * 3, 9, three) + 1


def test_dollar_bill_example_of_a_count_is_right() -> None:
    three = rules("dollar-bill", 3)
    hands = re.findall(r"\d{8}", rules_page("dollar-bill"))
    own, *others = [number.count("8") for number in hands]
    assert (own, *others) == (1, 0, 3)
    four, five = (settle(claim_of(level, 8, three), own, own + sum(others), three) for level in (4, 5))
    assert (four.outcome, payoff(0, 0, four, stake=1, rules=three)) == (MADE, 2)
    assert (five.outcome, payoff(0, 0, five, stake=1, rules=three)) == (FAILED, -2)
    assert settle(claim_of(1, 8, three), 0, 0, three).outcome == FAILED
    assert next_stake(1, own=0, base=1, rules=three) == 1


@TRADING_FLOOR
def test_the_tables_of_multipliers_and_payoffs_match_the_rules(game: str) -> None:
    levels, most, sixes, _, *payments = table_rows(game)
    assert (most[0], sixes[0]) == ("most digits", "sixes")
    assert [row[1].removeprefix("each to bidder: ") for row in payments] == [
        "bidder to each: stake",
        "stake x multiplier",
        "stake x (multiplier + 1)",
        "stake x (2n - 6)",
    ]
    for seats in (3, 4, 5, 16):
        table = rules(game, seats)
        for column, cell in enumerate(levels[1:], start=1):
            for above in map(int, re.findall(r"n\+(\d+)", cell)):
                bids = [claim_of(seats + above, digit, table) for digit in (7, 6)]
                assert [bid_multiplier(bid, table) for bid in bids] == [int(most[column]), int(sixes[column])]
        claim = claim_of(seats + 3, 6, table)
        multiplier = bid_multiplier(claim, table)
        counts = [(1, 1), (1, seats + 3), (0, seats + 3), (0, 0)]
        settled = [settle(claim, own, total, table) for own, total in counts]
        assert [one.outcome for one in settled] == [FAILED, MADE, HERO, NONE]
        paid = [-payoff(1, 0, one, 3, table) for one in settled]
        assert paid == [-3, 3 * multiplier, 3 * (multiplier + 1), 3 * (2 * seats - 6)]


def test_two_players_fail_a_skunk_in_1986_and_push_it_on_slips() -> None:
    assert "With two players there is no skunk, and the bid fails." in flowing("salomon-1986")
    assert "with two or three players it pays nothing" in flowing("slips")
    two = [rules(game, 2) for game in ("salomon-1986", "slips")]
    settled = [settle(claim_of(3, 7, table), 0, 0, table) for table in two]
    assert [payoff(0, 0, one, 1, table) for one, table in zip(settled, two, strict=True)] == [-1, 0]


@pytest.mark.parametrize(
    ("game", "level", "stake", "words"),
    [
        ("salomon-1986", 10, 2, '"ten sixes" wins 12 from each, 48 in all; if it fails, it costs 2 to each'),
        ("slips", 8, 3, '"eight sixes" wins 12 from each; if it fails, it costs 3 to each'),
    ],
)
def test_the_example_of_five_players_is_right(game: str, level: int, stake: int, words: str) -> None:
    assert f"game of five at stake {stake}, a made {words}." in flowing(game)
    five = rules(game, 5)
    made, failed = (settle(claim_of(level, 6, five), 1, total, five) for total in (level, level - 1))
    assert payoff(1, 0, made, stake, five) == -12
    assert payoff(0, 0, made, stake, five) == 48
    assert payoff(1, 0, failed, stake, five) == stake


@TRADING_FLOOR
def test_the_next_stake_matches_the_page(game: str) -> None:
    assert "If the bidder held none of the digit, the new stake is 2." in flowing(game)
    five = rules(game, 5)
    assert [next_stake(4, own, base=3, rules=five) for own in (1, 0)] == [4, 2]
    assert stake_of_hand(9, 4, five) == 8


def test_the_example_of_the_next_row_is_right() -> None:
    assert "With two odd endings, row D follows row A." in flowing("slips")
    assert next_row(0, 0b1, odd_endings=2) == "ABCD".index("D")
