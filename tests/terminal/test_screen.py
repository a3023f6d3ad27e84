"""Line widths and bold text, at terminals and with pipes."""

import io
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.terminal.screen import InputEnded, Screen
from tests.terminal.sitting import (
    ESCAPE,
    GAMES,
    Sitting,
    careless,
    play,
    score_told,
    scripted,
    timid,
)

EVERY_GAME = pytest.mark.parametrize("game", GAMES)
SEEDS = st.integers(0, 2**32)
PLAIN = {"NO_COLOR": "1"}
FRAME = re.compile(r"^\+-+\+$", re.MULTILINE)


def test_a_prompt_leaves_room_to_type_in_forty_columns() -> None:
    played = play("slips", "--seed", "1", "--hands", "2", player=timid, columns=40)
    assert all(len(line) <= 30 for line in played.text.splitlines() if line.startswith("Enter"))


def test_the_score_is_a_table_whatever_the_names() -> None:
    name = "A name of some fifty letters, as long as they come"
    played = play("slips", "--name", name, "--seed", "1", player=lambda told: None, columns=40)
    assert len(score_told(played.text)) == 4


@EVERY_GAME
def test_a_terminal_gets_bold_letters_and_can_be_played_at(game: str) -> None:
    words = (game, "--seed", "2", "--hands", "2")
    played = play(*words, player=careless(2), terminal=True)
    assert played.code == 0
    assert "That was the last hand." in played.text
    assert len(score_told(played.text)) == 4
    bold = re.findall(r"\033\[1m(.*?)\033\[0m", played.text)
    assert bold
    assert played.text.replace("\033[1m", "").count("\033[0m") == len(bold)
    assert ESCAPE not in re.sub(r"\033\[[01]m", "", played.text)
    assert bool(FRAME.search(played.text)) == (game != "slips")


@pytest.mark.parametrize("environment", [PLAIN, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
def test_a_terminal_without_colours_gets_no_escape_codes(environment: dict[str, str]) -> None:
    played = play("slips", "--seed", "2", "--hands", "1", player=timid, terminal=True, settings=environment)
    assert played.code == 0
    assert ESCAPE not in played.text


def test_plain_output_has_no_frames() -> None:
    played = play("dollar-bill", "--seed", "2", "--hands", "1", "--plain", player=timid, terminal=True)
    assert not FRAME.search(played.text)
    assert "ONE DOLLAR" not in played.text
    assert "Your number is" in played.text


def test_a_bill_has_a_frame() -> None:
    told = play("salomon-1986", "--seed", "2", player=scripted(), terminal=True, settings=PLAIN).text
    frame = FRAME.findall(told)[0]
    top, face, name, bottom = re.findall(r"^[+|].*[+|]$", told, re.MULTILINE)
    assert top == bottom == frame
    assert len(face) == len(name) == len(frame)
    assert re.fullmatch(r"\|  [A-L](  \d| \d){8}  [A-Z*]  \|", face)


@pytest.mark.parametrize("columns", [57, 120])
def test_the_whole_width_of_a_terminal_is_used(columns: int) -> None:
    with Sitting("slips", "--seed", "2", "--hands", "1", columns=columns, terminal=True, settings=PLAIN) as sitting:
        played = sitting.played(timid)
    assert columns - 12 <= max(map(len, played.text.splitlines())) <= columns


def test_the_longest_bill_fits_in_forty_columns() -> None:
    words = ("dollar-bill", "--option", "hand_size=15", "--seed", "2")
    told = play(*words, player=scripted(), columns=40, terminal=True, settings=PLAIN).text
    assert max(map(len, told.splitlines())) <= 40


def test_the_second_column_of_a_list_is_wrapped_at_its_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    target = io.StringIO()
    Screen(io.StringIO(), target).say(
        "  odds BID     the chance that another bid is good\n  - a sentence without columns, wrapped\n"
        "  a name of more than half the width  isn't a column"
    )
    assert target.getvalue().splitlines() == [
        "  odds BID     the chance that another",
        "               bid is good",
        "  - a sentence without columns, wrapped",
        "  a name of more than half the width",
        "    isn't a column",
    ]


@given(word=st.text("abc ", min_size=1))
def test_bold_letters_do_not_change_where_a_line_ends(word: str) -> None:
    plain, bold = io.StringIO(), io.StringIO()
    screen = Screen(target=bold, plain=True)
    screen._bold = True
    sentence = "Your number is {}: three eights, two twos, one ten, one three, one five and {}."
    Screen(target=plain, plain=True).say(sentence.format("30252888", word))
    screen.say(sentence.format(screen.strong("30252888"), word))
    assert re.sub(r"\033\[[01]m", "", bold.getvalue()) == plain.getvalue()


def test_a_screen_without_input_raises_input_ended() -> None:
    screen = Screen(source=io.StringIO(""), target=io.StringIO())
    with pytest.raises(InputEnded):
        screen.ask()


def test_input_from_a_pipe_is_echoed_after_the_prompt() -> None:
    target = io.StringIO()
    assert Screen(source=io.StringIO("  5x7 \nrest"), target=target).ask() == "5x7"
    assert target.getvalue() == ">   5x7 \n"


def test_undecodable_bytes_are_rejected_as_input(tmp_path: Path) -> None:
    with Sitting("slips", "--seed", "1", folder=tmp_path, settings={"PYTHONIOENCODING": "utf-8:strict"}) as sitting:
        sitting.read()
        os.write(sitting.writes, b"\xff\xfe\n")
        assert "isn't an action of this game" in sitting.read()
        assert sitting.end() == 0
