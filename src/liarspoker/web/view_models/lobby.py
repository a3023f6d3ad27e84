"""The lobby: which tables there are, your own first, and what you can do at each of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.protocol.frames import State
from liarspoker.records.words import plural
from liarspoker.server.storage.log import Listed
from liarspoker.web.view_models.terms import badge, round_word
from liarspoker.web.words import typeset

Json = dict[str, Any]

TURN, READY, BACK, SIT, WATCH = "turn", "ready", "back", "sit", "watch"
"""What there is to do at a table: act, ask for the next round, go back, sit down, look on; the most urgent first."""

_URGENT = (TURN, READY, BACK, SIT, WATCH)


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table in the lobby.

    Attributes:
        mine: who looks sits there.
        private: it stands here for who sits there alone.
        lines: where it stands, in one or two short lines.
        clock: a clock runs there for every decision.
        do: what there is to do, one of `TURN`, `READY`, `BACK`, `SIT` and `WATCH`.
        left: seconds that are left for it; `None` for as long as one likes.
    """

    id: str
    title: str
    badge: str
    mine: bool
    private: bool
    taken: int
    seats: int
    players: tuple[str, ...]
    bots: int
    lines: tuple[str, ...]
    clock: float | None
    do: str
    left: float | None


@dataclass(frozen=True, slots=True)
class Lobby:
    """The tables that somebody finds in the lobby, their own first, and how many of them wait for an action."""

    tables: tuple[LobbyTable, ...]
    seated: int
    waited_for: int


def sits_at(listed: Listed, user: str | None) -> bool:
    """Whether `user` sits at a table, as its listing tells."""
    return any(player.get("user") == user for player in json.loads(listed.listing.summary)["players"])


def lobby_of(found: Iterable[tuple[Listed, State | None]], user: str | None, now: float) -> Lobby:
    """The lobby as `user` finds it."""
    tables = [_table(listed, seen, user, now) for listed, seen in found]
    tables.sort(key=lambda table: (_URGENT.index(table.do), not table.mine))
    return Lobby(
        tuple(tables),
        sum(table.taken for table in tables),
        sum(table.do in (TURN, READY) for table in tables),
    )


def _table(listed: Listed, seen: State | None, user: str | None, now: float) -> LobbyTable:
    listing = listed.listing
    summary: Json = json.loads(listing.summary)
    game = catalogue.row(listing.game)
    mine = user is not None and sits_at(listed, user)
    do = _to_do(seen) if mine else SIT if listing.seats_taken < listing.seats else WATCH
    waits = seen is not None and do in (TURN, READY) and not seen.public.paused
    deadline = seen.public.deadline if seen is not None and waits else None
    return LobbyTable(
        id=listed.table_id,
        title=listing.title or typeset(game.title),
        badge=badge(listing.game),
        mine=mine,
        private=listing.visibility == "private",
        taken=listing.seats_taken,
        seats=listing.seats,
        players=tuple(player["name"] for player in summary["players"]),
        bots=sum(player["bot"] is not None for player in summary["players"]),
        lines=_lines(listing.status, summary, game),
        clock=summary["clock"],
        do=do,
        left=None if deadline is None else max(0.0, deadline - now),
    )


def _to_do(seen: State | None) -> str:
    """What there is to do at a table of one's own."""
    if seen is None or seen.you is None:
        return BACK
    if seen.public.to_act == seen.you.user:
        return TURN
    gathering = seen.you.gathering
    return READY if gathering is not None and gathering.wanted else BACK


def _lines(status: str, summary: Json, game: catalogue.GameRow) -> tuple[str, ...]:
    """Where a table stands. Listings that are older than this program may tell less."""
    if status == "waiting":
        return ("Waiting for players",)
    word = round_word(game).capitalize()
    number = summary.get("round") or summary["rounds_played"] + 1
    lines = [f"{word} {number}"]
    if "stake" in summary:
        lines.append(f"Stake {summary['stake']}")
    elif "living" in summary:
        lines.append(f"{summary['living']} living")
    return tuple(lines)


def seated_words(lobby: Lobby) -> str:
    """How much is going on, in words.

    >>> seated_words(Lobby((), 0, 0))
    'none yet'
    """
    if not lobby.tables:
        return "none yet"
    return f"{plural(len(lobby.tables), 'table')}, {lobby.seated} seated"
