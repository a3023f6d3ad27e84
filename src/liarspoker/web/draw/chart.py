"""Charts with accessible names, and the clock ring. Pages also show a chart's figures as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup, escape

from liarspoker.language import number
from liarspoker.web.draw.svg import joined, svg

_WIDTH, _HEIGHT, _FLOOR, _CEILING = 640, 226, 194, 46
_LETTER, _ROW, _MARGIN = 11, 24, 4
"""The average width of a letter below a bar, the height of a row of such labels, both in the larger type of phones, and
the width of a margin, to which two rows of labels add half of that height."""
_CLOSE = 0.12
"""The share of the height within which the label of an extreme would touch the zero."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a distribution: a probability from 0 to 1, drawn solid if it counts and hatched otherwise."""

    label: str
    probability: float
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
    in_words: bool = False,
    classes: str = "",
) -> Markup:
    """Draw a distribution as bars, with a cut between bars that count and bars that don't.

    Args:
        bars: the bars, left to right.
        title: accessible name: what the chart shows.
        unique: suffix that makes ids unique on a page with several charts.
        left_note: note left of the cut.
        right_note: note right of the cut.
        line: a probability marked by a horizontal line, such as the break-even probability; None for no line.
        line_note: the line's label.
        in_words: whether the labels are words, which get two rows if one is too narrow.
        classes: further CSS classes.

    Raises:
        ValueError: `bars` is empty, or a probability isn't from 0 to 1.
    """
    probabilities = [bar.probability for bar in bars] + ([] if line is None else [line])
    if not bars or not all(0 <= probability <= 1 for probability in probabilities):
        raise ValueError("a chart needs at least one bar, with probabilities from 0 to 1")
    name = f"chart{unique}"
    highest = max(probabilities) or 1
    pitch = _WIDTH / len(bars)
    lower = _ROW if in_words and any(_LETTER * len(bar.label) > pitch for bar in bars) else 0
    margin = _MARGIN + lower // 2
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
    body += "".join(_words(bar, (k + 0.5) * pitch, highest, k % 2 * lower) for k, bar in enumerate(bars))
    return Markup(
        f'<svg class="{joined("chart", escape(classes))}" viewBox="{-margin} 0 {_WIDTH + 2 * margin} '
        f'{_HEIGHT + lower}" role="img" aria-labelledby="{name}-title">{body}</svg>'
    )


def _height(probability: float, highest: float) -> float:
    """Return the height of a bar, scaled so that the highest one fills the chart."""
    return probability / highest * (_FLOOR - _CEILING)


def _bar(bar: Bar, left: float, pitch: float, highest: float, name: str) -> str:
    height = _height(bar.probability, highest)
    fill = ' class="chart-counts"' if bar.counts else f' class="chart-not" fill="url(#{name}-hatch)"'
    return (
        f'<rect{fill} x="{left + pitch * 0.12:.1f}" y="{_FLOOR - height:.1f}" width="{pitch * 0.76:.1f}" '
        f'height="{height:.1f}"/>'
    )


def _words(bar: Bar, middle: float, highest: float, lower: int) -> str:
    """Draw the figure above a bar and the label below it, in the row that is `lower` than the first."""
    top = _FLOOR - _height(bar.probability, highest)
    value = f'<text class="chart-value" x="{middle:.1f}" y="{top - 6:.1f}">{escape(bar.value)}</text>'
    label = f'<text class="chart-label" x="{middle:.1f}" y="{_FLOOR + 20 + lower}">{escape(bar.label)}</text>'
    return label + value * bool(bar.value)


def _cut(bars: Sequence[Bar], pitch: float, left_note: str, right_note: str) -> str:
    """Draw the cut with its notes; nothing unless the bars change between counting and not counting exactly once."""
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
    """Draw a running total as a small line, with the zero line and a dot at its end.

    Raises:
        ValueError: `values` is empty.
    """
    if not values:
        raise ValueError("a sparkline needs at least one value")
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
    """Draw a value by ply as a line, with the zero line, its extremes and a mark at the current ply.

    The line stretches to whatever size the style sheet gives the chart; texts and strokes keep theirs. An extreme has a
    label unless it is close to zero.

    Raises:
        ValueError: `values` is empty, or `current` isn't an index of it.
    """
    if not values or (current is not None and not 0 <= current < len(values)):
        raise ValueError("a chart needs at least one value, and current must be an index of the values")
    top, bottom = max(0, *values), min(0, *values)
    span = (top - bottom) or 1
    step = 100 / max(len(values) - 1, 1)

    def down(value: float) -> str:
        return f"{100 * (top - value) / span:.1f}"

    zero, end = down(0), f"{step * (len(values) - 1):.1f}"
    path = "L".join(f"{k * step:.1f} {down(value)}" for k, value in enumerate(values))
    plot = (
        f'<path class="running-area" d="M0 {zero}L{path}L{end} {zero}z"/>'
        f'<path class="running-zero" d="M0 {zero}H100"/><path class="running-line" d="M{path}"/>'
    )
    marks = "".join(
        f'<text class="chart-label chart-end" x="-8" y="{down(value)}%" dy="4.5">{_signed(value)}</text>'
        for value in sorted({top, 0, bottom})
        if not value or abs(value) >= _CLOSE * span
    )
    if current is not None:
        x = f"{current * step:.1f}"
        plot += f'<path class="running-cursor" d="M{x} -6V106"/>'
        marks += f'<circle cx="{x}%" cy="{down(values[current])}%" r="5"/>'
    name = f"running{unique}-title"
    return Markup(
        f'<svg class="{joined("chart running", escape(classes))}" role="img" aria-labelledby="{name}">'
        f'<title id="{name}">{escape(title)}</title>'
        f'<svg class="running-plot" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{plot}</svg>'
        f"{marks}</svg>"
    )


def _signed(value: float) -> str:
    """Return a figure with its sign, as on score sheets.

    >>> _signed(12), _signed(-3.5), _signed(0)
    ('+12', '−3.5', '0')
    """
    return number(f"{value:+g}").replace("-", "−") if value else "0"


_RADIUS = 21.5


@lru_cache(maxsize=4096)
def clock_ring(initial: str, *, left: float | None = None, classes: str = "") -> Markup:
    """Draw a clock ring around initials; pages show the time beside it as text.

    Args:
        initial: the initials.
        left: fraction of the time left, 0 to 1; None without a clock.
        classes: further CSS classes.

    Raises:
        ValueError: `left` isn't from 0 to 1.
    """
    if left is not None and not 0 <= left <= 1:
        raise ValueError(f"left must be from 0 to 1, not {left:g}")
    body = f'<circle class="ring-track" r="{_RADIUS}"/>'
    if left:
        body += f'<path class="ring-left" d="{_arc(left)}"/>'
    body += f'<text class="ring-initial" y="6">{escape(initial)}</text>'
    return svg("-24 -24 48 48", body, classes=joined("ring", classes))


def _arc(part: float) -> str:
    """Return the path of a fraction of the circle, clockwise from the top."""
    if part > 0.999:
        return f"M0-{_RADIUS}a{_RADIUS} {_RADIUS} 0 1 1 0 {2 * _RADIUS:g}a{_RADIUS} {_RADIUS} 0 1 1 0-{2 * _RADIUS:g}z"
    x, y = _RADIUS * math.sin(2 * math.pi * part), -_RADIUS * math.cos(2 * math.pi * part)
    return f"M0-{_RADIUS}A{_RADIUS} {_RADIUS} 0 {int(part > 0.5)} 1 {x:.2f} {y:.2f}"
