"""The PDF of a sheet of slips: four per page, with dashed lines to cut along."""

from __future__ import annotations

from io import BytesIO
from typing import Any, NamedTuple

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from liarspoker.language import N_, _, language
from liarspoker.paper.face import SANS, Box, draw_face, register
from liarspoker.paper.slips import SlipSheet


class Paper(NamedTuple):
    """A paper size in points."""

    title: str
    width: float
    height: float


PAPERS = {"a4": Paper("A4", 210 * mm, 297 * mm), "letter": Paper(N_("US letter"), 612.0, 792.0)}
"""The paper sizes by name."""

COLUMNS = 2
"""The columns of slips on a page."""
LINES = 2
"""The rows of slips on a page."""
PER_PAGE = COLUMNS * LINES
"""The slips on a page."""
MARGIN = 11 * mm
"""The blank margin of a page, in points; most printers need less."""


def pages_of(sheet: SlipSheet) -> int:
    """Return the number of pages of the sheet."""
    return -(-len(sheet.slips) // PER_PAGE)


def sheet_pdf(sheet: SlipSheet, paper: str = "a4") -> bytes:
    """Return the sheet as a PDF file, with all fonts embedded. The result is reproducible to the byte.

    Args:
        sheet: the slips.
        paper: a key of `PAPERS`.
    """
    register()
    size, file = PAPERS[paper], BytesIO()
    # By default, reportlab uses Helvetica, which isn't embedded. Its type stub is wrong about this argument.
    first_font: Any = SANS
    canvas = Canvas(file, pagesize=(size.width, size.height), invariant=1, initialFontName=first_font, lang=language())
    canvas.setTitle(_("Liar’s Poker slips, sheet {mark}", mark=sheet.mark))
    canvas.setSubject(_("Fifteen random numbers per player, of which ten are played"))
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
    """Return the box of the slip with index `place` on its page, row by row from the top."""
    line, column = divmod(place, COLUMNS)
    width, height = (paper.width - 2 * MARGIN) / COLUMNS, (paper.height - 2 * MARGIN) / LINES
    return Box(MARGIN + column * width, paper.height - MARGIN - (line + 1) * height, width, height)


def _cut_lines(canvas: Canvas, cells: list[Box]) -> None:
    """Draw dashed lines along the edges of all slips, and scissors at the inner lines."""
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
