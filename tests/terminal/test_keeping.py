"""Saving, `--record`, and going on with a game: nothing that was printed is lost, whatever ends the program."""

import signal
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.terminal import keeping
from tests.terminal.sitting import (
    GAMES,
    Sitting,
    actions_told,
    asking,
    between_hands,
    careless,
    for_turns,
    offered,
    play,
    record_in,
    replayed,
    scripted,
    then_leaves,
    timid,
)

EVERY_GAME = pytest.mark.parametrize("game", GAMES)
EVERY_ENDING = pytest.mark.parametrize("name", ["game.toml", "game.json"])


def bold(told: str) -> str | None:
    """Bids whenever he may, as little as he can."""
    return "" if between_hands(told) else offered(told)[0]


def standing(told: str) -> str:
    """The last standing bid and what may be done over it, unwrapped."""
    return " ".join(told.rpartition("Standing:")[2].partition("\n>")[0].split())


@EVERY_GAME
@EVERY_ENDING
def test_a_game_kept_in_the_middle_of_a_hand_goes_on_where_it_was(game: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    first = play(game, "--seed", "5", "--record", str(path), player=then_leaves(careless(1), hands=3))
    again = play("--record", str(path), "--seed", "6", player=scripted("score"))
    assert first.text.splitlines()[-4:] == again.text.splitlines()[-4:]
    other = tmp_path / f"other-{name}"
    halfway = play(game, "--seed", "5", "--record", str(other), player=for_turns(bold, 1))
    assert "Standing:" in halfway.text
    resumed = play("--record", str(other), "--seed", "6", player=scripted())
    assert len(resumed.hands) == 1
    assert standing(resumed.text) == standing(halfway.text)
    assert resumed.text.count("Your number is") == 1
    number = halfway.flowing.partition("Your number is ")[2][:8]
    assert f"Your number is {number}" in resumed.flowing


@EVERY_GAME
def test_what_is_saved_is_what_is_recorded_at_every_prompt(game: str, tmp_path: Path) -> None:
    record, saved, turns = tmp_path / "record.toml", list[Path](), list[str]()

    def saving(told: str) -> str | None:
        if "Saved in" not in told:
            turns.append(told)
            saved.append(tmp_path / f"{len(saved)}.toml")
            return f"save {saved[-1]}"
        assert saved[-1].read_bytes() == record.read_bytes()
        return timid(turns[-1])

    play(game, "--seed", "5", "--hands", "2", "--record", str(record), player=saving)
    assert len(saved) > 2


def test_a_saved_game_can_be_taken_up_as_the_answer_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = play("slips", "--seed", "5", player=scripted("save mine.toml"))
    assert "Saved in mine.toml. To go on: liarspoker play --record mine.toml" in played.flowing
    assert standing(play("--record", "mine.toml", player=scripted()).text) == standing(played.text)


def test_a_file_that_is_there_already_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir")
    played = play("slips", "--seed", "5", player=scripted(f"save {tmp_path / 'letter.txt'}"))
    assert "already exists; choose another name." in played.flowing
    assert (tmp_path / "letter.txt").read_text() == "Dear Sir"


def test_a_file_that_appears_where_a_game_is_to_be_recorded_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.toml"

    def appearing(path: Path) -> bool:
        record.write_text("Dear Sir")
        return False

    monkeypatch.setattr(keeping, "is_there", appearing)
    assert main(["play", "slips", "--seed", "5", "--record", str(record)]) == 2
    assert capsys.readouterr().err == f"liarspoker: {record} already exists; choose another name\n"
    assert record.read_text() == "Dear Sir"


@pytest.mark.parametrize("name", ["no/such/folder/game.toml", ".", "/proc/game.toml"])
def test_a_save_that_fails_is_told_and_the_game_goes_on(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    played = play("slips", "--seed", "5", player=scripted(f"save {name}", "score"))
    assert played.code == 0
    assert "Saved" not in played.text
    assert played.text.count("Score in units:") == 2
    assert list(tmp_path.iterdir()) == []


def test_saving_nowhere_asks_for_a_name() -> None:
    assert "Save where?" in play("slips", "--seed", "5", player=scripted("save")).text


def test_a_record_is_a_record_of_the_notation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.toml"
    play("salomon-1986", "--seed", "5", "--hands", "2", "--record", str(path), player=careless(1))
    assert main(["replay", str(path)]) == 0
    assert "Score: " in capsys.readouterr().out


@pytest.mark.parametrize(("game", "terminal"), [("slips", False), ("salomon-1986", True)], ids=["pipe", "terminal"])
def test_a_killed_game_has_kept_every_action_that_was_printed(
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
        while not offered(told) or "Standing" not in told:  # so that the killing is in mid-hand
            told = sitting.type(player(told) or "")
            typed += 1
        sitting.process.send_signal(signal.SIGKILL)
        sitting.wait()
        assert main(["replay", str(path)]) == 0
        kept = actions_told(capsys.readouterr().out)
        assert [action for action in kept if action[0] != "You"] == actions_told(sitting.text)
        before = standing(told)
    assert standing(play("--record", str(path), "--seed", "8", player=scripted()).text) == before


def test_a_killed_game_has_kept_the_hands_that_were_counted(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with Sitting("salomon-1986", "--seed", "5", "--record", str(path)) as sitting:
        told, player = sitting.read(), careless(3)
        while "Enter" not in told:
            told = sitting.type(player(told) or "")
        sitting.process.send_signal(signal.SIGKILL)
        sitting.wait()
    assert len(replayed(path)) == 1
    resumed = play("--record", str(path), "--seed", "8", "--hands", "1", player=timid)
    assert resumed.hands[0].startswith("Hand 2: ")


def test_a_killed_game_has_kept_the_hand_that_was_dealt(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with Sitting("dollar-bill", "--seed", "5", "--record", str(path)) as sitting:
        told = sitting.read()
        assert "You open." in told
        sitting.process.send_signal(signal.SIGKILL)
        sitting.wait()
    dealt = told.partition("Your number is ")[2][:8]
    assert f"Your number is {dealt}" in play("--record", str(path), "--seed", "8", player=scripted()).flowing


def test_a_game_taken_up_with_its_seed_deals_other_hands(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play("dollar-bill", "--seed", "5", "--record", str(path), "--hands", "1", player=timid)
    play("--seed", "5", "--record", str(path), "--hands", "1", player=timid)
    first, second = record_in(path)["rounds"]
    assert first["deal"] != second["deal"]


def test_a_game_taken_up_in_mid_hand_with_its_seed_deals_other_hands(tmp_path: Path) -> None:
    path, words = tmp_path / "game.json", ("dollar-bill", "--seed", "3", "--players", "2")
    play(*words, "--record", str(path), player=scripted())
    play("--seed", "3", "--record", str(path), "--hands", "2", player=timid)
    first, second = record_in(path)["rounds"]
    assert first["deal"] != second["deal"]


# -------------------------------------------------------------------------------------- how games end


def test_ctrl_c_ends_the_game_cleanly_and_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with Sitting("dollar-bill", "--seed", "5", "--record", str(path), terminal=True) as sitting:
        sitting.read()
        sitting.type("9x9")
        assert sitting.press(b"\x03") == 130
    assert sitting.text.endswith("stopped\n")
    assert "Traceback" not in sitting.text
    assert "9x9" in record_in(path)["rounds"][0]["actions"]


def test_an_interrupted_pipe_ends_with_130(tmp_path: Path) -> None:
    with Sitting("slips", "--seed", "5", folder=tmp_path) as sitting:
        sitting.read()
        sitting.process.send_signal(signal.SIGINT)
        assert sitting.wait() == 130
    assert "Traceback" not in sitting.text


def test_ctrl_d_ends_the_game_in_words_and_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with Sitting("slips", "--seed", "5", "--record", str(path), terminal=True) as sitting:
        sitting.read()
        sitting.type("9x9")
        assert sitting.press(b"\x04") == 0
    assert "The input has ended, and so does the game." in sitting.text
    assert "Score in units:" in sitting.text
    assert "9x9" in record_in(path)["rounds"][0]["actions"]


def test_a_pipe_that_ends_keeps_the_game(tmp_path: Path) -> None:
    played = play("slips", "--seed", "5", "--record", str(tmp_path / "game.json"), player=scripted("9x9"))
    assert played.code == 0
    assert "9x9" in record_in(tmp_path / "game.json")["rounds"][0]["actions"]


def test_nothing_is_left_beside_the_record(tmp_path: Path) -> None:
    play("slips", "--seed", "5", "--hands", "2", "--record", str(tmp_path / "game.toml"), player=asking(timid, "score"))
    assert [path.name for path in tmp_path.iterdir()] == ["game.toml"]
