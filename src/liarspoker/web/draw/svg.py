"""Building blocks of the drawings: SVG elements, and shapes from the sprite."""

from __future__ import annotations

from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files

from markupsafe import Markup, escape


def svg(view: str, body: str, *, classes: str, label: str | None = None, attributes: str = "") -> Markup:
    """Return an `<svg>`: an image with an accessible name, or a drawing hidden from screen readers.

    Args:
        view: the `viewBox`.
        body: the content, already escaped.
        classes: CSS classes, which set size and colours.
        label: accessible name; None for an ornament, or if the page has the text beside the drawing.
        attributes: further attributes, already escaped, each preceded by a space.
    """
    aria = ' aria-hidden="true"' if label is None else f' role="img" aria-label="{escape(label)}"'
    return Markup(f'<svg class="{escape(classes)}" viewBox="{view}"{aria}{attributes}>{body}</svg>')


def joined(*classes: str) -> str:
    """Join CSS classes, skipping empty ones.

    >>> joined("card", "", "lit")
    'card lit'
    """
    return " ".join(filter(None, classes))


@lru_cache(maxsize=1024, typed=True)  # typed: `Markup` isn't escaped again
def figures(text: str, *, middle: float, base: float, pitch: float, size: float, classes: str) -> str:
    """Return centred text with equally spaced characters, whatever the font, so that columns of figures align."""
    first = middle - pitch * (len(text) - 1) / 2
    places = " ".join(f"{first + pitch * k:g}" for k in range(len(text)))
    return f'<text class="{classes}" x="{places}" y="{base:g}" font-size="{size:g}">{escape(text)}</text>'


@cache
def ornament_url() -> str:
    """Return the URL of the sprite `static/ornament.svg`, with a hash of its content so that browsers can cache it.

    `tools/ornaments` draws the sprite.
    """
    content = (files("liarspoker.web") / "static" / "ornament.svg").read_bytes()
    return f"/static/ornament.svg?v={sha256(content).hexdigest()[:12]}"


def placed(name: str, attributes: str = "") -> Markup:
    """Return a `<use>` of a shape of the sprite; each of the `attributes` is preceded by a space."""
    return Markup(f'<use href="{ornament_url()}#{name}"{attributes}/>')
