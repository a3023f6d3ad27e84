"""Guilloche: the line art of banknotes, made of sine waves along circles, ellipses and straight bands.

This module contains only geometry in integer units, without colors; strokes are inherited where a shape is used. The
result is deterministic. Elements with an `id` are for the sprite, where one strand is defined once and used many times.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from cmath import rect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

_TURN = 2 * math.pi

Curve = Callable[[float], complex]
"""A parametric curve; x is the real part of a point, y the imaginary part."""

_SLIGHT = 1e-3  # as a fraction of one piece: the step over which a direction is measured


def numbers(*values: int) -> str:
    """Return integers as path data, with a blank only where one is needed.

    >>> numbers(3, -4, 5)
    '3-4 5'
    """
    text = ""
    for value in values:
        sign = str(value)
        text += sign if not text or sign[0] == "-" else " " + sign
    return text


def traced(curve: Curve, pieces: int, *, start: float = 0.0, end: float = 1.0, closed: bool = False) -> str:
    """Return the path along `curve` from `start` to `end`, in cubic pieces of equal length in the parameter.

    At a joint the two handles mirror each other, so every piece after the first is a four-number `s`.

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
    """Return the nearest point with integer coordinates."""
    return round(point.real), round(point.imag)


@dataclass(frozen=True, slots=True)
class Rosette:
    """A wreath of strands that swing between two scalloped rims.

    Attributes:
        inner: the radius of the inner rim.
        outer: the radius of the outer rim.
        petals: the number of scallops of each rim; there are as many strands, each rotated by one scallop.
        swings: how often a strand swings out and back on its way around.
        inner_wave: the depth of the scallops of the inner rim.
        outer_wave: the depth of the scallops of the outer rim.
        pieces: the number of cubic pieces of a strand.
    """

    inner: int
    outer: int
    petals: int
    swings: int
    inner_wave: int = 0
    outer_wave: int = 0
    pieces: int = 96

    def strand(self) -> str:
        """Return the path of one strand."""

        def at(t: float) -> complex:
            angle = _TURN * t
            scallop = math.cos(self.petals * angle)
            out, into = self.outer + self.outer_wave * scallop, self.inner + self.inner_wave * scallop
            return rect((out + into) / 2 + (out - into) / 2 * math.sin(self.swings * angle), angle)

        return traced(at, self.pieces, closed=True)

    def group(self, name: str) -> str:
        """Return the wreath as a group with this id, centered at 0 0."""
        turned = "".join(
            f'<use href="#{name}-1" transform="rotate({360 * k / self.petals:g})"/>' for k in range(1, self.petals)
        )
        return f'<g id="{name}"><path id="{name}-1" d="{self.strand()}"/>{turned}</g>'


def braid_cell(length: int, swing: int, *, strands: int = 3) -> str:
    """Return the path of one wave of a straight braid along the x axis: one sine per strand, evenly shifted."""

    def sine(phase: float) -> Curve:
        return lambda t: complex(length * t, swing * math.sin(_TURN * (t + phase)))

    return "".join(traced(sine(k / strands), 4) for k in range(strands))


def braid(name: str, cell: str, length: int, cells: int) -> str:
    """Return a straight braid of this number of cells as a group with this id, from 0 0 to the right."""
    placed = "".join(f'<use href="#{cell}" x="{length * k}"/>' for k in range(cells))
    return f'<g id="{name}">{placed}</g>'


def wave_line(width: int, waves: Sequence[tuple[float, float, float]]) -> str:
    """Return the path of one flowing line from left to right, a sum of sines.

    Args:
        width: its length.
        waves: the amplitude, the number of waves over the width and the phase in turns of every sine.
    """
    quick = max(count for _, count, _ in waves)
    return traced(
        lambda t: complex(width * t, sum(a * math.sin(_TURN * (k * t + phase)) for a, k, phase in waves)),
        math.ceil(quick * 5),
    )


def wave_field(name: str, line: str, *, rows: int, gap: int, drift: int) -> str:
    """Return flowing lines, one below the other, as a group with this id.

    Each line is shifted sideways against the one above.

    Args:
        name: the group's id; the line's id is the same with `-1`.
        line: the path of the first line, wider than the area to fill by `drift` on both sides.
        rows: the number of lines.
        gap: the distance from one line to the next.
        drift: the maximum sideways shift, in one slow wave over all rows.
    """
    placed = "".join(
        f'<use href="#{name}-1" x="{round(drift * math.sin(_TURN * row / rows))}" y="{gap * row}"/>'
        for row in range(1, rows)
    )
    return f'<g id="{name}"><path id="{name}-1" d="{line}"/>{placed}</g>'


def oval_quarter(half_width: int, half_height: int, swing: int, *, sixths: int, strands: int = 3) -> str:
    """Return the path of a quarter of a braid around an ellipse, from the right to the bottom.

    Its waves have equal length. Mirrored at both axes, it closes without a seam.

    Args:
        half_width: the distance from the center to the middle of the braid on the right.
        half_height: the same, downwards.
        swing: the maximum distance of the strands from the middle.
        sixths: the length of the quarter in sixths of a wave, which makes mirrored strands meet.
        strands: the number of strands, 3 or another divisor of 6.
    """
    steps = 2000
    points = [
        complex(half_width * math.cos(a), half_height * math.sin(a))
        for a in (math.pi / 2 * k / steps for k in range(-steps // 10, steps + steps // 10 + 1))
    ]
    lengths = list(accumulate((abs(b - a) for a, b in pairwise(points)), initial=0.0))
    first, last = lengths[steps // 10], lengths[steps // 10 + steps]
    waves = sixths / 6

    def angle_at(length: float) -> float:
        k = min(max(bisect_right(lengths, length) - 1, 0), len(points) - 2)
        part = (length - lengths[k]) / (lengths[k + 1] - lengths[k])
        return math.pi / 2 * (k + part - steps // 10) / steps

    def strand(phase: float) -> Curve:
        def at(t: float) -> complex:
            angle = angle_at(first + (last - first) * t)
            out = complex(math.cos(angle) / half_width, math.sin(angle) / half_height)
            swung = swing * math.cos(_TURN * (waves * t + phase))  # a sine would have a kink at the mirror axis
            return complex(half_width * math.cos(angle), half_height * math.sin(angle)) + out / abs(out) * swung

        return at

    return "".join(traced(strand(k / strands), round(waves * 4)) for k in range(strands))


def oval(name: str, quarter: str) -> str:
    """Return a whole oval braid as a group with this id, centered at 0 0, from the path of its bottom right quarter."""
    mirrored = "".join(f'<use href="#{name}-1" transform="scale({x} {y})"/>' for x, y in ((-1, 1), (1, -1), (-1, -1)))
    return f'<g id="{name}"><path id="{name}-1" d="{quarter}"/>{mirrored}</g>'
