"""View models of the seats around a table, and of the score sheet."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.bots.catalogue import THINKING, bots
from liarspoker.language import _, per_language
from liarspoker.protocol.frames import Presence, Reactions
from liarspoker.protocol.views import ChairView, PublicView
from liarspoker.records.words import name_shown
from liarspoker.web.view_models.family import YOU, RoundViewModel
from liarspoker.web.words import initials, suited

_TITLES = {row.name: row.title for row in (*bots(), *THINKING)}


@dataclass(frozen=True, slots=True, eq=False)  # equal seats are the same object, so caches need not compare them
class Seat:
    """A taken seat.

    Attributes:
        chair: the number of the seat at the table, as in the protocol.
        avatar: the initials that every viewer sees.
        bot: the catalogue name of the bot that plays here, or `None`.
        bot_title: the bot's title; empty for a person.
        act: the player's last action in words, or their state, such as `sits out`.
        said: `act` is an action.
        reaction: the reaction that the seat shows; empty for none.
        hand: the hand that the player has shown after the round, in words; empty for none.
        marks: `turn`, `bidder`, `challenged`, `out`, `won`, `away`, `leaving`, `ready`, `owner`, `offline`,
            `stand-in`; at a correspondence table, `elsewhere` instead of `offline`, and `vacation`.
    """

    chair: int
    user: str
    name: str
    avatar: str
    me: bool
    bot: str | None
    bot_title: str
    units: int
    act: str
    said: bool
    marks: tuple[str, ...]
    reaction: str
    hand: str


def seats_of(
    public: PublicView,
    me: str | None,
    played: RoundViewModel | None,
    presence: Presence | None,
    now: float,
    reactions: Reactions | None = None,
) -> tuple[Seat, ...]:
    """Return the taken seats, starting with the user's own, then clockwise."""
    taken = [(number, chair) for number, chair in enumerate(public.chairs) if chair is not None]
    first = next((at for at, (_number, chair) in enumerate(taken) if chair.user == me), 0)
    turned = taken[first:] + taken[:first]
    reacts = {} if reactions is None else {one.user: one.reaction for one in reactions.reactions}
    users = () if public.round is None else public.round.users
    shown = {users[one.seat]: " ".join(map(suited, one.hand)) for one in public.hands}
    seats = []
    for number, chair in turned:
        user, mine = chair.user, chair.user == me
        act = "" if played is None or public.stage == "waiting" else played.act(user)
        said, waited_for = bool(act), public.stage == "round" and user == public.to_act
        if waited_for:
            act, said = _("your turn") if mine else _("to act"), False
        elif not act:
            act = _state_of(chair, public)
        marks = _marks_of(chair, public, played, presence, now)
        seats.append(_seat(number, chair, mine, act, said, marks, reacts.get(user, ""), shown.get(user, "")))
    return tuple(seats)


def _marks_of(
    chair: ChairView, public: PublicView, played: RoundViewModel | None, presence: Presence | None, now: float
) -> tuple[str, ...]:
    user, stage = chair.user, public.stage
    marks = ["away"] if chair.away else []
    if chair.leaving:
        marks.append("leaving")
    if stage == "round" and user == public.to_act:
        marks.append("turn")
    if chair.stand_in is not None:
        marks.append("stand-in")
    if user == public.owner:
        marks.append("owner")
    if stage == "gathering" and chair.ready:
        marks.append("ready")
    if presence is not None and chair.bot is None and user not in presence.users:
        marks.append("elsewhere" if public.settings.days else "offline")
    if (chair.vacation or 0.0) > now:
        marks.append("vacation")
    return tuple(marks) if played is None or stage == "waiting" else (*marks, *played.marks(user))


@per_language(8192)
def _seat(
    number: int,
    chair: ChairView,
    me: bool,
    act: str,
    said: bool,
    marks: tuple[str, ...],
    reaction: str,
    hand: str,
) -> Seat:
    return Seat(
        chair=number,
        user=chair.user,
        name=name_shown(YOU) if me else chair.name,
        avatar=initials(chair.name),
        me=me,
        bot=chair.bot,
        bot_title=_(_TITLES[chair.bot]) if chair.bot in _TITLES else "",
        units=chair.units,
        act=act,
        said=said,
        marks=marks,
        reaction=reaction,
        hand=hand,
    )


def _state_of(chair: ChairView, public: PublicView) -> str:
    if chair.leaving:
        return _("leaving")
    if chair.away:
        return _("sitting out")
    if public.stage == "gathering":
        return _("ready") if chair.ready else _("not ready yet")
    return ""


@dataclass(frozen=True, slots=True)
class Column:
    """A player on the score sheet.

    Attributes:
        total: units over all rounds.
        before: units from rounds earlier than those on the sheet.
        here: the player has a seat.
    """

    user: str
    name: str
    total: int
    before: int
    here: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A round on the score sheet: per column the units (`None` if not played), and whether the round was lost."""

    number: int
    units: tuple[int | None, ...]
    lost: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet: the user first, then clockwise, then players who left; `earlier` rounds aren't listed."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    earlier: int


def sheet_of(public: PublicView, me: str | None) -> Sheet:
    """Return the score sheet of a view."""
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
                name=name_shown(YOU) if user == me else names[user],
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
