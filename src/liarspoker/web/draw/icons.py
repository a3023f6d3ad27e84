"""Line icons, 20 by 20; each stands beside its word, or in a control that has a name."""

from __future__ import annotations

from markupsafe import Markup

from liarspoker.web.draw.markup import joined, svg

_DOT = '<circle class="solid" cx="{}" cy="{}" r="1"/>'

ICONS = {
    "scores": '<path d="M4 3h12v14H4zM7 7h6M7 10h6M7 13h4"/>',
    "ladder": '<path d="M6 2v16M14 2v16M6 5.5h8M6 10h8M6 14.5h8"/>',
    "chat": '<path d="M3 4h14v9.5H9.5L6 17v-3.5H3zM6.5 7.5h7M6.5 10h4.5"/>',
    "help": '<circle cx="10" cy="10" r="7.5"/><path d="M7.7 8a2.3 2.3 0 1 1 3.4 2c-.8.5-1.1.9-1.1 1.8"/>'
    + _DOT.format(10, 14.2),
    "theme": '<circle cx="10" cy="10" r="7"/><path class="solid" d="M10 3a7 7 0 0 0 0 14z"/>',
    "settings": '<path d="M3 5.5h6M13 5.5h4M3 10h1M8 10h9M3 14.5h8M15 14.5h2"/><circle cx="11" cy="5.5" r="2"/>'
    '<circle cx="6" cy="10" r="2"/><circle cx="13" cy="14.5" r="2"/>',
    "sound-on": '<path d="M3 8v4h3l4 3.5v-11L6 8zM13 7.5q1.8 2.5 0 5M15.3 5.5q3.2 4.5 0 9"/>',
    "sound-off": '<path d="M3 8v4h3l4 3.5v-11L6 8zM13 8l4 4M17 8l-4 4"/>',
    "eye": '<path d="M2 10q8-10.5 16 0-8 10.5-16 0z"/><circle cx="10" cy="10" r="2.5"/>',
    "hide": '<path d="M2 10q8-10.5 16 0-8 10.5-16 0zM3.5 16.5l13-13"/><circle cx="10" cy="10" r="2.5"/>',
    "copy-link": '<path d="M8.5 11.5l3-3M7 9.5l-2.3 2.3a2.5 2.5 0 0 0 3.5 3.5l2.3-2.3M13 10.5l2.3-2.3'
    'a2.5 2.5 0 0 0-3.5-3.5l-2.3 2.3"/>',
    "qr": '<path d="M3 3h5v5H3zM12 3h5v5h-5zM3 12h5v5H3zM12 12h2v2h-2zM17 12v5h-5v-1.5"/>'
    + _DOT.format(5.5, 5.5)
    + _DOT.format(14.5, 5.5)
    + _DOT.format(5.5, 14.5),
    "owner": '<path d="M3.5 15.5l-1-9 4 3.5L10 4l3.5 6 4-3.5-1 9zM4 18h12"/>',
    "bot": '<path d="M4 7h12v9H4zM10 7V3.5M2 10v3M18 10v3M8 13.5h4"/><circle cx="10" cy="2.8" r=".9"/>'
    + _DOT.format(7.5, 10.5)
    + _DOT.format(12.5, 10.5),
    "clock": '<circle cx="10" cy="10" r="7.5"/><path d="M10 5.5V10l3 2"/>',
    "pause": '<path d="M7 4v12M13 4v12"/>',
    "play": '<path d="M6 3.5v13l10-6.5z"/>',
    "undo": '<path d="M7 4L3 8l4 4M3 8h8.5a4.5 4.5 0 0 1 0 9H8"/>',
    "leave": '<path d="M12 3H4v14h8M8.5 10H18M15 6.5l3.5 3.5-3.5 3.5"/>',
    "flag": '<path d="M5 18V3M5 3.5h10.5L12.5 7.5l3 4H5"/>',
    "check": '<path d="M3.5 10.5l4.5 4.5L17 5.5"/>',
    "cross": '<path d="M4.5 4.5l11 11M15.5 4.5l-11 11"/>',
    "warning": '<path d="M10 2.5L18.5 17h-17zM10 7.5v4.5"/>' + _DOT.format(10, 14.3),
    "challenge": '<path d="M10 1.5l8.5 8.5-8.5 8.5L1.5 10zM10 6v5"/>' + _DOT.format(10, 13.4),
    "first": '<path d="M4.5 4v12M16 4l-7.5 6 7.5 6z"/>',
    "previous": '<path d="M13.5 4L6 10l7.5 6z"/>',
    "next": '<path d="M6.5 4l7.5 6-7.5 6z"/>',
    "last": '<path d="M15.5 4v12M4 4l7.5 6L4 16z"/>',
    "menu": '<path d="M3 5.5h14M3 10h14M3 14.5h14"/>',
    "close": '<path d="M5 5l10 10M15 5L5 15"/>',
    "more": _DOT.format(4, 10) + _DOT.format(10, 10) + _DOT.format(16, 10),
    "people": '<circle cx="7.5" cy="7" r="3"/><path d="M2 16.5q0-5 5.5-5t5.5 5'
    'M12.5 4.2a3 3 0 0 1 0 5.6M14.5 11.8q3.5.8 3.5 4.7"/>',
    "lock": '<path d="M4.5 9h11v8h-11zM7 9V6.5a3 3 0 0 1 6 0V9M10 12v2"/>',
    "download": '<path d="M10 3v10M6 9l4 4 4-4M3.5 17h13"/>',
    "signal": '<path d="M3.5 16v-2M8 16v-5M12.5 16V7.5M17 16V4"/>',
    "signal-lost": '<path d="M3.5 16v-2M8 16v-5M12 4l5 5M17 4l-5 5"/>',
}
"""The markup of every icon by name."""


def icon(name: str, *, label: str | None = None, classes: str = "") -> Markup:
    """A line icon in the colour of the text around it.

    Args:
        name: one of `ICONS`.
        label: in words; None where the words stand beside it.
        classes: further CSS classes.

    Raises:
        ValueError: naming an icon that is none.
    """
    if name not in ICONS:
        raise ValueError(f"{name!r} is no icon; there are {', '.join(ICONS)}")
    return svg("0 0 20 20", ICONS[name], classes=joined("icon-art", classes), label=label)
