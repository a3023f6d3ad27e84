"""The banknote of the lobby, on whose left half somebody writes his name."""

from __future__ import annotations

from markupsafe import Markup

from liarspoker.web.draw.markup import joined, svg
from liarspoker.web.draw.plates import NOTE_VIEW
from liarspoker.web.draw.sprite import placed

_WIDTH, _HEIGHT = NOTE_VIEW


def bearer_note(*, figure: str = "8", classes: str = "") -> Markup:
    """A banknote with a wreath on its right half, and nothing on its left one.

    Args:
        figure: what stands in the wreath.
        classes: further CSS classes.
    """
    body = Markup(
        '<rect class="bearer-paper" width="{w}" height="{h}" rx="4"/>'
        '<svg x="42" y="42" width="{inner}" height="{high}" overflow="hidden">'
        '<g class="bearer-second" transform="translate(-42 -6) scale(.25)" stroke-width="2.2" opacity=".3">'
        "{field}</g></svg>"
        '<g transform="translate(484 138)"><g class="bearer-first" stroke-width="2.8" opacity=".8">{lace}</g>'
        '<g class="bearer-second" stroke-width="3" opacity=".8">{star}</g>'
        '<circle class="bearer-paper" r="25"/><text class="bearer-figure" y="16" font-size="46">{figure}</text></g>'
        "{frame}"
    ).format(
        w=_WIDTH,
        h=_HEIGHT,
        inner=_WIDTH - 84,
        high=_HEIGHT - 84,
        field=placed("field"),
        lace=placed("lace", ' transform="scale(.2)"'),
        star=placed("star", ' transform="scale(.19)"'),
        frame=placed("frame"),
        figure=figure,
    )
    return svg(f"0 0 {_WIDTH} {_HEIGHT}", body, classes=joined("note bearer-art", classes))
