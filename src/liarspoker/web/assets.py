"""What pages load beside themselves: the bundled script and styles, and the sprite of engraved shapes."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from liarspoker.core.errors import LiarsPokerError

_TYPES = {
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml; charset=utf-8",
    "webmanifest": "application/manifest+json",
}
_FILES = ("app.js", "app.css", "verify.js", "ornament.svg")


class NotBuilt(LiarsPokerError):
    """The browser's part has not been built."""

    code = "not-built"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file: its content, plain and squeezed by gzip, and a mark that changes with the content."""

    name: str
    media_type: str
    content: bytes
    squeezed: bytes
    mark: str

    @property
    def path(self) -> str:
        """Its address on this server; another content has another one."""
        return f"/static/{self.name}?v={self.mark}"


@dataclass(frozen=True, slots=True)
class Assets:
    """All files that pages load, by name."""

    by_name: Mapping[str, Asset]

    @classmethod
    def load(cls) -> Assets:
        """Read what was bundled, and the sprite.

        Raises:
            NotBuilt: the bundle is not there.
        """
        folder = files("liarspoker.web") / "static"
        found = {}
        for name in _FILES:
            place = folder / name
            if not place.is_file():
                raise NotBuilt(f"{name} has not been built; run make client, or install the package again")
            found[name] = _asset(name, place.read_bytes())
        return cls(found)

    def path(self, name: str) -> str:
        """The address of the file called `name`."""
        return self.by_name[name].path


def _asset(name: str, content: bytes) -> Asset:
    media_type = _TYPES[name.rpartition(".")[2]]
    mark = sha256(content).hexdigest()[:12]
    return Asset(name, media_type, content, gzip.compress(content, 9, mtime=0), mark)


router = APIRouter()

_FOR_EVER = "public, max-age=31536000, immutable"


@router.get("/static/{name}")
async def static(name: str, request: Request) -> Response:
    """A file of the bundle; its address changes with its content, so a browser asks for it once."""
    assets: Assets = request.app.state.pages.assets
    asset = assets.by_name.get(name)
    if asset is None:
        raise HTTPException(404, "there is no such file")
    lasting = request.query_params.get("v") == asset.mark
    headers = {"Cache-Control": _FOR_EVER if lasting else "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.squeezed, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
