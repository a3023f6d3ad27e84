"""Drawing of share images as PNG files."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.web.share.cards import ShareCard

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

SIZE = (1200, 630)
"""Width and height of an image in pixels, as sites show link previews."""

FONTS = Path(__file__).parent / "fonts"

MOST_CACHED = 64
"""The number of images in memory; each takes about 40 kB."""

_GROUND, _SHEET, _INK, _INK_2, _GREEN, _LINE = "#F3ECDA", "#FFFDF6", "#14241C", "#4A584E", "#1B5A42", "#BFB79E"
_SERIF, _SANS = "DejaVuSerif-Bold.ttf", "DejaVuSansCondensed.ttf"
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 1120, 84, 566
_PANEL_LEFT, _FOOT_WIDTH = 690, 780
_LEAST_SIZE = 22
_SCALE, _COLOURS = 3, 48


@lru_cache(maxsize=MOST_CACHED)
def png(card: ShareCard) -> bytes:
    """Return the image of a card as a PNG file. This takes about 50 ms, so call it in a thread."""
    image = _paper().copy()
    _Page(image, card).draw()
    file = BytesIO()
    image.quantize(_COLOURS).save(file, "PNG", optimize=True)
    return file.getvalue()


class _Page:
    def __init__(self, image: Image.Image, card: ShareCard) -> None:
        from PIL import ImageDraw

        self._pen: ImageDraw.ImageDraw = ImageDraw.Draw(image)
        self._card = card

    def draw(self) -> None:
        card = self._card
        width = (_PANEL_LEFT - 48 if card.lines else _RIGHT) - _LEFT
        self._text(_LEFT, _TOP, card.over, _SANS, 30, _GREEN, width)
        y = 210 if card.lines else 250
        for line in self._wrapped(card.title, _SERIF, 76, width, most=3):
            self._text(_LEFT, y, line, _SERIF, 76, _INK, width)
            y += 88
        for line in self._wrapped(card.under, _SANS, 34, width, most=2):
            self._text(_LEFT, y + 12, line, _SANS, 34, _INK_2, width)
            y += 44
        if card.lines:
            self._panel()
        for at, line in enumerate(self._wrapped(card.foot, _SANS, 28, _FOOT_WIDTH, most=2)):
            self._text(_LEFT, _BOTTOM - 50 + 38 * at, line, _SANS, 28, _INK, _FOOT_WIDTH)

    def _panel(self) -> None:
        """Draw the heading and the lines on a sheet of paper."""
        pen, card = self._pen, self._card
        height = 82 + 52 * len(card.lines)
        top = max(_TOP, (500 - height) // 2)
        pen.rectangle((_PANEL_LEFT, top, _RIGHT, top + height), fill=_SHEET, outline=_LINE, width=2)
        left, right = _PANEL_LEFT + 24, _RIGHT - 24
        self._text(left, top + 18, card.heading, _SANS, 26, _INK_2, right - left)
        pen.line((left, top + 58, right, top + 58), fill=_GREEN, width=2)
        for at, (name, figure) in enumerate(card.lines):
            y = top + 102 + 52 * at
            most = right - left - 16
            self._text(right, y, figure, _SERIF, 30, _GREEN, most - min(160, self._width(name, _SERIF, 30)), "rs")
            room = most - min(most - 160, self._width(figure, _SERIF, 30)) if figure else most
            self._text(left, y, name, _SERIF, 30, _INK, room, "ls")

    def _wrapped(self, text: str, font: str, size: int, width: int, most: int) -> list[str]:
        """Return a text in at most `most` lines; the last one may be too wide."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and (len(lines) == most or self._width(longer, font, size) <= width):
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _text(
        self, x: int, y: int, text: str, font: str, size: int, fill: str, width: float, anchor: str = "la"
    ) -> None:
        """Draw a line of text, smaller and then shorter if it is wider than `width`."""
        while size > _LEAST_SIZE and self._width(text, font, size) > width:
            size -= 2
        while text and self._width(text, font, size) > width:
            text = text.removesuffix("…")[:-1].rstrip() + "…" if len(text) > 2 else ""
        self._pen.text((x, y), text, font=_font(font, size), fill=fill, anchor=anchor)

    def _width(self, text: str, font: str, size: int) -> float:
        return _font(font, size).getlength(text)


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(FONTS / name, size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _paper() -> Image.Image:
    """Return the background: a frame and rosettes, drawn larger and reduced so that the lines are smooth."""
    from PIL import Image, ImageColor, ImageDraw

    width, height = SIZE
    lines = Image.new("L", (width * _SCALE, height * _SCALE))
    pen = ImageDraw.Draw(lines)
    for x, y, radius in ((width, height, 330), (width, 0, 170)):
        for phase in range(24):
            points = [
                ((x + radius * across) * _SCALE, (y + radius * down) * _SCALE) for across, down in _petals(phase / 24)
            ]
            pen.line(points, fill=70, width=_SCALE)
    for inset, wide in ((24, 3), (32, 1)):
        box = [side * _SCALE for side in (inset, inset, width - inset, height - inset)]
        pen.rectangle(box, outline=255, width=wide * _SCALE)
    image = Image.new("RGB", SIZE, _GROUND)
    image.paste(ImageColor.getrgb(_GREEN), mask=lines.resize(SIZE, Image.Resampling.LANCZOS))
    return image


def _petals(phase: float) -> list[tuple[float, float]]:
    """Return a closed curve of a rosette of eight petals within the unit circle; `phase`, 0 to 1, shifts them."""
    found, points = [], 480
    for step in range(points + 1):
        angle = 2 * math.pi * step / points
        reach = 0.72 + 0.28 * math.sin(8 * angle + 2 * math.pi * phase)
        found.append((reach * math.cos(angle), reach * math.sin(angle)))
    return found
