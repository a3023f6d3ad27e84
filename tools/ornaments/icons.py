"""Draw the icons of the installed app from the SVG icon of the pages."""

from __future__ import annotations

import resvg_py

INK = "#1b5a42"
"""The color of the icon's disc, which fills the whole of an icon that a system crops."""

CROPPED = 20
"""Half the width of an icon that a system crops, in units of the icon.

The icon's circle of radius 15 is then in the safe zone, the inner 80 percent (https://www.w3.org/TR/appmanifest/#icon-masks).
"""


def icon_files(svg: str) -> dict[str, bytes]:
    """Return the PNG files by name, given the icon, whose view box is 32 units wide around the origin."""
    inner = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    box = f"{-CROPPED} {-CROPPED} {2 * CROPPED} {2 * CROPPED}"
    cropped = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><circle r="{2 * CROPPED}" fill="{INK}"/>{inner}</svg>'
    )
    return {
        "icon-192.png": _png(svg, 192),
        "icon-512.png": _png(svg, 512),
        "icon-maskable.png": _png(cropped, 512),
        "icon-apple.png": _png(cropped, 180),
    }


def _png(svg: str, width: int) -> bytes:
    return resvg_py.svg_to_bytes(svg_string=svg, width=width, height=width, skip_system_fonts=True)
