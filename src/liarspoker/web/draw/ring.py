"""The ring round a player's initial, of which as much is drawn as the clock has left."""

from __future__ import annotations

import math

from markupsafe import Markup, escape

from liarspoker.web.draw.markup import joined, svg

_RADIUS = 21.5


def clock_ring(initial: str, *, left: float | None = None, classes: str = "") -> Markup:
    """A ring with a letter; the time itself stands beside it in words.

    Args:
        initial: one or two signs.
        left: what is left of the clock, 0 to 1, drawn clockwise from the top; None for no clock.
        classes: further CSS classes.

    Raises:
        ValueError: `left` is not from 0 to 1.
    """
    if left is not None and not 0 <= left <= 1:
        raise ValueError(f"a clock has 0 to 1 of its time left, not {left:g}")
    body = f'<circle class="ring-track" r="{_RADIUS}"/>'
    if left:
        body += f'<path class="ring-left" d="{_arc(left)}"/>'
    body += f'<text class="ring-initial" y="6">{escape(initial)}</text>'
    return svg("-24 -24 48 48", body, classes=joined("ring", classes))


def _arc(part: float) -> str:
    """The path of this part of the circle, clockwise from the top."""
    if part > 0.999:
        return f"M0-{_RADIUS}a{_RADIUS} {_RADIUS} 0 1 1 0 {2 * _RADIUS:g}a{_RADIUS} {_RADIUS} 0 1 1 0-{2 * _RADIUS:g}z"
    x, y = _RADIUS * math.sin(2 * math.pi * part), -_RADIUS * math.cos(2 * math.pi * part)
    return f"M0-{_RADIUS}A{_RADIUS} {_RADIUS} 0 {int(part > 0.5)} 1 {x:.2f} {y:.2f}"
