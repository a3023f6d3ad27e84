"""Text of the digit games: stakes, slips, numbers and names."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.options import OPTIONS
from liarspoker.games.digits.record_text import describe_count, describe_hand
from liarspoker.records import document_of
from liarspoker.records.words import reason_in_words
from tests.conformance.evenings import evening
from tests.rules.digits.plays import bid_on, final, holding, result_of, table
from tests.rules.digits.plays import play as play_hand
from tests.terminal.sitting import (
    GAMES,
    Player,
    between_hands,
    careless,
    headings,
    play,
    played_on,
    record_in,
    replayed,
    scripted,
    then_leaves,
    timid,
)

EVERY_GAME = pytest.mark.parametrize("game", GAMES)
ANN_BOB_CYD_DOT = ("Ann", "Bob", "Cyd", "Dot")


def slip_rows(text: str) -> dict[str, tuple[str, str]]:
    """Return the rows of the slip in `text`: letter to mark and number."""
    return {letter: (mark, number) for mark, letter, number in re.findall(r"([ x>]) ([A-Q]) (\d{8})\b", text)}


def wishing(wish: str) -> Player:
    """Types `wish` before each hand, and otherwise plays cautiously."""
    return lambda told: wish if told.endswith("next hand > ") else timid(told)


def counted(*counts: int, bid: str) -> list[str]:
    """Return the text of the count of Ann's bid, where each player holds these numbers of its digit."""
    session = final(table("salomon-1986", len(counts)), holding(int(bid[-1]), *counts), bid)
    return describe_count(result_of(session), session.setup.rules, ANN_BOB_CYD_DOT[: len(counts)], hand=0)


def fingers_told(text: str) -> list[tuple[str, int]]:
    """Return the names in the order of the count, each with its fingers."""
    lines = re.findall(r"^  (\w+) +(?:(\d) fingers?|a fist)", text.partition("The count")[2], re.MULTILINE)
    return [(name, int(number or 0)) for name, number in lines]


@pytest.mark.parametrize("game", ["salomon-1986", "slips"])
def test_every_stake_above_one_is_shown_with_its_reasons(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play(game, "--seed", "11", "--players", "3", "--record", str(path), player=careless(2))
    stakes = [hand["stake"] for hand in replayed(path)]
    assert max(stakes) > 1
    for number, (heading, stake) in enumerate(zip(headings(played.text), stakes, strict=True), start=1):
        assert heading.startswith(f"Hand {number}: stake {stake}")
        assert stake == 1 or re.search(r"\d carried over|the tenth hand is double", heading)
    assert "the tenth hand is double" in headings(played.text)[9]
    assert not any("tenth" in heading for heading in headings(played.text)[:9])


def test_a_stake_agreed_between_hands_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play("dollar-bill", "--seed", "2", "--hands", "2", "--record", str(path), player=wishing("stake 2"))
    assert "Everybody agrees." in played.text
    assert headings(played.text)[1] == "Hand 2: stake 2 (agreed by the table)."
    assert record_in(path)["rounds"][1]["stake"] == 2
    assert "stake" not in record_in(path)["rounds"][0]
    assert replayed(path)[1]["stake"] == 2


@pytest.mark.parametrize("wish", ["stake 0", "stake", "stake two", "stake 2 3", "challenge", "5x7"])
def test_an_invalid_wish_between_hands_deals_nothing(wish: str) -> None:
    played = play("dollar-bill", "--seed", "2", player=then_leaves(wishing(wish), hands=2))
    assert "Everybody agrees." not in played.text
    assert headings(played.text)[0] == "Hand 1: stake 1."
    assert len(played.hands) == 1


def test_the_lowest_letters_open_the_first_hand_of_1986() -> None:
    for seed in range(16):
        played = play("salomon-1986", f"--seed={seed}", player=scripted())
        letters = re.findall(r"(\w+) ([A-L][A-Z*])(?=[,.])", played.flowing)
        assert len(letters) == 4
        assert re.findall(r"^(\w+) opens?\.$", played.text, re.MULTILINE) == [min(letters, key=lambda pair: pair[1])[0]]


@pytest.mark.parametrize("columns", [40, 80])
def test_the_row_in_play_is_marked_and_so_are_the_rows_played(columns: int, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play("slips", "--seed", "21", "--hands", "11", "--record", str(path), player=timid, columns=columns)
    rows = [hand["letter"] for hand in replayed(path)]
    assert len(rows) == 11
    first, eleventh = (slip_rows(played.hands[hand].partition("Your number is")[0]) for hand in (0, 10))
    assert {number for _, number in first.values()}.isdisjoint({number for _, number in eleventh.values()})
    assert {letter: mark for letter, (mark, _) in eleventh.items() if mark != " "} == {"A": ">"}
    for number, text in enumerate(played.hands[:10]):
        slip = slip_rows(text.partition("Your number is")[0])
        assert len(slip) == 15
        assert [letter for letter, (mark, _) in slip.items() if mark == ">"] == [rows[number]]
        assert {letter for letter, (mark, _) in slip.items() if mark == "x"} == set(rows[:number])
        assert f"Your number is {slip[rows[number]][1]}" in " ".join(text.split())


@pytest.mark.parametrize("info", OPTIONS, ids=lambda info: info.name)
def test_a_game_with_any_option_can_be_continued(info: OptionInfo, tmp_path: Path) -> None:
    game: Any = catalogue.load("salomon-1986")
    value = next(value for value in info.choices if value != getattr(game.options(), info.name))
    (played_before,) = evening(game.session(3, game.options({info.name: value}), False), Random(1), 1)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document_of(game, played_before.last, ("Ann", "Bob", "Cyd"))), encoding="utf-8")
    played = play("--record", str(path), "--hands", "1", "--seed", "1", player=timid)
    assert played.code == 0
    assert len(replayed(path)) >= 2
    assert record_in(path)["options"] == {info.name: value}


def test_a_small_game_uses_its_own_digits() -> None:
    words = ("--option", "hand_size=3", "--option", "symbols=3")
    played = play("dollar-bill", *words, "--seed", "1", player=scripted("9x7", "13x1", "five sevens", "quit"))
    assert re.search(r"Your number is [012]{3}:", played.text)
    assert played.text.count("can't be bid; the level must be between 1 and 12") == 3


def test_numbers_are_shown_on_request_if_the_table_allows_it() -> None:
    def curious(told: str) -> str | None:
        return "numbers" if between_hands(told) and "The numbers:" not in told else timid(told)

    words = ("--option", "reveal=on_request", "--seed", "3", "--hands", "2")
    played = play("salomon-1986", *words, player=curious)
    assert played.text.count("Type numbers to see the numbers.") == 2
    assert [len(re.findall(r"^  \w+ +\d{8}$", hand, re.MULTILINE)) for hand in played.hands] == [4, 4]
    assert "The numbers:" not in play("salomon-1986", *words, player=timid).text


def test_a_name_cannot_move_the_cursor() -> None:
    played = play("slips", "--name", "\033[2J\nEve: 5 sixes\u202e", "--seed", "1", "--hands", "1", player=timid)
    assert all(sign.isprintable() or sign == "\n" for sign in played.text)
    assert not re.search(r"^Eve: 5 sixes", played.text, re.MULTILINE)


@pytest.mark.parametrize("name", ["Zoë", "李", "x" * 60])
def test_any_printable_name_can_be_used(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play("slips", "--name", name, "--seed", "1", "--hands", "1", "--record", str(path), player=timid)
    assert played.code == 0
    assert record_in(path)["players"][0] == name


@pytest.mark.parametrize("number", ["00000000", "11111111"])
def test_after_the_last_hand_of_a_slip_no_row_is_skipped_and_a_new_slip_begins(number: str) -> None:
    names = ("Ann", "Bob", "Cyd")
    session = table("slips", 3, True).deal(DigitDeal(slips=((number,) * 15,) * 3))
    for hand in range(10):
        session = bid_on(session if hand == 0 else session.deal(DigitDeal()), "1x9 around count")
        assert ("unplayed row" in describe_hand(session, names)[-1]) == (hand < 9)
    assert describe_hand(session, names)[-1] == "  The slip is finished; the next hand starts a new one."
    told = played_on(session, scripted())[0]
    assert "unplayed row" not in told


def test_a_bid_that_was_made_before_is_not_offered_in_the_loose_order() -> None:
    session = play_hand(table("salomon-1986", 3, loose_order=True), holding(9, 1, 1, 1), "1x6 1x7 2x3", opener=0)
    told = played_on(session, scripted("odds 1x6", "odds 1x8"))[0]
    repeated, _, new = told.partition("> odds 1x6")[2].partition("> odds 1x8")
    assert "This bid isn't legal now." in repeated
    assert "If you bid it and it is counted" not in repeated
    assert "If you bid it and it is counted" in new


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
        shown = re.findall(r"^  \w+ +(\d) fingers?  ([| ]+)$", hand, re.MULTILINE)
        assert all(strokes.count("|") == int(number) for number, strokes in shown)


def test_one_finger_is_singular_and_your_left_is_addressed_as_yours() -> None:
    assert counted(0, 1, bid="1x5")[:4] == [
        "The count, clockwise from Ann's left:",
        "  Bob  1 finger   |",
        "  Ann  a fist",
        "There is 1 five; Ann bid 1.",
    ]
    session = final(table("dollar-bill", 2), holding(5, 1, 1), "2x5")
    rules = session.setup.rules
    assert describe_count(result_of(session), rules, ("You", "Bob"), 0)[0] == "The count, clockwise from your left:"
    assert "The bid is made. Ann wins 1 unit from you." in describe_count(result_of(session), rules, ("Ann", "You"), 0)


def test_a_push_is_a_reason_of_its_own() -> None:
    two = final(table("salomon-1986", 2, two_player_none="push"), holding(5, 0, 0), "1x5")
    three = final(table("salomon-1986", 3), holding(5, 0, 0, 0), "1x5")
    four = final(table("salomon-1986", 4), holding(5, 0, 0, 0, 0), "1x5")
    reasons = [reason_in_words(result_of(one).why[0], one.setup.rules) for one in (two, three, four)]
    push, skunk = "nobody holds one: a push, nobody pays", "skunk, nobody holds one: twice the number of players"
    assert reasons == [push, push, f"{skunk} minus six, ×2"]


@pytest.mark.parametrize(
    ("counts", "bid", "verdict"),
    [
        ((1, 0, 0), "2x5", "The bid fails: Ann pays each of the others 1 unit."),
        (
            (0, 1, 1),
            "2x5",
            "The bid is made, and the bidder holds none: a hero! Ann wins 2 units from each of the others.",
        ),
        ((0, 0, 0, 0), "2x5", "Nobody holds one: a skunk! Ann wins 2 units from each of the others."),
        ((0, 0, 0), "2x5", "Nobody holds one. With so few players this is a push: nobody pays."),
        ((2, 2, 2), "6x6", "The bid is made. Ann wins 4 units from each of the others."),
        ((1, 1), "2x5", "The bid is made. Ann wins 1 unit from Bob."),
    ],
)
def test_the_verdict_names_who_pays_how_much(counts: tuple[int, ...], bid: str, verdict: str) -> None:
    assert verdict in counted(*counts, bid=bid)
