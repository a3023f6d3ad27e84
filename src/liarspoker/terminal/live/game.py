"""A person at a live table, line by line: what is told, what is typed, and what is sent for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.records.words import object_of, printable
from liarspoker.terminal.face import TerminalRenderer, renderer_of
from liarspoker.terminal.live.calls import Server
from liarspoker.terminal.live.console import Console
from liarspoker.terminal.live.deals import Deals, tell_audit
from liarspoker.terminal.live.entries import HELP, OWNERS_HELP, command_of
from liarspoker.terminal.live.errands import Errands
from liarspoker.terminal.live.errors import Turned
from liarspoker.terminal.live.link import Closed, Link, Lost, Opened, Told
from liarspoker.terminal.live.link import News as LinkNews
from liarspoker.terminal.live.moves import action_of
from liarspoker.terminal.live.news import News
from liarspoker.terminal.live.places import Place
from liarspoker.terminal.live.rounds import Rounds
from liarspoker.terminal.live.state import ENDED, GATHERING, WAITING, Json, State
from liarspoker.terminal.live.tables import sentence, tell_end, tell_score, tell_table
from liarspoker.terminal.screen import InputEnded

FREE = ("help", "?", "odds", "why", "hand", "score", "link", "quit", "q", "exit", "audit", "check", "ranks")
"""Words that may begin a line at any time."""

FINAL = {
    4404: "The table is not there any more, or not for you.",
    4401: "The server does not know you any more; come in again.",
    4403: "The server takes no programs from here.",
    4400: "The server speaks another protocol; this program is too old for it, or too new.",
}


class Away(Exception):
    """The person goes away."""


class LiveGame:
    """A person at a live table.

    Args:
        console: where he reads and types.
        server: that he asks.
        place: the table.
        secret: what his nonces follow from.
        ask_ready: he says himself when he is ready for the next round.
    """

    def __init__(self, console: Console, server: Server, place: Place, secret: str, ask_ready: bool) -> None:
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

    def play(self) -> int:
        """Play until the table ends or the person goes; the exit code."""
        self.console.on_news, self.console.on_quiet = self._take, self._tell_waiting
        self.link.start()
        try:
            while self._fault is None:
                self._prompt()
                line = self.console.next_line(self._wanted, lambda: self._fault is not None)
                if line is not None:
                    self._typed(line)
            self.console.say(self._fault)
            return 1
        except InputEnded:
            if not self._ended:
                self.console.say(f"The input has ended. Your chair is kept: {self.place.link}")
        except Away:
            pass
        finally:
            self.console.on_news, self.console.on_quiet = lambda news: None, lambda: None
            self.link.stop()
        return 0

    # ------------------------------------------------------------------------------- what arrives

    def _take(self, news: LinkNews) -> None:
        """Something has happened at the other end."""
        match news:
            case Told(message):
                self._told(message)
            case Opened(again) if again or self._lost:
                self._lost = False
                self.console.say("Connected again.")
            case Lost():
                self._lost = True
                self.console.say("The connection is broken; it is being made again.")
            case Closed(code, _):
                self._fault = FINAL[code]

    def _told(self, message: Json) -> None:
        match message["kind"]:
            case "state":
                self._take_state(State.told(message))
            case "chat":
                self.news.tell_chat(message["lines"], self.state)
            case "presence":
                self.news.tell_presence(message["users"], self.state)
            case "answer":
                self._take_answer(message)
            case "error" if not self._lost:
                self.console.say(sentence(str(message["message"])))

    def _take_state(self, state: State) -> None:
        first, self.state = self.state is None, state
        self.deals.see(state)
        if first:
            tell_table(self.console, state, self.place)
        self.news.tell(state)
        self.rounds.tell(state)
        if not state.sits:
            self.errands.sit_down(state)
        elif state.stage == GATHERING and not state.public["paused"]:
            self.errands.share(state)
        if state.stage == ENDED and not self._ended:
            self._ended = True
            tell_end(self.console, state)
        self._prompt()

    def _take_answer(self, message: Json) -> None:
        command = self.errands.answered(message)
        if command is None:
            return
        do, code = command["do"], message["code"]
        if do == "act":
            self._acted = None
        if do in ("ready", "open_nonce") or (do == "join" and code == "seated"):
            return  # the next state tells what is wanted
        self.console.say(sentence(message["message"]))
        if do == "join" and code == "name-taken":
            self._fault = "Come in with another name: --name NAME"
        elif do == "join":
            self.console.say("You watch.")

    # ------------------------------------------------------------------------------- what is typed

    def _wanted(self, text: str) -> bool:
        """Whether a line that waits in a pipe is to be read now: a move waits for its turn."""
        state = self.state
        if state is None or self.errands.coming_in(state):
            return False
        word = text.strip().partition(" ")[0].lower()
        if self._ended or state.stage == WAITING or word in FREE or text.startswith("/"):
            return True
        if self._expected(state):
            return True
        try:
            return bool(text.strip()) and command_of(text.strip(), state) is not None
        except LiarsPokerError:
            return True

    def _expected(self, state: State) -> bool:
        """Whether the person is waited for."""
        asked = state.stage == GATHERING and (state.gathering.get("pick") or (state.wanted and self._asks(state)))
        return bool(self._my_turn(state) or asked or state.you.get("votes"))

    def _asks(self, state: State) -> bool:
        return self.ask_ready or bool(state.gathering.get("name"))

    def _my_turn(self, state: State) -> bool:
        return state.my_turn and state.turn != self._acted and not state.public["paused"]

    def _prompt(self) -> None:
        """Show a prompt where the person is waited for."""
        state = self.state
        if state is None:
            return
        if self._ended:
            self.console.wait_for("Enter to leave, audit to check every deal > ")
        elif state.stage == WAITING and state.owns:
            self.console.wait_for("Enter to start > ")
        elif state.you.get("votes"):
            self.console.wait_for("Yes or no > ")
        elif state.stage == GATHERING and state.wanted and self._asks(state):
            self.console.wait_for(f"Enter for the next {self.face.ROUND} > ")
        else:
            self.console.wait_for("> " if self._expected(state) else "")

    def _typed(self, typed: str) -> None:
        try:
            self._do(typed)
        except LiarsPokerError as error:
            self.console.say(sentence(str(error)))

    def _do(self, typed: str) -> None:
        state = self.state
        if state is None:
            self.console.say("The table is not here yet.")
            return
        if not typed:
            self._enter(state)
            return
        word, _, rest = typed.partition(" ")
        action = self._commands.get(word.lower())
        if action is not None:
            action(rest.strip())
            return
        command = command_of(typed, state)
        if command is None:
            self._move(typed, state)
        elif command["do"] == "ready":
            self._ready(state)
        else:
            self.errands.send(command)

    def _enter(self, state: State) -> None:
        """What Enter means here."""
        if self._ended:
            raise Away
        if state.stage == WAITING and state.owns:
            self.errands.send({"do": "start"})
        elif state.stage == GATHERING and state.wanted:
            self._ready(state)
        elif self._my_turn(state):
            self.face.tell_legal(self.console, state.sight.view)

    def _ready(self, state: State) -> None:
        if state.wanted:
            self.errands.ready(state)
        else:
            self.console.say("You are not waited for now.")

    def _move(self, typed: str, state: State) -> None:
        """Play what is typed."""
        if self._ended:
            self.console.say("The table has ended. Enter to leave, audit to check every deal.")
            return
        if not state.in_play or state.you.get("seat") is None:
            self.console.say(
                f"{printable(typed)!r}: no {self.face.ROUND} of yours is in play; help lists what else there is."
            )
            return
        sight = state.sight
        view = sight.view
        if self.face.own_command(self.console, sight.session, view.seat, typed, state.names) is not None:
            return
        mine = self._my_turn(state)
        shout = None if mine else state.out_of_turn
        if not mine and (shout is None or typed.lower() not in ("c", "challenge", "liar")):
            who = state.name_of(state.public["to_act"])
            self.console.say(f"It is not your turn; {object_of(who)} is to act." if who != "You" else "One moment.")
            return
        action = shout if shout is not None else action_of(self.console, state, typed, self._asked)
        if action is None:
            self.face.tell_legal(self.console, view)
            return
        self._acted = state.turn
        self.rounds.acted(state.turn)
        self.errands.send({"do": "act", "turn": state.turn, "action": sight.session.write(action)})

    def _asked(self, prompt: str) -> str:
        """A piece of an action that the person is asked for; questions are answered on the way."""
        while True:
            typed = self.console.ask(prompt)
            action = self._commands.get(typed.partition(" ")[0].lower())
            if action is None and not typed.startswith(("/", "say ")):
                return typed
            self._typed(typed)

    # ------------------------------------------------------------------------------- what is asked

    @property
    def face(self) -> TerminalRenderer[Any, Any]:
        """What shows the table's game."""
        return renderer_of(self._known.game)

    @property
    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {
            "help": self._help,
            "?": self._help,
            "odds": self._odds,
            "why": lambda _: self._of_round(lambda view, names: self.face.tell_why(self.console, view, names)),
            "hand": lambda _: self._of_round(lambda view, names: self.face.tell_hand(self.console, view, names)),
            "score": lambda _: tell_score(self.console, self._known),
            "link": lambda _: self.console.say(self.place.link),
            "audit": lambda _: self._audit(),
            "end": lambda _: self._end(),
            "quit": lambda _: self._leave(),
            "q": lambda _: self._leave(),
            "exit": lambda _: self._leave(),
        }

    @property
    def _known(self) -> State:
        """The state, once there is one; nothing is asked before."""
        assert self.state is not None
        return self.state

    def _of_round(self, tell: Callable[[object, tuple[str, ...]], None]) -> None:
        state = self._known
        if state.dealt:
            tell(state.sight.view, state.names)
        else:
            self.console.say("Nothing has been dealt yet.")

    def _odds(self, question: str) -> None:
        if not self._known.public["settings"]["help"]:
            self.console.say("At this table programs tell no odds.")
            return
        self._of_round(lambda view, _: self.face.tell_odds(self.console, view, question))

    def _help(self, _: str) -> None:
        owners = (OWNERS_HELP,) if self._known.owns else ()
        self.console.say("\n".join(("Type an action, or at any time one of:", self.face.HELP, HELP, *owners)))

    def _audit(self) -> None:
        if not self._ended:
            self.console.say("The deals can be checked when the table has ended; until then their seeds are secret.")
            return
        tell_audit(self.deals, self.server.get(f"/api/tables/{self.place.table}/audit"), self.console.say)

    def _end(self) -> None:
        if self._ended:
            return
        if self.console.ask("Close the table for everybody? yes or no > ").lower() in ("yes", "y"):
            self.errands.send({"do": "end"})

    def _leave(self) -> None:
        """Ask how the person goes, and go; at the table of others nobody vanishes by a slip of the finger."""
        state = self.state
        if self._ended or state is None or not state.sits:
            raise Away
        typed = self.console.ask("Enter: stay; away: go, your chair is kept; leave: get up for good > ").lower()
        if typed in ("away", "a"):
            self.console.say(f"Your chair is kept: {self.place.link}")
            raise Away
        if typed not in ("leave", "l"):
            return
        try:
            self.server.post(
                f"/api/tables/{self.place.table}/commands",
                {"id": "leave-" + str(state.turn), "command": {"do": "leave"}},
            )
        except Turned as refusal:
            self.console.say(sentence(str(refusal)))
        raise Away

    def _tell_waiting(self) -> None:
        if self.state is not None and self.state.stage in (WAITING, GATHERING):
            self.news.tell_waiting(self.state)
