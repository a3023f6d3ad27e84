"""A terminal game from the first deal to the score: the loop that every game shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import cast

from liarspoker.bots.protocol import Bot
from liarspoker.records.family import family_of
from liarspoker.records.words import short_name, won
from liarspoker.rules.errors import IllegalAction, LiarsPokerError
from liarspoker.rules.protocol import Game, Session
from liarspoker.terminal import keeping
from liarspoker.terminal.face import Face, face_of
from liarspoker.terminal.screen import InputEnded, Screen

HELP = """Type an action, or at any prompt one of:
  odds         the chance that what stands is good
  odds CLAIM   the chance of a claim of your choice
  why          the rules behind the stake, the bid, the payment
  hand         what you hold, once more
  score        who has won and lost how much
  save FILE    keep the game as a record (--record FILE takes it up again)
  quit         stop here
  help         this list"""


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
        rounds: stop after so many rounds.
        record: keep the game in this file.
        document: the record that it was taken up from, if it was.
    """

    game: Game
    session: Session
    players: tuple[str, ...]
    seat: int
    bots: tuple[Bot | None, ...]
    bot_names: tuple[str, ...]
    rounds: int
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
        self.face: Face = face_of(table.game)
        self.wish = ""

    def play(self) -> None:
        """Play until the rounds are over, the match is won, or the person leaves; the game is kept on the way out."""
        try:
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
        """Who has won and lost how much."""
        names, score = self.table.names, self.table.session.score
        width = max(map(len, names))
        self.screen.say("Score in units:")
        for name, units in zip(names, score, strict=True):
            self.screen.say(f"{name:<{width}}  {won(units)}", indent="  ")

    def _over(self) -> bool:
        session = self.table.session
        return not session.in_play and (session.winner is not None or session.rounds_played >= self.table.rounds)

    def _play_round(self) -> None:
        table = self.table
        if not table.session.in_play:
            table.session = self._dealt()
            self._keep()
            self.screen.say()
        self.face.tell_deal(self.screen, self._view(), table.names)
        while table.session.in_play:
            seat = table.session.to_act
            assert seat is not None
            bot = table.bots[seat]
            before = self._view()
            action = self._ask_action() if bot is None else bot(table.session.view(seat), self.chance)
            if bot is not None:
                self.face.tell_action(self.screen, before, seat, action, table.names)
            table.session = table.session.apply(action)
            self._keep()
        self.face.tell_result(self.screen, self._view(), table.names)

    def _dealt(self) -> Session:
        """The session with the next round on the table, on what was agreed for it."""
        session, wish = self.table.session, self.wish
        needs = session.needs()
        deal = needs.draw(self.chance.randrange)
        self.wish = ""
        if wish:
            return cast(Session, self.face.agree(session, deal, wish))
        return session.deal(deal, opener=self.chance.randrange(session.seats) if needs.opener else None)

    def _ask_action(self) -> int:
        """What the person plays, asked until it is legal."""
        self.face.tell_turn(self.screen, self._view(), self.table.names)
        while True:
            typed = self.screen.ask()
            if not typed:
                self.face.tell_legal(self.screen, self._view())
                continue
            if self._command(typed):
                continue
            try:
                action = self.face.read(self.table.session, typed)
                self.table.session.apply(action)
                return action
            except IllegalAction as error:
                told = family_of(self.table.game).explain(self.table.session, typed, error)
                self.screen.say(f"{told[:1].upper()}{told[1:]}.")
                self.face.tell_legal(self.screen, self._view())

    def _between_rounds(self) -> None:
        """Wait for the person before the next round; after the last one he may still ask."""
        over = self._over()
        if over:
            self.screen.say("That was the last hand.")
        while True:
            try:
                typed = self.screen.ask("Enter to leave > " if over else "Enter for the next hand > ")
            except InputEnded:
                if over:
                    return
                raise
            if not typed:
                return
            if not self._command(typed) and not over and self._agreed(typed):
                return

    def _agreed(self, wish: str) -> bool:
        """Whether the next round can be played as the person wishes; the bots agree to everything."""
        session = self.table.session
        try:
            self.face.agree(session, session.needs().draw(Random(0).randrange), wish)
        except LiarsPokerError as error:
            self.screen.say(f"{error}.")
            return False
        self.wish = wish
        self.screen.say("All agree.")
        return True

    def _command(self, typed: str) -> bool:
        """Do what a command says; `False` if `typed` is none."""
        word, _, rest = typed.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.screen.say(HELP),
            "?": lambda _: self.screen.say(HELP),
            "odds": lambda question: self.face.tell_odds(self.screen, self._view(), question.strip()),
            "why": lambda _: self.face.tell_why(self.screen, self._view(), self.table.names),
            "hand": lambda _: self.face.tell_hand(self.screen, self._view()),
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
            self.screen.say(f"{error}.")
            return True

    def _own_command(self, typed: str) -> bool:
        table = self.table
        later = self.face.own_command(self.screen, table.session, table.seat, typed.lower(), table.names)
        if later is None:
            return False
        table.session = later
        return True

    def _save(self, name: str) -> None:
        path = Path(name.strip()).expanduser()
        if not name.strip():
            self.screen.say("Save where? Type save and a file name, as in: save game.toml")
            return
        if path.exists() and path != self.table.record:
            self.screen.say(f"{path} is there already; choose another name.")
            return
        self._write(path)
        self.screen.say(f"Saved in {path}. To go on: liarspoker play --record {path}")

    def _leave(self, _: str) -> None:
        raise Left

    def _keep(self) -> None:
        if self.table.record is not None:
            self._write(self.table.record)

    def _write(self, path: Path) -> None:
        table = self.table
        kept = keeping.Kept(table.game, table.session, table.players, table.seat, table.bot_names, table.document)
        keeping.save(path, kept)

    def _view(self) -> object:
        return self.table.session.view(self.table.seat)
