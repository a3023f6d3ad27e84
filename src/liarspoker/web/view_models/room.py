"""The room around a table: the invitation, the terms, who is there, what is proposed, what is settled."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.bots.catalogue import BotRow, bots
from liarspoker.core import catalogue
from liarspoker.protocol.frames import Presence
from liarspoker.protocol.views import PrivateView, ProposalView, PublicView
from liarspoker.web.view_models.terms import Terms, round_word, terms_of


@dataclass(frozen=True, slots=True)
class Other:
    """Somebody else who sits here or has sat here; `bot` is the title of the bot, empty for a person."""

    user: str
    name: str
    chair: int | None
    bot: str
    muted: bool
    removable: bool


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment of units that helps to square the table; `mine` if who looks pays or is paid."""

    payer: str
    payee: str
    units: int
    mine: bool


@dataclass(frozen=True, slots=True)
class RoomScene:
    """The room around a table.

    Attributes:
        link: the address under which a friend finds this table; empty where it is not known.
        name: what who looks is called here; empty for somebody not known.
        others: everybody else, those who sit here first.
        missing: how many players are missing before it can begin.
        onlookers: how many browsers show this table to people who do not sit here.
        away: who looks sits out.
        leaving: who looks has left, and his round is played to its end.
        stakes: a stake can be proposed for the next hand.
        end_reason: why whoever runs the server has closed the table; empty where they have not.
    """

    link: str
    name: str
    terms: Terms
    word: str
    levels: tuple[BotRow, ...]
    others: tuple[Other, ...]
    owner: str
    missing: int
    onlookers: int
    away: bool
    leaving: bool
    stakes: bool
    stake: int | None
    rounds_played: int
    payments: tuple[Paid, ...]
    end_reason: str
    unit: str


def room_of(public: PublicView, you: PrivateView | None, presence: Presence | None, link: str, name: str) -> RoomScene:
    """The room around the table of a view."""
    settings = public.settings
    game = catalogue.row(settings.game)
    me = None if you is None else you.user
    mine = next((chair for chair in public.chairs if chair is not None and chair.user == me), None)
    names = {entry.user: entry.name for entry in public.units}
    names |= {chair.user: chair.name for chair in public.chairs if chair is not None}
    seated = {chair.user for chair in public.chairs if chair is not None}
    return RoomScene(
        link=link,
        name=name if mine is None else mine.name,
        terms=terms_of(settings),
        word=round_word(game),
        levels=tuple(bot for bot in bots() if bot.plays(game)),
        others=_others(public, you, names),
        owner="You" if public.owner == me else names.get(public.owner, "its owner"),
        missing=max(0, game.seats[0] - len(seated)),
        onlookers=_onlookers(presence, seated),
        away=mine is not None and mine.away,
        leaving=mine is not None and mine.leaving,
        stakes=not game.has_winner and mine is not None and not mine.away and not _proposed(public, "stake"),
        stake=public.stake,
        rounds_played=public.rounds_played,
        payments=_payments(public, me, names),
        end_reason=public.end_reason or "",
        unit=settings.unit,
    )


def there(public: PublicView, presence: Presence | None) -> object:
    """What a page shows of who has the table open; while it is equal, nobody who came or went is to be seen."""
    seated = {chair.user for chair in public.chairs if chair is not None}
    here = None if presence is None else seated.intersection(presence.users)
    return here, _onlookers(presence, seated) if public.stage == "waiting" else 0


def _onlookers(presence: Presence | None, seated: set[str]) -> int:
    if presence is None:
        return 0
    return max(0, presence.watchers - sum(user in seated for user in presence.users))


def _proposed(public: PublicView, kind: str) -> bool:
    return any(proposal.kind == kind for proposal in public.proposals)


def _others(public: PublicView, you: PrivateView | None, names: dict[str, str]) -> tuple[Other, ...]:
    me = None if you is None else you.user
    muted = () if you is None else you.muted
    chairs = {chair.user: (at, chair) for at, chair in enumerate(public.chairs) if chair is not None}
    people = [user for user, (_, chair) in chairs.items() if chair.bot is None and not chair.leaving]
    votes = me in people and len(people) > 2 and not _proposed(public, "remove")
    titles = {bot.name: bot.title for bot in bots()}
    return tuple(
        Other(
            user=user,
            name=names[user],
            chair=chairs[user][0] if user in chairs else None,
            bot=titles.get(chairs[user][1].bot or "", "Bot") if user in chairs and chairs[user][1].bot else "",
            muted=user in muted,
            removable=votes and user in people,
        )
        for user in sorted(names, key=lambda user: user not in chairs)
        if user != me
    )


def _payments(public: PublicView, me: str | None, names: dict[str, str]) -> tuple[Paid, ...]:
    def called(user: str) -> str:
        return "You" if user == me else names.get(user, "somebody")

    return tuple(
        Paid(called(one.payer), called(one.payee), one.units, me in (one.payer, one.payee))
        for one in public.settle_up or ()
    )


@dataclass(frozen=True, slots=True)
class Vote:
    """A proposal, in words; `mine` if who looks made it, `wanted` if their vote is waited for."""

    number: int
    words: str
    mine: bool
    wanted: bool
    tally: str


def votes_of(public: PublicView, you: PrivateView | None) -> tuple[Vote, ...]:
    """The proposals on the table."""
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
            tally=f"{len(one.yes)} of {len(one.voters)} agree",
        )
        for one in public.proposals
    )


def _words(one: ProposalView, names: dict[str, str], me: str | None) -> str:
    who = "You" if one.by == me else names.get(one.by, "Somebody")
    verb = "propose" if who == "You" else "proposes"
    if one.kind == "stake":
        return f"{who} {verb} a stake of {one.value} for the next hand"
    if one.kind == "undo":
        return f"{who} would like to take {'your' if who == 'You' else 'the'} last action back"
    whom = "you" if one.value == me else names.get(str(one.value), "somebody")
    return f"{who} {verb} to remove {whom} from the table"
