"""What is sent to a table and not answered yet, and what a state asks for that the person need not be asked."""

from __future__ import annotations

from liarspoker.terminal.live.deals import Deals
from liarspoker.terminal.live.link import Link
from liarspoker.terminal.live.state import ENDED, Json, State
from liarspoker.terminal.screen import Screen


class Errands:
    """Sends commands, and each that a state asks for once.

    Args:
        link: to the table.
        deals: one's own share in them.
        screen: where the person is told what he may choose.
        ask_ready: he says himself when he is ready for the next round.
    """

    def __init__(self, link: Link, deals: Deals, screen: Screen, ask_ready: bool) -> None:
        self._link = link
        self._deals = deals
        self._screen = screen
        self._ask_ready = ask_ready
        self._unanswered: dict[str, tuple[Json, object]] = {}
        self._done: set[object] = set()
        self._sits_from = 0

    def coming_in(self, state: State) -> bool:
        """Whether the answer to sitting down is still to come, or the state that shows it."""
        asked = any(command["do"] == "join" for command, _ in self._unanswered.values())
        return asked or state.version < self._sits_from

    def send(self, command: Json, key: object = None) -> None:
        """Send a command; if it is refused, what has the same key may be sent again."""
        self._unanswered[self._link.command(command)] = command, key

    def answered(self, message: Json) -> Json | None:
        """The command that an answer refuses; `None` if it does not."""
        command, key = self._unanswered.pop(message["id"], (None, None))
        if command is None:
            return None
        if message["ok"]:
            if command["do"] == "join":
                self._sits_from = message["version"]
            return None
        self._done.discard(key)
        return command

    def sit_down(self, state: State) -> None:
        """Take a chair, if one is known and has none."""
        if state.stage != ENDED and state.you and self._first("join"):
            self.send({"do": "join"})

    def ready(self, state: State) -> None:
        """Ask for the next round."""
        self.send(self._deals.ready(state))

    def share(self, state: State) -> None:
        """Be ready and take part in the deal, and tell the person what he may choose."""
        gathering, deal = state.gathering, state.public["gathering"]
        promise = deal["commitment"]
        if state.wanted and not self._ask_ready and not gathering["name"] and self._first(("ready", promise)):
            self.send(self._deals.ready(state), ("ready", promise))
        if gathering["open_nonce"] and self._first(("open", promise)):
            self.send(self._deals.open(state), ("open", promise))
        if state.wanted and gathering["name"] and self._first(("name", promise)):
            self._screen.say("You may name rules for the next round, as in: name passes=1 jokers=2. Enter when ready.")
        if gathering["pick"] and self._first(("pick", promise)):
            choosing = deal["choosing"]
            free = ", ".join(map(str, choosing["free"]))
            self._screen.say(f"Choose a {choosing['what']} face down: type pick and its number. There are {free}.")

    def _first(self, key: object) -> bool:
        """Whether something is done for the first time."""
        if key in self._done:
            return False
        self._done.add(key)
        return True
