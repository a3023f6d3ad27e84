"""What happens at a live table beside the round: who comes and goes, what is proposed, what people say."""

from __future__ import annotations

from liarspoker.records.words import object_of, printable, subject
from liarspoker.terminal.live.state import ENDED, GATHERING, WAITING, Json, State
from liarspoker.terminal.screen import Screen

EARLIER = 5
"""How many lines of chat are told to somebody who comes in."""


class News:
    """Tells what is new at the table.

    Args:
        screen: where.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._before: State | None = None
        self._heard: set[tuple[float, str, str]] | None = None
        self._present: set[str] | None = None
        self._waited_for: tuple[str, ...] = ()

    def tell(self, state: State) -> None:
        """Say all that is new."""
        before, self._before = self._before, state
        if before is None:
            return
        self._tell_chairs(before, state)
        self._tell_owner(before, state)
        self._tell_proposals(before, state)
        if before.stage == WAITING and state.stage == GATHERING:
            self._screen.say("The game begins.")
        if before.public["paused"] != state.public["paused"]:
            self._screen.say("The clocks stand still." if state.public["paused"] else "The clocks run again.")
        if before.public["chat"] != state.public["chat"]:
            self._screen.say(f"The chat is {'on' if state.public['chat'] else 'off'}.")

    def tell_waiting(self, state: State) -> None:
        """Who is still expected: the owner to start the game, or others before the next deal, once oneself is ready."""
        owner = state.public["owner"]
        if state.stage == WAITING:
            if not state.owns and owner in state.chairs and self._waited_for != (owner,):
                self._screen.say(f"Waiting for {object_of(state.name_of(owner))} to start.")
                self._waited_for = (owner,)
            return
        expected = tuple(
            state.name_of(user)
            for user in (state.public["gathering"] or {"users": ()})["users"]
            if user in state.chairs and not state.chairs[user]["ready"] and not state.chairs[user]["away"]
        )
        if expected and expected != self._waited_for and not state.wanted:
            self._screen.say(f"Waiting for {', '.join(map(object_of, expected))}.")
        self._waited_for = expected

    def tell_chat(self, lines: list[Json], state: State | None) -> None:
        """What people have said since it was last told; one's own words are known."""
        first, heard = self._heard is None, self._heard or set()
        fresh = [line for line in lines if (line["at"], line["user"], line["text"]) not in heard]
        self._heard = {(line["at"], line["user"], line["text"]) for line in lines}
        for line in fresh[-EARLIER:] if first else fresh:
            own = state is not None and line["user"] == state.user
            if first or not own:
                who = "You" if own else printable(line["name"])
                self._screen.say(f"{who} {'said' if first else 'says'}: {printable(line['text'])}")

    def tell_presence(self, users: list[str], state: State | None) -> None:
        """Who of the others has lost the connection, and who is back."""
        before, self._present = self._present, set(users)
        if before is None or state is None or state.stage == ENDED:
            return
        for user in state.chairs:
            if user != state.user and (user in before) != (user in self._present):
                gone = user in before
                self._screen.say(f"{state.name_of(user)} {'has gone away' if gone else 'is back'}.")

    def _tell_chairs(self, before: State, state: State) -> None:
        old, new = before.chairs, state.chairs
        for user in new.keys() - old.keys():
            bot = f", a bot ({new[user]['bot']})" if new[user]["bot"] else ""
            self._screen.say(f"{subject(state.name_of(user), 'sits')} down{bot}.")
        for user in old.keys() - new.keys():
            if not old[user]["leaving"]:
                self._screen.say(f"{subject(state.name_of(user), 'leaves')} the table.")
        for user in old.keys() & new.keys():
            if new[user]["leaving"] and not old[user]["leaving"]:
                self._screen.say(f"{subject(state.name_of(user), 'leaves')}; the round is played to its end.")
            elif new[user]["away"] != old[user]["away"]:
                verb = "sits out" if new[user]["away"] else "plays again"
                first, _, rest = verb.partition(" ")
                self._screen.say(f"{subject(state.name_of(user), first)} {rest}.")

    def _tell_owner(self, before: State, state: State) -> None:
        owner = state.public["owner"]
        if before.public["owner"] != owner:
            self._screen.say(
                f"The table is {'yours' if owner == state.user else state.name_of(owner) + chr(39) + 's'} now."
            )

    def _tell_proposals(self, before: State, state: State) -> None:
        old = {told["proposal"]: told for told in before.public["proposals"]}
        new = {told["proposal"]: told for told in state.public["proposals"]}
        for number in new.keys() - old.keys():
            proposal = new[number]
            self._screen.say(f"{subject(state.name_of(proposal['by']), 'proposes')} {_proposed(proposal, state)}.")
        for number in old.keys() - new.keys():
            what = _proposed(old[number], before)
            verdict = "Agreed" if _agreed(old[number], before, state) else "Not agreed"
            self._screen.say(f"{verdict}: {what}.")
        if before.public["stake"] != state.public["stake"] and state.public["stake"] is not None and not old:
            self._screen.say(f"Agreed: the next hand is played at stake {state.public['stake']}.")


def _proposed(proposal: Json, state: State) -> str:
    if proposal["kind"] == "stake":
        return f"to play the next hand at stake {proposal['value']}"
    if proposal["kind"] == "undo":
        return "to take the last action back"
    return f"to remove {object_of(state.name_of(proposal['value']))}"


def _agreed(proposal: Json, before: State, state: State) -> bool:
    """Whether a proposal that stands no more has been agreed to; what it was about shows it."""
    if proposal["kind"] == "stake":
        return bool(state.public["stake"] == proposal["value"])
    if proposal["kind"] == "undo":
        moves = [(told.public["round"] or {}).get("moves", ()) for told in (before, state)]
        return len(moves[1]) < len(moves[0])
    chair = state.chairs.get(proposal["value"])
    return chair is None or bool(chair["leaving"])
