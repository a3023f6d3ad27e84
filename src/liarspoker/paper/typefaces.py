"""The typefaces of everything printed, embedded as subsets so that a sheet prints alike everywhere."""

from __future__ import annotations

from functools import cache
from importlib import resources

from reportlab.lib.fonts import addMapping
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

SERIF = "Liarspoker-Serif"
SANS = "Liarspoker-Sans"
SANS_BOLD = "Liarspoker-SansBold"
MONO = "Liarspoker-Mono"

_FILES = {
    SERIF: "DejaVuSerifCondensed-Bold.ttf",
    SANS: "DejaVuSansCondensed.ttf",
    SANS_BOLD: "DejaVuSansCondensed-Bold.ttf",
    MONO: "DejaVuSansMono.ttf",
}


@cache
def register() -> None:
    """Make the four faces known to reportlab under their names here; `<b>` in a paragraph of `SANS` is `SANS_BOLD`."""
    folder = resources.files("liarspoker.paper") / "fonts"
    for name, file in _FILES.items():
        with (folder / file).open("rb") as font:
            pdfmetrics.registerFont(TTFont(name, font))
    for bold in (0, 1):
        for italic in (0, 1):
            addMapping(SANS, bold, italic, SANS_BOLD if bold else SANS)
