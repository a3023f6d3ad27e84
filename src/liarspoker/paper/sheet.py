"""A sheet of slips as PDF: four to a page, with dashed lines to cut along."""

from __future__ import annotations

from io import BytesIO
from typing import Any, NamedTuple

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from liarspoker.paper.face import SANS, Box, draw_face, register
from liarspoker.paper.slips import SlipSheet


class Paper(NamedTuple):
    """A size of paper, in points."""

    title: str
    width: float
    height: float


PAPERS = {"a4": Paper("A4", 210 * mm, 297 * mm), "letter": Paper("US letter", 612.0, 792.0)}

COLUMNS = 2
LINES = 2
PER_PAGE = COLUMNS * LINES
MARGIN = 11 * mm
"""Nothing stands nearer to the paper's edge than this; most printers leave less blank."""


def pages_of(sheet: SlipSheet) -> int:
    """How many pages the sheet fills."""
    return -(-len(sheet.slips) // PER_PAGE)


def sheet_pdf(sheet: SlipSheet, paper: str = "a4") -> bytes:
    """The sheet as a PDF file: black on white, all letters embedded, the same bytes for the same sheet and paper.

    Args:
        sheet: the slips.
        paper: a key of `PAPERS`.
    """
    register()
    size, file = PAPERS[paper], BytesIO()
    # Without a first font of its own reportlab would name Helvetica, which no file embeds; its stub is wrong there.
    first_font: Any = SANS
    canvas = Canvas(file, pagesize=(size.width, size.height), invariant=1, initialFontName=first_font, lang="en")
    canvas.setTitle(f"Liar’s Poker slips, sheet {sheet.mark}")
    canvas.setSubject("Fifteen random numbers a player, ten of them played")
    canvas.setAuthor("liarspoker")
    canvas.setCreator("liarspoker slips")
    for first in range(0, len(sheet.slips), PER_PAGE):
        slips = sheet.slips[first : first + PER_PAGE]
        cells = [_cell(place, size) for place in range(len(slips))]
        for slip, cell in zip(slips, cells, strict=True):
            draw_face(canvas, slip, sheet, cell)
        _cut_lines(canvas, cells)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _cell(place: int, paper: Paper) -> Box:
    """Where the slip with number `place` (from 0) of its page stands, row after row from the top."""
    line, column = divmod(place, COLUMNS)
    width, height = (paper.width - 2 * MARGIN) / COLUMNS, (paper.height - 2 * MARGIN) / LINES
    return Box(MARGIN + column * width, paper.height - MARGIN - (line + 1) * height, width, height)


def _cut_lines(canvas: Canvas, cells: list[Box]) -> None:
    """Dashed lines along every edge of every slip, each drawn once, and scissors where the inner ones begin."""
    edges = {edge for cell in cells for edge in cell.edges()}
    canvas.saveState()
    canvas.setLineWidth(0.5)
    canvas.setStrokeGray(0.45)
    canvas.setFillGray(0.3)
    canvas.setDash(2.5, 2.5)
    for edge in sorted(edges):
        canvas.line(*edge)
    canvas.setDash()
    canvas.setFont(SANS, 10)
    across = cells[0]
    canvas.drawString(across.left + 3 * mm, across.bottom - 3.6, "✂")
    canvas.translate(across.right - 3.6, across.top - 3 * mm)
    canvas.rotate(-90)
    canvas.drawString(0, 0, "✂")
    canvas.restoreState()
