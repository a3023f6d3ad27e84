"""Leaderboards, and people's ratings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.protocol.http import (
    LeaderboardLine,
    LeaderboardResponse,
    RatedGameResponse,
    RatingResponse,
    RatingsResponse,
)
from liarspoker.server.config import check
from liarspoker.server.problems import Problem
from liarspoker.server.ratings import Line
from liarspoker.server.routes.accounts import IdentityDep, ServiceDep
from liarspoker.server.routes.messages import ResponseBody
from liarspoker.server.routes.people import UserId
from liarspoker.server.service import address_of
from liarspoker.tables.rated import MOST_SEATS

router = APIRouter(prefix="/api", tags=["ratings"])


@router.get("/leaderboard")
async def leaderboard(
    service: ServiceDep,
    known: IdentityDep,
    game: Annotated[str, Query(pattern="^[a-z0-9-]{1,40}$")] = "salomon-1986",
    players: Annotated[int, Query(ge=2, le=MOST_SEATS)] = 4,
) -> ResponseBody[LeaderboardResponse]:
    """Get the leaderboard of a game with a number of players, and your own place."""
    try:
        catalogue.preset(game)
    except UnknownGame as error:
        raise Problem("no-such-game", str(error)) from error
    board = await service.ratings.leaderboard(game, players, None if known is None else known.user.user_id)
    own = None if board.own is None else _line(board.own)
    return LeaderboardResponse(game=game, players=players, lines=tuple(map(_line, board.lines)), own=own)


@router.get("/people/{user}/ratings")
async def ratings(user: UserId, service: ServiceDep, request: Request) -> ResponseBody[RatingsResponse]:
    """Get a person's ratings and their history."""
    check(service.records, address_of(request), "requests for ratings")
    person = await service.accounts.user(user)
    return RatingsResponse(
        user=user,
        name=person.name,
        ratings=tuple(
            RatingResponse(
                game=one.game,
                players=one.players,
                rating=one.rating.points,
                deviation=one.rating.deviation,
                provisional=one.rating.is_provisional,
                games=one.rating.games,
            )
            for one in await service.ratings.of(user)
        ),
        # Without ids of tables: who knows the id of a private table can open it.
        history=tuple(
            RatedGameResponse(
                game=one.game,
                players=one.players,
                at=one.at,
                place=one.place,
                rating=one.after.points,
                deviation=one.after.deviation,
                change=one.change,
            )
            for one in await service.ratings.games(user)
        ),
    )


def _line(line: Line) -> LeaderboardLine:
    return LeaderboardLine(
        place=line.place,
        user=line.user,
        name=line.name,
        rating=line.rating.points,
        deviation=line.rating.deviation,
        games=line.rating.games,
    )
