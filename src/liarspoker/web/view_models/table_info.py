"""View model of a table outside the round: invite link, settings, people, proposals and rematch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from liarspoker.bots.catalogue import THINKING, BotRow, bots, load, table_bots
from liarspoker.bots.protocol import is_untrained
from liarspoker.core import catalogue
from liarspoker.language import N_, _
from liarspoker.protocol.frames import Presence
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import PrivateView, ProposalView, PublicView
from liarspoker.records.words import YOU, said_of
from liarspoker.web.view_models.terms import Terms, terms_of
from liarspoker.web.words import initials


@dataclass(frozen=True, slots=True)
class Other:
    """Another player who has or had a seat here.

    Attributes:
        bot: the bot's title; empty for a person.
        absent: a person who sits out or has no connection, so that the owner can let a bot play for them; without
            JavaScript, the page doesn't know who is connected, and everyone may be absent.
    """

    user: str
    name: str
    chair: int | None
    bot: str
    muted: bool
    removable: bool
    person: bool
    stand_in: bool
    absent: bool
    banned: bool


@dataclass(frozen=True, slots=True)
class ReservedSeat:
    """A free seat that is kept for a player, with their initials; `mine` if it is the user."""

    chair: int
    name: str
    avatar: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Rematch:
    """The table at which the players continue, and who opened it; `mine` if the user did."""

    table: str
    name: str
    mine: bool


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What a table's page shows outside the round.

    Attributes:
        link: the invite link; empty if unknown.
        name: the user's name at this table; empty if unknown.
        levels: the bots that can be added.
        untrained: the titles of those that weren't trained for this table, while it waits for players.
        others: all other players, seated ones first.
        missing: the number of players needed before the table can start.
        spectators: the number of browsers that show this table to people without a seat.
        away: the user sits out.
        stand_in: a bot plays for the user.
        locked: nobody new can join the table.
        leaving: the user has left; the server finishes the round for them.
        stakes: the user can propose a stake for the next hand.
        end_reason: the operator's reason for closing the table; empty if the operator didn't close it.
        unit: the value of a unit in words.
        reserved: the free seats that are kept for players.
        takes_seat: the user can sit down.
        rematch: the rematch of a table that has ended; `None` if there is none.
        again: the user can open or join a rematch.
        rated: the result changes the players' ratings.
        fixed: the table is rated and has begun, so that nobody can join, sit out, or close it.
        event: id of the duplicate event that the table belongs to; empty for none.
    """

    link: str
    name: str
    terms: Terms
    levels: tuple[BotRow, ...]
    untrained: tuple[str, ...]
    others: tuple[Other, ...]
    owner: str
    missing: int
    spectators: int
    away: bool
    stand_in: bool
    locked: bool
    leaving: bool
    stakes: bool
    stake: int | None
    rounds_played: int = field(compare=False)  # it changes with every round, but most parts don't show it
    end_reason: str
    unit: str
    reserved: tuple[ReservedSeat, ...]
    takes_seat: bool
    rematch: Rematch | None
    again: bool
    rated: bool
    fixed: bool
    event: str


def table_info(
    public: PublicView,
    you: PrivateView | None,
    presence: Presence | None,
    link: str,
    name: str,
    has_account: bool = False,
) -> TableInfo:
    """Return the `TableInfo` of a view."""
    settings = public.settings
    game = catalogue.preset(settings.game)
    me = None if you is None else you.user
    mine = next((chair for chair in public.chairs if chair is not None and chair.user == me), None)
    names = {entry.user: entry.name for entry in public.units}
    names |= {chair.user: chair.name for chair in public.chairs if chair is not None}
    seated = {chair.user for chair in public.chairs if chair is not None}
    reserved = tuple(ReservedSeat(one.chair, one.name, initials(one.name), one.user == me) for one in public.reserved)
    fixed = bool(settings.rated) and public.deal is not None
    levels = () if settings.rated else tuple(bot for bot in table_bots() if bot.plays(game))
    return TableInfo(
        link="" if public.event and public.stage != "ended" else link,
        name=name if mine is None else mine.name,
        terms=terms_of(settings),
        levels=levels,
        untrained=_untrained(levels, settings, len(public.chairs)) if public.stage == "waiting" and levels else (),
        others=_others(public, you, names, presence),
        owner="" if public.owner == me else names.get(public.owner, ""),
        missing=max(0, game.seats[0] - len(seated)),
        spectators=_spectators(presence, seated),
        away=mine is not None and mine.away,
        stand_in=mine is not None and mine.stand_in is not None,
        locked=public.locked,
        leaving=mine is not None and mine.leaving,
        stakes=not (game.has_winner or public.event)
        and mine is not None
        and not mine.away
        and not _proposed(public, "stake"),
        stake=public.stake,
        rounds_played=public.rounds_played,
        end_reason=public.end_reason or "",
        unit=settings.unit,
        reserved=reserved,
        takes_seat=mine is None
        and not fixed
        and (has_account or not settings.rated)
        and (len(seated) + len(reserved) < len(public.chairs) or any(r.mine for r in reserved)),
        rematch=None
        if public.rematch is None
        else Rematch(public.rematch.table, public.rematch.name, public.rematch.user == me),
        rated=bool(settings.rated),
        fixed=fixed,
        again=not public.event and public.stage == "ended" and you is not None and (mine is not None or you.owner),
        event=public.event or "",
    )


def _untrained(rows: Sequence[BotRow], settings: Settings, seats: int) -> tuple[str, ...]:
    """Return the titles of the bots that weren't trained for a table; bots that think go without saying."""
    game = catalogue.load(settings.game)
    session = game.session(seats, game.options(dict(settings.options)))
    found = (row for row in rows if not row.network and is_untrained(load(row.name, game.preset.family), session))
    return tuple(_(row.title) for row in found)


def presence_key(public: PublicView, presence: Presence | None) -> object:
    """Return what a page shows of `presence`; a page only changes with presence if this value changes."""
    seated = {chair.user for chair in public.chairs if chair is not None}
    here = None if presence is None else seated.intersection(presence.users)
    return here, _spectators(presence, seated) if public.stage == "waiting" else 0


def _spectators(presence: Presence | None, seated: set[str]) -> int:
    if presence is None:
        return 0
    return max(0, presence.watchers - sum(user in seated for user in presence.users))


def _proposed(public: PublicView, kind: str) -> bool:
    return any(proposal.kind == kind for proposal in public.proposals)


def _others(
    public: PublicView, you: PrivateView | None, names: dict[str, str], presence: Presence | None
) -> tuple[Other, ...]:
    me = None if you is None else you.user
    muted = () if you is None else you.muted
    chairs = {chair.user: (at, chair) for at, chair in enumerate(public.chairs) if chair is not None}
    people = [user for user, (_, chair) in chairs.items() if chair.bot is None and not chair.leaving]
    votes = me in people and len(people) > 2 and not public.event and not _proposed(public, "remove")
    here = people if public.settings.days else () if presence is None else presence.users
    titles, bot = {one.name: one.title for one in (*bots(), *THINKING)}, N_("Bot")
    return tuple(
        Other(
            user=user,
            name=names[user],
            chair=chairs[user][0] if user in chairs else None,
            bot=_(titles.get(chairs[user][1].bot or "", bot)) if user in chairs and chairs[user][1].bot else "",
            muted=user in muted,
            removable=votes and user in people,
            person=user in people,
            stand_in=user in people and chairs[user][1].stand_in is not None,
            absent=user in people and (user not in here or chairs[user][1].away),
            banned=you is not None and user in you.removed,
        )
        for user in sorted(names, key=lambda user: user not in chairs)
        if user != me
    )


@dataclass(frozen=True, slots=True)
class Vote:
    """A proposal in words; `mine` if the user made it, `wanted` if it awaits their vote."""

    number: int
    words: str
    mine: bool
    wanted: bool
    tally: str


def votes_of(public: PublicView, you: PrivateView | None) -> tuple[Vote, ...]:
    """Return the open proposals."""
    names = {entry.user: entry.name for entry in public.units}
    names |= {chair.user: chair.name for chair in public.chairs if chair is not None}
    me = None if you is None else you.user
    wanted = () if you is None else you.votes
    return tuple(
        Vote(
            number=one.proposal,
            words=_words(one, names, me),
            mine=one.by == me,
            wanted=one.proposal in wanted,
            tally=_("{yes} of {voters} agreed", yes=len(one.yes), voters=len(one.voters)),
        )
        for one in public.proposals
    )


def _words(one: ProposalView, names: dict[str, str], me: str | None) -> str:
    who = YOU if one.by == me else names.get(one.by, _("another player"))
    if one.kind == "stake":
        yours, theirs = (
            N_("You propose a stake of {stake} for the next hand"),
            N_("{name} proposes a stake of {stake} for the next hand"),
        )
    elif one.kind == "undo":
        yours, theirs = N_("You propose to undo your last action"), N_("{name} proposes to undo their last action")
    elif one.value == me:
        yours = theirs = N_("{name} proposes to remove you from the table")
    else:
        yours, theirs = (
            N_("You propose to remove {player} from the table"),
            N_("{name} proposes to remove {player} from the table"),
        )
    return said_of(who, yours, theirs, stake=one.value, player=names.get(str(one.value), _("another player")))
