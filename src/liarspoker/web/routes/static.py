"""The files that pages load."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from liarspoker.web.pages import Pages

router = APIRouter()

_FOR_EVER = "public, max-age=31536000, immutable"


@router.get("/static/{name}")
async def static(name: str, request: Request) -> Response:
    """A file of the bundle; its address changes with its content, so a browser asks for it once."""
    pages: Pages = request.app.state.pages
    asset = pages.assets.by_name.get(name)
    if asset is None:
        raise HTTPException(404, "there is no such file")
    lasting = request.query_params.get("v") == asset.mark
    headers = {"Cache-Control": _FOR_EVER if lasting else "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.squeezed, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
