"""The face of one slip: heading, the fifteen numbers, the ten scores, and the rules in small print."""

from __future__ import annotations

from typing import NamedTuple

from reportlab.lib.enums import TA_LEFT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from liarspoker.paper.reminder import REMINDER
from liarspoker.paper.slips import Slip, SlipSheet
from liarspoker.paper.typefaces import MONO, SANS, SANS_BOLD, SERIF
from liarspoker.rules.digits.slips import HANDS_PER_SLIP

HAIR, RULE, HEAVY = 0.35, 0.6, 1.0
"""Widths of lines in points: between rows, to write on, and around a part."""

_PADDING = 5 * mm
_HEADING = 12 * mm
_NAMES = 9.5 * mm
_CAPTIONS = 4.2 * mm
_ROWS_WIDTH = 44 * mm
_GUTTER = 4 * mm
_TOTAL_LINES = HANDS_PER_SLIP + 1
_SCORE_COLUMNS = (("hand", 0.17), ("stake", 0.23), ("won or lost", 0.30), ("total", 0.30))


class Box(NamedTuple):
    """A rectangle on the page, in points from its lower left corner."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.bottom + self.height

    def edges(self) -> list[tuple[float, float, float, float]]:
        """Its four edges as lines, left to right and upwards, rounded so that neighbours share theirs."""
        left, bottom, right, top = (round(place, 3) for place in (self.left, self.bottom, self.right, self.top))
        return [
            (left, bottom, right, bottom),
            (left, top, right, top),
            (left, bottom, left, top),
            (right, bottom, right, top),
        ]

    def inset(self, by: float) -> Box:
        """What is left of it inside a border as wide as `by`."""
        return Box(self.left + by, self.bottom + by, self.width - 2 * by, self.height - 2 * by)

    def under(self, height: float) -> Box:
        """What is left of it below a strip of `height` at its top."""
        return Box(self.left, self.bottom, self.width, self.height - height)

    def over(self, height: float) -> Box:
        """What is left of it above a strip of `height` at its bottom."""
        return Box(self.left, self.bottom + height, self.width, self.height - height)


def draw_face(canvas: Canvas, slip: Slip, sheet: SlipSheet, cell: Box) -> None:
    """Draw `slip` of `sheet` into `cell`, leaving a blank border to cut in."""
    canvas.saveState()
    body = cell.inset(_PADDING)
    _heading(canvas, slip, sheet, body)
    body = body.under(_HEADING)
    _names(canvas, body)
    body = body.under(_NAMES).over(_reminder(canvas, body))
    _rows(canvas, slip, sheet.letters, Box(body.left, body.bottom, _ROWS_WIDTH, body.height))
    rest = _ROWS_WIDTH + _GUTTER
    _scores(canvas, Box(body.left + rest, body.bottom, body.width - rest, body.height))
    canvas.restoreState()


def _heading(canvas: Canvas, slip: Slip, sheet: SlipSheet, box: Box) -> None:
    """Title, number and mark between two braids."""
    band = 2.2 * mm
    for middle in (box.top - band / 2, box.top - _HEADING + band / 2):
        _braid(canvas, box.left, box.right, middle, band / 2)
    middle = box.top - _HEADING / 2
    canvas.setFont(SERIF, 13.5)
    canvas.drawString(box.left, middle - 4.6, "LIAR’S POKER", charSpace=1.1)
    canvas.setFont(SERIF, 10.5)
    canvas.drawRightString(box.right, middle + 1.2, f"Slip {slip.number} of {len(sheet.slips)}")
    canvas.setFont(MONO, 6.5)
    canvas.drawRightString(box.right, middle - 7.2, f"sheet {sheet.mark}")


def _braid(canvas: Canvas, left: float, right: float, middle: float, height: float) -> None:
    """Strands that wind about one another, as on a banknote; each half wave is one curve."""
    waves = round((right - left) / (5 * mm)) * 2
    step = (right - left) / waves
    canvas.saveState()
    canvas.setLineWidth(HAIR)
    for strength in (1.0, 0.55):
        for sign in (1, -1):
            path = canvas.beginPath()
            path.moveTo(left, middle)
            for wave in range(waves):
                start, bulge = left + wave * step, middle + sign * height * strength * 1.33
                path.curveTo(start + 0.36 * step, bulge, start + 0.64 * step, bulge, start + step, middle)
                sign = -sign
            canvas.drawPath(path, stroke=1, fill=0)
    canvas.restoreState()


def _names(canvas: Canvas, box: Box) -> None:
    """A line for the player's name and one for the date."""
    line = box.top - _NAMES + 2.2 * mm
    canvas.setFont(SANS, 7)
    canvas.setLineWidth(RULE)
    date = box.right - 27 * mm
    for caption, left, right in (("Player", box.left, date - 3 * mm), ("Date", date, box.right)):
        canvas.drawString(left, line + 1.5, caption)
        canvas.line(left + 9 * mm if caption == "Player" else left + 7 * mm, line, right, line)


def _caption(canvas: Canvas, middle: float, box: Box, text: str) -> None:
    canvas.setFont(SANS, 5.8)
    canvas.drawCentredString(middle, box.top - _CAPTIONS + 3, text)


def _rows(canvas: Canvas, slip: Slip, letters: str, box: Box) -> None:
    """The fifteen lettered numbers, each with a box to tick and a line for the number of its hand."""
    number, tick, hand = box.left + 7 * mm, box.right - 12.5 * mm, box.right - 4.2 * mm
    for middle, text in ((box.left + 2 * mm, "row"), (tick, "played"), (hand, "in hand")):
        _caption(canvas, middle, box, text)
    top, step = box.top - _CAPTIONS, (box.height - _CAPTIONS) / len(slip.rows)
    canvas.setLineWidth(HEAVY)
    canvas.line(box.left, top, box.right, top)
    for place, (letter, digits) in enumerate(zip(letters, slip.rows, strict=True)):
        middle = top - (place + 0.5) * step
        canvas.setFont(SERIF, 9.5)
        canvas.drawCentredString(box.left + 2 * mm, middle - 3.4, letter)
        canvas.setFont(MONO, 11.5)
        canvas.drawString(number, middle - 4.2, f"{digits[:4]} {digits[4:]}")
        canvas.setLineWidth(RULE)
        canvas.rect(tick - 1.5 * mm, middle - 1.5 * mm, 3 * mm, 3 * mm)
        canvas.setLineWidth(HAIR)
        canvas.line(hand - 3.2 * mm, middle - 1.5 * mm, hand + 3.2 * mm, middle - 1.5 * mm)
        canvas.setLineWidth(HEAVY if place + 1 == len(slip.rows) else HAIR)
        canvas.line(box.left, middle - step / 2, box.right, middle - step / 2)


def _scores(canvas: Canvas, box: Box) -> None:
    """Ten lines for the score of each hand, the tenth marked for its double stake, and one for the slip's total."""
    top, step = box.top - _CAPTIONS, (box.height - _CAPTIONS) / _TOTAL_LINES
    left = box.left
    for caption, share in _SCORE_COLUMNS:
        _caption(canvas, left + share * box.width / 2, box, caption)
        left += share * box.width
        canvas.setLineWidth(HAIR)
        if left < box.right - 1:
            canvas.line(left, top, left, top - HANDS_PER_SLIP * step)
    hand_column, stake_column = (share * box.width for _, share in _SCORE_COLUMNS[:2])
    for hand in range(1, _TOTAL_LINES + 1):
        base = top - hand * step
        canvas.setLineWidth(HEAVY if hand >= HANDS_PER_SLIP else HAIR)
        canvas.line(box.left, base, box.right, base)
        if hand <= HANDS_PER_SLIP:
            canvas.setFont(SANS_BOLD, 8)
            canvas.drawCentredString(box.left + hand_column / 2, base + step / 2 - 2.9, str(hand))
        if hand == HANDS_PER_SLIP:
            canvas.setFont(SANS_BOLD, 7)
            canvas.drawRightString(box.left + hand_column + stake_column - 2, base + step / 2 - 2.6, "×2")
    canvas.setFont(SERIF, 8)
    canvas.drawString(box.left, top - _TOTAL_LINES * step + step / 2 - 2.9, "This slip")
    canvas.setLineWidth(HEAVY)
    canvas.line(box.left, top, box.right, top)


def _reminder(canvas: Canvas, box: Box) -> float:
    """Print the rules at the foot of `box`; how much height they take, with the gap above them."""
    style = ParagraphStyle("reminder", fontName=SANS, fontSize=6.3, leading=7.7, alignment=TA_LEFT, spaceAfter=0)
    bottom = box.bottom
    for text in reversed(REMINDER):
        paragraph = Paragraph(text, style)
        _, height = paragraph.wrapOn(canvas, box.width, box.height)
        paragraph.drawOn(canvas, box.left, bottom)
        bottom += height
    return bottom - box.bottom + 2.2 * mm
