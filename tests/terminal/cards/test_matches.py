"""Whole matches of the card games, by a player who knows what is printed and nothing else."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker import cli
from liarspoker.core import catalogue
from liarspoker.records import read_json
from tests.effort import one_in
from tests.terminal.cards.card_table import GAMES, POOLED, Player, asking, careless, flowing, play, prompt, scripted

EVERY_GAME = pytest.mark.parametrize("game", GAMES)
SEEDS = st.integers(0, 2**32)
QUESTIONS = ("odds", "odds pair 7", "why", "hand", "score", "help", "ranks", "check three 4", "declare", "back")
VALUES = [
    (game, info.name, value)
    for game in ("thorin", "queen-annes-stud")
    for info in catalogue.load(game).option_infos
    for value in info.choices
]


@EVERY_GAME
@given(seed=SEEDS)
@one_in(2)
def test_a_match_is_played_until_somebody_has_won(game: str, seed: int) -> None:
    text = play(game, "--seed", str(seed), "--players", str(2 + seed % 4), player=careless(seed))
    assert re.search(r"^(You win|\w+ wins) the match\.$", text, re.MULTILINE)
    assert "The match is won:" in text
    assert text.count("  won\n") == 1


@EVERY_GAME
@given(seed=SEEDS)
@one_in(20)
def test_no_line_is_wider_than_forty_columns(game: str, seed: int) -> None:
    text = play(game, "--seed", str(seed), player=asking(careless(seed), *QUESTIONS), columns=40)
    assert [line for line in text.splitlines() if len(line) > 40 and "> " not in line] == []


@EVERY_GAME
def test_questions_change_nothing(game: str, tmp_path: Path) -> None:
    records = []
    for name, player in [("silent", careless(4)), ("curious", asking(careless(4), *QUESTIONS, "hello", "pair 0"))]:
        path = tmp_path / f"{name}.json"
        play(game, "--seed", "9", "--record", str(path), player=player)
        records.append(path.read_text(encoding="utf-8"))
    assert records[0] == records[1]


@EVERY_GAME
@pytest.mark.parametrize("players", [2, 10])
def test_the_smallest_and_the_largest_table_are_played(game: str, players: int) -> None:
    text = play(game, "--players", str(players), "--seed", "3", "--hands", "2", player=careless(1))
    assert len(re.findall(r"^  \w+ +(?:out|won|in|\d)", text.rpartition("match")[2], re.MULTILINE)) == players


@pytest.mark.parametrize(("game", "option", "value"), VALUES)
def test_every_value_of_every_option_is_played_to_the_end(game: str, option: str, value: object) -> None:
    written = str(value).lower() if isinstance(value, bool) else str(value)
    text = play(game, "--players", "3", "--seed", "8", "--option", f"{option}={written}", player=careless(2))
    assert "The match is won:" in text


@EVERY_GAME
def test_the_record_of_a_match_replays_to_its_winner(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    text = play(game, "--seed", "6", "--record", str(path), player=careless(6))
    replay = read_json(path.read_bytes())
    assert replay.fault is None
    assert replay.session is not None
    winner = replay.players[replay.session.winner or 0]
    assert ("You win" if winner == "You" else f"{winner} wins") + " the match." in text


@EVERY_GAME
def test_the_first_seat_is_drawn_by_lot(game: str) -> None:
    first = {
        flowing(play(game, f"--seed={seed}", player=scripted())).partition("Round 1: ")[2][:3] for seed in range(25)
    }
    assert first == {"You", "Bea", "Cal", "Dot"}


def reckless(told: str) -> str | None:
    """Says that there is the best hand of all, and is challenged."""
    if "Enter" in prompt(told):
        return "skip" if "You are out." in told else ""
    words = flowing(told)
    if "discard (" in words or "keep all" in words:
        return "discard -"
    if "declare" in words.rpartition("Your turn:")[2]:
        return "straight flush ace high"
    return "royal flush spades" if "Your turn: name" in words else "t" if "(t)" in words else "c"


@EVERY_GAME
def test_the_match_goes_on_when_the_person_is_out(game: str) -> None:
    text = play(game, "--seed", "1", player=reckless)
    assert "You are out." in text
    assert re.search(r"^\w+ wins the match\.$", text.rpartition("You are out.")[2], re.MULTILINE)


def test_rounds_can_be_limited() -> None:
    text = play("queen-annes", "--seed", "1", "--hands", "2", player=careless(3))
    assert "That was the last round." in text
    assert "Round 3" not in text


@pytest.mark.parametrize("words", [["--slips"], ["--bills"]])
def test_cards_are_not_dealt_from_slips(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", "thorin", "--bots", "uniform", *words]) == 1
    assert "played with cards" in capsys.readouterr().err


def test_the_person_who_begins_names_the_rules_where_the_dealer_has_the_choice(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    seed = next(str(seed) for seed in range(30) if "Your turn: declare" in _chosen(str(seed), scripted("", "quit")))
    lines = ("colour=red", "passes", "passes=7", "jokers=1, jokers=2", "passes=1, jokers=2", "quit")
    text = _chosen(seed, scripted(*lines), "--record", str(path))
    assert 'passes = "7": it takes 0 or 1.' in flowing(text)
    assert "'jokers=2': name each rule once." in flowing(text)
    assert "named for this round: passes = 1" in flowing(text).lower()
    assert '"passes": 1' in path.read_text(encoding="utf-8")


def _chosen(seed: str, player: Player, *words: str) -> str:
    return play("thorin", "--option", "dealers_choice=true", "--seed", seed, *words, player=player)


@pytest.mark.parametrize("game", POOLED)
def test_where_anyone_may_challenge_the_person_is_asked_out_of_turn(game: str) -> None:
    def player(told: str) -> str | None:
        return "c" if "c to challenge" in told else careless(1)(told)

    text = play(game, "--seed", "2", "--hands", "1", "--option", "who_may_challenge=anyone", player=player)
    assert "You challenge" in text


@pytest.mark.parametrize("game", POOLED)
def test_where_anyone_may_challenge_bots_do_so_out_of_turn(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    words = ("--option", "who_may_challenge=anyone", "--bots", "bluffer", "--players", "5", "--record", str(path))
    play(game, "--seed", "1", *words, player=reckless)
    assert re.search(r'"challenge \d"', path.read_text(encoding="utf-8"))
    assert read_json(path.read_bytes()).fault is None
