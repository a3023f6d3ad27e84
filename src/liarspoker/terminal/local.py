"""A game against bots in this process: dealing, playing, and asking the player."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path
from random import Random
from typing import Any

from liarspoker.bots.protocol import Bot, first_challenge
from liarspoker.core.errors import BadOption, LiarsPokerError, NotNow
from liarspoker.core.option_info import OptionInfo
from liarspoker.core.session import Game, RoundSetup, Session
from liarspoker.files import CannotWrite
from liarspoker.language import N_, _
from liarspoker.records.words import YOU, printable, sentence, short_name
from liarspoker.terminal import saved_games
from liarspoker.terminal.announcements import match_won
from liarspoker.terminal.client import CHALLENGES, Client, Command, Left
from liarspoker.terminal.renderer import Position
from liarspoker.terminal.rules import option_line, written
from liarspoker.terminal.screen import InputEnded, Screen, next_question

_STAKE = r"stake\s+([0-9]{1,100})"
"""How the players of a game without a winner agree on a stake."""

COMMANDS = N_("""\
  save FILE    save the game as a record (--record FILE continues it)
  quit         leave the game
  help         show this list""")
"""The commands of every game, apart from the renderer's."""


class Asked(Enum):
    """What the player is asked for."""

    RULES = auto()
    """The rules of the next round, where the player may name them."""
    ACTION = auto()
    """An action."""
    CHALLENGE = auto()
    """Whether to challenge out of turn."""
    NEXT = auto()
    """Enter for the next round."""
    END = auto()
    """Nothing: the game is over, but questions are still answered."""


@dataclass(slots=True)
class Table:
    """A table: the session so far, and who plays each seat.

    Attributes:
        bots: the bot of each seat; `None` for the player's.
        bot_names: the bots' names, seat by seat; empty for the player's.
        rounds: number of rounds after which the game ends; `None` to play until one player has won.
        record: save the game in this file.
        document: the record from which the game continues, if it does.
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
        """The players' names as they are shown: on one line, and short enough for a table."""
        return tuple(map(short_name, self.players))


class LocalGame(Client):
    """A player at a table of bots."""

    def __init__(self, table: Table, screen: Screen, chance: Random) -> None:
        super().__init__(screen)
        self.table = table
        self.chance = chance
        self._asked = Asked.NEXT
        self._finished = False
        self._setup = RoundSetup()
        self._skipping = False
        self._saved = {table.record} if table.document else set()
        self._may_keep = not table.document or saved_games.PRIVATE_KEY in table.document

    @property
    def game(self) -> Game:
        """What is played."""
        return self.table.game

    @property
    def position(self) -> Position[Any, Any]:
        """The session as the player sees it."""
        return Position(self.table.session, self.table.session.view(self.table.seat), self.table.names)

    @property
    def finished(self) -> bool:
        """Whether the player has left the finished game."""
        return self._finished

    def play(self) -> None:
        """Play until the rounds are over, the match is won, or the player leaves; then save the game."""
        try:
            self._begin()
            self.run()
        except InputEnded:
            if self._asked != Asked.END:
                self.screen.say(_("End of input: leaving the game."))
        except Left:
            pass
        self._keep()
        self.ask("score")

    # ------------------------------------------------------------------------------- the course of the game

    def _begin(self) -> None:
        if self.table.document:
            self._announce()
        if self.table.session.in_play:
            self.table.session = self.table.session.with_new_chance(self.chance.randbytes)
            self.screen.say()
            self.renderer.deal(self.game_screen, self.position)
            self._go_on()
        elif self._over():
            self._finished = True
        else:
            self._begin_round()

    def _announce(self) -> None:
        """Say who plays whom in a game from a file."""
        table, names = self.table, self.table.names
        bots = ", ".join(
            f"{names[seat]} ({name})" for seat, name in enumerate(table.bot_names) if table.bots[seat] is not None
        )
        name = names[table.seat]
        message = (
            N_("{file}: you play against {bots}.") if name == YOU else N_("{file}: you play {name}, against {bots}.")
        )
        self.screen.say(_(message, file=table.record, name=name, bots=bots))

    def _over(self) -> bool:
        session, rounds = self.table.session, self.table.rounds
        ended = session.winner is not None or (rounds is not None and session.rounds_played >= rounds)
        return not session.in_play and ended

    def _begin_round(self) -> None:
        """Deal the next round, after the player has named its rules if they may."""
        session = self.table.session
        # A match's opener is drawn before the deal, for the deal may depend on the rules that the opener names.
        if session.has_winner and session.chance_spec().opener:
            self._setup = RoundSetup(self._draw_opener(self.chance))
        offer = self._offer(self._setup.opener)
        if offer:
            self.screen.say(offer)
            self._asked = Asked.RULES
        else:
            self._deal()

    def _draw_opener(self, chance: Random) -> int:
        alive = self.table.session.alive
        return alive[chance.randrange(len(alive))]

    def _deal(self) -> None:
        self.table.session = self._dealt(self._setup, self.chance)
        self._setup = RoundSetup()
        self._keep()
        self.screen.say()
        self.renderer.deal(self.game_screen, self.position)
        self._go_on()

    def _dealt(self, setup: RoundSetup, chance: Random) -> Session:
        session = self.table.session
        spec = session.chance_spec(setup.options)
        deal = spec.draw(chance.randrange)
        if spec.opener and setup.opener is None:
            setup = replace(setup, opener=self._draw_opener(chance))
        return session.deal(deal, setup)

    def _go_on(self, offered: bool = False) -> None:
        """Let the bots play until the player is asked for something.

        Args:
            offered: the player was just asked whether to challenge out of turn.
        """
        table = self.table
        while (seat := table.session.to_act) is not None:
            if not offered and table.session.out_of_turn_challenge(table.seat) is not None:
                self._asked = Asked.CHALLENGE
                return
            offered = False
            action = first_challenge(table.session, table.bots, self.chance)
            if action is None:
                bot = table.bots[seat]
                if bot is None:
                    self.renderer.turn(self.game_screen, self.position)
                    self.show_legal(self.position)
                    self._asked = Asked.ACTION
                    return
                action = bot(table.session.view(seat), self.chance)
            self._apply(action)
        self.renderer.result(self.game_screen, self.position)
        self._end_round()

    def _apply(self, action: int) -> None:
        table, before = self.table, self.position
        table.session = table.session.apply(action)
        seat = table.session.to_act
        if seat is None or table.bots[seat] is None or table.session.out_of_turn_challenge(table.seat) is not None:
            self._keep()
        self.renderer.action(self.game_screen, before, self.position)

    def _end_round(self) -> None:
        """Wait for the player before the next round; after the last one, questions are still answered."""
        session = self.table.session
        self._asked = Asked.NEXT
        if self._over():
            self._asked = Asked.END
            if session.winner is None:
                was_hand = session.round_word == "hand"
                self.screen.say(_("That was the last hand.") if was_hand else _("That was the last round."))
            else:
                self.screen.say(match_won(self.table.names[session.winner]))
        elif self._skipping:
            self._begin_round()
        elif self._watching():
            self.screen.say(_("You are out. Enter: watch the next round; skip: see how the match ends."))

    def _watching(self) -> bool:
        """Return whether the player is eliminated while the others play on."""
        return self.table.session.winner is None and self.table.seat not in self.table.session.alive

    # ------------------------------------------------------------------------------- input

    def next_line(self) -> str:
        """Return what is typed at the prompt."""
        prompts = {
            Asked.RULES: _("Enter for the usual rules > "),
            Asked.CHALLENGE: _("c to challenge, Enter to go on > "),
            Asked.NEXT: next_question(self.table.session.round_word),
            Asked.END: _("Enter to leave > "),
        }
        return self.screen.ask(prompts.get(self._asked, "> "))

    def enter(self) -> None:
        """Go on."""
        self._may_keep = True
        match self._asked:
            case Asked.ACTION:
                self.show_legal(self.position)
            case Asked.CHALLENGE:
                self._go_on(offered=True)
            case Asked.RULES:
                self._deal()
            case Asked.NEXT:
                self._begin_round()
            case Asked.END:
                self._finished = True

    def entered(self, typed: str) -> None:
        """Play an action, or agree on the next round."""
        self._may_keep = True
        match self._asked:
            case Asked.ACTION:
                if not self.table.session.has_winner and re.fullmatch(_STAKE, typed):
                    self.screen.say(_("The stake is agreed on between hands."))
                    self.show_legal(self.position)
                    return
                action = self.read_action(self.position, typed, self._piece)
                if action is None:
                    self.show_legal(self.position)
                else:
                    self._apply(action)
                    self._go_on()
            case Asked.CHALLENGE:
                challenge = self.table.session.out_of_turn_challenge(self.table.seat)
                if typed.lower() in CHALLENGES and challenge is not None:
                    self._apply(challenge)
                    self._go_on()
                else:
                    self.screen.say(_("It is not your turn, but you may challenge: type c, or Enter to go on."))
            case Asked.NEXT if self._watching() and typed.lower() == "skip":
                self._skipping = True
                self._begin_round()
            case Asked.NEXT | Asked.RULES:
                if self._agreed(typed):
                    self._deal()
            case Asked.END:
                self.screen.say(_("The game is over; press Enter to leave."))

    def _piece(self, prompt: str) -> str:
        """Return a part of an action: the first line that isn't a command."""
        while True:
            typed = self.screen.ask(prompt)
            try:
                typed = self.without_slash(typed)
                if not typed or not self.run_command(typed):
                    return typed
            except LiarsPokerError as error:
                self.screen.say(sentence(str(error)))

    # ------------------------------------------------------------------------------- agreements

    def _agreed(self, wish: str) -> bool:
        """Return whether the next round can be played as the player wishes; bots agree to everything."""
        try:
            setup = self._read_setup(wish)
            self._dealt(setup, Random(0))
        except BadOption as error:
            self.screen.say(f"{error}.")  # it begins with the option's name, which has no capital
            return False
        self._setup = setup
        self.screen.say(_("Everybody agrees."))
        return True

    def _read_setup(self, wish: str) -> RoundSetup:
        """Read a wish such as `stake 2` or `passes=1 jokers=2`.

        Raises:
            NotNow: it can't be agreed on now.
        """
        session, opener = self.table.session, self._setup.opener
        stake = re.fullmatch(_STAKE, wish)
        if stake is not None and not session.has_winner:
            return RoundSetup(opener, int(stake[1]))
        if self._offer(opener):
            return RoundSetup(opener, options=self._read_options(wish))
        if session.has_winner:
            raise NotNow("unreadable-action", _("{wish!r}: the round is over; press Enter for the next one", wish=wish))
        raise NotNow(
            "unreadable-action",
            _(
                "{wish!r}: the hand is over; press Enter for the next one, or type stake 2 to play it at stake 2",
                wish=wish,
            ),
        )

    def _read_options(self, wish: str) -> dict[str, object]:
        named: dict[str, object] = {}
        values = {info.name: {written(value): value for value in info.choices} for info in self._nameable()}
        for word in wish.replace(",", " ").split():
            name, equals, value = word.partition("=")
            if not equals:
                raise NotNow(
                    "unreadable-action", _("{word!r}: name rules as in passes=1 jokers=2, or press Enter", word=word)
                )
            if name in named:
                raise NotNow("unreadable-action", _("{word!r}: name each rule once", word=word))
            named[name] = values.get(name, {}).get(value, value)
        return named

    def _offer(self, opener: int | None) -> str:
        """Return the rules that the player may name for the next round, as text; empty if none."""
        session, nameable = self.table.session, self._nameable()
        begins = session.next_opener if opener is None else opener
        if not nameable or begins != self.table.seat:
            return ""
        lines = [_("You begin the next round and may name its rules, as in: passes=1 jokers=2")]
        usual = self.game.options(session.option_changes())
        for info in nameable:
            value = f"{info.name}={'|'.join(map(written, info.choices))}"
            lines.append(option_line(info, getattr(usual, info.name), value))
        return "\n".join(lines)

    def _nameable(self) -> list[OptionInfo]:
        """The options that the opener of the next round may name."""
        return [info for info in self.game.option_infos if self._can_be_named({info.name: info.choices[0]})]

    def _can_be_named(self, options: dict[str, object]) -> bool:
        try:
            self.table.session.check_round_options(options)
        except LiarsPokerError:
            return False
        return True

    # ------------------------------------------------------------------------------- questions and saving

    def commands(self) -> dict[str, Command]:
        """Return what can be typed at any prompt."""
        return {**super().commands(), "save": self._save}

    def ask(self, word: str, rest: str = "") -> None:
        """Answer a question."""
        later = super().ask(word, rest)
        if isinstance(later, Session):
            self.table.session = later

    def words(self) -> frozenset[str]:
        """Return the first words of all commands and answers."""
        return super().words() | {"stake", "skip"}

    def help_texts(self) -> tuple[str, ...]:
        """Return the help on the commands of local games."""
        return (_(COMMANDS),)

    def resume(self) -> None:
        """Go on after Ctrl-C, which may have interrupted the bots."""
        session = self.table.session
        if session.in_play and session.to_act != self.table.seat and self._asked is not Asked.CHALLENGE:
            self._go_on()

    def leave(self) -> None:
        """Leave; the game is saved on the way out."""
        raise Left

    def _save(self, name: str) -> None:
        if not name:
            self.screen.say(_("Type a file name too, as in: save game.toml"))
            return
        path = saved_games.path_of(name)
        try:
            self._write(path)
        except CannotWrite as error:
            self.screen.say(_("{error}; choose another name.", error=printable(str(error))))
            return
        again = printable(shlex.quote(str(path)))
        self.screen.say(
            _(
                "Saved in {file}. To continue: liarspoker play --record {again}",
                file=printable(str(path)),
                again=again,
            )
        )
        self.screen.say(_("The file contains everybody's hands."))

    def _keep(self) -> None:
        if self.table.record is not None and self._may_keep:
            self._write(self.table.record)

    def _write(self, path: Path) -> None:
        table = self.table
        kept = saved_games.SavedGame(
            table.game, table.session, table.players, table.seat, table.bot_names, table.document
        )
        saved_games.save(path, kept, overwrite=path in self._saved)
        self._saved.add(path)
