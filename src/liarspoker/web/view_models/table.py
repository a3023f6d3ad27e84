"""A whole table: who sits where, what is going on, what you may do; and a result while it is revealed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from liarspoker.core import catalogue
from liarspoker.protocol.frames import Chat, ChatLine, Presence, State
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import PublicView, RoundView, UnitsView
from liarspoker.web.view_models.family import RoundScene
from liarspoker.web.view_models.gathering import FairShare, GatheringScene, gathering_of, share_of
from liarspoker.web.view_models.plain import round_scene
from liarspoker.web.view_models.room import RoomScene, Vote, room_of, votes_of
from liarspoker.web.view_models.seats import Seat, Sheet, seats_of, sheet_of
from liarspoker.web.words import typeset

_KEPT = ("alive", "winner")
"""What a round tells of its result outside of `result`."""


def result_key(public: PublicView) -> str:
    """Which result a view shows; empty if it shows none."""
    return "" if _result(public.round) is None else str(public.rounds_played)


def _result(shown: RoundView | None) -> Any:
    """The result of a round, as its family tells it; `None` before, and in a family that has no class for it."""
    result = getattr(shown, "result", None)
    return result if isinstance(result, Struct) else None


def is_news(public: PublicView, before: PublicView) -> bool:
    """Whether a view shows the result of a round that was seen in play, in the view `before`."""
    shown, earlier = public.round, before.round
    if result_key(public) in ("", result_key(before)) or shown is None or earlier is None:
        return False
    turned_up = getattr(_result(shown), "hand", ()) is not None  # in Thorin's game a round may end without a challenge
    return turned_up and shown.users == earlier.users


def around_result(public: PublicView, before: PublicView) -> PublicView:
    """A view whose result is news: the result alone is new, and everything that follows from it is as it was `before`.

    Nothing is gathered for the next deal yet, since who takes part in it depends on the result, too.
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
        round=replace(shown, **{key: getattr(earlier, key) for key in _KEPT if hasattr(earlier, key)}),
    )


Kept = dict[str, tuple[tuple[object, ...], int, str]]
"""By template: what a part of a page shows, the version of the table that its forms name, and its HTML."""


@dataclass(frozen=True, slots=True)
class Seen:
    """All that a browser has been told of a table.

    Attributes:
        presence: the last `presence`; `None` where it is not known.
        draft: what the person is about to say, by field: a claim that is put together, cards chosen for the discard.
        link: the address under which others find the table; empty where that is not known.
        following: the page has been open since before the table ended, so the last result stays until its reader
            goes on.
        before: where the result is news and is to be revealed, the public view before it; else `None`.
        kept: parts of the page as it was drawn last; `pages.kept` fills it.
    """

    state: State
    chat: Chat | None = None
    presence: Presence | None = None
    draft: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    name: str = ""
    following: bool = False
    before: PublicView | None = None
    kept: Kept = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableScene:
    """A table as somebody sees it.

    Attributes:
        settings: the public ones, as the protocol tells them.
        holds: the table has ended, and the result of its last round stays until the reader goes on.
        revealing: that result is being revealed, and nothing around it depends on it yet.
        heading: where the evening stands, such as `Hand 7`.
        me: the user who looks; `None` for somebody not known.
        left: seconds until the deadline; `None` for no deadline.
        allowed: seconds that a decision may take in all, for the ring of a clock.
        said: one sentence on what has just happened, for everybody to hear.
        stake: the stake that the table has agreed on for the next hand; `None` for none.
        kept: parts of the page as it was drawn last.
        share: what his browser does for fair deals; `None` for who does not sit here.
    """

    id: str
    version: int
    title: str
    game: catalogue.GameRow
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
    round: RoundScene | None
    gathering: GatheringScene | None
    votes: tuple[Vote, ...]
    my_turn: bool
    turn: int | None
    left: float | None
    allowed: float | None
    paused: bool
    said: str
    chat: tuple[ChatLine, ...]
    chat_on: bool
    units: tuple[UnitsView, ...]
    sheet: Sheet
    stake: int | None
    draft: Mapping[str, str]
    share: FairShare | None
    room: RoomScene
    kept: Kept = field(compare=False, repr=False)

    @property
    def templates(self) -> str:
        """Which templates show the games of its family."""
        return self.game.family


def scene_of(seen: Seen) -> TableScene:
    """What the page of a table draws."""
    state, draft = seen.state, seen.draft
    public, you = state.public, state.you
    if seen.before is not None:
        public = around_result(public, seen.before)
    settings = public.settings
    game = catalogue.row(settings.game)
    me = None if you is None else you.user
    chair = None if you is None else you.chair
    played = round_scene(public, you, draft)
    holds = public.stage == "ended" and seen.following and played is not None and played.over
    deadline = public.deadline
    return TableScene(
        id=public.table,
        version=public.version,
        title=settings.title or typeset(game.title),
        game=game,
        settings=settings,
        stage=public.stage,
        holds=holds,
        revealing=seen.before is not None,
        heading=_heading(public, played, holds),
        me=me,
        seated=chair is not None,
        owner=you is not None and you.owner,
        seats=seats_of(public, me, played, seen.presence),
        free=tuple(number for number, chair in enumerate(public.chairs) if chair is None),
        round=played,
        gathering=gathering_of(public, you),
        votes=votes_of(public, you),
        my_turn=public.stage == "round" and me is not None and public.to_act == me,
        turn=public.turn,
        left=None if deadline is None or public.paused else max(0.0, deadline - state.now),
        allowed=None if settings.clock is None else settings.clock.turn,
        paused=public.paused,
        said="" if seen.before is not None else _said(public, played),
        chat=() if seen.chat is None else seen.chat.lines,
        chat_on=public.chat,
        units=public.units,
        sheet=sheet_of(public, me),
        stake=public.stake,
        draft=draft,
        share=share_of(public, you),
        room=room_of(public, you, seen.presence, seen.link, seen.name),
        kept=seen.kept,
    )


def _heading(public: PublicView, played: RoundScene | None, holds: bool) -> str:
    stage = public.stage
    if stage == "waiting":
        return "Waiting for players"
    if stage == "ended" and not holds:
        return "The table is closed"
    return played.heading if played is not None else "The first deal"


def _said(public: PublicView, played: RoundScene | None) -> str:
    if public.paused:
        return "The clocks stand."
    if public.stage == "waiting":
        seated = sum(chair is not None for chair in public.chairs)
        return f"{seated} of {len(public.chairs)} chairs are taken."
    return played.said if played is not None else ""
