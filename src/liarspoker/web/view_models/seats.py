"""Who sits around a table, and the score sheet."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.bots.catalogue import bots
from liarspoker.protocol.frames import Presence
from liarspoker.protocol.views import ChairView, PublicView
from liarspoker.web.view_models.family import RoundScene

_TITLES = {row.name: row.title for row in bots()}


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody who sits here.

    Attributes:
        place: 0 for who looks on from the bottom of the oval, then clockwise.
        bot: the catalogue name of the bot that plays here, or `None`.
        bot_title: what people call it; empty for a person.
        act: what he has done last, in words; or what is waited for.
        said: it is something that he has said.
        marks: `turn`, `bidder`, `challenged`, `out`, `won`, `away`, `leaving`, `ready`, `owner`, `offline`.
    """

    place: int
    chair: int
    user: str
    name: str
    me: bool
    bot: str | None
    bot_title: str
    units: int
    act: str
    said: bool
    marks: tuple[str, ...]


def seats_of(
    public: PublicView, me: str | None, played: RoundScene | None, presence: Presence | None
) -> tuple[Seat, ...]:
    """Everybody who sits at the table, beginning with who looks, then clockwise."""
    taken = [(number, chair) for number, chair in enumerate(public.chairs) if chair is not None]
    first = next((at for at, (_, chair) in enumerate(taken) if chair.user == me), 0)
    turned = taken[first:] + taken[:first]
    return tuple(
        _seat(place, number, chair, public, me, played, presence) for place, (number, chair) in enumerate(turned)
    )


def _seat(
    place: int,
    number: int,
    chair: ChairView,
    public: PublicView,
    me: str | None,
    played: RoundScene | None,
    presence: Presence | None,
) -> Seat:
    user, to_act = chair.user, public.to_act
    waited_for = public.stage == "round" and user == to_act
    marks = [mark for mark in ("away", "leaving") if getattr(chair, mark)]
    marks += ["turn"] if waited_for else []
    marks += ["owner"] if user == public.owner else []
    marks += ["ready"] if public.stage == "gathering" and chair.ready else []
    offline = presence is not None and chair.bot is None and user not in presence.users
    marks += ["offline"] if offline else []
    act = ""
    if played is not None and public.stage in ("round", "gathering", "ended"):
        act, marks = played.act(user), [*marks, *played.marks(user)]
    said = bool(act)
    if waited_for:
        act, said = "your turn" if user == me else "to act", False
    elif not act:
        act = _state_of(chair, public)
    return Seat(
        place=place,
        chair=number,
        user=user,
        name="You" if user == me else chair.name,
        me=user == me,
        bot=chair.bot,
        bot_title=_TITLES.get(chair.bot or "", ""),
        units=chair.units,
        act=act,
        said=said,
        marks=tuple(marks),
    )


def _state_of(chair: ChairView, public: PublicView) -> str:
    if chair.leaving:
        return "leaving"
    if chair.away:
        return "sits out"
    if public.stage == "gathering":
        return "ready" if chair.ready else "not ready yet"
    return ""


@dataclass(frozen=True, slots=True)
class Column:
    """Somebody on the sheet: all units, those from before the rounds on the sheet, whether they sit here."""

    user: str
    name: str
    short: str
    total: int
    before: int
    here: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A round on the sheet: for each column the units, `None` for who did not play, and whether it lost the round."""

    number: int
    units: tuple[int | None, ...]
    lost: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet: who looks first, then clockwise, then those who have left; `earlier` rounds are not on it."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    earlier: int


def sheet_of(public: PublicView, me: str | None) -> Sheet:
    """The score sheet of a view."""
    names = {entry.user: entry.name for entry in public.units}
    totals = {entry.user: entry.units for entry in public.units}
    chairs = [chair for chair in public.chairs if chair is not None]
    first = next((at for at, chair in enumerate(chairs) if chair.user == me), 0)
    here = [chair.user for chair in chairs[first:] + chairs[:first]]
    names |= {chair.user: chair.name for chair in chairs}
    rounds = public.sheet
    users = [*here, *(user for user in totals if user not in here)]
    return Sheet(
        columns=tuple(
            Column(
                user=user,
                name="You" if user == me else names[user],
                short="You" if user == me else names[user][:4].strip(),
                total=totals.get(user, 0),
                before=totals.get(user, 0) - sum(one.units.get(user, 0) for one in rounds),
                here=user in here,
            )
            for user in users
        ),
        lines=tuple(
            Line(
                one.round + 1,
                tuple(one.units.get(user) for user in users),
                tuple(user in one.lost for user in users),
            )
            for one in rounds
        ),
        earlier=rounds[0].round if rounds else 0,
    )
