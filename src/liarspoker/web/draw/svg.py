"""Elements of SVG, and the shapes of the sprite that they place."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from markupsafe import Markup, escape


def svg(view: str, body: str, *, classes: str, label: str | None = None, attributes: str = "") -> Markup:
    """One drawing: an image with a name, or an ornament that screen readers pass over.

    Args:
        view: the `viewBox`.
        body: markup inside, safe already.
        classes: CSS classes; size and colour come from them.
        label: what the drawing shows, in words; None for an ornament, or where the words stand beside it.
        attributes: further attributes, safe already, with a blank before each.
    """
    said = ' aria-hidden="true"' if label is None else f' role="img" aria-label="{escape(label)}"'
    return Markup(f'<svg class="{escape(classes)}" viewBox="{view}"{said}{attributes}>{body}</svg>')


def joined(*classes: str) -> str:
    """CSS classes in one string, those that are empty left out.

    >>> joined("card", "", "lit")
    'card lit'
    """
    return " ".join(filter(None, classes))


def figures(text: str, *, middle: float, base: float, pitch: float, size: float, classes: str) -> str:
    """Text whose signs stand at equal steps around `middle`, in any font, so that columns of figures agree."""
    first = middle - pitch * (len(text) - 1) / 2
    places = " ".join(f"{first + pitch * k:g}" for k in range(len(text)))
    return f'<text class="{classes}" x="{places}" y="{base:g}" font-size="{size:g}">{escape(text)}</text>'


@cache
def ornament_url() -> str:
    """Address of the sprite, with a mark of its content: browsers may keep what they get from it for ever.

    The sprite is `static/ornament.svg`, which `tools/ornaments` draws.
    """
    content = (files("liarspoker.web") / "static" / "ornament.svg").read_bytes()
    return f"/static/ornament.svg?v={sha256(content).hexdigest()[:12]}"


def placed(name: str, attributes: str = "") -> Markup:
    """A `<use>` of one shape of the sprite, for inside an `<svg>`; `attributes` have a blank before each."""
    return Markup(f'<use href="{ornament_url()}#{name}"{attributes}/>')
