"""Draw the sprite: every engraved shape in one static SVG file, which pages place with `<use>`.

A page then carries a hundred bytes where it shows a card, a hand or a banknote. Shapes take their colours from where
they are placed: strokes and fills are inherited, `currentColor`, or tokens such as `var(--sheet)`, which a browser
hands through into the file.

`python -m tools.ornaments` writes it, which happens when the package is built and at `make client`.
"""

from __future__ import annotations

from pathlib import Path

from tools.ornaments.faces import face_symbols
from tools.ornaments.fingers import hand_symbols
from tools.ornaments.plates import plate_symbols

SPRITE = Path(__file__).resolve().parents[2] / "src/liarspoker/web/static/ornament.svg"


def ornament_svg() -> str:
    """The whole sprite, always the same for one version of this folder."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{plate_symbols()}{face_symbols()}{hand_symbols()}</svg>\n'


if __name__ == "__main__":
    SPRITE.write_text(ornament_svg(), encoding="utf-8")
