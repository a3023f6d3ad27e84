"""A banknote: a hand of digits, printed."""

from __future__ import annotations

from collections.abc import Collection

from markupsafe import Markup, escape

from liarspoker.web.draw.markup import figures, joined, svg
from liarspoker.web.draw.plates import NOTE_VIEW
from liarspoker.web.draw.sprite import placed

_WIDTH, _HEIGHT = NOTE_VIEW
_MIDDLE = _WIDTH / 2
_PITCH, _SIZE = 48, 84
_WIDEST = 404  # of a serial number with letters on both sides
_CORNERS = ((35, 44.5), (605, 44.5), (35, 250.5), (605, 250.5))


def banknote(
    *,
    serial: str,
    label: str,
    before: str = "",
    after: str = "",
    stake: str = "",
    foot: str = "",
    motto: str = "LIAR’S POKER",
    marked: Collection[int] = (),
    classes: str = "",
) -> Markup:
    """A banknote with its serial number; as wide as its place, or as CSS says for `.note`.

    Args:
        serial: the digits, left to right.
        label: all it says, in words, for people who hear it.
        before: the letter or letters before the digits; may be empty.
        after: the same after them.
        stake: what stands in the four corners, at most three signs; empty leaves them blank.
        foot: small words at the bottom right, such as `STAKE 2`.
        motto: small words at the top.
        marked: places of digits to underline, 0 for the first.
        classes: further CSS classes.
    """
    pitch = min(_PITCH, _WIDEST / max(len(serial), 1))
    first = _MIDDLE - pitch * (len(serial) - 1) / 2
    lines = "".join(f"M{first + pitch * (k - 0.36):g} 176h{pitch * 0.72:g}" for k in sorted(marked))
    side = pitch * len(serial) / 2 + 38
    words = [
        placed("note"),
        *(_text("note-stake", x, y, _stake_size(stake), stake) for x, y in _CORNERS if stake),
        _text("note-motto", _MIDDLE, 66, 15, motto),
        f'<path class="note-marked" d="{lines}"/>' if lines else "",
        figures(serial, middle=_MIDDLE, base=164, pitch=pitch, size=_SIZE, classes="note-serial"),
        _text("note-letter", _MIDDLE - side, 160, 48, before),
        _text("note-letter", _MIDDLE + side, 160, 48, after),
        _text("note-small note-start", 76, 224, 19, " ".join(filter(None, (before, serial, after)))),
        _text("note-small note-end", _WIDTH - 76, 224, 19, foot),
    ]
    return svg(f"0 0 {_WIDTH} {_HEIGHT}", "".join(words), classes=joined("note", classes), label=label)


def banknote_back(*, label: str | None = None, sign: str = "", classes: str = "") -> Markup:
    """A banknote face down, as one picks it from a heap.

    Args:
        label: in words; None where a button around it has them.
        sign: a number or letter in the middle, to tell notes apart; may be empty.
        classes: further CSS classes.
    """
    body = placed("note-back") + Markup(_text("note-sign", _MIDDLE, 154, 46, sign))
    return svg(f"0 0 {_WIDTH} {_HEIGHT}", body, classes=joined("note note-down", classes), label=label)


def _text(classes: str, x: float, y: float, size: float, words: str) -> str:
    """One line of text, or nothing for no words."""
    return f'<text class="{classes}" x="{x:g}" y="{y:g}" font-size="{size:g}">{escape(words)}</text>' * bool(words)


def _stake_size(stake: str) -> int:
    """The size at which a stake fits its seal."""
    return {1: 28, 2: 23}.get(len(stake), 16)
