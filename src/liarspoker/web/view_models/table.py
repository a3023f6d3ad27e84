"""View model of a table: its seats, the round in play, your options, and a result while it is revealed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from liarspoker.core import catalogue
from liarspoker.language import _, language
from liarspoker.protocol.frames import Chat, ChatLine, Presence, Reactions, State
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import PublicView, RoundView, TurnView, UnitsView
from liarspoker.server.ratings import RatedGame, Rating
from liarspoker.tables.state import DAY
from liarspoker.web.view_models.family import NO_HINT, RoundViewModel
from liarspoker.web.view_models.plain import hint_of, pages_for, round_view_model
from liarspoker.web.view_models.ratings import UNRATED, TableRatings
from liarspoker.web.view_models.ready_phase import FairShare, ReadyPhaseViewModel, ready_phase, share_of
from liarspoker.web.view_models.result import Result, result_of
from liarspoker.web.view_models.seats import Seat, Sheet, seats_of, sheet_of
from liarspoker.web.view_models.table_info import TableInfo, Vote, table_info, votes_of
from liarspoker.web.view_models.terms import title_words

_RESULT_FIELDS = ("alive", "winner")
"""Fields of a round, other than `result`, that depend on its result."""


def result_key(public: PublicView) -> str:
    """Return a key for the result that a view shows; empty if it shows none."""
    return "" if _result(public.round) is None else str(public.rounds_played)


def _result(shown: RoundView | None) -> Any:
    """Return the result of a round as its family's class; `None` before the end or if the family has no class."""
    result = getattr(shown, "result", None)
    return result if isinstance(result, Struct) else None


def is_new_result(public: PublicView, before: PublicView) -> bool:
    """Whether `public` shows the result of a round that was still in play in the view `before`."""
    shown, earlier = public.round, before.round
    if result_key(public) in ("", result_key(before)) or shown is None or earlier is None:
        return False
    # A round of Thorin's game that ends without a challenge has no hand to reveal.
    reveals_hand = getattr(_result(shown), "hand", ()) is not None
    return reveals_hand and shown.users == earlier.users


def before_result(public: PublicView, before: PublicView) -> PublicView:
    """Return `public` with its new result, but with everything that depends on the result as in `before`.

    The ready phase is left out, since the players of the next round depend on the result too.
    """
    units = {entry.user: entry.units for entry in before.units}
    shown, earlier = public.round, before.round
    assert shown is not None
    return replace(
        public,
        units=before.units,
        sheet=(*public.sheet[:-1], replace(public.sheet[-1], units={}, lost=())),
        chairs=tuple(chair and replace(chair, units=units.get(chair.user, 0), ready=False) for chair in public.chairs),
        gathering=None,
        round=replace(shown, **{key: getattr(earlier, key) for key in _RESULT_FIELDS if hasattr(earlier, key)}),
    )


@dataclass(slots=True)
class SentParts:
    """The parts of a table's page that its browser has, so that they aren't rendered and sent with every page.

    Attributes:
        shown: by template, the values that the part shows, and its placeholder.
        unsent: by element id, the HTML of the parts to send with the next page.
        surroundings: what `_surroundings` has returned for the last page, and the values that it depends on.
    """

    shown: dict[str, tuple[tuple[object, ...], str]] = field(default_factory=dict)
    unsent: dict[str, str] = field(default_factory=dict)
    surroundings: tuple[object, tuple[TableInfo, Sheet]] | None = None

    def take(self) -> dict[str, str]:
        """Return the unsent parts, which are then taken as sent."""
        taken, self.unsent = self.unsent, {}
        return taken


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The last messages that a browser got from a table, and what else its page shows.

    Attributes:
        presence: the last `presence` message; `None` if there was none.
        reactions: the last `reactions` message; `None` if there was none.
        draft: the user's unsent input by field, such as a claim being built or cards marked for discard.
        link: the table's URL for other people; empty if unknown.
        name: the user's name.
        following: the page was open before the table closed, so the last result stays until the user moves on.
        guided: the page shows hints.
        before: the public view before a new result that is to be revealed; `None` if there is nothing to reveal.
        parts: the parts that the browser has; `None` if the page must be complete.
        has_account: the user has an account, which a rated table takes.
        ratings: the ratings at a rated table.
    """

    state: State
    chat: Chat | None = None
    presence: Presence | None = None
    reactions: Reactions | None = None
    draft: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    name: str = ""
    following: bool = False
    guided: bool = False
    before: PublicView | None = None
    parts: SentParts | None = None
    has_account: bool = False
    ratings: TableRatings = UNRATED


@dataclass(frozen=True, slots=True)
class TableViewModel:
    """A table as one user sees it.

    Attributes:
        settings: the table's settings, as in the protocol.
        deal: number of the latest deal; `None` before the first.
        holds: the table is closed, but the page still shows the result of the last round.
        revealing: a new result is being revealed; the rest of the page doesn't reflect it yet.
        heading: the round or stage, such as `Hand 7`.
        me: the user who views the page; `None` if unknown.
        seated: the user has a seat here.
        free: the numbers of the free seats that aren't reserved.
        left: seconds until the deadline; `None` for no deadline.
        allowed: seconds per decision, for the clock ring; `None` without a clock.
        said: one sentence on the latest event, announced by screen readers.
        guided: the page shows hints.
        hint: a sentence that helps a beginner; empty without one.
        last_action: `bid` or `challenge` for the latest action of the round, which the browser plays a sound for.
        actions: the number of actions in the round so far.
        outcome: how the last round ended for the user: `win`, `loss` or `even`; empty during a round or its reveal, and
            for spectators.
        may_show: the user can show their hand of the round that just ended.
        stake: the stake agreed on for the next hand; `None` for none.
        share: the browser's part in fair deals; `None` for spectators.
        result: the result of a table that has ended; `None` before, or if no round was played.
        parts: the parts that the browser has; `None` if the page must be complete.
        needs_account: the table is rated, and the user has no account.
        ratings: at a rated table, the players' ratings, by user.
        changes: when a rated table has ended, what it has changed, by user.
    """

    id: str
    version: int
    title: str
    game: catalogue.GamePreset
    settings: Settings
    stage: str
    holds: bool
    revealing: bool
    heading: str
    me: str | None
    seated: bool
    owner: bool
    seats: tuple[Seat, ...]
    free: tuple[int, ...]
    round: RoundViewModel | None
    gathering: ReadyPhaseViewModel | None
    votes: tuple[Vote, ...]
    my_turn: bool
    turn: int | None
    left: float | None
    allowed: float | None
    paused: bool
    said: str
    guided: bool
    hint: str
    chat: tuple[ChatLine, ...]
    chat_on: bool
    units: tuple[UnitsView, ...]
    sheet: Sheet
    deal: int | None
    last_action: str
    actions: int
    outcome: str
    may_show: bool
    stake: int | None
    draft: Mapping[str, str]
    share: FairShare | None
    info: TableInfo
    result: Result | None
    parts: SentParts | None = field(compare=False, repr=False)
    needs_account: bool
    ratings: Mapping[str, Rating]
    changes: Mapping[str, RatedGame]

    @property
    def templates(self) -> str:
        """The template folder of the game's family."""
        return self.game.family

    @property
    def phase(self) -> str:
        """Whether the table is `waiting`, `playing` or `ended`."""
        return self.stage if self.stage in ("waiting", "ended") else "playing"

    @property
    def has_records(self) -> bool:
        """Whether a round has been completed."""
        return bool(self.info.rounds_played)

    @property
    def may_review(self) -> bool:
        """Whether the user can review their decisions at this table now."""
        is_open = self.phase == "ended" or self.settings.help
        return self.seated and self.has_records and is_open and pages_for(self.game).review is not None

    @property
    def ranks_otherwise(self) -> bool:
        """Whether players of a rated table have other places for their ratings, because somebody left."""
        standings = () if self.result is None else self.result.standings
        return any(line.user in self.changes and self.changes[line.user].place != line.place for line in standings)


def table_view_model(snapshot: TableSnapshot) -> TableViewModel:
    """Return the view model of a table."""
    state, draft = snapshot.state, snapshot.draft
    public, you = state.public, state.you
    if snapshot.before is not None:
        public = before_result(public, snapshot.before)
    settings = public.settings
    game = catalogue.preset(settings.game)
    me = None if you is None else you.user
    chair = None if you is None else you.chair
    hint = hint_of(public, you, snapshot.before is not None) if snapshot.guided else NO_HINT
    played = round_view_model(public, you, draft or ({"action": hint.action} if hint.action else {}))
    holds = public.stage == "ended" and snapshot.following and played is not None and played.over
    deadline = public.deadline
    info, sheet = _surroundings(snapshot, public)
    return TableViewModel(
        id=public.table,
        version=public.version,
        title=title_words(settings.title, game.id),
        game=game,
        settings=settings,
        stage=public.stage,
        holds=holds,
        revealing=snapshot.before is not None,
        heading=_heading(public, played, holds),
        me=me,
        seated=chair is not None,
        owner=you is not None and you.owner,
        seats=seats_of(public, me, played, snapshot.presence, state.now, snapshot.reactions),
        free=_free_chairs(public),
        round=played,
        gathering=ready_phase(public, you),
        votes=votes_of(public, you),
        my_turn=public.stage == "round" and me is not None and public.to_act == me,
        turn=public.turn,
        left=None if deadline is None or public.paused else max(0.0, deadline - state.now),
        allowed=settings.days * DAY if settings.days else None if settings.clock is None else settings.clock.turn,
        paused=public.paused,
        said="" if snapshot.before is not None else _said(public, played),
        guided=snapshot.guided,
        hint=hint.text,
        chat=() if snapshot.chat is None else snapshot.chat.lines,
        chat_on=public.chat,
        units=public.units,
        sheet=sheet,
        deal=None if public.deal is None else public.deal.deal,
        last_action=_last_action(public.round),
        actions=0 if public.round is None else len(public.round.moves),
        outcome="" if snapshot.before is not None or me is None else _outcome(public, me),
        may_show=you is not None and you.show,
        stake=public.stake,
        draft=draft,
        share=share_of(public, you),
        info=info,
        result=result_of(public, me),
        parts=snapshot.parts,
        needs_account=bool(settings.rated) and not snapshot.has_account,
        ratings=snapshot.ratings.now,
        changes=snapshot.ratings.changes,
    )


_BESIDE_TURN = attrgetter(*(name for name in PublicView.__struct_fields__ if name not in TurnView.__struct_fields__))


def _surroundings(snapshot: TableSnapshot, public: PublicView) -> tuple[TableInfo, Sheet]:
    """Return what the page shows outside the round, which an action in the round doesn't change."""
    you, parts = snapshot.state.you, snapshot.parts
    mine = None if you is None else (you.user, you.owner, you.muted, you.removed)
    outside = snapshot.presence, snapshot.link, snapshot.name, snapshot.has_account
    key = language(), _BESIDE_TURN(public), public.rounds_played, mine, outside
    if parts is not None and parts.surroundings is not None and parts.surroundings[0] == key:
        return parts.surroundings[1]
    made = table_info(public, you, *outside), sheet_of(public, None if you is None else you.user)
    if parts is not None:
        parts.surroundings = key, made
    return made


def _last_action(shown: RoundView | None) -> str:
    if shown is None or not shown.moves:
        return ""
    return "challenge" if shown.moves[-1][1].startswith("challenge") else "bid"


def _outcome(public: PublicView, user: str) -> str:
    if public.stage == "round" or not public.sheet or user not in public.sheet[-1].units:
        return ""
    last = public.sheet[-1]
    units = last.units[user]
    return "loss" if units < 0 or user in last.lost else "win" if units > 0 else "even"


def _free_chairs(public: PublicView) -> tuple[int, ...]:
    reserved = {one.chair for one in public.reserved}
    return tuple(number for number, chair in enumerate(public.chairs) if chair is None and number not in reserved)


def _heading(public: PublicView, played: RoundViewModel | None, holds: bool) -> str:
    stage = public.stage
    if stage == "waiting":
        return _("Waiting for players")
    if stage == "ended" and not holds:
        return _("Table closed")
    return played.heading if played is not None else _("The first deal")


def _said(public: PublicView, played: RoundViewModel | None) -> str:
    if public.paused:
        return _("Clocks paused.")
    if public.stage == "waiting":
        seated = sum(chair is not None for chair in public.chairs)
        return _("{taken} of {seats} seats taken.", taken=seated, seats=len(public.chairs))
    return played.said if played is not None else ""
