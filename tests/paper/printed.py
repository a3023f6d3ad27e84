"""Parsing a printed sheet: pieces of text and ends of lines with their positions on the page in points."""

from __future__ import annotations

from io import BytesIO
from typing import Any, NamedTuple

from pypdf import PdfReader

MONO_ADVANCE = 0.602
"""The width of a character of the monospaced font, relative to its size."""

PATHS = {b"m", b"l", b"c", b"re"}
"""The drawing operators with points."""


class Piece(NamedTuple):
    text: str
    x: float
    y: float
    font: str
    size: float

    @property
    def right(self) -> float:
        """The right end, if it is set in the monospaced font."""
        return self.x + MONO_ADVANCE * self.size * len(self.text)


class Page(NamedTuple):
    width: float
    height: float
    text: str
    pieces: list[Piece]
    points: list[tuple[float, float]]

    def cell(self, place: int) -> list[Piece]:
        """Return the pieces in a quarter of the page (0 and 1 at the top, 2 and 3 at the bottom), in drawing order."""
        line, column = divmod(place, 2)
        return [
            piece
            for piece in self.pieces
            if (piece.x >= self.width / 2) == bool(column) and (piece.y < self.height / 2) == bool(line)
        ]


def read(pdf: bytes) -> list[Page]:
    return [_page(page) for page in PdfReader(BytesIO(pdf)).pages]


def set_in(face: str, pieces: list[Piece]) -> list[Piece]:
    """Return the pieces whose font has `face` in its name."""
    return [piece for piece in pieces if face in piece.font]


def numbers(pieces: list[Piece]) -> list[str]:
    """Return the eight-digit numbers in drawing order; each is printed in two halves."""
    halves = [piece.text for piece in set_in("Mono", pieces) if piece.text.isdecimal()]
    return [first + second for first, second in zip(halves[::2], halves[1::2], strict=True)]


def _page(page: Any) -> Page:
    pieces: list[Piece] = []
    points: list[tuple[float, float]] = []

    def see_text(text: str, cm: list[float], tm: list[float], font: dict[str, str] | None, size: float) -> None:
        if text.strip() and font is not None:
            x, y = _moved(tm[4], tm[5], cm)
            pieces.append(Piece(text.strip(), x, y, font["/BaseFont"], size))

    def see_operand(operator: bytes, operands: list[Any], cm: list[float], tm: list[float]) -> None:
        if operator in PATHS:
            values = [float(operand) for operand in operands]
            if operator == b"re":
                values[2:] = [values[0] + values[2], values[1] + values[3]]
            points.extend(_moved(x, y, cm) for x, y in zip(values[::2], values[1::2], strict=True))

    text = page.extract_text(visitor_text=see_text, visitor_operand_before=see_operand)
    return Page(float(page.mediabox.width), float(page.mediabox.height), text, pieces, points)


def _moved(x: float, y: float, cm: list[float]) -> tuple[float, float]:
    return x * cm[0] + y * cm[2] + cm[4], x * cm[1] + y * cm[3] + cm[5]
