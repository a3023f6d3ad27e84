"""Drawings that depend on data: SVG as `Markup`, without a style, a script or a colour of its own.

Colours, fonts and sizes come from `client/styles/drawings*.css` and the tokens there. Shapes that return come from one
static file, `static/ornament.svg`, which `tools/ornaments` draws; icons and ornaments that are always the same are in
`templates/drawings.html`. A drawing with a label is an image with its name for people who hear the page; without one
it is passed over.
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
