"""The sprite: every engraved shape in one static SVG file, which pages place with `<use>`.

A page then carries a hundred bytes where it shows a card, a hand or a banknote. Shapes take their colours from
where they stand: strokes and fills are inherited, `currentColor`, or tokens such as `var(--sheet)`, which a browser
hands through into the file.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from markupsafe import Markup

from liarspoker.web.draw.faces import face_symbols
from liarspoker.web.draw.fingers import hand_symbols
from liarspoker.web.draw.plates import plate_symbols

SPRITE_PATH = "/static/ornament.svg"
"""Where the web app serves `ornament_svg()`."""


@cache
def ornament_svg() -> str:
    """The whole sprite, always the same for one version of this package."""
    shapes = plate_symbols() + face_symbols() + hand_symbols()
    return f'<svg xmlns="http://www.w3.org/2000/svg">{shapes}</svg>\n'


@cache
def ornament_url() -> str:
    """Address of the sprite, with a mark of its content: browsers may keep what they get from it for ever."""
    return f"{SPRITE_PATH}?v={sha256(ornament_svg().encode()).hexdigest()[:12]}"


def placed(name: str, attributes: str = "") -> Markup:
    """A `<use>` of one shape of the sprite, for inside an `<svg>`; `attributes` have a blank before each."""
    return Markup(f'<use href="{ornament_url()}#{name}"{attributes}/>')
