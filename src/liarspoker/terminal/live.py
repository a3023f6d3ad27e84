"""A game at a live table: what arrives, what is typed, and what is sent for it."""

from __future__ import annotations

from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Game
from liarspoker.protocol import commands as c
from liarspoker.protocol.frames import Answer, Chat, DownFrame, Error, Presence
from liarspoker.protocol.frames import State as StateFrame
from liarspoker.records.words import object_of, printable, sentence
from liarspoker.terminal.client import CHALLENGES, Client, Command, Left
from liarspoker.terminal.entries import HELP, OWNERS_HELP, SIMPLE, command_of
from liarspoker.terminal.identity import Deals, show_audit
from liarspoker.terminal.link import Closed, Link, LinkNews, Lost, Opened, Received
from liarspoker.terminal.news import News, Rounds, show_end, show_score, show_table
from liarspoker.terminal.renderer import Position
from liarspoker.terminal.screen import Console, InputEnded, Screen
from liarspoker.terminal.server import Place, Server, Turned
from liarspoker.terminal.state import State

FINAL = {
    4404: "The table is not there any more, or not for you.",
    4401: "The server does not know you any more; come in again.",
    4403: "The server takes no programs from here.",
    4400: "The server speaks another protocol; this program is too old for it, or too new.",
}
ENDED = "The table has ended. Enter to leave, audit to check every deal."


class Errands:
    """Sends commands, and those that a state asks for without asking the person, each once."""

    def __init__(self, link: Link, deals: Deals, screen: Screen, ask_ready: bool) -> None:
        self._link = link
        self._deals = deals
        self._screen = screen
        self._ask_ready = ask_ready
        self._unanswered: dict[str, tuple[c.Command, object]] = {}
        self._done: set[object] = set()
        self._sits_from = 0

    def coming_in(self, state: State) -> bool:
        """Whether the answer to sitting down is still to come, or the state that shows it."""
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
        """Take a chair, if the server knows the person and they have none."""
        if not state.ended and state.user is not None and self._first("join"):
            self.send(c.Join())

    def ready(self, state: State) -> None:
        """Ask for the next round."""
        self.send(self._deals.ready(state))

    def share(self, state: State) -> None:
        """Be ready and take part in the deal, and show the person what they may choose."""
        needs, deal = state.needs, state.public.gathering
        assert deal is not None
        promise = deal.commitment
        if state.wanted and not self._ask_ready and not needs.name and self._first(("ready", promise)):
            self.send(self._deals.ready(state), ("ready", promise))
        if needs.open_nonce and self._first(("open", promise)):
            self.send(self._deals.open(state), ("open", promise))
        if state.wanted and needs.name and self._first(("name", promise)):
            self._screen.say("You may name rules for the next round, as in: name passes=1 jokers=2. Enter when ready.")
        if needs.pick and deal.choosing is not None and self._first(("pick", promise)):
            free = ", ".join(map(str, deal.choosing.free))
            self._screen.say(f"Choose a {deal.choosing.what} face down: type pick and its number. There are {free}.")

    def _first(self, key: object) -> bool:
        """Whether something is done for the first time."""
        if key in self._done:
            return False
        self._done.add(key)
        return True


class LiveGame(Client):
    """A person at a live table."""

    help_title = "Type an action, or at any time one of:"

    def __init__(self, console: Console, server: Server, place: Place, secret: str, ask_ready: bool) -> None:
        super().__init__(console)
        self.console = console
        self.server = server
        self.place = place
        self.ask_ready = ask_ready
        self.state: State | None = None
        self.news = News(console)
        self.rounds = Rounds(console)
        self.deals = Deals(str(place.table), secret)
        self.link = Link(place.socket, server.credentials, console.put)
        self.errands = Errands(self.link, self.deals, console, ask_ready)
        self._acted: int | None = None
        self._fault: str | None = None
        self._lost = False
        self._ended = False

    @property
    def game(self) -> Game:
        """What is played."""
        return self._known.game

    @property
    def position(self) -> Position[Any, Any] | None:
        """The round on the table as the person sees it; `None` before the first."""
        return None if self._known.public.round is None else self._known.position

    @property
    def finished(self) -> bool:
        """Whether the server has closed the table to the person."""
        return self._fault is not None

    def play(self) -> int:
        """Play until the table ends or the person leaves, and return the exit code."""
        self.console.on_news, self.console.on_quiet = self._take, self._show_waiting
        self.link.start()
        try:
            self.run()
            self.console.say(self._fault or "")
            return 1
        except InputEnded:
            if not self._ended:
                self.console.say(f"The input has ended. Your chair is kept: {self.place.link}")
        except Left:
            pass
        finally:
            self.console.on_news, self.console.on_quiet = lambda news: None, lambda: None
            self.link.stop()
        return 0

    # ------------------------------------------------------------------------------- what arrives

    def _take(self, news: LinkNews) -> None:
        """Take what has happened at the other end."""
        match news:
            case Received(frame):
                self._take_frame(frame)
            case Opened(again) if again or self._lost:
                self._lost = False
                self.console.say("Connected again.")
                self.rounds.repeat_turn()
            case Lost():
                self._lost = True
                self.console.say("The connection is broken; it is being made again.")
            case Closed(code, reason):
                self._fault = FINAL.get(code, reason)

    def _take_frame(self, frame: DownFrame) -> None:
        match frame:
            case StateFrame():
                self._take_state(State.of(frame))
            case Chat(lines=lines):
                self.news.show_chat(lines, self.state)
            case Presence(users=users):
                self.news.show_presence(users, self.state)
            case Answer():
                self._take_answer(frame)
            case Error(message=message) if not self._lost:
                self.console.say(sentence(message))

    def _take_state(self, state: State) -> None:
        first, self.state = self.state is None, state
        self.deals.see(state)
        if first:
            show_table(self.console, state, self.place)
        self.news.show(state)
        self.rounds.show(state)
        if not state.sits:
            self.errands.sit_down(state)
        elif state.gathering and not state.public.paused:
            self.errands.share(state)
        if state.ended and not self._ended:
            self._ended = True
            show_end(self.console, state)
        self._prompt()

    def _take_answer(self, answer: Answer) -> None:
        match self.errands.answered(answer):
            case None | c.Ready() | c.OpenNonce():  # the next state shows what is wanted
                return
            case c.Join() if answer.code == "seated":
                return
            case c.Act():
                self._acted = None
                self.console.say(sentence(answer.message))
            case c.Join() if answer.code == "name-taken":
                self.console.say(sentence(answer.message))
                self._fault = "Come in with another name: --name NAME"
            case c.Join():
                self.console.say(sentence(answer.message))
                self.console.say("You watch.")
            case _:
                self.console.say(sentence(answer.message))

    # ------------------------------------------------------------------------------- what is typed

    def next_line(self) -> str | None:
        """Return what is typed next; `None` if the server has closed the table meanwhile."""
        self._prompt()
        return self.console.next_line(self._takes, lambda: self.finished)

    def _takes(self, text: str) -> bool:
        """Whether a line that waits in a pipe is to be read now: a move waits for its turn."""
        state, typed = self.state, text.strip()
        if state is None or self.errands.coming_in(state):
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
        """Whether the table waits for the person."""
        asked = state.gathering and (state.needs.pick or (state.wanted and self._asks_ready(state)))
        return bool(self._my_turn(state) or asked or state.you.votes)

    def _asks_ready(self, state: State) -> bool:
        return self.ask_ready or state.needs.name

    def _my_turn(self, state: State) -> bool:
        return state.my_turn and state.turn != self._acted and not state.public.paused

    def _prompt(self) -> None:
        """Show a prompt where the table waits for the person."""
        state = self.state
        if state is None:
            return
        if self._ended:
            self.console.wait_for("Enter to leave, audit to check every deal > ")
        elif state.waiting and state.you.owner:
            self.console.wait_for("Enter to start > ")
        elif state.you.votes:
            self.console.wait_for("Yes or no > ")
        elif state.gathering and state.wanted and self._asks_ready(state):
            self.console.wait_for(f"Enter for the next {self._round_word} > ")
        else:
            self.console.wait_for("> " if self._expected(state) else "")

    @property
    def _round_word(self) -> str:
        return "round" if self.game.row.has_winner else "hand"

    def typed(self, line: str) -> None:
        """Do what a line says, once the table is known."""
        if self.state is None:
            self.console.say("The table is not here yet.")
        else:
            super().typed(line)

    def enter(self) -> None:
        """Do what Enter means now."""
        state = self._known
        if self._ended:
            raise Left
        if state.waiting and state.you.owner:
            self.errands.send(c.Start())
        elif state.gathering and state.wanted:
            self._ready(state)
        elif self._my_turn(state):
            self.show_legal(state.position)

    def entered(self, typed: str) -> None:
        """Send a command to the table, or play."""
        state = self._known
        command = command_of(typed, state)
        if command is None:
            self._move(typed, state)
        elif type(command) is c.Ready:
            self._ready(state)
        else:
            self.errands.send(command)

    def _ready(self, state: State) -> None:
        if state.wanted:
            self.errands.ready(state)
        else:
            self.console.say("You are not waited for now.")

    def _move(self, typed: str, state: State) -> None:
        if self._ended:
            self.console.say(ENDED)
            return
        if not state.in_play or state.you.seat is None:
            self.console.say(
                f"{printable(typed)!r}: no {self._round_word} of yours is in play; help lists what else there is."
            )
            return
        action = None if self._my_turn(state) else state.out_of_turn
        if not self._my_turn(state) and (action is None or typed.lower() not in CHALLENGES):
            who = state.name_of(state.public.to_act)
            self.console.say(f"It is not your turn; {object_of(who)} is to act." if who != "You" else "One moment.")
            return
        position = state.position
        if action is None:
            action = self.read_action(position, typed, self._piece)
        if action is None:
            self.show_legal(position)
            return
        self._acted = state.turn
        self.rounds.acted(state.turn)
        self.errands.send(c.Act(turn=state.turn, action=position.session.write(action)))

    def _piece(self, prompt: str) -> str:
        """Return a piece of an action that the person is asked for; questions are answered on the way."""
        while True:
            typed = self.console.ask(prompt)
            known = typed.partition(" ")[0].lower() in self.commands()
            if not known and not typed.startswith(("/", "say ")):
                return typed
            self.typed(typed)

    # ------------------------------------------------------------------------------- what is asked

    @property
    def _known(self) -> State:
        """The state, once there is one; nothing is asked before."""
        assert self.state is not None
        return self.state

    def commands(self) -> dict[str, Command]:
        """Return what can be typed at any time beside the protocol's commands."""
        questions = {word: command for word, command in super().commands().items() if word not in SIMPLE}
        return {
            **questions,
            "link": lambda _: self.console.say(self.place.link),
            "audit": lambda _: self._audit(),
            "end": lambda _: self._end(),
        }

    def ask(self, word: str, rest: str = "") -> object:
        """Answer a question."""
        if word == "odds" and not self._known.public.settings.help:
            self.console.say("At this table programs tell no odds.")
        elif word == "score":
            if self.game.row.has_winner and self.position is not None:
                super().ask(word)
            show_score(self.console, self._known)
        else:
            super().ask(word, rest)
        return None

    def help_texts(self) -> tuple[str, ...]:
        """Return what can be typed at a live table."""
        return (HELP, OWNERS_HELP) if self._known.you.owner else (HELP,)

    def _audit(self) -> None:
        if not self._ended:
            self.console.say("The deals can be checked when the table has ended; until then their seeds are secret.")
            return
        show_audit(self.deals, self.server.get(f"/api/tables/{self.place.table}/audit"), self.console.say)

    def _end(self) -> None:
        if self._ended:
            return
        if self.console.ask("Close the table for everybody? yes or no > ").lower() in ("yes", "y"):
            self.errands.send(c.End())

    def leave(self) -> None:
        """Ask how the person leaves, and leave; nobody leaves the table of others by a slip of the finger."""
        state = self._known
        if self._ended or not state.sits:
            raise Left
        typed = self.console.ask("Enter: stay; away: go, your chair is kept; leave: get up for good > ").lower()
        if typed in ("away", "a"):
            self.console.say(f"Your chair is kept: {self.place.link}")
            raise Left
        if typed not in ("leave", "l"):
            return
        try:
            self.server.post(
                f"/api/tables/{self.place.table}/commands",
                {"id": f"leave-{state.turn}", "command": {"do": "leave"}},
            )
        except Turned as refusal:
            self.console.say(sentence(str(refusal)))
        raise Left

    def _show_waiting(self) -> None:
        if self.state is not None and (self.state.waiting or self.state.gathering):
            self.news.show_waiting(self.state)
