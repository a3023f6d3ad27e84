"""The score sheet: who has won and lost what, round by round."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.protocol.views import PublicView


@dataclass(frozen=True, slots=True)
class Column:
    """Somebody on the sheet.

    Attributes:
        user: his id.
        name: what he is called; `You` for who looks.
        short: the first letters of that.
        total: units won or lost over the table's life.
        before: the part of it that is older than the rounds on the sheet.
        here: he sits at the table.
    """

    user: str
    name: str
    short: str
    total: int
    before: int
    here: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A round on the sheet.

    Attributes:
        number: of the round, from 1.
        units: what each column has won or lost; `None` for who did not play.
        lost: for each column, whether it lost the round, in card games.
    """

    number: int
    units: tuple[int | None, ...]
    lost: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet.

    Attributes:
        columns: who looks first, then clockwise, then those who have left.
        lines: round by round, the oldest first.
        earlier: how many rounds are older than those.
    """

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
