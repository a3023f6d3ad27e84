"""The page of leaderboards, and the charts of ratings over time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from liarspoker.core import catalogue
from liarspoker.server.ratings import START, RatedGame
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.tables.rated import MOST_SEATS
from liarspoker.web.pages import page, user_of
from liarspoker.web.view_models.new_table import FIRST_GAME
from liarspoker.web.view_models.odds_fields import read_integer

router = APIRouter()

USUAL_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Trend:
    """A rating over time in points: relative to that of a new player, and its first and last value."""

    values: tuple[int, ...]
    first: int
    last: int


def trends_of(games: Iterable[RatedGame]) -> dict[tuple[str, int], Trend]:
    """Return the rating over time for each game and number of players, given the games, the most recent first."""
    found = defaultdict[tuple[str, int], list[RatedGame]](list)
    for game in games:
        found[game.game, game.players].insert(0, game)
    return {pool: _trend(line) for pool, line in found.items()}


def _trend(games: list[RatedGame]) -> Trend:
    points = [games[0].before.points, *(game.after.points for game in games)]
    return Trend(tuple(one - START for one in points), points[0], points[-1])


@router.get("/leaderboard")
async def leaderboard(request: Request, service: ServiceDep) -> Response:
    """Show a leaderboard: by default that of the game and number of players with the most rated people."""
    user = await user_of(request)
    pools = await service.ratings.pools()
    asked = request.query_params
    known = {row.id: row for row in catalogue.games()}
    usual = next((pool.game for pool in pools if pool.game in known), FIRST_GAME)
    row = known[asked.get("game", usual)] if asked.get("game", usual) in known else known[usual]
    most = next((pool.players for pool in pools if pool.game == row.id), USUAL_PLAYERS)
    fewest, seats = row.seats[0], min(MOST_SEATS, row.seats[1])
    players = read_integer(asked.get("players", ""), fewest, seats) or min(max(most, fewest), seats)
    board = await service.ratings.leaderboard(row.id, players, None if user is None else user.user_id)
    return await page(
        request,
        "leaderboard.html",
        user=user,
        board=board,
        row=row,
        games=catalogue.games(),
        sizes=range(2, MOST_SEATS + 1),
        pools=[pool for pool in pools if pool.game in known],
    )
