"""Routes of the installed app: the service worker, and the page that it shows without a connection."""

from __future__ import annotations

import json
from hashlib import sha256

from fastapi import APIRouter, Request
from starlette.responses import Response

from liarspoker import __version__
from liarspoker.core import catalogue
from liarspoker.language import language
from liarspoker.web.assets import Assets
from liarspoker.web.pages import page, pages_of

router = APIRouter()

OFFLINE = "/offline"
"""The page that the service worker shows without a connection."""

_UNUSED = ("sw.js", "verify.js", "app.webmanifest")
"""Static files that no stored page needs; icons as PNG files aren't needed either."""


@router.get("/sw.js")
async def service_worker(request: Request) -> Response:
    """Serve the service worker, preceded by the list of what it stores; browsers store a changed list again.

    It stores pages without cookies, so it needs the language of the user's setting.
    """
    assets = pages_of(request).assets
    paths = kept_paths(assets)
    name = sha256(json.dumps([__version__, language(), *paths]).encode()).hexdigest()[:12]
    kept = {"cache": f"liarspoker-{name}", "paths": paths, "offline": OFFLINE, "language": language()}
    script = f"const KEPT={json.dumps(kept)};\n".encode() + assets.by_name["sw.js"].content
    return Response(script, headers={"Cache-Control": "no-cache"}, media_type="text/javascript")


@router.get(OFFLINE)
async def offline(request: Request) -> Response:
    """Show the page for a lost connection, which is the same for everybody."""
    return await page(request, "offline.html", user=None, games=catalogue.games())


def kept_paths(assets: Assets) -> list[str]:
    """Return the paths that the service worker stores: pages without user data, and their static files."""
    pages = [OFFLINE, "/rules", *(f"/rules/{game.id}" for game in catalogue.games())]
    return pages + [one.path for name, one in assets.by_name.items() if name not in _UNUSED and name[-4:] != ".png"]
