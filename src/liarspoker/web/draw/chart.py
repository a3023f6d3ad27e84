"""Charts that a screen reader can name, with their figures in a table beside them; the ring of a clock."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup, escape

from liarspoker.web.draw.svg import joined, svg

_WIDTH, _HEIGHT, _FLOOR, _CEILING = 640, 226, 194, 46


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a distribution: a chance from 0 to 1; solid if it counts for the question, else hatched."""

    label: str
    chance: float
    counts: bool = False
    value: str = ""


def bar_chart(
    bars: Sequence[Bar],
    *,
    title: str,
    unique: str = "",
    left_note: str = "",
    right_note: str = "",
    line: float | None = None,
    line_note: str = "",
    classes: str = "",
) -> Markup:
    """A distribution as bars on an axis; where bars begin to count there is a cut, with a note on either side.

    Args:
        bars: left to right.
        title: what the chart shows and what follows from it, in words.
        unique: told when a page has several charts, so that each has ids of its own.
        left_note: stands left of the cut.
        right_note: stands right of it.
        line: a chance at which a level line is drawn, such as the break-even chance; None for no line.
        line_note: what the line is.
        classes: further CSS classes.

    Raises:
        ValueError: there are no bars, or a chance is not from 0 to 1.
    """
    chances = [bar.chance for bar in bars] + ([] if line is None else [line])
    if not bars or not all(0 <= chance <= 1 for chance in chances):
        raise ValueError("a chart needs bars, with chances from 0 to 1")
    name = f"chart{unique}"
    highest = max(chances) or 1
    pitch = _WIDTH / len(bars)
    body = (
        f'<title id="{name}-title">{escape(title)}</title><pattern id="{name}-hatch" width="5" height="5" '
        'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="chart-line" d="M0 0V5"/></pattern>'
    )
    body += "".join(_bar(bar, k * pitch, pitch, highest, name) for k, bar in enumerate(bars))
    body += f'<path class="chart-axis" d="M0 {_FLOOR}.5H{_WIDTH}"/>'
    if line is not None:
        y = _FLOOR - _height(line, highest)
        body += f'<path class="chart-level" d="M0 {y:.1f}H{_WIDTH}"/>'
        body += f'<text class="chart-note chart-end" x="{_WIDTH}" y="{y - 6:.1f}">{escape(line_note)}</text>'
    body += _cut(bars, pitch, left_note, right_note)
    body += "".join(_words(bar, (k + 0.5) * pitch, highest) for k, bar in enumerate(bars))
    return Markup(
        f'<svg class="{joined("chart", escape(classes))}" viewBox="-4 0 {_WIDTH + 8} {_HEIGHT}" role="img" '
        f'aria-labelledby="{name}-title">{body}</svg>'
    )


def _height(chance: float, highest: float) -> float:
    """How high a chance is drawn where the highest fills the chart."""
    return chance / highest * (_FLOOR - _CEILING)


def _bar(bar: Bar, left: float, pitch: float, highest: float, name: str) -> str:
    height = _height(bar.chance, highest)
    fill = ' class="chart-counts"' if bar.counts else f' class="chart-not" fill="url(#{name}-hatch)"'
    return (
        f'<rect{fill} x="{left + pitch * 0.12:.1f}" y="{_FLOOR - height:.1f}" width="{pitch * 0.76:.1f}" '
        f'height="{height:.1f}"/>'
    )


def _words(bar: Bar, middle: float, highest: float) -> str:
    """The figure above a bar and the label below it."""
    top = _FLOOR - _height(bar.chance, highest)
    value = f'<text class="chart-value" x="{middle:.1f}" y="{top - 6:.1f}">{escape(bar.value)}</text>'
    label = f'<text class="chart-label" x="{middle:.1f}" y="{_FLOOR + 20}">{escape(bar.label)}</text>'
    return label + value * bool(bar.value)


def _cut(bars: Sequence[Bar], pitch: float, left_note: str, right_note: str) -> str:
    """The line where bars begin to count, if they do so once, with its notes."""
    edges = [k for k in range(1, len(bars)) if bars[k].counts != bars[k - 1].counts]
    if len(edges) != 1:
        return ""
    x = edges[0] * pitch
    return (
        f'<path class="chart-cut" d="M{x:.1f} 2V{_HEIGHT - 12}"/>'
        f'<text class="chart-note chart-end" x="{x - 8:.1f}" y="14">{escape(left_note)}</text>'
        f'<text class="chart-note chart-start" x="{x + 8:.1f}" y="14">{escape(right_note)}</text>'
    )


def sparkline(values: Sequence[float], *, label: str | None = None, classes: str = "") -> Markup:
    """A small line of units won and lost so far, with the zero line and a dot at its end.

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("a sparkline needs values")
    width, height, margin = 120, 32, 4
    top, bottom = max(0, *values), min(0, *values)
    span = (top - bottom) or 1
    step = (width - 2 * margin) / max(len(values) - 1, 1)
    points = [
        (margin + k * step, margin + (top - value) / span * (height - 2 * margin)) for k, value in enumerate(values)
    ]
    zero = margin + top / span * (height - 2 * margin)
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    body = (
        f'<path class="spark-zero" d="M0 {zero:.1f}H{width}"/><path class="spark-line" d="{path}"/>'
        f'<circle class="spark-now" cx="{points[-1][0]:.1f}" cy="{points[-1][1]:.1f}" r="2.5"/>'
    )
    return svg(f"0 0 {width} {height}", body, classes=joined("sparkline", classes), label=label)


def running_chart(
    values: Sequence[float], *, title: str, current: int | None = None, unique: str = "", classes: str = ""
) -> Markup:
    """A value ply by ply, as a line over the zero line, with a level figure at its ends and the current ply marked.

    Raises:
        ValueError: there are no values, or `current` is none of them.
    """
    if not values or (current is not None and not 0 <= current < len(values)):
        raise ValueError("a chart needs values, and marks one of them")
    width, height, left = 760, 150, 44
    top, bottom = max(0, *values), min(0, *values)
    span = (top - bottom) or 1
    step = (width - left - 10) / max(len(values) - 1, 1)

    def down(value: float) -> float:
        return 14 + (top - value) / span * (height - 28)

    points = [(left + k * step, down(value)) for k, value in enumerate(values)]
    zero = down(0)
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    name = f"running{unique}-title"
    body = (
        f'<title id="{name}">{escape(title)}</title>'
        f'<path class="running-area" d="M{left} {zero:.1f}L{path}L{points[-1][0]:.1f} {zero:.1f}z"/>'
        f'<path class="running-zero" d="M{left} {zero:.1f}H{width}"/><path class="running-line" d="M{path}"/>'
    )
    for value in sorted({top, 0, bottom}):
        body += (
            f'<text class="chart-label chart-end" x="{left - 8}" y="{down(value) + 4.5:.1f}">{_signed(value)}</text>'
        )
    if current is not None:
        x, y = points[current]
        body += f'<path class="running-cursor" d="M{x:.1f} 4V{height - 4}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
    return Markup(
        f'<svg class="{joined("chart running", escape(classes))}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-labelledby="{name}">{body}</svg>'
    )


def _signed(value: float) -> str:
    """A figure with its sign, as score sheets write it.

    >>> _signed(12), _signed(-3.5), _signed(0)
    ('+12', '−3.5', '0')
    """
    return f"{value:+g}".replace("-", "−") if value else "0"


_RADIUS = 21.5


@lru_cache(maxsize=4096)
def clock_ring(initial: str, *, left: float | None = None, classes: str = "") -> Markup:
    """A ring with a letter; the time itself stands beside it in words.

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
