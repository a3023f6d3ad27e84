"""Drawings of banknotes, slips, and the engraved numeral of the standing bid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup, escape

from liarspoker.language import _, per_language
from liarspoker.web.draw.svg import figures, joined, placed, svg

NOTE_VIEW, SLIP_BACK_VIEW = (640, 276), (300, 420)
"""Width and height of a banknote, and of a face-down slip."""

_WIDTH, _HEIGHT = NOTE_VIEW
_MIDDLE = _WIDTH / 2
_PITCH, _SIZE = 48, 84
_WIDEST = 404  # width of a serial number with letters on both sides
_CORNERS = ((35, 44.5), (605, 44.5), (35, 250.5), (605, 250.5))


def banknote(
    *,
    serial: str,
    label: str,
    before: str = "",
    after: str = "",
    stake: str = "",
    foot: str = "",
    motto: str = "",
    marked: tuple[int, ...] = (),
    classes: str = "",
) -> Markup:
    """Draw a banknote with its serial number, as wide as its container.

    Args:
        serial: the digits.
        label: accessible name.
        before: letters before the digits; may be empty.
        after: letters after the digits; may be empty.
        stake: text of the four corners, at most three characters; may be empty.
        foot: small text at the bottom right, such as `STAKE 2`.
        motto: small text at the top; empty for the name of the site.
        marked: indices of the digits to underline.
        classes: further CSS classes.
    """
    pitch = _pitch(serial)
    first = _MIDDLE - pitch * (len(serial) - 1) / 2
    lines = "".join([f"M{first + pitch * (k - 0.36):g} 176h{pitch * 0.72:g}" for k in sorted(marked)])
    marks = f'<path class="note-marked" d="{lines}"/>' if lines else ""
    below, above = _note(serial, before, after, stake, foot, motto)
    return svg(f"0 0 {_WIDTH} {_HEIGHT}", below + marks + above, classes=joined("note", classes), label=label)


@per_language(maxsize=2048, typed=True)  # typed: `Markup` isn't escaped again
def _note(serial: str, before: str, after: str, stake: str, foot: str, motto: str) -> tuple[str, str]:
    """Return what `banknote` draws below and above the lines under the digits, which change with every bid."""
    pitch = _pitch(serial)
    side = pitch * len(serial) / 2 + 38
    below = [
        placed("note"),
        *(_text("note-stake", x, y, _stake_size(stake), stake) for x, y in _CORNERS if stake),
        _text("note-motto", _MIDDLE, 66, 15, motto or _("LIAR’S POKER")),
    ]
    above = [
        figures(serial, middle=_MIDDLE, base=164, pitch=pitch, size=_SIZE, classes="note-serial"),
        _text("note-letter", _MIDDLE - side, 160, 48, before),
        _text("note-letter", _MIDDLE + side, 160, 48, after),
        _text("note-small note-start", 76, 224, 19, " ".join(filter(None, (before, serial, after)))),
        _text("note-small note-end", _WIDTH - 76, 224, 19, foot),
    ]
    return "".join(below), "".join(above)


def _pitch(serial: str) -> float:
    return min(_PITCH, _WIDEST / max(len(serial), 1))


@lru_cache(maxsize=256)
def banknote_back(*, label: str | None = None, sign: str = "", classes: str = "") -> Markup:
    """Draw a face-down banknote; `sign` is a text on it, such as its number among those to pick from."""
    body = placed("note-back") + Markup(_text("note-sign", _MIDDLE, 154, 46, sign))
    return svg(f"0 0 {_WIDTH} {_HEIGHT}", body, classes=joined("note note-down", classes), label=label)


@lru_cache(maxsize=2048, typed=True)  # typed: `Markup` isn't escaped again
def _text(classes: str, x: float, y: float, size: float, words: str) -> str:
    return f'<text class="{classes}" x="{x:g}" y="{y:g}" font-size="{size:g}">{escape(words)}</text>' * bool(words)


def _stake_size(stake: str) -> int:
    return {1: 28, 2: 23}.get(len(stake), 16)


@dataclass(frozen=True, slots=True)
class SlipRow:
    """A row of a slip.

    Attributes:
        letter: the row's letter.
        serial: its number.
        note: text at the right, such as `played, hand 3`; `Markup` with a figure in `<b>` draws it in a circle, as in
            `Markup("next if <b>2</b> odd")`.
        played: the row was used in an earlier round and is struck through.
        current: the row is the current hand.
    """

    letter: str
    serial: str
    note: str = ""
    played: bool = False
    current: bool = False


def slip(rows: Sequence[SlipRow], *, title: str, heading: int = 2, classes: str = "") -> Markup:
    """Draw a slip with all its rows as an accessible list, as wide as its container."""
    items = "".join(map(_row, rows))
    level = f"h{heading}"
    band = svg("0 0 288 18", placed("band", ' transform="translate(0 9) scale(.25)"'), classes="ornament band")
    return Markup(
        f'<div class="{joined("slip", escape(classes))}"><div class="slip-head">{band}'
        f'<{level}>{escape(title)}</{level}>{band}</div><ol class="slip-rows">{items}</ol></div>'
    )


@lru_cache(maxsize=256)
def slip_back(*, label: str | None = None, sign: str = "", classes: str = "") -> Markup:
    """Draw a face-down slip; `sign` is a text on it."""
    width, height = SLIP_BACK_VIEW
    named = (
        f'<circle class="slip-seal" cx="{width / 2:g}" cy="{height / 2:g}" r="26"/><text class="note-sign" '
        f'x="{width / 2:g}" y="{height / 2 + 12:g}" font-size="36">{escape(sign)}</text>'
    )
    body = placed("slip-back") + Markup(named if sign else "")
    return svg(f"0 0 {width} {height}", body, classes=joined("slip-down", classes), label=label)


def _row(row: SlipRow) -> str:
    state = joined("played" if row.played else "", "current" if row.current else "")
    serial = escape(row.serial)
    shown = f"<s>{serial}</s>" if row.played else f"<b>{serial}</b>" if row.current else serial
    marks = f' class="{state}"' if state else ""
    marks += ' aria-current="true"' if row.current else ""
    return (
        f'<li{marks}><span class="slip-letter">{escape(row.letter)}</span><span class="slip-serial">{shown}</span>'
        f'<span class="slip-note">{escape(row.note)}</span></li>'
    )


_NUMERAL_HEIGHT, _FIGURE, _MARGIN = 124, 84, 6
_LINES = 35


@lru_cache(maxsize=256)
def numeral(number: int, *, label: str | None = None, unique: str = "", classes: str = "") -> Markup:
    """Draw a number from 1 to 99 in engraved style.

    Raises:
        ValueError: `number` isn't from 1 to 99.
    """
    if not 1 <= number <= 99:
        raise ValueError(f"a numeral must be from 1 to 99, not {number}")
    text = str(number)
    width = _FIGURE * len(text) + 2 * _MARGIN
    hatch = f"hatch-{text}{unique}"

    def layer(classes: str, fill: str = "") -> str:
        drawn = figures(text, middle=width / 2, base=116, pitch=_FIGURE, size=158, classes=classes)
        return drawn.replace("<text", f'<text fill="url(#{fill})"') if fill else drawn

    body = (
        f'<pattern id="{hatch}" width="{width}" height="{_NUMERAL_HEIGHT}" patternUnits="userSpaceOnUse">'
        f'<path class="numeral-line" d="{_hatching(width)}"/></pattern>'
        f"{layer('numeral-out')}{layer('numeral-gap')}{layer('numeral-in', hatch)}"
    )
    return svg(f"0 0 {width} {_NUMERAL_HEIGHT}", body, classes=joined("numeral", classes), label=label)


def _hatching(width: int) -> str:
    """Return the path of horizontal lines, fine at the top and bold at the bottom, which suggest a round surface."""
    step = _NUMERAL_HEIGHT / _LINES
    lines = []
    for line in range(_LINES):
        height = step * (0.34 + 0.36 * math.sin(math.pi / 2 * (line + 1) / _LINES) ** 2)
        lines.append(f"M0 {line * step:.1f}h{width}v{height:.2f}H0z")
    return "".join(lines)
