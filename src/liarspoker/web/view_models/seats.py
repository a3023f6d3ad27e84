"""Who sits around a table."""

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
        chair: its number, as the protocol counts them.
        user: his id.
        name: what he is called; `You` for who looks.
        me: it is who looks.
        bot: the catalogue name of the bot that plays here, or `None`.
        bot_title: what people call it; empty for a person.
        units: won or lost.
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


@dataclass(frozen=True, slots=True)
class FreeChair:
    """A chair in which nobody sits.

    Attributes:
        chair: its number.
    """

    chair: int


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


def free_chairs(public: PublicView) -> tuple[FreeChair, ...]:
    """The chairs in which nobody sits."""
    return tuple(FreeChair(number) for number, chair in enumerate(public.chairs) if chair is None)


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
