"""Draw the sprite: every engraved shape in one static SVG file, which pages place with `<use>`.

A page then carries a hundred bytes where it shows a card, a hand or a banknote. Shapes take their colours from where
they are placed: strokes and fills are inherited, `currentColor`, or tokens such as `var(--sheet)`, which a browser
hands through into the file.

Run `python -m tools.ornaments` after a shape has changed; `--check` only says whether the file is up to date.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.ornaments.faces import face_symbols
from tools.ornaments.fingers import hand_symbols
from tools.ornaments.plates import plate_symbols

SPRITE = Path(__file__).resolve().parents[2] / "src/liarspoker/web/static/ornament.svg"


def ornament_svg() -> str:
    """The whole sprite, always the same for one version of this folder."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{plate_symbols()}{face_symbols()}{hand_symbols()}</svg>\n'


def main(arguments: list[str]) -> int:
    """Write the file, or check it."""
    drawn = ornament_svg()
    if arguments == ["--check"]:
        if SPRITE.read_text(encoding="utf-8") == drawn:
            return 0
        print("out of date: ornament.svg; run python -m tools.ornaments", file=sys.stderr)
        return 1
    SPRITE.write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
