"""The arguments of `liarspoker play`; the games themselves are in tests/terminal."""

import re
from pathlib import Path

import pytest

from liarspoker.cli import main
from tests.terminal.sitting import Sitting, play, record_in, scripted, timid


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("poker",), 'there is no game "poker"; the catalogue has dollar-bill, salomon-1986, slips'),
        (("slips", "--players", "1"), "players: 1; slips seats 2 to 16"),
        (("slips", "--players", "17"), "players: 17; slips seats 2 to 16"),
        (("slips", "--players", "-2"), "players: -2; slips seats 2 to 16"),
        (("slips", "--bots", "nobody"), "there is no bot 'nobody'; the catalogue has uniform, beginner, binomial"),
        (("slips", "--option", "rebids=true"), "rebids: the digit games have no such option; there are order, "),
        (("slips", "--option", "rebid=yes"), 'rebid = "yes": it takes true or false'),
        (("slips", "--option", "hand_size=16"), "hand_size = 16: it takes 1 to 15"),
        (("slips", "--option", "order=random"), 'order = "random": it takes "zero_low", "zero_high" or "ace_high"'),
        (("dollar-bill", "--slips"), "slips: dollar-bill is played with bills"),
    ],
)
def test_a_wrong_game_is_refused_before_it_begins(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *words]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"liarspoker: {message}")
    assert captured.err.count("\n") == 1
    assert "Hand 1" not in captured.out


def test_a_misspelt_game_is_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "thorni"]) == 1
    assert capsys.readouterr().err.endswith("; did you mean thorin?\n")


@pytest.mark.parametrize(
    "words",
    [
        ("--hands", "0"),
        ("--hands", "x"),
        ("--players", "two"),
        ("--seed", "x"),
        ("--slips", "--bills"),
        ("--nothing",),
        ("--option", "rebid"),
        ("--name", ""),
        ("--name", "  "),
    ],
)
def test_wrong_usage_is_told_with_exit_code_two(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", "slips", *words])
    assert ended.value.code == 2
    assert re.search(r"^liarspoker( play)?: error: ", capsys.readouterr().err, re.MULTILINE)


def test_nobody_cannot_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("slips", "--players", "0", player=scripted()).code == 1
    assert capsys.readouterr().err.startswith("liarspoker: players: 0; slips seats 2 to 16")


@pytest.mark.parametrize(
    "bots",
    [
        "",
        "beginner,",
        ",uniform",
        " ",
    ],
)
def test_a_bot_has_a_name(bots: str) -> None:
    assert play("slips", "--bots", bots, "--seed", "1", player=timid).code == 1


# ---------------------------------------------------------------------------------------- --record


def test_a_record_of_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    play("dollar-bill", "--seed", "1", "--record", str(path), player=scripted())
    assert main(["play", "slips", "--record", str(path)]) == 1
    assert capsys.readouterr().err == f"liarspoker: {path} holds a game of dollar-bill, not of slips\n"


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("game.toml", "x =", "the record: this is not TOML: "),
        ("game.json", "{", "the record: this is not JSON: "),
        ("game.json", "[1]", "the record: record: it should be a table"),
        ("game.toml", "lpn = 2\ngame = 'slips'", "the record: lpn: version 2"),
        (
            "game.json",
            '{"lpn": 1, "game": "dollar-bill", "players": ["A", "B"], "rounds": '
            '[{"deal": ["12345678", "12345678"], "actions": ["2x5", "1x5"]}]}',
            "round 1, action 2: 1 five does not beat 2 fives",
        ),
    ],
)
def test_a_record_with_a_fault_is_refused_and_left_as_it_is(
    name: str, content: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert main(["play", "--record", str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"liarspoker: {path}, {place}")
    assert path.read_text() == content


@pytest.mark.parametrize("name", ["", "no/such/folder/game.toml"])
def test_a_record_that_cannot_be_written_is_an_error_in_words(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    played = play("slips", "--seed", "5", "--record", str(path), player=scripted("9x9"))
    assert played.code == 1
    assert capsys.readouterr().err.startswith(f"liarspoker: {path}: ")


def test_a_record_that_cannot_be_written_is_refused_before_the_first_hand(tmp_path: Path) -> None:
    path = tmp_path / "no" / "game.toml"
    assert "Hand 1" not in play("slips", "--seed", "5", "--record", str(path), player=scripted()).text


def test_a_name_that_is_no_text_is_kept_or_refused_in_words(tmp_path: Path) -> None:
    with Sitting("slips", "--name", "\udcff", "--record", "game.json", "--seed", "1", folder=tmp_path) as sitting:
        sitting.played(scripted())
    assert "Traceback" not in sitting.text


def test_the_options_of_a_record_stay_in_force(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play("slips", "--option", "sixes=false", "--seed", "1", "--record", str(path), "--hands", "1", player=timid)
    play("--record", str(path), "--seed", "2", "--hands", "1", player=timid)
    assert record_in(path)["options"] == {"sixes": False}
    assert len(record_in(path)["rounds"]) == 2


@pytest.mark.parametrize(
    "words",
    [("--players", "7"), ("--option", "sixes=false"), ("--bots", "uniform"), ("--name", "Joe"), ("--bills",)],
)
def test_what_a_record_decides_cannot_be_asked_for_otherwise(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play("slips", "--seed", "1", "--record", str(path), player=scripted())
    with pytest.raises(SystemExit) as ended:
        play("--record", str(path), *words, player=scripted())
    assert ended.value.code == 2


# ------------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize("seats", range(2, 17))
def test_the_table_has_as_many_players_as_asked_for(seats: int) -> None:
    played = play("dollar-bill", "--players", str(seats), "--seed", "1", player=scripted())
    names = played.text.partition(": ")[2].partition(".")[0].replace("\n ", "").split(", ")
    assert len(set(names)) == len(names) == seats


def test_bots_sit_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play("slips", "--players", "6", "--bots", "uniform, beginner", "--record", str(path), player=scripted())
    assert record_in(path)["x-play"] == {
        "seat": 0,
        "bots": ["", "uniform", "beginner", "uniform", "beginner", "uniform"],
    }


def test_a_person_called_like_a_bot_meets_no_namesake(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play("slips", "--name", "Cal", "--record", str(path), player=scripted())
    assert record_in(path)["players"] == ["Cal", "Bea", "Dot", "Eli"]


def test_salomon_can_be_dealt_from_slips(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert "Your slip" in play("salomon-1986", "--slips", "--seed", "1", "--record", str(path), player=scripted()).text
    assert "slips" in record_in(path)


def test_slips_can_be_dealt_as_bills() -> None:
    assert "Your slip" not in play("slips", "--bills", "--seed", "1", player=scripted()).text
