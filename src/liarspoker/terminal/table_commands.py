"""Commands that players type at a live table, as commands of the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from liarspoker.core.errors import LiarsPokerError, format_value
from liarspoker.language import N_, _
from liarspoker.protocol import commands as c
from liarspoker.protocol.codec import Options
from liarspoker.terminal.state import State

HELP = N_("""\
  say TEXT     send a message to the table
  react WORD   nice, laugh, wow, hmm, ouch or liar
  show         show your hidden hand after a round
  undo         propose to take back your last action
  remove NAME  propose to remove a player
  yes, no      answer a proposal
  sit out      skip the next rounds; sit in: play again
  standin BOT  let a bot play for you until you act again
  mute NAME    hide a player's messages; unmute NAME: show them again
  link         show the link for friends
  quit         leave for now, or for good
  help         show this list""")

OWNERS_HELP = N_("""\
  start        start the game (or press Enter)
  bot NAME     add a bot; unseat NAME: remove it
  kick NAME    remove a player; admit NAME: let them come back
  lock         let nobody new join; unlock: let players join
  owner NAME   make another player the owner
  pause        pause the clocks; resume: continue
  chat off     turn the chat off; chat on: turn it on
  end          close the table""")

SIMPLE: dict[str, c.Command] = {
    "sit out": c.SitOut(),
    "sit in": c.SitIn(),
    "start": c.Start(),
    "pause": c.Pause(),
    "resume": c.Resume(),
    "numbers": c.AskNumbers(),
    "show": c.Show(),
    "ready": c.Ready(),
    "lock": c.Lock(on=True),
    "unlock": c.Lock(on=False),
}


class BadCommand(LiarsPokerError):
    """A command that is incomplete, or names somebody who isn't here."""

    code = "bad-command"


def command_of(typed: str, state: State) -> c.Command | None:
    """Read a line as a command; `None` if it isn't one, but perhaps an action.

    Raises:
        BadCommand: it is incomplete, or names somebody who isn't here.
    """
    plain = " ".join(typed.split())
    word, _, rest = plain.partition(" ")
    try:
        if plain.lower() in SIMPLE:
            return SIMPLE[plain.lower()]
        maker = MAKERS.get(word.lower())
        return None if maker is None else maker(rest, state)
    except ValueError as error:
        raise BadCommand(str(error)) from error


def _say(rest: str, state: State) -> c.Command:
    if not rest:
        raise BadCommand(_("say: type a message too, as in: say well played"))
    return c.Say(text=rest)


def _react(rest: str, state: State) -> c.Command:
    found = [reaction for reaction in c.REACTIONS if reaction == rest.lower()]
    if not found:
        raise BadCommand(_("react: type one of {words}, as in: react nice", words=", ".join(c.REACTIONS)))
    return c.React(reaction=found[0])


def _stake(rest: str, state: State) -> c.Command:
    if not re.fullmatch("[0-9]{1,6}", rest):
        raise BadCommand(_("stake: type a number of units, as in stake 2"))
    return c.Propose(kind="stake", value=int(rest))


def _undo(rest: str, state: State) -> c.Command | None:
    return None if rest else c.Propose(kind="undo")


def _remove(rest: str, state: State) -> c.Command:
    return c.Propose(kind="remove", value=_user(rest, state, "remove"))


def _kick(rest: str, state: State) -> c.Command:
    return c.Remove(user=_user(rest, state, "kick"))


def _admit(rest: str, state: State) -> c.Command:
    return c.Admit(user=_user(rest, state, "admit", state.you.removed))


def _owner(rest: str, state: State) -> c.Command:
    return c.Transfer(user=_user(rest, state, "owner"))


def _stand_in(rest: str, state: State) -> c.Command:
    if not rest:
        raise BadCommand(_("standin: type a bot's name too, as in: standin bluffer"))
    return c.StandIn(user=state.you.user, bot=rest)


def _mute(on: bool) -> Callable[[str, State], c.Command]:
    word = "mute" if on else "unmute"
    return lambda rest, state: c.Mute(user=_user(rest, state, word), on=on)


def _answer(yes: bool) -> Callable[[str, State], c.Command]:
    def answer(rest: str, state: State) -> c.Command:
        if not state.you.votes:
            raise BadCommand(_("you have no proposal to answer"))
        return c.AnswerProposal(proposal=state.you.votes[0], yes=yes)

    return answer


def _bot(rest: str, state: State) -> c.Command:
    if not rest:
        raise BadCommand(_("bot: type a bot's name too, as in: bot bluffer"))
    return c.SeatBot(bot=rest)


def _unseat(rest: str, state: State) -> c.Command:
    user = _user(rest, state, "unseat")
    chairs = [None if chair is None else chair.user for chair in state.public.chairs]
    return c.Unseat(chair=chairs.index(user))


def _chat(rest: str, state: State) -> c.Command:
    if rest not in ("on", "off"):
        raise BadCommand(_("chat: type chat on or chat off; to send a message, use say"))
    return c.SetChat(on=rest == "on")


def _pick(rest: str, state: State) -> c.Command:
    if not re.fullmatch("[0-9]{1,2}", rest):
        raise BadCommand(_("pick: type one of the numbers shown, as in pick 3"))
    return c.Pick(choice=int(rest))


def _name(rest: str, state: State) -> c.Command:
    """Read options for the next round, `name passes=1 jokers=2`; the server checks them."""
    options: Options = {}
    for word in rest.replace(",", " ").split():
        name, equals, value = word.partition("=")
        if not equals:
            raise BadCommand("name: type rules for the next round, as in: name passes=1 jokers=2")
        options[name] = (
            int(value) if re.fullmatch("[0-9]{1,9}", value) else {"true": True, "false": False}.get(value, value)
        )
    return c.NameOptions(options=options)


def _user(name: str, state: State, word: str, users: Iterable[str] | None = None) -> str:
    """Return the id of a player with this name, by default of one at the table."""
    if not name:
        raise BadCommand(_("{word}: type a player's name too, as in: {word} Bea", word=word))
    among = state.chairs if users is None else users
    found = [user for user in among if state.name_of(user).casefold() == name.casefold()]
    if not found:
        raise BadCommand(_("{name}: no player at this table has that name", name=format_value(name)))
    return found[0]


MAKERS: dict[str, Callable[[str, State], c.Command | None]] = {
    "say": _say,
    "react": _react,
    "stake": _stake,
    "undo": _undo,
    "remove": _remove,
    "kick": _kick,
    "admit": _admit,
    "owner": _owner,
    "standin": _stand_in,
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
