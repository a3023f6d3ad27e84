"""Raised hands with 0 to 5 fingers, for the sprite.

The outline is drawn by placing one silhouette twice, first wide in ink and then filled with paper, so that fingers and
palm join without a seam. Raised fingers have the class `finger`.
"""

from __future__ import annotations

HAND_VIEW = (72, 112)
"""Width and height of a hand."""

FINGERS_A_HAND = 5
"""The four fingers and the thumb."""

_Finger = tuple[float, float, float, float, float]

_INK, _PAPER = "var(--sheet-ink)", "var(--sheet)"

# From the index finger to the little finger: left edge, width, top when raised, tilt in degrees, top when bent.
_FINGERS = (
    (15.6, 11.4, 13, -5.5, 49),
    (27.6, 11.6, 5.5, -1.5, 47.4),
    (39.4, 11.2, 10.5, 3, 48.6),
    (50.6, 9.8, 23, 8, 51.4),
)
_ROOT = 66  # where a raised finger joins the palm
_PALM = "M15.5 62C13.5 72 17 82 24 92h29c6-6 9.5-18 8.5-31Q38 51 15.5 62z"
_THUMB_OUT = "M25 92C15 86 11.5 76 4.8 64.5 1 58 8.5 52 13 58c4 5.5 7 9.5 14 12z"
_THUMB_IN = "M15.3 66c0-4.5 3.5-6.3 7-4.8l19.5 9.3c6.5 3.3 4 12-3.2 10.5L20.5 78c-3.7-1.2-5.2-6-5.2-12z"
_SLEEVE = (
    f'<path d="M17 97h41l3 15H14z" fill="var(--press)" stroke="{_INK}" stroke-width="1.6"/>'
    '<path d="M24 98l-1.5 13M31 98l-.7 13M37.5 98v13M44 98l.7 13M51 98l1.5 13" stroke="var(--on-press)" '
    'stroke-width=".9" opacity=".7"/>'
    f'<rect x="18" y="89.5" width="39" height="9" rx="1.5" fill="{_PAPER}" stroke="{_INK}" stroke-width="1.6"/>'
    f'<circle cx="50.5" cy="94" r="1.9" fill="var(--engrave)" stroke="{_INK}" stroke-width=".8"/>'
)


def hand_symbols() -> str:
    """Return the six hands, ids `hand-0` to `hand-5`."""
    return "".join(_hand(count) for count in range(FINGERS_A_HAND + 1))


def _hand(count: int) -> str:
    """Return a hand with `count` fingers raised: the index finger first, the thumb last."""
    raised, thumb_out = min(count, len(_FINGERS)), count == FINGERS_A_HAND
    name = f"hand-{count}"
    outline = "".join(map(_raised, _FINGERS[:raised])) + f'<path d="{_PALM}"/>'
    outline += f'<path class="finger" d="{_THUMB_OUT}"/>' * thumb_out
    folded = "".join(map(_folded, _FINGERS[raised:]))
    creases = "".join(map(_creases, _FINGERS[:raised]))
    return (
        f'<g id="{name}" fill="none" stroke-linecap="round" stroke-linejoin="round">{_SLEEVE}'
        f'<g fill="{_INK}" stroke="{_INK}" stroke-width="3.6"><g id="{name}-1">{outline}</g></g>'
        f'<use href="#{name}-1" fill="{_PAPER}"/>'
        f'<g stroke="{_INK}">{creases}{_palm_lines(thumb_out)}{folded}{"" if thumb_out else _thumb_in()}</g></g>'
    )


def _raised(finger: _Finger) -> str:
    """Return a raised finger, slightly thinner at its tip."""
    left, width, top, tilt, _ = finger
    half = width / 2
    return (
        f'<path class="finger" d="M{left:g} {_ROOT}l.5-{_ROOT - top - half:g}a{half - 0.5:g} {half:g} 0 0 1 '
        f'{width - 1:g} 0l.5 {_ROOT - top - half:g}z" transform="rotate({tilt:g} {left + half:g} {_ROOT})"/>'
    )


def _creases(finger: _Finger) -> str:
    """Return the lines across a raised finger at its joints, and the fine shading along its side."""
    left, width, top, tilt, _ = finger
    first, second = top + (_ROOT - 8 - top) * 0.36, top + (_ROOT - 8 - top) * 0.7
    shade = "".join(f"M{left + width - 2.6:g} {top + 9 + 2.4 * k:g}h1.5" for k in range(int((_ROOT - top - 20) / 2.4)))
    return (
        f'<g transform="rotate({tilt:g} {left + width / 2:g} {_ROOT})" stroke-width="1">'
        f'<path d="M{left + 2.6:g} {first:g}q{width / 2 - 2.6:g} 1.3 {width - 5.2:g} 0M{left + 2.2:g} {second:g}'
        f'q{width / 2 - 2.2:g} 1.6 {width - 4.4:g} 0"/><path d="{shade}" stroke-width=".6" opacity=".65"/></g>'
    )


def _folded(finger: _Finger) -> str:
    """Return a finger bent into the palm, with its nail."""
    left, width, _, _, top = finger
    middle = left + width / 2
    return (
        f'<rect x="{left + 0.4:g}" y="{top:g}" width="{width - 0.8:g}" height="{74 - top:g}" rx="{width / 2 - 0.6:g}" '
        f'fill="{_PAPER}" stroke-width="1.8"/>'
        f'<path d="M{middle - 2.4:g} 71v-2.6a2.4 2.4 0 0 1 4.8 0V71M{left + 3:g} {top + 8:g}q{width / 2 - 3:g} 1.3 '
        f'{width - 6:g} 0" stroke-width=".9"/>'
    )


def _thumb_in() -> str:
    """Return the thumb laid across the palm, with its nail and knuckle."""
    return (
        f'<path d="{_THUMB_IN}" fill="{_PAPER}" stroke-width="1.8"/>'
        '<path d="M42.5 79.5c-3.3.5-5-1.2-4.3-3.7.6-2.3 2.7-2.9 4.6-2M27 66.5q1.6 2.7.3 6" stroke-width=".9"/>'
    )


def _palm_lines(thumb_out: bool) -> str:
    """Return the lines of the palm, and shading along its far edge."""
    shade = "".join(f"M{58.6 - 0.12 * k * k:g} {66 + 2.6 * k:g}h{1.8 + 0.1 * k:g}" for k in range(8))
    lines = "M24 70q9 3 13 20M22 66q16 1 24-6M29 73q12 3 26-6" if thumb_out else "M30 84q14 2 26-8"
    return f'<path d="{lines}" stroke-width="1"/><path d="{shade}" stroke-width=".6" opacity=".65"/>'
