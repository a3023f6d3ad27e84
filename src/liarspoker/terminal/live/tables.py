"""A live table as a whole, told: what it is, how it stands, how it ends."""

from __future__ import annotations

from liarspoker.records.words import object_of, printable, subject, won
from liarspoker.terminal.face import renderer_of
from liarspoker.terminal.live.places import Place
from liarspoker.terminal.live.state import State
from liarspoker.terminal.screen import Screen


def tell_table(screen: Screen, state: State, place: Place) -> None:
    """What is played, who is here, and what friends need."""
    settings = state.public["settings"]
    title = f"{printable(settings['title'])}: " if settings["title"] else ""
    others = [state.name_of(user) for user in state.chairs if user != state.user]
    here = f" Here are: {', '.join(others)}." if others else ""
    screen.say(f"{title}{state.game.row.title}, {settings['seats']} chairs.{here}")
    screen.say(f"For friends who want to join: {place.link}")
    screen.say("Type help at any time.")


def tell_score(screen: Screen, state: State) -> None:
    """How the match stands, if one is played, and what everybody has won or lost."""
    if state.game.row.has_winner and state.dealt:
        renderer_of(state.game).tell_score(screen, state.sight.view, state.names)
    _tell_units(screen, state)


def tell_end(screen: Screen, state: State) -> None:
    """That the table has ended, and who owes whom."""
    screen.say("The table has ended.")
    _tell_units(screen, state)
    for payment in state.public.get("settle_up", ()):
        payer, payee = subject(state.name_of(payment["payer"]), "pays"), object_of(state.name_of(payment["payee"]))
        units = payment["units"]
        screen.say(f"{payer} {payee} {units} unit{'' if units == 1 else 's'}.")


def _tell_units(screen: Screen, state: State) -> None:
    """What everybody who ever sat here has won or lost."""
    told = state.public["units"]
    if not told:
        screen.say("Nobody has won or lost anything yet.")
        return
    names = [state.name_of(one["user"]) for one in told]
    width = max(map(len, names))
    unit = state.public["settings"]["unit"]
    screen.say(f"Score in units{f' of {printable(unit)}' if unit else ''}:")
    for name, one in zip(names, told, strict=True):
        screen.say(f"{name:<{width}}  {won(one['units'])}", indent="  ")


def sentence(told: str) -> str:
    """A message as a sentence."""
    return f"{told[:1].upper()}{told[1:]}{'' if told.endswith(('.', '?')) else '.'}"
