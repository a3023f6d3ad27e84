"""The rules: a shelf of all games, and a page for each."""

from __future__ import annotations

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from liarspoker.core.errors import UnknownGame
from liarspoker.web.pages import page
from liarspoker.web.view_models import rules
from liarspoker.web.view_models.odds_fields import whole

router = APIRouter()


@router.get("/rules")
async def shelf(request: Request) -> Response:
    """All games."""
    return await page(request, "rules/index.html", games=rules.shelf())


@router.get("/rules/{game}")
async def game(game: str, request: Request) -> Response:
    """One game; `?players=N` asks what levels pay among so many."""
    players = whole(request.query_params.get("players", ""), 2, 100)
    try:
        scene = await to_thread.run_sync(rules.scene, game, players)
    except UnknownGame as error:
        raise HTTPException(404, str(error)) from None
    return await page(request, "rules/game.html", rules=scene, games=rules.shelf())
