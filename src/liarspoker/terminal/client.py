"""A player at a table in the terminal: the loop and the commands that local and live games share."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from liarspoker.core.errors import LEGAL, IllegalAction, LiarsPokerError
from liarspoker.core.session import Game
from liarspoker.language import N_, _
from liarspoker.records.family import record_format
from liarspoker.records.words import printable, sentence
from liarspoker.terminal.renderer import Position, TerminalRenderer, renderer_of
from liarspoker.terminal.rules import HELP as RULES_HELP
from liarspoker.terminal.rules import show_rules
from liarspoker.terminal.screen import InputEnded, Screen

CHALLENGES = ("c", "challenge", "liar")
"""Words for a challenge out of turn."""

Command = Callable[[str], object]
"""Runs a command, given the text after its first word."""


class Left(Exception):
    """The player leaves the table."""


class UnknownCommand(LiarsPokerError):
    """The slash command doesn't exist."""

    code = "bad-command"


class Client(ABC):
    """A player at a table."""

    help_title = N_("Type an action, or at any prompt one of:")

    leave_question = N_("Leave the game? y/n > ")
    """Asked after Ctrl-C."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.screen.completions = self.completions

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game."""

    @property
    @abstractmethod
    def position(self) -> Position[Any, Any] | None:
        """The session as the player sees it; `None` before anything is dealt."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the game is over and nothing more can be typed."""

    @abstractmethod
    def next_line(self) -> str | None:
        """Return what is typed next; `None` if the table has ended.

        Raises:
            InputEnded: the input is at its end.
        """

    @abstractmethod
    def enter(self) -> None:
        """Respond to an empty line."""

    @abstractmethod
    def entered(self, typed: str) -> None:
        """Respond to a line that isn't a command."""

    @abstractmethod
    def leave(self) -> None:
        """Leave the table.

        Raises:
            Left: the player hasn't changed their mind.
        """

    @abstractmethod
    def help_texts(self) -> tuple[str, ...]:
        """Return the help on commands, apart from the game's own."""

    @property
    def renderer(self) -> TerminalRenderer[Any, Any]:
        """The renderer of the game."""
        return renderer_of(self.game)

    @property
    def game_screen(self) -> Screen:
        """The screen as the renderer writes to it."""
        return self.screen.for_cards() if self.renderer.has_cards else self.screen

    def run(self) -> None:
        """Respond to what is typed until the game is over.

        Raises:
            InputEnded: the input is at its end.
            KeyboardInterrupt: Ctrl-C, where nobody types at a terminal.
            Left: the player has left.
        """
        while not self.finished:
            try:
                line = self.next_line()
                if line is not None:
                    self.typed(line)
            except KeyboardInterrupt:
                if not self.screen.is_interactive:
                    raise
                self.interrupted()

    def interrupted(self) -> None:
        """Ask after Ctrl-C whether to leave; a second Ctrl-C leaves at once.

        Raises:
            Left: the player leaves.
        """
        try:
            typed = self.screen.ask(_(self.leave_question))
        except (KeyboardInterrupt, InputEnded):
            raise Left from None
        if typed.lower() in ("y", "yes"):
            raise Left
        self.resume()

    def resume(self) -> None:  # noqa: B027  # most clients have nothing to do
        """Go on after Ctrl-C."""

    def typed(self, line: str) -> None:
        """Respond to a line."""
        try:
            line = self.without_slash(line)
            if not line:
                self.enter()
            elif not self.run_command(line):
                self.entered(line)
        except LiarsPokerError as error:
            self.screen.say(sentence(str(error)))

    def run_command(self, line: str) -> bool:
        """Run a line if it is a command, and return whether it is."""
        word, _, rest = line.partition(" ")
        command = self.commands().get(word.lower())
        if command is not None:
            command(rest.strip())
        return command is not None

    def without_slash(self, line: str) -> str:
        """Return a slash command such as `/help` without its slash, and any other line as it is.

        Raises:
            UnknownCommand: it doesn't exist.
        """
        if not line.startswith("/"):
            return line
        plain = line[1:].strip()
        word = plain.partition(" ")[0].lower()
        if word not in self.words():
            raise UnknownCommand(_("/{word}: unknown command; type /help for a list", word=printable(word)))
        return plain

    def words(self) -> frozenset[str]:
        """Return the first words of all commands and answers."""
        return frozenset(self.commands()) | frozenset(line.partition(" ")[0] for line in self.completions())

    def completions(self) -> list[str]:
        """Return what the Tab key completes: the commands and answers that the help lists."""
        return [*re.findall(r"^  ([a-z]+(?: [a-z]+\b)?)", "\n".join(self.help_lines()), re.MULTILINE), *CHALLENGES]

    def help_lines(self) -> list[str]:
        """Return the texts of the help."""
        return [_(self.help_title), _(self.renderer.help), _(RULES_HELP), *self.help_texts()]

    def commands(self) -> dict[str, Command]:
        """Return what can be typed at any prompt, by its first word."""
        asks: dict[str, Command] = {word: self._asks(word) for word in self.renderer.questions()}
        leaves: dict[str, Command] = {word: lambda _: self.leave() for word in ("quit", "q", "exit")}
        return {**asks, **leaves, "rules": self._rules, "help": self._help, "?": self._help}

    def option_changes(self) -> Mapping[str, object]:
        """Return the options that the table and the round set."""
        return {} if self.position is None else self.renderer.option_changes(self.position)

    def ask(self, word: str, rest: str = "") -> object:
        """Answer a question such as `odds`; return the session after it if the question changes it."""
        if self.position is None:
            self.screen.say(_("Nothing has been dealt yet."))
            return None
        return self.renderer.questions()[word](self.game_screen, self.position, rest)

    def show_legal(self, position: Position[Any, Any]) -> None:
        """Show the legal actions."""
        self.renderer.legal(self.game_screen, position)

    def read_action(self, position: Position[Any, Any], typed: str, ask: Callable[[str], str]) -> int | None:
        """Return the legal action that was typed, after asking for missing parts.

        If the action is illegal, say why and return `None`.
        """
        whole = self.renderer.complete(self.game_screen, position, typed, ask)
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

    def _rules(self, wanted: str) -> None:
        show_rules(self.screen, self.game, self.option_changes(), wanted)

    def _help(self, _: str) -> None:
        self.screen.say("\n".join(self.help_lines()))


__all__ = ["CHALLENGES", "Client", "Command", "InputEnded", "Left", "UnknownCommand"]
