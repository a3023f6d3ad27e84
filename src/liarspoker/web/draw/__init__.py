"""Drawings of the web app, made by our own maths: SVG as `Markup`, without a style, a script or a colour of its own.

Colours, fonts and sizes come from `client/styles/drawings*.css` and the tokens there; shapes that return come from one
static file, `ornament_svg()`, which the web app serves at `ornament_url()`. A drawing with a label is an image with its
name for people who hear the page; without one it is passed over.
"""

from liarspoker.web.draw.banknote import banknote, banknote_back
from liarspoker.web.draw.bearer import bearer_note
from liarspoker.web.draw.cards import any_suit, card, card_name
from liarspoker.web.draw.chart import Bar, bar_chart, even_line, running_chart, sparkline
from liarspoker.web.draw.hands import raised_hands
from liarspoker.web.draw.icons import ICONS, icon
from liarspoker.web.draw.numeral import numeral
from liarspoker.web.draw.ornaments import braid_band, house_mark, ribbon, rosette, table_oval
from liarspoker.web.draw.ring import clock_ring
from liarspoker.web.draw.slip import SlipRow, slip, slip_back
from liarspoker.web.draw.sprite import SPRITE_PATH, ornament_svg, ornament_url

__all__ = [
    "ICONS",
    "SPRITE_PATH",
    "Bar",
    "SlipRow",
    "any_suit",
    "banknote",
    "banknote_back",
    "bar_chart",
    "bearer_note",
    "braid_band",
    "card",
    "card_name",
    "clock_ring",
    "even_line",
    "house_mark",
    "icon",
    "numeral",
    "ornament_svg",
    "ornament_url",
    "raised_hands",
    "ribbon",
    "rosette",
    "running_chart",
    "slip",
    "slip_back",
    "sparkline",
    "table_oval",
]
