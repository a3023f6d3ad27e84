"""Whole games of every kind, played from the printed output alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots.catalogue import bots
from liarspoker.core import catalogue
from liarspoker.language import speaking
from liarspoker.records import read_json
from liarspoker.terminal.saved_games import load
from tests.effort import one_in
from tests.terminal.sitting import (
    ALL_GAMES,
    CARD_QUESTIONS,
    CARDS,
    ESCAPE,
    GAMES,
    POOLED,
    QUESTIONS,
    Played,
    Player,
    Sitting,
    asking,
    between_hands,
    careless,
    flowing,
    headings,
    play,
    played_on,
    record_in,
    replayed,
    score_told,
    scripted,
    timid,
)

SEEDS = st.integers(0, 2**32)
EVERY_GAME = pytest.mark.parametrize("game", ALL_GAMES)
NONSENSE = ("nonsense", "999x1", "pair 0")
WON = r"^(You win|\w+ wins) the match\.$"
VALUES = [
    (game, info.name, value)
    for game in ("salomon-1986", "thorin", "queen-annes-stud")
    for info in catalogue.load(game).option_infos
    for value in info.choices
]


def curious(game: str, seed: int) -> Player:
    """Asks every question and types invalid input before every action, which is chosen carelessly."""
    return asking(careless(seed), *(QUESTIONS if game in GAMES else CARD_QUESTIONS), *NONSENSE, "back")


def ended_well(game: str, played: Played, hands: int, players: int) -> None:
    """Check that the game has ended and the final score lists all players."""
    assert played.code == 0
    if game in GAMES:
        assert [heading.partition(":")[0] for heading in headings(played.text)] == [
            f"Hand {number}" for number in range(1, hands + 1)
        ]
        assert "That was the last hand." in played.text
        assert len(score_told(played.text)) == players
        assert sum(score_told(played.text)) == 0
    else:
        assert re.search(WON, played.text, re.MULTILINE)
        assert played.text.rpartition("Final standings:")[2].count("  won\n") == 1


@EVERY_GAME
@given(seed=SEEDS, columns=st.integers(40, 80))
@one_in(8)
def test_a_game_is_played_to_its_end_in_any_window_and_at_a_pipe_without_frames(
    game: str, seed: int, columns: int
) -> None:
    players, hands = 2 + seed % 4, ("--hands", "2") if game in GAMES else ()
    words = ("--seed", str(seed), "--players", str(players), "--bots", "uniform", *hands)
    played = play(game, *words, player=curious(game, seed), columns=columns)
    ended_well(game, played, 2, players)
    assert ESCAPE not in played.text
    assert not re.search(r"^\+-+\+$", played.text, re.MULTILINE)
    assert [line for line in played.text.splitlines() if len(line) > columns and "> " not in line] == []


@EVERY_GAME
def test_the_smallest_and_the_largest_table_are_played(game: str) -> None:
    for players in catalogue.preset(game).seats:
        words = ("--players", str(players), "--seed", "3", "--hands", "2", "--bots", "uniform")
        played = play(game, *words, player=timid if game in GAMES else careless(1), columns=40)
        assert played.code == 0
        scores = re.findall(r"^  \w+ +(?:out|won|in|\d)", played.text.rpartition("tandings:")[2], re.MULTILINE)
        assert len(score_told(played.text) if game in GAMES else scores) == players
        units = played.text.rpartition("The numbers:")[0].splitlines()[-5:]
        assert not [line for line in units if re.match(r" *[+-]\d", line)], "a name is parted from what it wins"


@pytest.mark.parametrize("bot", [row.name for row in bots()])
def test_every_bot_is_a_possible_opponent(bot: str) -> None:
    played = play("slips", "--bots", bot, "--seed", "5", "--hands", "2", player=careless(5))
    assert "That was the last hand." in played.text


@pytest.mark.parametrize(("game", "option", "value"), VALUES)
def test_every_value_of_every_option_is_played(game: str, option: str, value: object) -> None:
    written = str(value).lower() if isinstance(value, bool) else str(value)
    player, hands = (asking(timid, "odds"), 2) if game in GAMES else (careless(2), 1000)
    words = ("--option", f"{option}={written}", "--players", "3", "--bots", "uniform", "--seed", "8")
    played = play(game, *words, "--hands", str(hands), player=player)
    assert played.code == 0
    assert ("That was the last hand." if game in GAMES else "Final standings:") in played.text


@EVERY_GAME
def test_questions_and_invalid_input_change_nothing(game: str, tmp_path: Path) -> None:
    records = []
    for number, player in enumerate((careless(4), curious(game, 4))):
        path = tmp_path / f"{number}.json"
        play(game, "--seed", "9", "--hands", "3", "--bots", "uniform", "--record", str(path), player=player)
        records.append(path.read_text(encoding="utf-8"))
    assert records[0] == records[1]


def test_a_game_can_be_chosen_by_number_or_id() -> None:
    by_number = play("--seed", "1", player=scripted("9", "", "2", "quit"))
    by_name = play("--seed", "1", player=scripted("salomon-1986", "quit"))
    assert by_number.text.count("Type a game's number or id.") == 2
    assert by_number.hands == by_name.hands
    assert by_name.hands == play("salomon-1986", "--seed", "1", player=scripted("quit")).hands
    assert play(player=scripted()).code == 0


def test_a_seed_repeats_a_game_in_another_process_and_other_seeds_differ() -> None:
    words = ("salomon-1986", "--seed", "12", "--hands", "2")
    with Sitting(*words) as sitting:
        assert sitting.played(careless(1)) == play(*words, player=careless(1))
    assert play("slips", "--seed", "1", player=scripted()) != play("slips", "--seed", "2", player=scripted())


@pytest.mark.parametrize("game", GAMES)
def test_the_score_shown_matches_the_record(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play(game, "--seed", "8", "--record", str(path), player=careless(8))
    hands = replayed(path)
    assert len(hands) == 10
    assert score_told(played.text) == [sum(pays) for pays in zip(*(hand["payoffs"] for hand in hands), strict=True)]
    names = record_in(path)["players"]
    for text, hand in zip(played.hands, hands, strict=True):
        assert all(f"{name} {pay:+d}" in flowing(text) for name, pay in zip(names, hand["payoffs"], strict=True) if pay)


@pytest.mark.parametrize("game", CARDS)
def test_the_winner_shown_matches_the_record(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = play(game, "--seed", "6", "--bots", "uniform", "--record", str(path), player=careless(6))
    replay = read_json(path.read_bytes())
    assert replay.fault is None
    assert replay.session is not None
    winner = replay.players[replay.session.winner or 0]
    assert ("You win" if winner == "You" else f"{winner} wins") + " the match." in played.text


@pytest.mark.parametrize("game", [game for game in ALL_GAMES if game != "salomon-1986"])
def test_the_first_opener_is_drawn_at_random(game: str) -> None:
    texts = [play(game, f"--seed={seed}", player=scripted()).text for seed in range(16)]
    if game in GAMES:
        first = {found for text in texts for found in re.findall(r"^(\w+) opens?\.$", text, re.MULTILINE)}
    else:
        first = {flowing(text).partition("Round 1: ")[2][:3] for text in texts}
    assert first == {"You", "Bea", "Cal", "Dot"}


# ------------------------------------------------------------------------------------------------ games with cards


def reckless(told: str) -> str | None:
    """Claims the best hand there is, and is challenged."""
    if between_hands(told):
        return "skip" if "You are out." in told else ""
    words = flowing(told)
    if "discard up to five" in words.rpartition("Your turn:")[2]:
        return "discard -"
    if "declare" in words.rpartition("Your turn:")[2]:
        return "straight flush ace high"
    return "royal flush spades" if "Your turn: name" in words else "t" if "(t)" in words else "c"


@pytest.mark.parametrize("game", CARDS)
def test_the_match_goes_on_when_the_player_is_eliminated(game: str) -> None:
    text = play(game, "--bots", "uniform", "--seed", "1", player=reckless).text
    assert "You are out." in text
    assert re.search(r"^\w+ wins the match\.$", text.rpartition("You are out.")[2], re.MULTILINE)


def test_rounds_can_be_limited() -> None:
    text = play("queen-annes", "--bots", "uniform", "--seed", "1", "--hands", "2", player=careless(3)).text
    assert "That was the last round." in text
    assert "Round 3" not in text


def test_the_opener_names_the_rules_in_dealers_choice(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    words = ("thorin", "--bots", "uniform", "--option", "dealers_choice=true")
    texts = ((str(seed), play(*words, "--seed", str(seed), player=scripted("", "quit")).flowing) for seed in range(30))
    seed, usual = next((seed, text) for seed, text in texts if "Your turn: declare" in text)
    assert "This round uses the table's usual options." in usual
    lines = ("colour=red", "passes", "passes=7", "jokers=1, jokers=2", "passes=1, jokers=2", "quit")
    text = play(*words, "--seed", seed, "--record", str(path), player=scripted(*lines)).flowing
    assert 'passes = "7": it must be 0 or 1.' in text
    assert "'jokers=2': name each rule once." in text
    assert "option for this round: passes = 1" in text.lower()
    assert "usual options" not in text
    assert '"passes": 1' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", POOLED)
def test_anyone_may_challenge_out_of_turn_if_the_rules_allow_it(game: str, tmp_path: Path) -> None:
    def challenging(told: str) -> str | None:
        return "c" if "c to challenge" in told else careless(1)(told)

    words = (game, "--option", "who_may_challenge=anyone")
    played = play(*words, "--bots", "uniform", "--seed", "2", "--hands", "1", player=challenging)
    assert "You challenge" in played.text
    path = tmp_path / "game.json"
    more = ("--bots", "bluffer", "--players", "5", "--record", str(path))
    play(*words, "--seed", "1", *more, player=reckless)
    assert re.search(r'"challenge \d"', path.read_text(encoding="utf-8"))
    assert read_json(path.read_bytes()).fault is None


def test_a_continued_hand_never_runs_out_of_cards(tmp_path: Path) -> None:
    # The record contains the deck, but not the order of the discards, which are shuffled once eleven hands are drawn.
    path = tmp_path / "game.toml"
    played_on(catalogue.load("thorin").session(3), scripted(), record=path)
    _, later = played_on(load(path).session, scripted())
    for _ in range(60):
        if later.in_play:
            later = later.apply(_taking(later.view(later.to_act).legal))
    assert any(action < -16 for _, action in later.round.moves[40:])


def _taking(legal: Any) -> int:
    """Takes the hand, discards all five cards, and makes the lowest declaration."""
    if legal.min_claim is not None:
        return int(legal.min_claim)
    return int(legal.answers[-1] if legal.discard else legal.answers[0])


def test_the_games_to_choose_from_are_described_in_the_language_of_the_player() -> None:
    german = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"}
    with speaking("en"):
        told = play(player=scripted("thorin"), settings=german).flowing
    assert "4 thorin: Ein Pokerblatt" in told
    assert "1 bis 7 >" in told
