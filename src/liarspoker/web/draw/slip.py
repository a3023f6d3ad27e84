"""A slip: a strip of paper with a player's numbers, of which one is the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from liarspoker.web.draw.markup import joined, svg
from liarspoker.web.draw.ornaments import braid_band
from liarspoker.web.draw.plates import SLIP_BACK_VIEW
from liarspoker.web.draw.sprite import placed


@dataclass(frozen=True, slots=True)
class SlipRow:
    """One row of a slip.

    Attributes:
        letter: what the row is called.
        serial: its number.
        note: what stands at the right, such as `played, hand 3`; `Markup` may set a figure in a circle, as
            in `Markup("next if <b>2</b> odd")`.
        played: it was the hand of an earlier round: struck through.
        current: it is the hand now.
    """

    letter: str
    serial: str
    note: str = ""
    played: bool = False
    current: bool = False


def slip(rows: Sequence[SlipRow], *, title: str, heading: int = 2, classes: str = "") -> Markup:
    """The strip with all its rows, as a list that can be read aloud; as wide as its place.

    Args:
        rows: top to bottom.
        title: whose slip it is, as a heading.
        heading: the heading's level, 1 to 6.
        classes: further CSS classes.
    """
    items = "".join(map(_row, rows))
    level = f"h{heading}"
    return Markup(
        f'<div class="{joined("slip", escape(classes))}"><div class="slip-head">{braid_band()}'
        f'<{level}>{escape(title)}</{level}>{braid_band()}</div><ol class="slip-rows">{items}</ol></div>'
    )


def slip_back(*, label: str | None = None, sign: str = "", classes: str = "") -> Markup:
    """A slip face down.

    Args:
        label: in words; None where a button around it has them.
        sign: a number or letter in the middle, to tell slips apart; may be empty.
        classes: further CSS classes.
    """
    width, height = SLIP_BACK_VIEW
    named = (
        f'<circle class="slip-seal" cx="{width / 2:g}" cy="{height / 2:g}" r="26"/><text class="note-sign" '
        f'x="{width / 2:g}" y="{height / 2 + 12:g}" font-size="36">{escape(sign)}</text>'
    )
    body = placed("slip-back") + Markup(named if sign else "")
    return svg(f"0 0 {width} {height}", body, classes=joined("slip-down", classes), label=label)


def _row(row: SlipRow) -> str:
    """One item of the list."""
    state = joined("played" if row.played else "", "current" if row.current else "")
    serial = escape(row.serial)
    shown = f"<s>{serial}</s>" if row.played else f"<b>{serial}</b>" if row.current else serial
    marks = f' class="{state}"' if state else ""
    marks += ' aria-current="true"' if row.current else ""
    return (
        f'<li{marks}><span class="slip-letter">{escape(row.letter)}</span><span class="slip-serial">{shown}</span>'
        f'<span class="slip-note">{escape(row.note)}</span></li>'
    )
