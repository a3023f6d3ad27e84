"""Whole sessions of the digit games, by a player who knows what is printed and nothing else."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots.catalogue import bots
from liarspoker.core import catalogue
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.digits.options import OPTIONS
from liarspoker.records import document_of
from tests.conformance.evenings import evening
from tests.terminal.sitting import (
    GAMES,
    Played,
    Player,
    Sitting,
    asking,
    between_hands,
    careless,
    headings,
    play,
    record_in,
    replayed,
    score_told,
    scripted,
    then_leaves,
    timid,
)

EVERY_GAME = pytest.mark.parametrize("game", GAMES)
SEEDS = st.integers(0, 2**32)
VALUES = [(game, info.name, value) for game in GAMES for info in OPTIONS for value in info.choices]


def written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def slip_rows(text: str) -> dict[str, tuple[str, str]]:
    """The rows of the slip drawn in `text`: letter to mark and number."""
    return {letter: (mark, number) for mark, letter, number in re.findall(r"([ x>]) ([A-Q]) (\d{8})\b", text)}


@EVERY_GAME
def test_a_whole_session_is_played(game: str) -> None:
    played = play(game, "--seed", "7", "--hands", "3", player=careless(7))
    assert played.code == 0
    assert [heading[:7] for heading in headings(played.text)] == ["Hand 1:", "Hand 2:", "Hand 3:"]
    assert "That was the last hand." in played.text
    assert len(score_told(played.text)) == 4
    assert sum(score_told(played.text)) == 0


@EVERY_GAME
@pytest.mark.parametrize("players", [2, 16])
def test_the_smallest_and_the_largest_table_are_played(game: str, players: int) -> None:
    played = play(game, "--players", str(players), "--seed", "3", "--hands", "2", player=timid)
    assert played.code == 0
    assert len(score_told(played.text)) == players


@pytest.mark.parametrize("bot", [row.name for row in bots()])
def test_every_bot_of_the_catalogue_can_be_played_against(bot: str) -> None:
    played = play("slips", "--bots", bot, "--seed", "5", "--hands", "2", player=careless(5))
    assert "That was the last hand." in played.text


def test_a_game_can_be_chosen_by_number_or_by_name() -> None:
    by_number = play("--seed", "1", player=scripted("9", "", "2", "quit"))
    by_name = play("--seed", "1", player=scripted("salomon-1986", "quit"))
    assert by_number.text.count("Type the number of a game, or its name.") == 2
    assert by_number.hands == by_name.hands
    assert by_name.hands == play("salomon-1986", "--seed", "1", player=scripted("quit")).hands


def test_input_that_ends_before_a_game_is_chosen_ends_it() -> None:
    assert play(player=scripted()).code == 0


@given(game=st.sampled_from(GAMES), seed=SEEDS, moves=SEEDS)
@pytest.mark.slow
def test_the_same_seed_and_the_same_moves_give_the_same_game(game: str, seed: int, moves: int) -> None:
    once, again = (play(game, f"--seed={seed}", "--hands", "1", player=careless(moves)) for _ in range(2))
    assert once == again


def test_a_seed_gives_the_same_game_in_another_process_too() -> None:
    words = ("salomon-1986", "--seed", "12", "--hands", "2")
    with Sitting(*words) as sitting:
        assert sitting.played(careless(1)) == play(*words, player=careless(1))


def test_another_seed_gives_another_game() -> None:
    assert play("slips", "--seed", "1", player=scripted()) != play("slips", "--seed", "2", player=scripted())


@EVERY_GAME
def test_the_score_told_is_that_of_the_record(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play(game, "--seed", "8", "--record", str(path), player=careless(8))
    hands = replayed(path)
    assert len(hands) == 10
    assert score_told(played.text) == [sum(pays) for pays in zip(*(hand["payoffs"] for hand in hands), strict=True)]
    for text, hand in zip(played.hands, hands, strict=True):
        told = " ".join(text.split())
        names = record_in(path)["players"]
        assert all(f"{name} {pay:+d}" in told for name, pay in zip(names, hand["payoffs"], strict=True) if pay)


# ------------------------------------------------------------------------------------------- stakes


@pytest.mark.parametrize("game", ["salomon-1986", "slips"])
def test_every_stake_that_is_not_one_is_told_with_its_reasons(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play(game, "--seed", "11", "--players", "3", "--record", str(path), player=careless(2))
    stakes = [hand["stake"] for hand in replayed(path)]
    assert max(stakes) > 1
    for number, (heading, stake) in enumerate(zip(headings(played.text), stakes, strict=True), start=1):
        assert heading.startswith(f"Hand {number}: stake {stake}")
        assert stake == 1 or re.search(r"\d carried over|the tenth hand is double", heading)
    assert "the tenth hand is double" in headings(played.text)[9]
    assert not any("tenth" in heading for heading in headings(played.text)[:9])


def test_a_stake_can_be_agreed_between_hands_and_stands_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play("dollar-bill", "--seed", "2", "--hands", "2", "--record", str(path), player=wishing("stake 2"))
    assert "All agree." in played.text
    assert headings(played.text)[1] == "Hand 2: stake 2 (agreed by the table)."
    assert record_in(path)["rounds"][1]["stake"] == 2
    assert "stake" not in record_in(path)["rounds"][0]
    assert replayed(path)[1]["stake"] == 2


@pytest.mark.parametrize(
    "wish", ["stake 0", "stake", "stake two", "stake -1", "stake 2 3", "challenge", "5x7", "count"]
)
def test_what_cannot_be_agreed_between_hands_deals_nothing(wish: str) -> None:
    played = play("dollar-bill", "--seed", "2", player=then_leaves(wishing(wish), hands=2))
    assert "All agree." not in played.text
    assert headings(played.text)[0] == "Hand 1: stake 1."
    assert len(played.hands) == 1


def wishing(wish: str) -> Player:
    """Types `wish` before the next hand, and is timid in them."""
    return lambda told: wish if told.endswith("next hand > ") else timid(told)


# ------------------------------------------------------------------------------------ who opens first


@pytest.mark.parametrize("game", ["dollar-bill", "slips"])
def test_lots_are_drawn_for_the_first_opener(game: str) -> None:
    openers = {opener_told(play(game, f"--seed={seed}", player=scripted())) for seed in range(40)}
    assert openers == {"You", "Bea", "Cal", "Dot"}


def test_the_lowest_letters_open_the_first_hand_of_1986() -> None:
    for seed in range(40):
        played = play("salomon-1986", f"--seed={seed}", player=scripted())
        letters = re.findall(r"(\w+) ([A-L][A-Z*])(?=[,;])", played.flowing)
        assert len(letters) == 4
        assert opener_told(played) == min(letters, key=lambda pair: pair[1])[0]


def opener_told(played: Played) -> str:
    found = re.search(r"^(\w+) opens?\.$", played.text, re.MULTILINE)
    assert found
    return found[1]


# -------------------------------------------------------------------------------------------- slips


@pytest.mark.parametrize("columns", [40, 80])
def test_the_row_in_play_is_marked_and_so_are_the_rows_played(columns: int, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play("slips", "--seed", "21", "--record", str(path), player=timid, columns=columns)
    rows = [hand["letter"] for hand in replayed(path)]
    assert len(rows) == 10
    for number, text in enumerate(played.hands):
        slip = slip_rows(text.partition("Your number is")[0])
        assert len(slip) == 15
        assert [letter for letter, (mark, _) in slip.items() if mark == ">"] == [rows[number]]
        assert {letter for letter, (mark, _) in slip.items() if mark == "x"} == set(rows[:number])
        assert f"Your number is {slip[rows[number]][1]}" in " ".join(text.split())


def test_a_new_slip_comes_with_the_eleventh_hand_and_has_no_row_played() -> None:
    played = play("slips", "--seed", "21", "--hands", "11", player=timid)
    first, eleventh = (slip_rows(played.hands[hand].partition("Your number is")[0]) for hand in (0, 10))
    assert {number for _, number in first.values()}.isdisjoint({number for _, number in eleventh.values()})
    assert {letter: mark for letter, (mark, _) in eleventh.items() if mark != " "} == {"A": ">"}


# ------------------------------------------------------------------------------------------ options


@pytest.mark.parametrize(("game", "option", "value"), VALUES)
def test_every_value_of_every_option_is_played_or_refused_in_words(
    game: str, option: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--option", f"{option}={written(value)}"]
    played = play(game, *options, "--bots", "beginner", "--hands=2", "--seed=1", player=asking(timid, "odds"))
    study = option in ("hand_size", "symbols") and value not in (8, 10)
    if game == "slips" and study and played.code == 1:
        assert capsys.readouterr().err.startswith(f"liarspoker: {option}")
    else:
        assert played.code == 0
        assert "That was the last hand." in played.text


@pytest.mark.parametrize("info", OPTIONS, ids=lambda info: info.name)
def test_a_record_of_every_option_is_taken_up_and_played_on(info: OptionInfo, tmp_path: Path) -> None:
    game: Any = catalogue.load("salomon-1986")
    value = next(value for value in info.choices if value != getattr(game.options(), info.name))
    (played_before,) = evening(game.session(3, game.options({info.name: value}), False), Random(1), 1)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document_of(game, played_before.last, ("Ann", "Bob", "Cyd"))), encoding="utf-8")
    played = play("--record", str(path), "--hands", "1", "--seed", "1", player=timid)
    assert played.code == 0
    assert len(replayed(path)) >= 2
    assert record_in(path)["options"] == {info.name: value}


def test_a_game_of_study_is_told_in_its_own_digits() -> None:
    words = ("--option", "hand_size=3", "--option", "symbols=3")
    played = play("dollar-bill", *words, "--seed", "1", player=scripted("9x7", "13x1", "five sevens", "quit"))
    assert re.search(r"Your number is [012]{3}:", played.text)
    assert played.text.count("cannot be bid; levels go from 1 to 12") == 3


def test_numbers_are_shown_to_whoever_asks_where_the_table_plays_so() -> None:
    def curious(told: str) -> str | None:
        return "numbers" if between_hands(told) and "The numbers:" not in told else timid(told)

    words = ("--option", "reveal=on_request", "--seed", "3", "--hands", "2")
    played = play("salomon-1986", *words, player=curious)
    assert played.text.count("Type numbers to ask for the numbers.") == 2
    assert [len(re.findall(r"^  \w+ +\d{8}$", hand, re.MULTILINE)) for hand in played.hands] == [4, 4]
    assert "The numbers:" not in play("salomon-1986", *words, player=timid).text


# -------------------------------------------------------------------------------------------- names


@EVERY_GAME
def test_a_person_may_have_the_name_of_a_bot_at_a_full_table(game: str) -> None:
    played = play(game, "--players", "16", "--name", "Bea", "--hands", "1", "--seed", "1", player=timid)
    assert len(score_told(played.text)) == 16


def test_a_name_cannot_move_the_cursor() -> None:
    played = play("slips", "--name", "\033[2J\nEve: 5 sixes\u202e", "--seed", "1", "--hands", "1", player=timid)
    assert all(sign.isprintable() or sign == "\n" for sign in played.text)
    assert not re.search(r"^Eve: 5 sixes", played.text, re.MULTILINE)


@pytest.mark.parametrize("name", ["Zoë", "Ann Lee", "李", "x" * 60])
def test_any_other_name_is_played_under(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play("slips", "--name", name, "--seed", "1", "--hands", "1", "--record", str(path), player=timid)
    assert played.code == 0
    assert record_in(path)["players"][0] == name
