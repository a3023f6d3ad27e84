"""What people type at a live table beside their moves, as commands of the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable

from liarspoker.core.errors import LiarsPokerError, told
from liarspoker.terminal.live.state import Json, State

HELP = """  say TEXT     talk to the table; so does a line that begins with /
  undo         propose to take your last action back
  remove NAME  propose that somebody has to go
  yes, no      answer what is proposed
  sit out      from the next round on; sit in: play again
  mute NAME    hear somebody no longer; unmute NAME: again
  link         what you send to friends who want to join
  quit         go away, or leave for good"""

OWNERS_HELP = """  start        begin to play (Enter does it too)
  bot NAME     seat a bot; unseat NAME: send one away
  pause        stop the clocks; resume: let them run again
  chat off     nobody can talk; chat on
  end          close the table"""

_SIMPLE = {
    "sit out": "sit_out",
    "sit in": "sit_in",
    "start": "start",
    "pause": "pause",
    "resume": "resume",
    "numbers": "ask_numbers",
    "ready": "ready",
}


class NotSo(LiarsPokerError):
    """A command that lacks something; the message says what."""

    code = "bad-command"


def command_of(typed: str, state: State) -> Json | None:
    """The command that somebody types; `None` if it is none, but perhaps a move.

    Raises:
        NotSo: it is one, but not whole, or there is nobody of that name.
    """
    if typed.startswith("/"):
        return {"do": "say", "text": typed[1:].strip()}
    plain = " ".join(typed.split())
    if plain.lower() in _SIMPLE:
        return {"do": _SIMPLE[plain.lower()]}
    word, _, rest = plain.partition(" ")
    maker = _MAKERS.get(word.lower())
    return None if maker is None else maker(rest, state)


def _say(rest: str, state: State) -> Json:
    if not rest:
        raise NotSo("say what? as in: say well played")
    return {"do": "say", "text": rest}


def _stake(rest: str, state: State) -> Json:
    if not re.fullmatch("[0-9]{1,6}", rest):
        raise NotSo("stake: a number of units, as in stake 2")
    return {"do": "propose", "kind": "stake", "value": int(rest)}


def _undo(rest: str, state: State) -> Json | None:
    return None if rest else {"do": "propose", "kind": "undo"}


def _remove(rest: str, state: State) -> Json:
    return {"do": "propose", "kind": "remove", "value": _user(rest, state, "remove")}


def _mute(on: bool) -> Callable[[str, State], Json]:
    word = "mute" if on else "unmute"
    return lambda rest, state: {"do": "mute", "user": _user(rest, state, word), "on": on}


def _answer(yes: bool) -> Callable[[str, State], Json]:
    def answer(rest: str, state: State) -> Json:
        votes = state.you.get("votes") or []
        if not votes:
            raise NotSo("nothing is proposed that you have a say in")
        return {"do": "answer", "proposal": votes[0], "yes": yes}

    return answer


def _bot(rest: str, state: State) -> Json:
    if not rest:
        raise NotSo("bot: which one? as in: bot bluffer")
    return {"do": "seat_bot", "bot": rest}


def _unseat(rest: str, state: State) -> Json:
    user = _user(rest, state, "unseat")
    chairs = [None if chair is None else chair["user"] for chair in state.public["chairs"]]
    return {"do": "unseat", "chair": chairs.index(user)}


def _chat(rest: str, state: State) -> Json:
    if rest not in ("on", "off"):
        raise NotSo("chat: type chat on or chat off; to talk, say and the words")
    return {"do": "chat", "on": rest == "on"}


def _pick(rest: str, state: State) -> Json:
    if not re.fullmatch("[0-9]{1,2}", rest):
        raise NotSo("pick: the number of one that lies there, as in pick 3")
    return {"do": "pick", "choice": int(rest)}


def _name(rest: str, state: State) -> Json:
    """Options for the round to come, `name passes=1 jokers=2`; the server judges them."""
    options: Json = {}
    for word in rest.replace(",", " ").split():
        name, equals, value = word.partition("=")
        if not equals:
            raise NotSo("name: the rules of the next round, as in: name passes=1 jokers=2")
        options[name] = (
            int(value) if re.fullmatch("[0-9]{1,9}", value) else {"true": True, "false": False}.get(value, value)
        )
    return {"do": "name", "options": options}


def _user(name: str, state: State, word: str) -> str:
    """The id of somebody who sits here."""
    if not name:
        raise NotSo(f"{word} whom? as in: {word} Bea")
    found = [user for user in state.chairs if state.name_of(user).casefold() == name.casefold()]
    if not found:
        raise NotSo(f"{told(name)}: nobody of that name sits here")
    return found[0]


_MAKERS: dict[str, Callable[[str, State], Json | None]] = {
    "say": _say,
    "stake": _stake,
    "undo": _undo,
    "remove": _remove,
    "mute": _mute(True),
    "unmute": _mute(False),
    "yes": _answer(True),
    "no": _answer(False),
    "bot": _bot,
    "unseat": _unseat,
    "chat": _chat,
    "pick": _pick,
    "name": _name,
}
