"""How somebody likes the pages: kept in a cookie, for guests as well as for accounts."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.server.routes.accounts import Here
from liarspoker.web.pages import page
from liarspoker.web.preferences import COOKIE, LASTS, Preferences
from liarspoker.web.view_models.looks import LOOKS

router = APIRouter()


@router.get("/settings")
async def form(request: Request, saved: str = "") -> Response:
    """The choices that there are."""
    return await page(request, "settings.html", looks=LOOKS, saved=bool(saved))


@router.post("/settings")
async def change(request: Request, service: Here) -> Response:
    """Keep what was chosen, and go back to where that was done."""
    given = {name: str(value) for name, value in (await request.form(max_fields=20)).items()}
    looks = Preferences.read(request.cookies).changed(given)
    response = RedirectResponse(_local(given.get("back", "")), 303)
    secure = service.config.tls
    response.set_cookie(COOKIE, looks.written(), LASTS, path="/", secure=secure, httponly=True, samesite="lax")
    return response


def _local(path: str) -> str:
    """A place of this server to go back to; the lobby for anything else."""
    ours = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if ours else "/"
