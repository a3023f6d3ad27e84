"""View model of the lobby: the tables, the user's own first, and what the user can do at each of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from liarspoker.core import catalogue
from liarspoker.language import _, ngettext
from liarspoker.protocol.frames import State
from liarspoker.server.accounts.people import NOTHING, Inbox
from liarspoker.server.storage.log import Listed
from liarspoker.server.tables.views import is_reserved_for, sits_at
from liarspoker.web.view_models.family import round_title
from liarspoker.web.view_models.terms import badge, title_words

Json = dict[str, Any]

TURN, READY, INVITED, REMATCH, BACK, SIT, WATCH = "turn", "ready", "invited", "rematch", "back", "sit", "watch"
"""What the user can do at a table, most urgent first: act, get ready, accept an invitation, take a reserved seat,
return, join or watch."""

_URGENT = (TURN, READY, INVITED, REMATCH, BACK, SIT, WATCH)


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table in the lobby.

    Attributes:
        mine: the user has a seat, or one is reserved for them.
        private: the table is listed only for its own players.
        lines: its state in one or two short lines.
        clock: seconds per decision; `None` for no clock.
        days: days per decision, in correspondence play; 0 at other tables.
        do: what the user can do: one of `TURN`, `READY`, `INVITED`, `REMATCH`, `BACK`, `SIT` and `WATCH`.
        left: seconds left for it; `None` for no limit.
        inviter: the name of the friend who has invited the user; empty for none.
        rated: the result changes the players' ratings.
    """

    id: str
    title: str
    game: str
    badge: str
    mine: bool
    private: bool
    taken: int
    seats: int
    players: tuple[str, ...]
    bots: int
    lines: tuple[str, ...]
    clock: float | None
    days: int
    do: str
    left: float | None
    inviter: str = ""
    rated: bool = False


@dataclass(frozen=True, slots=True)
class Lobby:
    """The lobby of a user.

    Attributes:
        yours: the user's correspondence tables, by the time left for the user's turn, then for the others' turns.
        tables: all other tables.
        seated: the number of seated players at these.
        waited_for: the number of these that await the user.
        requests: the number of friend requests that the user can answer.
        last_game: the game that the user last played; `None` for new users.
    """

    yours: tuple[LobbyTable, ...]
    tables: tuple[LobbyTable, ...]
    seated: int
    waited_for: int
    requests: int = 0
    last_game: catalogue.GamePreset | None = None


def last_game_of(listings: Iterable[Listed]) -> catalogue.GamePreset | None:
    """Return the game of the first table at which a round was completed; `None` if there is none."""
    played = (one.listing.game for one in listings if json.loads(one.listing.summary)["rounds_played"])
    return next((catalogue.preset(game) for game in played), None)


def lobby_of(
    found: Iterable[tuple[Listed, State | None]],
    user: str | None,
    now: float,
    inbox: Inbox = NOTHING,
    last_game: catalogue.GamePreset | None = None,
) -> Lobby:
    """Return the lobby of `user`, who played `last_game` last, with the invitations and requests in `inbox`."""
    every = [_table(listed, seen, user, now) for listed, seen in found]
    every += [
        replace(_table(one.table, None, user, now), do=INVITED, inviter=one.person.name, mine=True)
        for one in inbox.received
    ]
    yours = [table for table in every if table.mine and table.days]
    yours.sort(key=lambda table: (_URGENT.index(table.do), inf if table.left is None else table.left))
    tables = [table for table in every if not (table.mine and table.days)]
    tables.sort(key=lambda table: (_URGENT.index(table.do), not table.mine))
    return Lobby(
        tuple(yours),
        tuple(tables),
        sum(table.taken for table in tables),
        sum(table.do in (TURN, READY) for table in tables),
        inbox.requests,
        last_game,
    )


def _table(listed: Listed, seen: State | None, user: str | None, now: float) -> LobbyTable:
    listing = listed.listing
    summary: Json = json.loads(listing.summary)
    game = catalogue.preset(listing.game)
    reserved = is_reserved_for(listing, user)
    mine = reserved or (user is not None and sits_at(listing, user))
    do = SIT if listing.seats_taken < listing.seats else WATCH
    if mine:
        do = REMATCH if reserved else TURN if listing.awaits == user else _to_do(seen)
    waits = seen is not None and do in (TURN, READY) and not seen.public.paused
    deadline = listing.due if mine and listing.due is not None else seen.public.deadline if seen and waits else None
    lines = _lines(listing.status, summary, game)
    to_act = next((player["name"] for player in summary["players"] if player["user"] == listing.awaits), None)
    if mine and do != TURN and to_act is not None:
        lines = (*lines, _("{name} to act", name=to_act))
    return LobbyTable(
        id=listed.table_id,
        title=title_words(listing.title, listing.game),
        game=listing.game,
        badge=badge(listing.game),
        mine=mine,
        private=listing.visibility == "private",
        taken=listing.seats_taken,
        seats=listing.seats,
        players=tuple(player["name"] for player in summary["players"]),
        bots=sum(player["bot"] is not None for player in summary["players"]),
        lines=lines,
        clock=summary["clock"],
        days=summary.get("days", 0),
        do=do,
        left=None if deadline is None else max(0.0, deadline - now),
        rated="rated" in summary,
    )


def _to_do(seen: State | None) -> str:
    """Return what a seated user can do at a table."""
    if seen is None or seen.you is None:
        return BACK
    if seen.public.to_act == seen.you.user:
        return TURN
    gathering = seen.you.gathering
    return READY if gathering is not None and gathering.wanted else BACK


def _lines(status: str, summary: Json, game: catalogue.GamePreset) -> tuple[str, ...]:
    """Return the state of a table; listings stored by older versions may lack details."""
    if status == "waiting":
        waiting = _("Waiting for players")
        return (_("Rematch"), waiting) if summary.get("reserved") else (waiting,)
    lines = [round_title(game, summary["rounds_played"] + 1)]
    if "stake" in summary:
        lines.append(_("Stake {stake}", stake=summary["stake"]))
    elif "living" in summary:
        lines.append(ngettext("{count} still in", "{count} still in", summary["living"]))
    return tuple(lines)


def seated_words(lobby: Lobby) -> str:
    """Return the number of tables and players in words.

    >>> seated_words(Lobby((), (), 0, 0))
    'no table yet'
    """
    if not lobby.tables:
        return _("no table yet")
    tables = ngettext("{count} table", "{count} tables", len(lobby.tables))
    return f"{tables}, {ngettext('{count} player', '{count} players', lobby.seated)}"
