"""A terminal game from the first deal to the score: the loop that every game shares."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import cast

from liarspoker.bots.protocol import Bot, shout
from liarspoker.core.errors import BadOption, IllegalAction, LiarsPokerError
from liarspoker.core.session import Game, Session
from liarspoker.files import CannotWrite
from liarspoker.records.family import record_format
from liarspoker.records.words import printable, short_name, subject
from liarspoker.terminal import keeping
from liarspoker.terminal.face import COMMANDS, renderer_of
from liarspoker.terminal.screen import InputEnded, Screen

HELP = "Type an action, or at any prompt one of:"


class Left(Exception):
    """The player has left the table."""


@dataclass(slots=True)
class Table:
    """The table that a person plays at: the session so far, and who sits where.

    Attributes:
        game: which game.
        session: as it stands.
        players: the players' names, seat by seat, as they were given.
        seat: the person's seat.
        bots: who plays each seat; nobody the person's own.
        bot_names: the bots' catalogue names, seat by seat, empty for the person's.
        rounds: stop after so many rounds; `None` to go on until somebody has won.
        record: keep the game in this file.
        document: the record that it was taken up from, if it was.
    """

    game: Game
    session: Session
    players: tuple[str, ...]
    seat: int
    bots: tuple[Bot | None, ...]
    bot_names: tuple[str, ...]
    rounds: int | None
    record: Path | None = None
    document: dict[str, object] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names as they are shown: on one line, and short enough for a table."""
        return tuple(map(short_name, self.players))


class TerminalGame:
    """A person at a table of bots, line by line.

    Args:
        table: who plays what.
        screen: where it is shown.
        chance: the source of deals and of the bots' chances.
    """

    def __init__(self, table: Table, screen: Screen, chance: Random) -> None:
        self.table = table
        self.screen = screen
        self.chance = chance
        self.face = renderer_of(table.game)
        self.wish = ""
        self.skipping = False
        self.saved = {table.record} if table.document else set()

    def play(self) -> None:
        """Play until the rounds are over, the match is won, or the person leaves; the game is kept on the way out."""
        try:
            if self.table.session.in_play:
                self.table.session = self.face.taken_up(self.table.session, self.chance)
            while not self._over():
                self._play_round()
                self._between_rounds()
        except InputEnded:
            self.screen.say("The input has ended, and so does the game.")
        except Left:
            pass
        self._keep()
        self.tell_score()

    def tell_score(self) -> None:
        """How the game stands."""
        self.face.tell_score(self.screen, self._view(), self.table.names)

    def _over(self) -> bool:
        session, rounds = self.table.session, self.table.rounds
        ended = session.winner is not None or (rounds is not None and session.rounds_played >= rounds)
        return not session.in_play and ended

    def _play_round(self) -> None:
        table = self.table
        if not table.session.in_play:
            table.session = self._dealt()
            self._keep()
            self.screen.say()
        self.face.tell_deal(self.screen, self._view(), table.names)
        while table.session.in_play:
            before = self._view()
            table.session = table.session.apply(self._next_action())
            if not table.session.in_play or self._asks_next():
                self._keep()
            self.face.tell_action(self.screen, before, self._view(), table.names)
        self.face.tell_result(self.screen, self._view(), table.names)

    def _dealt(self) -> Session:
        """The session with the next round on the table, on what was agreed or named for it."""
        session = self.table.session
        opener = self.face.lot(session, self.chance)
        wish = self.wish or self._named(opener)
        self.wish = ""
        return cast(Session, self.face.deal(session, self.chance, wish, opener, self.table.seat))

    def _named(self, opener: int | None) -> str:
        """What the person names for the round, if it is his to name anything."""
        offer = self.face.choice(self.table.session, opener, self.table.seat)
        if offer:
            self.screen.say(offer)
        while offer:
            typed = self._entry("Enter for the usual rules > ")
            if not typed or self._agreed(typed, opener):
                break
        return self.wish

    def _asks_next(self) -> bool:
        """Whether the person is asked before anything else happens, in turn or out of turn."""
        seat = self.table.session.to_act
        assert seat is not None
        return self.table.bots[seat] is None or self.table.session.out_of_turn_challenge(self.table.seat) is not None

    def _next_action(self) -> int:
        """What is played next: out of turn, first by the person and then by a bot, or in turn."""
        table = self.table
        seat = table.session.to_act
        assert seat is not None
        mine = table.session.out_of_turn_challenge(table.seat)
        if mine is not None and self._shouted():
            return mine
        challenge = shout(table.session, table.bots, self.chance)
        if challenge is not None:
            return challenge
        bot = table.bots[seat]
        return self._ask_action() if bot is None else bot(table.session.view(seat), self.chance)

    def _shouted(self) -> bool:
        """Whether the person challenges out of turn."""
        while True:
            typed = self._entry("c to challenge, Enter to go on > ")
            if typed.lower() in ("c", "challenge", "liar"):
                return True
            if not typed:
                return False
            self.screen.say("It is not your turn, but you may challenge: type c, or Enter to go on.")

    def _entry(self, prompt: str = "> ") -> str:
        """What the person types, once that is no command; commands are done on the way."""
        while True:
            typed = self.screen.ask(prompt)
            if not typed or not self._command(typed):
                return typed

    def _ask_action(self) -> int:
        """What the person plays, asked until it is legal."""
        self.face.tell_turn(self.screen, self._view(), self.table.names)
        while True:
            typed = self._entry()
            whole = self.face.complete(self.screen, self._view(), typed, self._entry) if typed else ""
            if whole:
                try:
                    action = self.face.read(self.table.session, whole)
                    self.table.session.apply(action)
                    return action
                except IllegalAction as error:
                    told = record_format(self.table.game).explain(self.table.session, whole, error)
                    self.screen.say(_sentence(told))
            self.face.tell_legal(self.screen, self._view())

    def _between_rounds(self) -> None:
        """Wait for the person before the next round; after the last one he may still ask."""
        over, watching = self._over(), self.face.watching(self._view())
        if over:
            self._tell_end()
        elif self.skipping:
            return
        elif watching:
            self.screen.say("You are out. Enter: watch the next round; skip: see how the match ends.")
        prompt = "leave" if over else f"the next {self.face.ROUND}"
        while True:
            try:
                typed = self._entry(f"Enter {'to' if over else 'for'} {prompt} > ")
            except InputEnded:
                if over:
                    return
                raise
            self.skipping = watching and typed.lower() == "skip"
            if not typed or self.skipping or (not over and self._agreed(typed)):
                return

    def _tell_end(self) -> None:
        winner = self.table.session.winner
        if winner is None:
            self.screen.say(f"That was the last {self.face.ROUND}.")
        else:
            self.screen.say(f"{subject(self.table.names[winner], 'wins')} the match.")

    def _agreed(self, wish: str, opener: int | None = None) -> bool:
        """Whether the next round can be played as the person wishes; the bots agree to everything."""
        try:
            self.face.deal(self.table.session, Random(0), wish, opener, self.table.seat)
        except BadOption as error:
            self.screen.say(f"{error}.")  # it begins with the option's name, which has no capital
            return False
        except LiarsPokerError as error:
            self.screen.say(_sentence(str(error)))
            return False
        self.wish = wish
        self.screen.say("All agree.")
        return True

    def _command(self, typed: str) -> bool:
        """Do what a command says; `False` if `typed` is none."""
        word, _, rest = typed.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "?": self._help,
            "odds": lambda question: self.face.tell_odds(self.screen, self._view(), question.strip()),
            "why": lambda _: self.face.tell_why(self.screen, self._view(), self.table.names),
            "hand": lambda _: self.face.tell_hand(self.screen, self._view(), self.table.names),
            "score": lambda _: self.tell_score(),
            "save": self._save,
            "quit": self._leave,
            "q": self._leave,
            "exit": self._leave,
        }
        try:
            command = commands.get(word.lower())
            if command is not None:
                command(rest)
                return True
            return self._own_command(typed)
        except LiarsPokerError as error:
            self.screen.say(_sentence(str(error)))
            return True

    def _help(self, _: str) -> None:
        self.screen.say("\n".join((HELP, self.face.HELP, COMMANDS)))

    def _own_command(self, typed: str) -> bool:
        table = self.table
        later = self.face.own_command(self.screen, table.session, table.seat, typed, table.names)
        if later is None:
            return False
        table.session = later
        return True

    def _save(self, name: str) -> None:
        if not name.strip():
            self.screen.say("Save where? Type save and a file name, as in: save game.toml")
            return
        path = keeping.path_of(name.strip())
        try:
            self._write(path)
        except CannotWrite as error:
            self.screen.say(f"{printable(str(error))}; choose another name.")
            return
        again = printable(shlex.quote(str(path)))
        self.screen.say(f"Saved in {printable(str(path))}. To go on: liarspoker play --record {again}")
        self.screen.say("The file tells what everybody holds.")

    def _leave(self, _: str) -> None:
        raise Left

    def _keep(self) -> None:
        if self.table.record is not None:
            self._write(self.table.record)

    def _write(self, path: Path) -> None:
        table = self.table
        kept = keeping.Kept(table.game, table.session, table.players, table.seat, table.bot_names, table.document)
        keeping.save(path, kept, overwrite=path in self.saved)
        self.saved.add(path)

    def _view(self) -> object:
        return self.table.session.view(self.table.seat)


def _sentence(told: str) -> str:
    """A message as a sentence."""
    return f"{told[:1].upper()}{told[1:]}{'' if told.endswith(('.', '?')) else '.'}"
