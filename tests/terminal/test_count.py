"""The count: fingers for what you hold, a fist for none, clockwise from the bidder's left."""

import re
from pathlib import Path

import pytest

from liarspoker.games.digits.record_text import tell_count
from tests.rules.digits.plays import final, holding, result_of, table
from tests.terminal.sitting import GAMES, careless, play, record_in, replayed, then_leaves

ANN_BOB_CYD_DOT = ("Ann", "Bob", "Cyd", "Dot")


def counted(*counts: int, bid: str) -> list[str]:
    """How the count of Ann's bid is told, at a table where everybody holds so many of its digit."""
    session = final(table("salomon-1986", len(counts)), holding(int(bid[-1]), *counts), bid)
    return tell_count(result_of(session), session.setup.rules, ANN_BOB_CYD_DOT[: len(counts)])


def test_the_count_goes_clockwise_from_the_bidders_left_with_fingers_and_fists(tmp_path: Path) -> None:
    assert counted(2, 0, 1, 3, bid="5x7")[:6] == [
        "The count, clockwise from Ann's left:",
        "  Bob  a fist",
        "  Cyd  1 finger   |",
        "  Dot  3 fingers  | | |",
        "  Ann  2 fingers  | |",
        "There are 6 sevens; Ann bid 5.",
    ]
    words = ("slips", "--players", "5", "--seed", "4", "--record", str(tmp_path / "game.json"))
    played = play(*words, player=then_leaves(careless(4), hands=4))
    names = record_in(tmp_path / "game.json")["players"]
    results = replayed(tmp_path / "game.json")
    assert len(results) == 4
    for hand, result in zip(played.hands[:4], results, strict=True):
        left = result["bidder"] + 1
        around = [*range(left, 5), *range(left)]
        assert fingers_told(hand) == [(names[seat], result["counts"][seat]) for seat in around]


@pytest.mark.parametrize("game", GAMES)
def test_a_count_shows_as_many_fingers_as_it_names(game: str) -> None:
    played = play(game, "--seed", "6", "--hands", "3", player=careless(1))
    shown = re.findall(r"^  \w+ +(\d) fingers?  ([| ]+)$", played.text, re.MULTILINE)
    assert shown
    assert all(strokes.count("|") == int(number) for number, strokes in shown)


def test_one_finger_is_no_plural_and_your_left_is_yours() -> None:
    assert counted(0, 1, bid="1x5")[:4] == [
        "The count, clockwise from Ann's left:",
        "  Bob  1 finger   |",
        "  Ann  a fist",
        "There is 1 five; Ann bid 1.",
    ]
    session = final(table("dollar-bill", 2), holding(5, 1, 1), "2x5")
    assert tell_count(result_of(session), session.setup.rules, ("You", "Bob"))[0] == (
        "The count, clockwise from your left:"
    )


@pytest.mark.parametrize(
    ("counts", "bid", "verdict"),
    [
        ((1, 0, 0), "2x5", "The bid fails: Ann pays each of the others 1 unit."),
        ((0, 1, 1), "2x5", "Made by a bidder who holds none: a hero! Ann wins 2 units from each of the others."),
        ((0, 0, 0, 0), "2x5", "Nobody holds one: skunk! Ann wins 2 units from each of the others."),
        ((0, 0, 0), "2x5", "Nobody holds one: with so few players that is a push, and nobody pays."),
        ((2, 2, 2), "6x6", "The bid is made. Ann wins 4 units from each of the others."),
        ((1, 1), "2x5", "The bid is made. Ann wins 1 unit from Bob."),
    ],
)
def test_the_verdict_names_who_pays_how_much(counts: tuple[int, ...], bid: str, verdict: str) -> None:
    assert verdict in counted(*counts, bid=bid)


def test_a_verdict_says_you_in_the_middle_of_a_sentence() -> None:
    session = final(table("dollar-bill", 2), holding(5, 1, 1), "2x5")
    assert "The bid is made. Ann wins 1 unit from you." in tell_count(
        result_of(session), session.setup.rules, ("Ann", "You")
    )


def fingers_told(text: str) -> list[tuple[str, int]]:
    """The names in the order of the count, each with its fingers."""
    lines = re.findall(r"^  (\w+) +(?:(\d) fingers?|a fist)", text.partition("The count")[2], re.MULTILINE)
    return [(name, int(number or 0)) for name, number in lines]
