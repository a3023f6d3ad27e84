"""What people type at a live table beside their moves, as commands of the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable

from liarspoker.core.errors import LiarsPokerError, told
from liarspoker.protocol import commands as c
from liarspoker.protocol.codec import Options
from liarspoker.terminal.state import State

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

SIMPLE: dict[str, c.Command] = {
    "sit out": c.SitOut(),
    "sit in": c.SitIn(),
    "start": c.Start(),
    "pause": c.Pause(),
    "resume": c.Resume(),
    "numbers": c.AskNumbers(),
    "ready": c.Ready(),
}


class NotSo(LiarsPokerError):
    """A command that lacks something; the message says what."""

    code = "bad-command"


def command_of(typed: str, state: State) -> c.Command | None:
    """The command that somebody types; `None` if it is none, but perhaps a move.

    Raises:
        NotSo: it is one, but not whole, or there is nobody of that name.
    """
    plain = " ".join(typed.split())
    word, _, rest = plain.partition(" ")
    try:
        if typed.startswith("/"):
            return c.Say(text=typed[1:].strip())
        if plain.lower() in SIMPLE:
            return SIMPLE[plain.lower()]
        maker = _MAKERS.get(word.lower())
        return None if maker is None else maker(rest, state)
    except ValueError as error:
        raise NotSo(str(error)) from error


def _say(rest: str, state: State) -> c.Command:
    if not rest:
        raise NotSo("say what? as in: say well played")
    return c.Say(text=rest)


def _stake(rest: str, state: State) -> c.Command:
    if not re.fullmatch("[0-9]{1,6}", rest):
        raise NotSo("stake: a number of units, as in stake 2")
    return c.Propose(kind="stake", value=int(rest))


def _undo(rest: str, state: State) -> c.Command | None:
    return None if rest else c.Propose(kind="undo")


def _remove(rest: str, state: State) -> c.Command:
    return c.Propose(kind="remove", value=_user(rest, state, "remove"))


def _mute(on: bool) -> Callable[[str, State], c.Command]:
    word = "mute" if on else "unmute"
    return lambda rest, state: c.Mute(user=_user(rest, state, word), on=on)


def _answer(yes: bool) -> Callable[[str, State], c.Command]:
    def answer(rest: str, state: State) -> c.Command:
        if not state.you.votes:
            raise NotSo("nothing is proposed that you have a say in")
        return c.AnswerProposal(proposal=state.you.votes[0], yes=yes)

    return answer


def _bot(rest: str, state: State) -> c.Command:
    if not rest:
        raise NotSo("bot: which one? as in: bot bluffer")
    return c.SeatBot(bot=rest)


def _unseat(rest: str, state: State) -> c.Command:
    user = _user(rest, state, "unseat")
    chairs = [None if chair is None else chair.user for chair in state.public.chairs]
    return c.Unseat(chair=chairs.index(user))


def _chat(rest: str, state: State) -> c.Command:
    if rest not in ("on", "off"):
        raise NotSo("chat: type chat on or chat off; to talk, say and the words")
    return c.SetChat(on=rest == "on")


def _pick(rest: str, state: State) -> c.Command:
    if not re.fullmatch("[0-9]{1,2}", rest):
        raise NotSo("pick: the number of one that lies there, as in pick 3")
    return c.Pick(choice=int(rest))


def _name(rest: str, state: State) -> c.Command:
    """Options for the round to come, `name passes=1 jokers=2`; the server judges them."""
    options: Options = {}
    for word in rest.replace(",", " ").split():
        name, equals, value = word.partition("=")
        if not equals:
            raise NotSo("name: the rules of the next round, as in: name passes=1 jokers=2")
        options[name] = (
            int(value) if re.fullmatch("[0-9]{1,9}", value) else {"true": True, "false": False}.get(value, value)
        )
    return c.NameOptions(options=options)


def _user(name: str, state: State, word: str) -> str:
    """The id of somebody who sits here."""
    if not name:
        raise NotSo(f"{word} whom? as in: {word} Bea")
    found = [user for user in state.chairs if state.name_of(user).casefold() == name.casefold()]
    if not found:
        raise NotSo(f"{told(name)}: nobody of that name sits here")
    return found[0]


_MAKERS: dict[str, Callable[[str, State], c.Command | None]] = {
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
