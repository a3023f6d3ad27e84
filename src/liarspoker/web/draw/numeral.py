"""The engraved numeral of the standing bid: an outline, a gap, and hatching that swells as on a banknote."""

from __future__ import annotations

import math

from markupsafe import Markup

from liarspoker.web.draw.markup import figures, joined, svg

_HEIGHT, _PITCH, _MARGIN = 124, 84, 6
_LINES = 35


def numeral(number: int, *, label: str | None = None, unique: str = "", classes: str = "") -> Markup:
    """A number from 1 to 99, engraved; as high as CSS says for `.numeral`.

    Args:
        number: what it says.
        label: in words; None where the words stand beside it.
        unique: told when a page has the same numeral twice, so that each has an id of its own.
        classes: further CSS classes.

    Raises:
        ValueError: `number` is not from 1 to 99.
    """
    if not 1 <= number <= 99:
        raise ValueError(f"a numeral is from 1 to 99, not {number}")
    text = str(number)
    width = _PITCH * len(text) + 2 * _MARGIN
    hatch = f"hatch-{text}{unique}"

    def layer(classes: str, fill: str = "") -> str:
        drawn = figures(text, middle=width / 2, base=116, pitch=_PITCH, size=158, classes=classes)
        return drawn.replace("<text", f'<text fill="url(#{fill})"') if fill else drawn

    body = (
        f'<pattern id="{hatch}" width="{width}" height="{_HEIGHT}" patternUnits="userSpaceOnUse">'
        f'<path class="numeral-line" d="{_hatching(width)}"/></pattern>'
        f"{layer('numeral-out')}{layer('numeral-gap')}{layer('numeral-in', hatch)}"
    )
    return svg(f"0 0 {width} {_HEIGHT}", body, classes=joined("numeral", classes), label=label)


def _hatching(width: int) -> str:
    """Level lines, fine at the top and bold towards the bottom, as light falls on something round."""
    step = _HEIGHT / _LINES
    lines = []
    for line in range(_LINES):
        height = step * (0.34 + 0.36 * math.sin(math.pi / 2 * (line + 1) / _LINES) ** 2)
        lines.append(f"M0 {line * step:.1f}h{width}v{height:.2f}H0z")
    return "".join(lines)
