"""Guilloche: the line art of banknotes, from sines wound round circles, ellipses and straight bands.

Everything here is geometry in whole units and says nothing of colour; strokes are inherited from whoever places it.
All of it is deterministic. Elements with an `id` are for the sprite, where one strand
is written once and placed many times.
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


@dataclass(frozen=True, slots=True)
class Rosette:
    """A wreath of strands which swing between two scalloped rims.

    Attributes:
        inner: radius of the inner rim.
        outer: radius of the outer rim.
        petals: scallops of each rim; the strand is placed as often, turned from one scallop to the next.
        swings: how often a strand goes out and back on its way round.
        inner_wave: how deep the scallops of the inner rim are.
        outer_wave: how deep the scallops of the outer rim are.
        pieces: cubic pieces of the strand.
    """

    inner: int
    outer: int
    petals: int
    swings: int
    inner_wave: int = 0
    outer_wave: int = 0
    pieces: int = 96

    def strand(self) -> str:
        """The path of one strand."""

        def at(t: float) -> complex:
            angle = _TURN * t
            scallop = math.cos(self.petals * angle)
            out, into = self.outer + self.outer_wave * scallop, self.inner + self.inner_wave * scallop
            return rect((out + into) / 2 + (out - into) / 2 * math.sin(self.swings * angle), angle)

        return traced(at, self.pieces, closed=True)

    def group(self, name: str) -> str:
        """The wreath as a group with this id, its centre at 0 0."""
        turned = "".join(
            f'<use href="#{name}-1" transform="rotate({360 * k / self.petals:g})"/>' for k in range(1, self.petals)
        )
        return f'<g id="{name}"><path id="{name}-1" d="{self.strand()}"/>{turned}</g>'


def braid_cell(length: int, swing: int, *, strands: int = 3) -> str:
    """The path of one wave of a straight braid along the x axis: as many sines as strands, evenly out of step."""

    def sine(phase: float) -> Curve:
        return lambda t: complex(length * t, swing * math.sin(_TURN * (t + phase)))

    return "".join(traced(sine(k / strands), 4) for k in range(strands))


def braid(name: str, cell: str, length: int, cells: int) -> str:
    """A straight braid of so many cells as a group with this id, from 0 0 to the right."""
    placed = "".join(f'<use href="#{cell}" x="{length * k}"/>' for k in range(cells))
    return f'<g id="{name}">{placed}</g>'


def wave_line(width: int, waves: Sequence[tuple[float, float, float]]) -> str:
    """The path of one flowing line from left to right, a sum of sines.

    Args:
        width: how far it goes.
        waves: amplitude, waves over the width and phase in turns, of every sine.
    """
    quick = max(count for _, count, _ in waves)
    return traced(
        lambda t: complex(width * t, sum(a * math.sin(_TURN * (k * t + phase)) for a, k, phase in waves)),
        math.ceil(quick * 5),
    )


def wave_field(name: str, line: str, *, rows: int, gap: int, drift: int) -> str:
    """Flowing lines one under another as a group with this id; each drifts sideways against the one above.

    Args:
        name: the group's id; the line's is the same with `-1`.
        line: path of the first line, wider than what is to be filled by `drift` on both sides.
        rows: how many lines.
        gap: from one line down to the next.
        drift: how far lines stray to the left and right, in one slow wave over all rows.
    """
    placed = "".join(
        f'<use href="#{name}-1" x="{round(drift * math.sin(_TURN * row / rows))}" y="{gap * row}"/>'
        for row in range(1, rows)
    )
    return f'<g id="{name}"><path id="{name}-1" d="{line}"/>{placed}</g>'


def oval_quarter(half_width: int, half_height: int, swing: int, *, sixths: int, strands: int = 3) -> str:
    """The path of a quarter of a braid round an ellipse, from the right to the bottom, its waves of equal length.

    Mirrored at both axes it closes without a seam.

    Args:
        half_width: from the centre to the middle of the braid on the right.
        half_height: the same, down.
        swing: how far strands leave the middle to either side.
        sixths: length of the quarter in sixths of a wave; this is what makes mirrored strands meet.
        strands: three, or another number that divides six.
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
            swung = swing * math.cos(_TURN * (waves * t + phase))  # a sine would come out of the mirror with a kink
            return complex(half_width * math.cos(angle), half_height * math.sin(angle)) + out / abs(out) * swung

        return at

    return "".join(traced(strand(k / strands), round(waves * 4)) for k in range(strands))


def oval(name: str, quarter: str) -> str:
    """A whole oval braid as a group with this id, its centre at 0 0, from the path of its bottom right quarter."""
    mirrored = "".join(f'<use href="#{name}-1" transform="scale({x} {y})"/>' for x, y in ((-1, 1), (1, -1), (-1, -1)))
    return f'<g id="{name}"><path id="{name}-1" d="{quarter}"/>{mirrored}</g>'
