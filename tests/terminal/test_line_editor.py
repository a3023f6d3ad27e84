"""Line editing, suit symbols and links at a terminal."""

from __future__ import annotations

import io
import re

import pytest

from liarspoker.terminal.screen import CardScreen, Screen
from tests.terminal.sitting import Sitting

LINK = "http://127.0.0.1:8000/tables/" + "Hk3v" * 30


class Terminal(io.StringIO):
    """A terminal whose output is collected in a string."""

    def isatty(self) -> bool:
        return True


INTERRUPTED = """
import os, signal
from liarspoker.terminal.console import Console
from liarspoker.terminal.link import Opened

def take(news):
    os.kill(os.getpid(), signal.SIGINT)
    console.say("The message was handled.")

with Console() as console:
    console.on_news = take
    console.put(Opened(again=False))
    try:
        console.ask("Yes or no > ")
    except KeyboardInterrupt:
        console.say("Ctrl-C was handled.")
"""


def test_ctrl_c_waits_until_a_message_has_been_handled() -> None:
    with Sitting(terminal=True, program=INTERRUPTED) as sitting:
        assert sitting.wait() == 0
        assert re.search(r"The message was handled\.\s+Ctrl-C was handled\.", sitting.text)


def test_lines_can_be_edited_completed_and_repeated() -> None:
    with Sitting("dollar-bill", "--seed", "2", terminal=True) as sitting:
        sitting.read()
        sitting.key(b"scoer\x1b[D\x1b[D\x1b[3~\x1b[Cr\x7f\x7fre\r")  # cursor keys, Delete and Backspace
        sitting.until("y/n|> $")
        assert "score" in sitting.text or "scor" in sitting.text
        sitting.key(b"/hel\t\r")
        assert "show this list" in sitting.read()
        sitting.key(b"\x1b[A")  # recall the last line
        sitting.until("/help")
        sitting.key(b"\r")
        assert "show this list" in sitting.read()


def test_bold_letters_are_shown_at_a_terminal() -> None:
    with Sitting("dollar-bill", "--seed", "2", terminal=True) as sitting:
        sitting.read()
        assert sitting.window is not None
        assert re.search(r"[0-9]{8}", sitting.window.bold)


def test_headings_are_bold_at_a_terminal() -> None:
    with Sitting("dollar-bill", "--seed", "2", terminal=True) as sitting:
        sitting.read()
        assert sitting.window is not None
        assert "Hand 1:" in sitting.window.bold
        assert "Your turn:" in sitting.window.bold


def test_ctrl_c_asks_once_and_the_game_goes_on() -> None:
    with Sitting("dollar-bill", "--seed", "2", terminal=True) as sitting:
        sitting.read()
        sitting.key(b"\x03")
        assert "Leave the game? y/n > " in sitting.until("y/n > $")
        sitting.type("n")
        assert "Your number is" in sitting.type("hand")
        sitting.key(b"\x03")
        sitting.until("y/n > $")
        sitting.key(b"y\r")
        assert sitting.wait() == 0


@pytest.mark.parametrize("words", [(), ("--plain",)], ids=["edited", "plain"])
def test_an_unknown_slash_command_is_refused(words: tuple[str, ...]) -> None:
    with Sitting("dollar-bill", "--seed", "2", *words, terminal=True) as sitting:
        sitting.read()
        assert "/hallo: unknown command; type /help for a list." in sitting.type("/hallo")
        assert "show this list" in sitting.type("/help")


def test_cards_have_suit_symbols_at_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal, pipe = Terminal(), io.StringIO()
    for target in (terminal, pipe):
        Screen(io.StringIO(), target).for_cards().say("As, Th and 10")
    assert terminal.getvalue() == "A♠, \033[31m10♥\033[39m and 10\n"
    assert pipe.getvalue() == "As, Th and 10\n"
    assert isinstance(Screen(io.StringIO(), Terminal()).for_cards(), CardScreen)
    assert not isinstance(Screen(io.StringIO(), Terminal(), plain=True).for_cards(), CardScreen)


def test_tens_with_suit_symbols_fit_into_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    Screen(io.StringIO(), terminal).for_cards().say("Ts Th Td Tc " * 8)
    lines = terminal.getvalue().splitlines()
    assert lines[0].startswith("10♠ 10♥ 10♦ 10♣")
    assert max(map(len, lines)) <= 40


def test_chat_messages_keep_their_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    target = Terminal()
    Screen(io.StringIO(), target).say("Bea says: As you like")
    assert target.getvalue() == "Bea says: As you like\n"


def test_links_are_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    target = io.StringIO()
    Screen(io.StringIO(), target).say(f"The link for friends is {LINK}, for as many as like to come.")
    assert LINK in target.getvalue()
