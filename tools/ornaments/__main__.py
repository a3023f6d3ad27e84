"""Draw the sprite, every ornament in one static SVG file that pages reference with `<use>`, and the icons of the app.

So a page needs only about a hundred bytes for a card, a hand or a banknote. Shapes take their colors from where they
are used: strokes and fills are inherited, `currentColor`, or CSS variables such as `var(--sheet)`, which a browser
passes into the file.

`python -m tools.ornaments` writes the files; it runs when the package is built and in `make client`.
"""

from __future__ import annotations

from pathlib import Path

from tools.ornaments.faces import face_symbols
from tools.ornaments.fingers import hand_symbols
from tools.ornaments.icons import icon_files
from tools.ornaments.plates import plate_symbols

STATIC = Path(__file__).resolve().parents[2] / "src/liarspoker/web/static"
SPRITE = STATIC / "ornament.svg"


def ornament_svg() -> str:
    """Return the whole sprite; it depends only on the modules in this folder."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{plate_symbols()}{face_symbols()}{hand_symbols()}</svg>\n'


if __name__ == "__main__":
    SPRITE.write_text(ornament_svg(), encoding="utf-8")
    for name, content in icon_files((STATIC / "icon.svg").read_text(encoding="utf-8")).items():
        (STATIC / name).write_bytes(content)
