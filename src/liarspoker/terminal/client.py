"""Somebody at a table in the terminal: the loop that local and live games share, and what can be typed in both."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from liarspoker.core.errors import LEGAL, IllegalAction, LiarsPokerError
from liarspoker.core.session import Game
from liarspoker.records.family import record_format
from liarspoker.records.words import sentence
from liarspoker.terminal.renderer import Position, TerminalRenderer, renderer_of
from liarspoker.terminal.screen import InputEnded, Screen

CHALLENGES = ("c", "challenge", "liar")
"""What challenges out of turn."""

Command = Callable[[str], object]
"""Does what was typed, given what follows its first word."""


class Left(Exception):
    """The person leaves the table."""


class Client(ABC):
    """A person at a table."""

    help_title = "Type an action, or at any prompt one of:"

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    @property
    @abstractmethod
    def game(self) -> Game:
        """What is played."""

    @property
    @abstractmethod
    def position(self) -> Position[Any, Any] | None:
        """The session as the person sees it; `None` before anything is dealt."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether nothing can be typed any more."""

    @abstractmethod
    def next_line(self) -> str | None:
        """Return what is typed next; `None` if the table has ended meanwhile.

        Raises:
            InputEnded: the input is at its end.
        """

    @abstractmethod
    def enter(self) -> None:
        """Do what Enter means now."""

    @abstractmethod
    def entered(self, typed: str) -> None:
        """Do what was typed, if it isn't a command."""

    @abstractmethod
    def leave(self) -> None:
        """Leave the table.

        Raises:
            Left: the person hasn't changed their mind.
        """

    @abstractmethod
    def help_texts(self) -> tuple[str, ...]:
        """Return what can be typed beside actions and questions."""

    @property
    def renderer(self) -> TerminalRenderer[Any, Any]:
        """How the game is shown."""
        return renderer_of(self.game)

    def run(self) -> None:
        """Take what is typed until the game is over.

        Raises:
            InputEnded: the input is at its end.
            Left: the person has left.
        """
        while not self.finished:
            line = self.next_line()
            if line is not None:
                self.typed(line)

    def typed(self, line: str) -> None:
        """Do what a line says."""
        try:
            if not line:
                self.enter()
            elif not self.run_command(line):
                self.entered(line)
        except LiarsPokerError as error:
            self.screen.say(sentence(str(error)))

    def run_command(self, line: str) -> bool:
        """Do what a line says if it is a command, and return whether it is."""
        word, _, rest = line.partition(" ")
        command = self.commands().get(word.lower())
        if command is not None:
            command(rest.strip())
        return command is not None

    def commands(self) -> dict[str, Command]:
        """Return what can be typed at any prompt, by its first word."""
        asks: dict[str, Command] = {word: self._asks(word) for word in self.renderer.questions()}
        leaves: dict[str, Command] = {word: lambda _: self.leave() for word in ("quit", "q", "exit")}
        return {**asks, **leaves, "help": self._help, "?": self._help}

    def ask(self, word: str, rest: str = "") -> object:
        """Answer a question; return the session after it, if asking changes it."""
        if self.position is None:
            self.screen.say("Nothing has been dealt yet.")
            return None
        return self.renderer.questions()[word](self.screen, self.position, rest)

    def show_legal(self, position: Position[Any, Any]) -> None:
        """Show what may be played."""
        self.renderer.legal(self.screen, position)

    def read_action(self, position: Position[Any, Any], typed: str, ask: Callable[[str], str]) -> int | None:
        """Return the legal action that was typed, asked for piece by piece where it must be; `None` if there is none.

        The person has learned by then why what they typed can't be played.
        """
        whole = self.renderer.complete(self.screen, position, typed, ask)
        if not whole:
            return None
        form, session = record_format(self.game), position.session
        try:
            action = form.read(session, whole)
            refusal = session.refusal(action)
            if refusal != LEGAL:
                raise IllegalAction(action, refusal)
        except IllegalAction as error:
            self.screen.say(sentence(form.explain(session, whole, error)))
            return None
        return action

    def _asks(self, word: str) -> Command:
        return lambda rest: self.ask(word, rest)

    def _help(self, _: str) -> None:
        self.screen.say("\n".join((self.help_title, self.renderer.help, *self.help_texts())))


__all__ = ["CHALLENGES", "Client", "Command", "InputEnded", "Left"]
