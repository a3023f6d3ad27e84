"""Static assets: the bundled script and styles, and the SVG sprite."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import LANGUAGES, N_, _, speaking

_TYPES = {
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_FONTS = ("serif.woff2", "serif-more.woff2", "sans.woff2", "sans-more.woff2")
_FILES = (
    *_FONTS,
    "app.js",
    "app.css",
    "coach.css",
    "app.webmanifest",
    "sw.js",
    "verify.js",
    "ornament.svg",
    "icon.svg",
    "icon-turn.svg",
    "icon-192.png",
    "icon-512.png",
    "icon-apple.png",
    "icon-maskable.png",
)
"""The style sheet follows the fonts, since it contains their URLs."""


class NotBuilt(LiarsPokerError):
    """The client bundle hasn't been built."""

    code = "not-built"


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file: its content, plain and gzipped, and a hash of the content."""

    name: str
    media_type: str
    content: bytes
    gzipped: bytes
    digest: str

    @property
    def path(self) -> str:
        """Its URL on this server, which changes with the content."""
        return f"/static/{self.name}?v={self.digest}"


@dataclass(frozen=True, slots=True)
class Assets:
    """The static files of the pages, by name."""

    by_name: Mapping[str, Asset]

    @classmethod
    def load(cls) -> Assets:
        """Read the bundle and the sprite.

        Raises:
            NotBuilt: a file is missing.
        """
        folder = files("liarspoker.web") / "static"
        found: dict[str, Asset] = {}
        for name in _FILES:
            place = folder / name
            if not place.is_file():
                raise NotBuilt(f"{name} hasn't been built; run make client, or reinstall the package")
            content = place.read_bytes()
            if name == "app.css":
                for font in _FONTS:
                    content = content.replace(f"/static/{font}".encode(), found[font].path.encode())
            found[name] = _asset(name, content)
        return cls(found)

    def path(self, name: str) -> str:
        """Return the URL of the file `name`."""
        return self.by_name[name].path


def _asset(name: str, content: bytes) -> Asset:
    media_type = _TYPES[name.rpartition(".")[2]]
    digest = sha256(content).hexdigest()[:12]
    return Asset(name, media_type, content, gzip.compress(content, 9, mtime=0), digest)


_MANIFEST = "app.webmanifest"
"""The manifest of the installed app, in English."""

_IN_MANIFEST = (N_("Liar’s Poker"), N_("Five bluffing games, with friends or against bots."), N_("Rules"), N_("Odds"))
"""Its texts."""


def _manifest_in(lang: str, content: bytes) -> bytes:
    """Return the manifest in a language."""
    with speaking(lang):
        manifest = json.loads(content, object_hook=_translated)
    return json.dumps({**manifest, "lang": lang}, ensure_ascii=False).encode()


def _translated(part: dict[str, object]) -> dict[str, object]:
    return {name: _(str(text)) if text in _IN_MANIFEST else text for name, text in part.items()}


router = APIRouter()

_FOR_EVER = "public, max-age=31536000, immutable"


@router.get("/static/{name}")
async def static(name: str, request: Request) -> Response:
    """Serve a static file; the URL changes with the content, so browsers can cache it indefinitely."""
    assets: Assets = request.app.state.pages.assets
    asset = assets.by_name.get(name)
    if asset is None:
        raise HTTPException(404)
    lang = request.query_params.get("lang", "en")
    if name == _MANIFEST and lang in LANGUAGES and lang != "en":
        content = _manifest_in(lang, asset.content)
        return Response(content, headers={"Cache-Control": "no-cache"}, media_type=asset.media_type)
    lasting = request.query_params.get("v") == asset.digest
    headers = {"Cache-Control": _FOR_EVER if lasting else "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.gzipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
