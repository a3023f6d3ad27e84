"""A game at a live table: what the server sends, what the player types, and the commands that follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Game
from liarspoker.language import N_, _
from liarspoker.protocol import commands as c
from liarspoker.protocol.frames import Answer, Chat, DownFrame, Error, Presence, Reactions
from liarspoker.protocol.frames import State as StateFrame
from liarspoker.records.words import printable, sentence
from liarspoker.terminal.announcements import Announcements, Rounds, show_end, show_rematch, show_score, show_table
from liarspoker.terminal.client import CHALLENGES, Client, Command, Left
from liarspoker.terminal.console import Console
from liarspoker.terminal.identity import Deals, show_audit
from liarspoker.terminal.link import Closed, Link, LinkNews, Lost, Opened, Received
from liarspoker.terminal.renderer import Position
from liarspoker.terminal.screen import InputEnded, Screen, next_question
from liarspoker.terminal.server import Place, Refused, Server
from liarspoker.terminal.state import State
from liarspoker.terminal.table_commands import HELP, MAKERS, OWNERS_HELP, SIMPLE, command_of

FINAL = {
    4404: N_("The table doesn't exist any more, or you have no access to it."),
    4401: N_("You are signed out; start the program again."),
    4403: N_("The server doesn't accept programs from this address."),
    4400: N_("The server has another version of the protocol; update this program or the server."),
}
_PICKS = {
    "bill": N_("Choose a bill, face down: type pick and a number. Available: {free}."),
    "slip": N_("Choose a slip, face down: type pick and a number. Available: {free}."),
    "cut": N_("Choose a cut, face down: type pick and a number. Available: {free}."),
}
"""What is asked of a player who chooses something, by what it is."""

ENDED = N_("The table has ended. Press Enter to leave, or type audit to verify every deal.")


class Commands:
    """Sends commands: those of the player, and once each those that the server needs for a deal."""

    def __init__(self, link: Link, deals: Deals, screen: Screen, ask_ready: bool) -> None:
        self._link = link
        self._deals = deals
        self._screen = screen
        self._ask_ready = ask_ready
        self._unanswered: dict[str, tuple[c.Command, object]] = {}
        self._done: set[object] = set()
        self._sits_from = 0

    def is_joining(self, state: State) -> bool:
        """Return whether the server has yet to answer the request for a seat, or to send the state that shows it."""
        asked = any(isinstance(command, c.Join) for command, _ in self._unanswered.values())
        return asked or state.public.version < self._sits_from

    def send(self, command: c.Command, key: object = None) -> None:
        """Send a command; if it is refused, a command with the same key may be sent again."""
        self._unanswered[self._link.command(command)] = command, key

    def answered(self, answer: Answer) -> c.Command | None:
        """Return the command that an answer refuses; `None` if it doesn't."""
        command, key = self._unanswered.pop(answer.id, (None, None))
        if command is None:
            return None
        if answer.ok:
            if isinstance(command, c.Join):
                self._sits_from = answer.version
            return None
        self._done.discard(key)
        return command

    def sit_down(self, state: State) -> None:
        """Take a seat, if the server knows the player and they have none."""
        if not state.ended and state.user is not None and self._first("join"):
            self.send(c.Join())

    def ready(self, state: State) -> None:
        """Ask for the next round."""
        self.send(self._deals.ready(state))

    def share(self, state: State) -> None:
        """Take part in the deal, and show the player what they may choose."""
        needs, deal = state.needs, state.public.gathering
        assert deal is not None
        promise = deal.commitment
        if state.wanted and not self._ask_ready and not needs.name and self._first(("ready", promise)):
            self.send(self._deals.ready(state), ("ready", promise))
        if needs.open_nonce and self._first(("open", promise)):
            self.send(self._deals.open(state), ("open", promise))
        if state.wanted and needs.name and self._first(("name", promise)):
            self._screen.say(
                _("You may name rules for the next round, as in: name passes=1 jokers=2. Press Enter when ready.")
            )
        if needs.pick and deal.choosing is not None and self._first(("pick", promise)):
            free = ", ".join(map(str, deal.choosing.free))
            self._screen.say(
                _(
                    _PICKS[deal.choosing.what],
                    free=free,
                )
            )

    def _first(self, key: object) -> bool:
        """Return whether this is the first time for `key`."""
        if key in self._done:
            return False
        self._done.add(key)
        return True


class LiveGame(Client):
    """A player at a live table."""

    help_title = N_("Type an action, or at any time one of:")
    leave_question = N_("Leave the table for now? Your seat is kept. y/n > ")

    def __init__(self, console: Console, server: Server, place: Place, secret: str, ask_ready: bool) -> None:
        super().__init__(console)
        self.console = console
        self.server = server
        self.place = place
        self.ask_ready = ask_ready
        self.state: State | None = None
        self.announcements = Announcements(console)
        self.rounds = Rounds(console)
        self.deals = Deals(str(place.table), secret)
        self.link = Link(place.socket, server.headers, console.put)
        self.outgoing = Commands(self.link, self.deals, console, ask_ready)
        self._acted: int | None = None
        self._fault: str | None = None
        self._lost = False
        self._ended = False
        self._rematched = False

    @property
    def game(self) -> Game:
        """The game."""
        return self._known.game

    @property
    def position(self) -> Position[Any, Any] | None:
        """The current or last round as the player sees it; `None` before the first."""
        return None if self._known.public.round is None else self._known.position

    @property
    def finished(self) -> bool:
        """Whether the server has closed the connection for good."""
        return self._fault is not None

    def play(self) -> int:
        """Play until the table ends or the player leaves, and return the exit code."""
        self.console.on_news, self.console.on_quiet = self._take, self._show_waiting
        self.link.start()
        try:
            self.run()
            self.console.say(self._fault or "")
            return 1
        except InputEnded:
            if not self._ended:
                self.console.say(_("End of input. Your seat is kept. The table's link:"))
                self.console.draw([self.place.link])
        except Left:
            pass
        finally:
            self.console.on_news, self.console.on_quiet = lambda news: None, lambda: None
            self.link.stop()
        return 0

    # ------------------------------------------------------------------------------- from the server

    def _take(self, news: LinkNews) -> None:
        """Handle an event of the connection."""
        match news:
            case Received(frame):
                self._take_frame(frame)
            case Opened(again) if again or self._lost:
                self._lost = False
                self.console.say("Reconnected.")
                self.rounds.repeat_turn()
            case Lost():
                self._lost = True
                self.console.say(_("Connection lost; reconnecting."))
            case Closed(code, reason):
                self._fault = FINAL.get(code, reason)

    def _take_frame(self, frame: DownFrame) -> None:
        match frame:
            case StateFrame():
                self._take_state(State.of(frame))
            case Chat(lines=lines):
                self.announcements.show_chat(lines, self.state)
            case Reactions(reactions=reactions):
                self.announcements.show_reactions(reactions, self.state)
            case Presence(users=users):
                self.announcements.show_presence(users, self.state)
            case Answer():
                self._take_answer(frame)
            case Error(message=message) if not self._lost:
                self.console.say(sentence(message))

    def _take_state(self, state: State) -> None:
        first, self.state = self.state is None, state
        self.deals.see(state)
        if first:
            show_table(self.console, state, self.place)
        self.announcements.show(state)
        self.rounds.show(state)
        if not state.sits:
            self.outgoing.sit_down(state)
        elif state.gathering and not state.public.paused:
            self.outgoing.share(state)
        if state.ended and not self._ended:
            self._ended = True
            show_end(self.console, state)
        rematch = state.public.rematch
        if rematch is not None and not self._rematched:
            self._rematched = True
            show_rematch(self.console, state, rematch, self.place)
        self._prompt()

    def _take_answer(self, answer: Answer) -> None:
        match self.outgoing.answered(answer):
            case None | c.Ready() | c.OpenNonce():  # the next state shows what is wanted
                return
            case c.Join() if answer.code == "seated":
                return
            case c.Act():
                self._acted = None
                self.console.say(sentence(answer.message))
            case c.Join() if answer.code == "name-taken":
                self.console.say(sentence(answer.message))
                self._fault = _("Choose another name with --name NAME.")
            case c.Join():
                self.console.say(sentence(answer.message))
                self.console.say(_("You are a spectator."))
            case _:
                self.console.say(sentence(answer.message))

    # ------------------------------------------------------------------------------- input

    def next_line(self) -> str | None:
        """Return what is typed next; `None` if the server has closed the connection for good."""
        self._prompt()
        return self.console.next_line(self._takes, lambda: self.finished)

    def _takes(self, text: str) -> bool:
        """Return whether a line from a pipe is to be read now: an action waits for its turn."""
        state, typed = self.state, text.strip()
        if state is None or self.outgoing.is_joining(state):
            return False
        if self._ended or state.waiting or not state.sits or text.startswith("/") or self._expected(state):
            return True
        if typed.partition(" ")[0].lower() in self.commands().keys() - {"end"}:
            return True
        try:
            return bool(typed) and command_of(typed, state) is not None
        except LiarsPokerError:
            return True

    def _expected(self, state: State) -> bool:
        """Return whether the table waits for the player."""
        asked = state.gathering and (state.needs.pick or (state.wanted and self._asks_ready(state)))
        return bool(self._my_turn(state) or asked or state.you.votes)

    def _asks_ready(self, state: State) -> bool:
        return self.ask_ready or state.needs.name

    def _my_turn(self, state: State) -> bool:
        return state.my_turn and state.turn != self._acted and not state.public.paused

    def _prompt(self) -> None:
        """Show a prompt if the table waits for the player."""
        state = self.state
        if state is None:
            return
        if self._ended:
            self.console.wait_for(_("Enter to leave, audit to verify every deal > "))
        elif state.waiting and state.you.owner:
            self.console.wait_for(_("Enter to start > "))
        elif state.you.votes:
            self.console.wait_for(_("Yes or no > "))
        elif state.gathering and state.wanted and self._asks_ready(state):
            self.console.wait_for(next_question(self._round_word))
        else:
            self.console.wait_for("> " if self._expected(state) else "")

    @property
    def _round_word(self) -> str:
        return "round" if self.game.preset.has_winner else "hand"

    def typed(self, line: str) -> None:
        """Respond to a line, once the table is known."""
        if self.state is None:
            self.console.say(_("Still connecting to the table."))
        else:
            super().typed(line)

    def enter(self) -> None:
        """Respond to an empty line."""
        state = self._known
        if self._ended:
            raise Left
        if state.waiting and state.you.owner:
            self.outgoing.send(c.Start())
        elif state.gathering and state.wanted:
            self._ready(state)
        elif self._my_turn(state):
            self.show_legal(state.position)

    def entered(self, typed: str) -> None:
        """Send a command to the table, or play an action."""
        state = self._known
        command = command_of(typed, state)
        if command is None:
            self._move(typed, state)
        elif type(command) is c.Ready:
            self._ready(state)
        else:
            self.outgoing.send(command)

    def _ready(self, state: State) -> None:
        if state.wanted:
            self.outgoing.ready(state)
        else:
            self.console.say(_("The table isn't waiting for you."))

    def _move(self, typed: str, state: State) -> None:
        if self._ended:
            self.console.say(_(ENDED))
            return
        if not state.in_play or state.you.seat is None:
            self.console.say(
                _(
                    N_("{typed!r}: you aren't in a hand; type help for a list of commands.")
                    if self._round_word == "hand"
                    else N_("{typed!r}: you aren't in a round; type help for a list of commands."),
                    typed=printable(typed),
                )
            )
            return
        action = None if self._my_turn(state) else state.out_of_turn
        if not self._my_turn(state) and (action is None or typed.lower() not in CHALLENGES):
            who = state.name_of(state.public.to_act)
            self.console.say(
                _("It isn't your turn; waiting for {name}.", name=who) if who != "You" else _("One moment.")
            )
            return
        position = state.position
        if action is None:
            action = self.read_action(position, typed, self._piece)
        if action is None:
            self.show_legal(position)
            return
        self._acted = state.turn
        self.rounds.acted(state.turn)
        self.outgoing.send(c.Act(turn=state.turn, action=position.session.write(action)))

    def _piece(self, prompt: str) -> str:
        """Return a part of an action; questions are answered on the way."""
        while True:
            typed = self.console.ask(prompt)
            known = typed.partition(" ")[0].lower() in self.commands()
            if not known and not typed.startswith(("/", "say ")):
                return typed
            self.typed(typed)

    # ------------------------------------------------------------------------------- questions

    @property
    def _known(self) -> State:
        """The state; there is one as soon as questions are answered."""
        assert self.state is not None
        return self.state

    def commands(self) -> dict[str, Command]:
        """Return what can be typed at any time, apart from the commands of the protocol."""
        questions = {word: command for word, command in super().commands().items() if word not in SIMPLE}
        return {
            **questions,
            "link": lambda _: self.console.draw([self.place.link]),
            "audit": lambda _: self._audit(),
            "end": lambda _: self._end(),
        }

    def option_changes(self) -> Mapping[str, object]:
        """Return the options that the table and the round set."""
        return {**self._known.public.settings.options, **super().option_changes()}

    def ask(self, word: str, rest: str = "") -> object:
        """Answer a question."""
        if word == "odds" and not self._known.public.settings.help:
            self.console.say(_("This table doesn't allow help with odds."))
        elif word == "score":
            standings = self.game.preset.has_winner and self.position is not None
            if standings:
                super().ask(word)
            if not standings or self._known.public.units:
                show_score(self.console, self._known)
        else:
            super().ask(word, rest)
        return None

    def help_texts(self) -> tuple[str, ...]:
        """Return the help on the commands of live tables."""
        return (_(HELP), _(OWNERS_HELP)) if self._known.you.owner else (_(HELP),)

    def _audit(self) -> None:
        if not self._ended:
            self.console.say(_("The deals can be verified when the table has ended; until then the seeds are secret."))
            return
        show_audit(self.deals, self.server.get(f"/api/tables/{self.place.table}/audit"), self.console.say)

    def _end(self) -> None:
        if self._ended:
            return
        if self.console.ask(_("Close the table for everybody? y/n > ")).lower() in ("yes", "y"):
            self.outgoing.send(c.End())

    def leave(self) -> None:
        """Ask whether to leave for now or for good, and leave."""
        state = self._known
        if self._ended or not state.sits:
            raise Left
        question = _("Enter: stay; away: keep your seat; leave: give it up > ")
        while (typed := self.console.ask(question).lower()) not in ("", "stay", "away", "a", "leave", "l"):
            pass
        if typed in ("away", "a"):
            self._leave_for_now()
        if typed not in ("leave", "l"):
            return
        try:
            self.server.post(
                f"/api/tables/{self.place.table}/commands",
                {"id": f"leave-{state.turn}", "command": {"do": "leave"}},
            )
        except Refused as refusal:
            self.console.say(sentence(str(refusal)))
        raise Left

    def interrupted(self) -> None:
        """Ask after Ctrl-C whether to leave for now; a second Ctrl-C leaves at once.

        Raises:
            Left: the player leaves.
        """
        try:
            super().interrupted()
        except Left:
            if not self._ended and self.state is not None and self.state.sits:
                self._leave_for_now()
            raise

    def words(self) -> frozenset[str]:
        """Return the first words of all commands and answers."""
        return super().words() | MAKERS.keys() | {line.partition(" ")[0] for line in SIMPLE}

    def completions(self) -> list[str]:
        """Return what the Tab key completes; nothing before the table is known."""
        return [] if self.state is None else [*super().completions(), *SIMPLE, *MAKERS]

    def _leave_for_now(self) -> NoReturn:
        self.console.say(_("Your seat is kept. To come back:"))
        self.console.draw([f"liarspoker play --server {self.place.link}"])
        raise Left

    def _show_waiting(self) -> None:
        if self.state is not None and (self.state.waiting or self.state.gathering):
            self.announcements.show_waiting(self.state)
