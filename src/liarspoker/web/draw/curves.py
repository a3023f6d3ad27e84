"""Smooth curves as compact SVG path data: whole numbers, relative steps, one cubic piece a sample."""

from __future__ import annotations

from collections.abc import Callable

Curve = Callable[[float], complex]
"""A curve over a parameter; x is the real part of a point, y the imaginary part."""

_SLIGHT = 1e-3  # of one piece: the step over which a direction is measured


def numbers(*values: int) -> str:
    """Whole numbers as path data, with a blank only where one is needed.

    >>> numbers(3, -4, 5)
    '3-4 5'
    """
    text = ""
    for value in values:
        sign = str(value)
        text += sign if not text or sign[0] == "-" else " " + sign
    return text


def traced(curve: Curve, pieces: int, *, start: float = 0.0, end: float = 1.0, closed: bool = False) -> str:
    """The path along `curve` from `start` to `end`, in so many cubic pieces of equal length in the parameter.

    At a joint the two handles mirror one another, so every piece after the first is a four-number `s`.

    >>> traced(lambda t: 90 * t, 2)
    'M0 0c15 0 30 0 45 0s30 0 45 0'
    """
    step = (end - start) / pieces
    slight = step * _SLIGHT

    def handle(t: float) -> complex:
        return (curve(t + slight) - curve(t - slight)) / (2 * _SLIGHT * 3)

    here = _whole(curve(start))
    out = _whole(curve(start) + handle(start))
    path = "M" + numbers(*here) + "c" + numbers(out[0] - here[0], out[1] - here[1])
    for piece in range(1, pieces + 1):
        t = start + piece * step
        there, back = _whole(curve(t)), _whole(curve(t) - handle(t))
        text = numbers(back[0] - here[0], back[1] - here[1], there[0] - here[0], there[1] - here[1])
        path += text if text[0] == "-" or path[-1] == "s" else " " + text
        path += "s" if piece == 1 and pieces > 1 else ""
        here = there
    return path + "z" * closed


def _whole(point: complex) -> tuple[int, int]:
    """The nearest point with whole coordinates."""
    return round(point.real), round(point.imag)
