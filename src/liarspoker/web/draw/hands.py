"""Raised hands, as players show at the count how often they hold the digit."""

from __future__ import annotations

from markupsafe import Markup

from liarspoker.web.draw.fingers import FINGERS_A_HAND, HAND_VIEW
from liarspoker.web.draw.markup import joined, svg
from liarspoker.web.draw.sprite import placed


def raised_hands(count: int, *, label: str | None = None, classes: str = "") -> Markup:
    """As many raised fingers as `count`: a fist for none, one hand to five, then more hands.

    Args:
        count: 0 or more.
        label: in words; None where the count stands beside it in words.
        classes: further CSS classes.

    Raises:
        ValueError: `count` is less than 0.
    """
    if count < 0:
        raise ValueError(f"nobody raises {count} fingers")
    full, rest = divmod(count, FINGERS_A_HAND)
    shown = [FINGERS_A_HAND] * full + [rest] * (rest > 0 or full == 0)
    width, height = HAND_VIEW
    hands = Markup("").join(
        placed(f"hand-{fingers}", _place(place, width, mirrored=len(shown) > 1 and place % 2 == 0))
        for place, fingers in enumerate(shown)
    )
    size = joined("hands", "hands-more" if len(shown) > 1 else "", classes)
    return svg(f"0 0 {width * len(shown)} {height}", hands, classes=size, label=label)


def _place(place: int, width: int, *, mirrored: bool) -> str:
    """The attributes which put the hand with this number beside the one before it; the left of a pair is mirrored."""
    if mirrored:
        return f' transform="translate({width * (place + 1)}) scale(-1 1)"'
    return f' x="{width * place}"' if place else ""
