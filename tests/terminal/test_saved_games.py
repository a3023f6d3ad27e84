"""Saving and continuing games: however the program ends, no printed action is lost."""

import signal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.cli import main
from liarspoker.core import catalogue
from liarspoker.terminal import saved_games
from liarspoker.terminal.saved_games import load
from tests.effort import one_in
from tests.terminal.sitting import (
    ALL_GAMES,
    CARDS,
    POOLED,
    Sitting,
    actions_told,
    between_hands,
    careless,
    for_turns,
    offered,
    play,
    played_on,
    record_in,
    scripted,
    then_leaves,
    timid,
)

EVERY_GAME = pytest.mark.parametrize("game", ALL_GAMES)


def bold(told: str) -> str | None:
    """Makes the lowest bid whenever possible."""
    return "" if between_hands(told) else offered(told)[0]


def standing(told: str) -> str:
    """Return the text of the last turn, unwrapped."""
    return " ".join(told.rpartition("Standing bid:")[2].partition("\n>")[0].split())


@EVERY_GAME
@given(seed=st.integers(0, 2**32), entries=st.integers(1, 9))
@one_in(6)
def test_a_game_is_saved_as_it_is(game: str, seed: int, entries: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("kept") / "game.toml"
    start = catalogue.load(game).session(3)
    _, session = played_on(start, for_turns(careless(seed), entries), record=path)
    kept = load(path).session
    assert [kept.view(seat) for seat in (*range(3), None)] == [session.view(seat) for seat in (*range(3), None)]


@pytest.mark.parametrize(("game", "name"), [("salomon-1986", "game.toml"), ("slips", "game.json")])
def test_a_game_saved_in_the_middle_of_a_hand_continues_there(game: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    first = play(game, "--seed", "5", "--record", str(path), player=then_leaves(careless(1), hands=3))
    again = play("--record", str(path), "--seed", "6", player=scripted("score"))
    assert first.text.splitlines()[-4:] == again.text.splitlines()[-4:]
    other = tmp_path / f"other-{name}"
    halfway = play(game, "--seed", "5", "--record", str(other), player=for_turns(bold, 1))
    assert "Standing bid:" in halfway.text
    resumed = play("--record", str(other), "--seed", "6", player=scripted())
    assert len(resumed.hands) == 1
    assert standing(resumed.text) == standing(halfway.text)
    assert resumed.text.count("Your number is") == 1
    number = halfway.flowing.partition("Your number is ")[2][:8]
    assert f"Your number is {number}" in resumed.flowing


def test_a_record_from_elsewhere_is_written_only_once_the_player_has_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("friday.toml")
    path.write_text(
        """# Friday at Ann's
lpn = 1
game = "dollar-bill"
players = ["Ann", "Bob", "Cyd"]
rounds = [{ deal = ["12345678", "90123456", "78901234"], actions = ["two fives"] }]
"""
    )
    before = path.read_text()
    looked = play("--record", str(path), player=scripted())
    assert f"{path}: you play Ann, against Bob (beginner), Cyd (binomial).\n\nHand 1: " in looked.text
    assert path.read_text() == before
    play("--record", str(path), player=scripted("challenge"))
    assert 'bots = ["", "beginner", "binomial"]' in path.read_text()


def test_a_player_without_a_name_plays_against_the_bots(tmp_path: Path) -> None:
    path = tmp_path / "g.toml"
    play("dollar-bill", "--players", "2", "--record", str(path), player=scripted())
    assert "g.toml: you play against Bea (beginner)." in play("--record", str(path), player=scripted()).flowing


@pytest.mark.parametrize("game", CARDS)
def test_a_continued_round_shows_what_has_happened(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    words = (game, "--bots", "uniform")
    texts = {str(seed): play(*words, "--seed", str(seed), player=scripted()).text for seed in range(8)}
    seed = next(seed for seed, text in texts.items() if ":" in text.partition("Round 1:")[2])
    play(*words, "--seed", seed, "--record", str(path), player=scripted())
    again = play("--record", str(path), player=scripted())
    assert "Round 1:" in again.text
    said = [line for line in texts[seed].splitlines() if line.startswith(("Bea: ", "Cal: ", "Dot: "))]
    assert all(line.partition(" (")[0] in again.flowing for line in said if len(line) < 60)


@EVERY_GAME
def test_save_writes_the_same_as_record_at_every_prompt(game: str, tmp_path: Path) -> None:
    """Prompts out of turn are included."""
    record, saved, turns, player = tmp_path / "record.toml", list[Path](), list[str](), careless(2)

    def saving(told: str) -> str | None:
        if "Saved in" not in told:
            turns.append(told)
            saved.append(tmp_path / f"{len(saved)}.toml")
            return f"save {saved[-1]}"
        assert saved[-1].read_bytes() == record.read_bytes()
        return player(turns[-1])

    anyone = ("--option", "who_may_challenge=anyone") if game in POOLED else ()
    words = ("--seed", "2", "--hands", "2", *anyone, "--bots", "uniform", "--record", str(record))
    played = play(game, *words, player=saving)
    assert ("c to challenge" in played.text) == (game in POOLED)
    assert len(saved) > 2


def test_a_saved_game_continues_with_the_command_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = play("slips", "--seed", "5", player=scripted("save mine.toml"))
    assert "Saved in mine.toml. To continue: liarspoker play --record mine.toml" in played.flowing
    assert standing(play("--record", "mine.toml", player=scripted()).text) == standing(played.text)


def test_a_file_that_appears_where_a_game_is_to_be_recorded_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.toml"

    def appearing(path: Path) -> bool:
        record.write_text("Dear Sir")
        return False

    monkeypatch.setattr(saved_games, "exists", appearing)
    assert main(["play", "slips", "--seed", "5", "--record", str(record)]) == 2
    assert capsys.readouterr().err == f"liarspoker: {record} already exists; choose another name\n"
    assert record.read_text() == "Dear Sir"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("save", "Type a file name too"),
        ("save no/such/folder/game.toml", ""),
        ("save .", ""),
        ("save /proc/game.toml", ""),
        ("save letter.txt", "already exists; choose another name."),
    ],
)
def test_a_failed_save_is_reported_and_the_game_goes_on(
    entry: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("letter.txt").write_text("Dear Sir")
    played = play("slips", "--seed", "5", player=scripted(entry, "score"))
    assert played.code == 0
    assert "Saved" not in played.text
    assert said in played.flowing
    assert played.text.count("Score in units:") == 2
    assert [path.read_text() for path in tmp_path.iterdir()] == ["Dear Sir"]


@pytest.mark.parametrize(("game", "terminal"), [("slips", False), ("salomon-1986", True)], ids=["pipe", "terminal"])
def test_a_killed_game_has_saved_every_action_that_was_printed(
    game: str, terminal: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, player, typed = tmp_path / "game.toml", careless(3), 0
    with Sitting(game, "--seed", "5", "--record", str(path), terminal=terminal, settings={"NO_COLOR": "1"}) as sitting:
        told = sitting.read()
        while typed < 9:
            line = player(told)
            assert line is not None
            typed += bool(line)
            told = sitting.type(line)
        while not offered(told) or "Standing" not in told:  # so that the program is killed in mid-hand
            told = sitting.type(player(told) or "")
            typed += 1
        sitting.process.send_signal(signal.SIGKILL)
        sitting.wait()
        assert main(["replay", str(path)]) == 0
        kept = actions_told(capsys.readouterr().out)
        assert [action for action in kept if action[0] != "You"] == actions_told(sitting.text)
        before = standing(told)
    assert standing(play("--record", str(path), "--seed", "8", player=scripted()).text) == before


def test_a_game_continued_with_its_seed_deals_other_hands(tmp_path: Path) -> None:
    path, words = tmp_path / "game.json", ("dollar-bill", "--seed", "3", "--players", "2")
    play(*words, "--record", str(path), player=scripted())
    play("--seed", "3", "--record", str(path), "--hands", "2", player=timid)
    first, second = record_in(path)["rounds"]
    assert first["deal"] != second["deal"]


# -------------------------------------------------------------------------------------- how games end


@pytest.mark.parametrize(
    ("key", "message"),
    [(b"\x03", "Leave the game? y/n"), (b"\x04", "End of input: leaving the game.")],
    ids=["Ctrl-C", "Ctrl-D"],
)
@pytest.mark.parametrize("plain", [True, False], ids=["plain", "edited"])
def test_a_key_ends_the_game_cleanly_and_saves_it(key: bytes, message: str, plain: bool, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    words = ("--plain",) * plain
    with Sitting("dollar-bill", "--seed", "5", "--record", str(path), *words, terminal=True) as sitting:
        sitting.read()
        sitting.type("9x9")
        sitting.key(key)
        if key == b"\x03":
            sitting.until("y/n > $")
            sitting.key(key)
        assert sitting.wait() == 0
    assert message in sitting.text
    assert "Score in units:" in sitting.text
    assert "Traceback" not in sitting.text
    assert "9x9" in record_in(path)["rounds"][0]["actions"]
    assert [other.name for other in tmp_path.iterdir()] == ["game.json"]


def test_an_interrupted_pipe_ends_with_130(tmp_path: Path) -> None:
    with Sitting("slips", "--seed", "5", folder=tmp_path) as sitting:
        sitting.read()
        sitting.process.send_signal(signal.SIGINT)
        assert sitting.wait() == 130
    assert "Traceback" not in sitting.text
