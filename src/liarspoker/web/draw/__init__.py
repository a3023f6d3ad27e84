"""Drawings that depend on data: SVG as `Markup`, without inline styles, scripts or colours.

Colours, fonts and sizes come from `client/styles/drawings*.css`. Repeated shapes come from one static sprite,
`static/ornament.svg`, which `tools/ornaments` draws. Static icons and ornaments are in `templates/drawings.html`. A
drawing with a label is an image with that name for screen readers; a drawing without one is hidden from them.
"""

from liarspoker.web.draw.cards import any_suit, card, card_name, raised_hands
from liarspoker.web.draw.chart import Bar, bar_chart, clock_ring, running_chart, sparkline
from liarspoker.web.draw.paper import SlipRow, banknote, banknote_back, numeral, slip, slip_back
from liarspoker.web.draw.svg import ornament_url, placed

__all__ = [
    "Bar",
    "SlipRow",
    "any_suit",
    "banknote",
    "banknote_back",
    "bar_chart",
    "card",
    "card_name",
    "clock_ring",
    "numeral",
    "ornament_url",
    "placed",
    "raised_hands",
    "running_chart",
    "slip",
    "slip_back",
    "sparkline",
]
