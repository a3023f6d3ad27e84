"""What can be played: games with their options, and bots."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from liarspoker.bots.catalogue import BOTS
from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.server.problems import Problem

router = APIRouter(prefix="/api", tags=["catalogue"])


@router.get("/games")
async def games() -> list[dict[str, Any]]:
    """All games."""
    return [_row(row) for row in catalogue.GAMES]


@router.get("/games/{game}")
async def game(game: str) -> dict[str, Any]:
    """One game with every option, its values, its default and the source of the rule."""
    try:
        loaded = catalogue.load(game)
    except UnknownGame as error:
        raise Problem("no-such-game", str(error)) from error
    defaults = loaded.options()
    options = [
        {
            "name": info.name,
            "choices": list(info.choices),
            "default": getattr(defaults, info.name),
            "meaning": info.meaning,
            "source": info.source,
        }
        for info in loaded.option_infos
    ]
    return {**_row(loaded.row), "options": options}


@router.get("/bots")
async def bots() -> list[dict[str, Any]]:
    """All bots that can be seated."""
    return [
        {
            "name": bot.name,
            "title": bot.title,
            "summary": bot.summary,
            "games": [row.id for row in catalogue.GAMES if bot.plays(row)],
        }
        for bot in BOTS
    ]


def _row(row: catalogue.GameRow) -> dict[str, Any]:
    return {
        "game": row.id,
        "title": row.title,
        "seats": list(row.seats),
        "summary": row.summary,
        "source": row.source,
        "has_winner": row.has_winner,
        "rules_version": row.rules_version,
    }
