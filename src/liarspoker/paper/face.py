"""The layout of one slip: heading, the fifteen numbers, ten score lines, and the rules in small print."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple

from reportlab.lib.enums import TA_LEFT
from reportlab.lib.fonts import addMapping
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from liarspoker.games.digits.hands import HANDS_PER_SLIP
from liarspoker.language import N_, _, pgettext
from liarspoker.paper.slips import Slip, SlipSheet

REMINDER = (
    N_(
        "<b>Rows.</b> Hand 1 plays the top row. After each hand, move down and skip one unplayed row for every number "
        "just played that ends in an odd digit (0 is even); after the bottom row comes the top row. Hand 10 is the "
        "last, at double stake."
    ),
    N_(
        "<b>Made:</b> each other player pays the bidder ×1; from level n+3 ×2, from n+5 ×3, from n+7 ×4, and so on (n "
        "players). Sixes double this. One multiple more if the bidder holds none."
    ),
    N_(
        "<b>Failed:</b> the bidder pays each ×1. <b>Nobody holds any:</b> each pays the bidder ×(2n−6); with two or "
        "three players, nothing."
    ),
    N_("<b>Next stake:</b> the multiplier of the last bid, made or not; 2 if its bidder held none."),
)
"""The rules printed at the bottom of every slip; `<b>` is bold."""

SERIF = "Liarspoker-Serif"
"""The font of headings."""
SANS = "Liarspoker-Sans"
"""The font of small print."""
SANS_BOLD = "Liarspoker-SansBold"
"""The bold font of small print."""
MONO = "Liarspoker-Mono"
"""The monospaced font of numbers."""

_FILES = {
    SERIF: "DejaVuSerifCondensed-Bold.ttf",
    SANS: "DejaVuSansCondensed.ttf",
    SANS_BOLD: "DejaVuSansCondensed-Bold.ttf",
    MONO: "DejaVuSansMono.ttf",
}


@cache
def register() -> None:
    """Register the four fonts with reportlab; `<b>` in a paragraph set in `SANS` selects `SANS_BOLD`."""
    folder = resources.files("liarspoker.paper") / "fonts"
    for name, file in _FILES.items():
        with (folder / file).open("rb") as font:
            pdfmetrics.registerFont(TTFont(name, font))
    for bold in (0, 1):
        for italic in (0, 1):
            addMapping(SANS, bold, italic, SANS_BOLD if bold else SANS)


HAIR, RULE, HEAVY = 0.35, 0.6, 1.0
"""Line widths in points: between rows, for writing, and around blocks."""

_PADDING = 5 * mm
_HEADING = 13.5 * mm
_NAMES = 9 * mm
_CAPTIONS = 4.2 * mm
_ROWS_WIDTH = 45 * mm
_NUMBERS = 6.5 * mm
"""The offset of the numbers from the left edge of the rows."""
_GUTTER = 4 * mm
_NOTES_GAP = 2.2 * mm
_SCORE_COLUMNS = ((N_("hand"), 0.16), (N_("stake"), 0.22), (N_("units"), 0.28), (N_("running total"), 0.34))


class Box(NamedTuple):
    """A rectangle on the page, in points from the lower left corner of the page."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x-coordinate of the right edge."""
        return self.left + self.width

    @property
    def top(self) -> float:
        """The y-coordinate of the top edge."""
        return self.bottom + self.height

    def edges(self) -> list[tuple[float, float, float, float]]:
        """Return the four edges as lines, rounded so that adjacent boxes share them."""
        left, bottom, right, top = (round(place, 3) for place in (self.left, self.bottom, self.right, self.top))
        return [
            (left, bottom, right, bottom),
            (left, top, right, top),
            (left, bottom, left, top),
            (right, bottom, right, top),
        ]

    def inset(self, by: float) -> Box:
        """Return the box without a border of width `by`."""
        return Box(self.left + by, self.bottom + by, self.width - 2 * by, self.height - 2 * by)

    def under(self, height: float) -> Box:
        """Return the box without a strip of `height` at its top."""
        return Box(self.left, self.bottom, self.width, self.height - height)

    def over(self, height: float) -> Box:
        """Return the box without a strip of `height` at its bottom."""
        return Box(self.left, self.bottom + height, self.width, self.height - height)


def draw_face(canvas: Canvas, slip: Slip, sheet: SlipSheet, cell: Box) -> None:
    """Draw a slip of a sheet into `cell`, with a blank border for cutting."""
    canvas.saveState()
    body = cell.inset(_PADDING)
    _heading(canvas, slip, sheet, body)
    body = body.under(_HEADING)
    _names(canvas, body)
    notes = _small_print(canvas, body.width)
    foot = body.bottom + sum(height for _note, height in notes)
    body = body.under(_NAMES).over(foot - body.bottom + _NOTES_GAP)
    _rows(canvas, slip, sheet.letters, Box(body.left, body.bottom, _ROWS_WIDTH, body.height))
    rest = _ROWS_WIDTH + _GUTTER
    _scores(canvas, Box(body.left + rest, body.bottom, body.width - rest, body.height))
    for paragraph, height in notes:
        foot -= height
        paragraph.drawOn(canvas, body.left, foot)
    canvas.restoreState()


def _heading(canvas: Canvas, slip: Slip, sheet: SlipSheet, box: Box) -> None:
    """Draw the title, the slip's number and the sheet's mark between two braids."""
    band = 2 * mm
    for middle in (box.top - band / 2, box.top - _HEADING + band / 2):
        _braid(canvas, box.left, box.right, middle, band / 2)
    middle = box.top - _HEADING / 2
    canvas.setFont(SERIF, 13.5)
    canvas.drawString(box.left, middle - 4.6, _("LIAR’S POKER"), charSpace=1.1)
    canvas.setFont(SERIF, 10.5)
    canvas.drawRightString(
        box.right, middle + 1.2, _("Slip {number} of {count}", number=slip.number, count=len(sheet.slips))
    )
    canvas.setFont(MONO, 6.5)
    canvas.drawRightString(box.right, middle - 7.2, _("sheet {mark}", mark=sheet.mark))


def _braid(canvas: Canvas, left: float, right: float, middle: float, height: float) -> None:
    """Draw a braid as on a banknote; each half wave is one curve."""
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
    """Draw a line for the player's name and one for the date."""
    line = box.top - _NAMES + 2.2 * mm
    canvas.setFont(SANS, 7)
    canvas.setLineWidth(RULE)
    date = box.right - 27 * mm
    for caption, left, right in ((_("Player"), box.left, date - 3 * mm), (_("Date"), date, box.right)):
        canvas.drawString(left, line + 1.5, caption)
        canvas.line(left + canvas.stringWidth(caption, SANS, 7) + 1.5 * mm, line, right, line)


def _caption(canvas: Canvas, middle: float, box: Box, text: str) -> None:
    canvas.setFont(SANS, 5.8)
    canvas.drawCentredString(middle, box.top - _CAPTIONS + 3, text)


def _rows(canvas: Canvas, slip: Slip, letters: str, box: Box) -> None:
    """Draw the fifteen numbers with their letters, each with a checkbox and space for the number of the hand."""
    letter, tick, hand = box.left + 2.2 * mm, box.right - 12.5 * mm, box.right - 4 * mm
    columns = (
        (letter, pgettext("slip", "row")),
        (box.left + _NUMBERS + 10.5 * mm, pgettext("slip", "number")),
        (tick, pgettext("slip", "played")),
        (hand, pgettext("slip", "in hand")),
    )
    for middle, text in columns:
        _caption(canvas, middle, box, text)
    top, step = box.top - _CAPTIONS, (box.height - _CAPTIONS) / len(slip.rows)
    _separators(canvas, box, [top - place * step for place in range(1, len(slip.rows))])
    canvas.line(box.right - 8 * mm, top, box.right - 8 * mm, box.bottom)
    for place, (name, digits) in enumerate(zip(letters, slip.rows, strict=True)):
        middle = top - (place + 0.5) * step
        canvas.setFont(SERIF, 9.5)
        canvas.drawCentredString(letter, middle - 3.4, name)
        canvas.setFont(MONO, 11.5)
        canvas.drawString(box.left + _NUMBERS, middle - 4.2, digits[:4])
        canvas.drawString(box.left + _NUMBERS + 11.3 * mm, middle - 4.2, digits[4:])
        canvas.setLineWidth(RULE)
        canvas.rect(tick - 1.5 * mm, middle - 1.5 * mm, 3 * mm, 3 * mm)
    _borders(canvas, box, top)


def _separators(canvas: Canvas, box: Box, heights: list[float]) -> None:
    """Draw gray hairlines across `box`; the pen stays gray and thin."""
    canvas.setLineWidth(HAIR)
    canvas.setStrokeGray(0.5)
    for height in heights:
        canvas.line(box.left, height, box.right, height)


def _borders(canvas: Canvas, box: Box, *heights: float) -> None:
    """Draw black lines across `box` at its bottom and at `heights`; the pen stays black."""
    canvas.setLineWidth(HEAVY)
    canvas.setStrokeGray(0)
    for height in (box.bottom, *heights):
        canvas.line(box.left, height, box.right, height)


def _scores(canvas: Canvas, box: Box) -> None:
    """Draw ten lines for the scores (the tenth marked for its double stake), and one for the slip's total."""
    top, step = box.top - _CAPTIONS, (box.height - _CAPTIONS) / (HANDS_PER_SLIP + 1)
    _separators(canvas, box, [top - hand * step for hand in range(1, HANDS_PER_SLIP)])
    edges = [box.left]
    for caption, share in _SCORE_COLUMNS:
        edges.append(edges[-1] + share * box.width)
        _caption(canvas, (edges[-2] + edges[-1]) / 2, box, _(caption))
    for edge in edges[1:-1]:
        canvas.line(edge, top, edge, box.bottom if edge == edges[-2] else box.bottom + step)
    _borders(canvas, box, top, box.bottom + step)
    canvas.setFont(SANS_BOLD, 8)
    for hand in range(1, HANDS_PER_SLIP + 1):
        canvas.drawCentredString((edges[0] + edges[1]) / 2, top - (hand - 0.5) * step - 2.9, str(hand))
    canvas.drawRightString(edges[2] - 2, top - (HANDS_PER_SLIP - 0.5) * step - 2.9, "×2")
    canvas.setFont(SERIF, 8)
    canvas.drawString(edges[0], box.bottom + step / 2 - 2.9, _("This slip"))


def _small_print(canvas: Canvas, width: float) -> list[tuple[Paragraph, float]]:
    """Return the paragraphs of the rules, each with its height at the given width."""
    style = ParagraphStyle("reminder", fontName=SANS, fontSize=6.1, leading=7.4, alignment=TA_LEFT)
    paragraphs = [Paragraph(_(text), style) for text in REMINDER]
    return [(paragraph, paragraph.wrapOn(canvas, width, 1000)[1]) for paragraph in paragraphs]
