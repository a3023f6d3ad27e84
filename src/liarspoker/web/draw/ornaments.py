"""Ornaments for pages: wreaths, bands, the oval of the table, the ribbon of a hero, and the mark of the house.

None of them says anything; what they stand for is said in words beside them.
"""

from __future__ import annotations

from markupsafe import Markup

from liarspoker.web.draw.markup import joined, svg
from liarspoker.web.draw.plates import BRAID_VIEW, OVAL_VIEW, ROSETTES
from liarspoker.web.draw.sprite import placed


def rosette(name: str = "rosette", *, classes: str = "") -> Markup:
    """A wreath as large as its place: `rosette`, `lace`, `star` or `core`, the boldest last.

    Raises:
        ValueError: naming a wreath that is none.
    """
    if name not in ROSETTES:
        raise ValueError(f"{name!r} is no wreath; there are {', '.join(ROSETTES)}")
    wreath = ROSETTES[name]
    reach = wreath.outer + wreath.outer_wave + 4
    return svg(f"{-reach} {-reach} {2 * reach} {2 * reach}", placed(name), classes=joined("ornament", classes))


def braid_band(*, classes: str = "") -> Markup:
    """A straight band of braid, as wide as its place."""
    width, height = BRAID_VIEW
    body = placed("band", f' transform="translate(0 {height // 2}) scale(.25)"')
    return svg(f"0 0 {width} {height}", body, classes=joined("ornament band", classes))


def table_oval(*, classes: str = "") -> Markup:
    """The border of the oval table with a large wreath inside; it stretches with its place."""
    width, height = OVAL_VIEW
    body = (
        placed("oval", ' transform="scale(.25)"')
        + Markup(f'<ellipse rx="{width / 2 - 18:g}" ry="{height / 2 - 22:g}"/>')
        + Markup(f'<ellipse rx="{width / 2 - 46:g}" ry="{height / 2 - 50:g}"/>')
        + placed("rosette", ' transform="scale(.312 .172)"')
    )
    view = f"{-width // 2} {-height // 2} {width} {height}"
    return svg(view, body, classes=joined("ornament oval-rim", classes), attributes=' preserveAspectRatio="none"')


def ribbon(*, classes: str = "") -> Markup:
    """The ribbon behind the word of a hero or a skunk; it stretches with its place, under the words."""
    band = ' stroke-width="4" transform="translate({}) scale(.264 .19)"'
    body = (
        '<path class="ribbon-tail" d="M2 14h40v64H2l14-32zM458 14h-40v64h40l-14-32z"/>'
        '<rect class="ribbon-body" x="24" y="2" width="412" height="88" rx="2"/>'
    )
    places = ("27 11.5", "230 11.5", "27 80.5", "230 80.5")
    lines = Markup("").join(placed("braid-short", band.format(place)) for place in places)
    return svg(
        "0 0 460 92",
        Markup(body) + Markup(f'<g class="ribbon-line">{lines}</g>'),
        classes=joined("ribbon-art", classes),
        attributes=' preserveAspectRatio="none"',
    )


def house_mark(*, classes: str = "") -> Markup:
    """The seal of the house: an L between two rings."""
    body = (
        '<circle r="14" stroke-width="1.2"/><circle r="11.6" stroke-width=".6"/>'
        '<text class="mark-letter" y="5.2" font-size="14">L</text>'
    )
    return svg("-15 -15 30 30", body, classes=joined("house-mark", classes))
