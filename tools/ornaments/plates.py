"""Engraved plates: wreaths and braids, the front and the back of a banknote, the back of a slip.

Shapes are drawn four times as large as they are displayed, so that integer coordinates are precise enough.
"""

from __future__ import annotations

from tools.ornaments.guilloche import (
    Rosette,
    braid,
    braid_cell,
    oval,
    oval_quarter,
    wave_field,
    wave_line,
)

NOTE_VIEW, SLIP_BACK_VIEW = (640, 276), (300, 420)
"""Width and height of a banknote, and of a slip that is face down."""

ROSETTES = {
    "rosette": Rosette(590, 890, petals=20, swings=9, inner_wave=36, outer_wave=52, pieces=180),
    "lace": Rosette(140, 470, petals=18, swings=7, inner_wave=20, outer_wave=34, pieces=126),
    "star": Rosette(60, 280, petals=12, swings=7, inner_wave=14, outer_wave=36, pieces=96),
    "core": Rosette(70, 150, petals=10, swings=3, inner_wave=6, outer_wave=10, pieces=60),
}
"""The wreaths of the sprite by name; each is drawn four times as large as its view box says."""

_SHEET, _ENGRAVE, _ENGRAVE_2 = "var(--sheet)", "var(--engrave)", "var(--engrave-2)"
_CORNERS = ((35, 35), (605, 35), (35, 241), (605, 241))


def plate_symbols() -> str:
    """Return everything in this module, for the sprite."""
    return "".join(
        (
            *(rosette.group(name) for name, rosette in ROSETTES.items()),
            f'<path id="braid-cell" d="{braid_cell(96, 34)}"/>',
            braid("braid", "braid-cell", 96, 25),
            braid("braid-short", "braid-cell", 96, 8),
            braid("band", "braid-cell", 96, 12),
            oval("oval", oval_quarter(1392, 785, 46, sixths=150)),
            _FIELD,
            _frame(),
            _note(),
            _note_back(),
            _slip_back(),
        )
    )


_FIELD = wave_field(
    "field",
    wave_line(2560, ((26, 5, 0), (16, 2, 0.3), (7, 11, 0.1))),
    rows=36,
    gap=23,
    drift=150,
)


def _frame() -> str:
    """Return the braided frame of a banknote: four bands between hairlines, and a seal in every corner."""
    width, height = NOTE_VIEW
    bands = "".join(
        f'<use href="#{name}" transform="{where} scale(.25)"/>'
        for name, where in (
            ("braid", "translate(20 25)"),
            ("braid", f"translate(20 {height - 25})"),
            ("braid-short", f"translate(25 {height / 2 - 96:g}) rotate(90)"),
            ("braid-short", f"translate({width - 25} {height / 2 - 96:g}) rotate(90)"),
        )
    )
    seals = "".join(
        f'<g transform="translate({x} {y})"><circle r="31" fill="{_SHEET}" stroke-width="2.4"/>'
        f'<circle r="28.2" stroke-width=".7"/>'
        f'<use href="#core" transform="scale(.178)" stroke-width="3.6"/>'
        f'<circle r="15.5" fill="{_SHEET}" stroke-width="1.6"/></g>'
        for x, y in _CORNERS
    )
    rules = "".join(
        f'<rect x="{inset}" y="{inset}" width="{width - 2 * inset}" height="{height - 2 * inset}" stroke-width="{w}"/>'
        for inset, w in ((12.5, 1.7), (15, 0.6), (35.5, 0.6), (38, 1.7), (41.5, 0.6))
    )
    return f'<g id="frame" fill="none" stroke="{_ENGRAVE}"><g stroke-width="4.2">{bands}</g>{rules}{seals}</g>'


def _note() -> str:
    """Return the front of a banknote without its words and numbers."""
    width, height = NOTE_VIEW
    return (
        f'<g id="note" fill="none"><rect width="{width}" height="{height}" rx="4" fill="{_SHEET}"/>'
        f'<svg x="42" y="42" width="{width - 84}" height="{height - 84}" overflow="hidden">'
        f'<g transform="translate(-42 -6) scale(.25)" stroke="{_ENGRAVE_2}" stroke-width="2.2" opacity=".36">'
        '<use href="#field"/></g></svg>'
        f'<g transform="translate({width / 2:g} {height / 2:g})">'
        f'<g stroke="{_ENGRAVE}" stroke-width="3"><g opacity=".36"><use href="#star" transform="translate(-231 0) '
        'scale(.2)"/><use href="#star" transform="translate(231 0) scale(.2)"/></g>'
        '<use href="#lace" transform="scale(.3 .19)" opacity=".5"/></g>'
        f'<use href="#star" transform="scale(.2 .17)" stroke="{_ENGRAVE_2}" stroke-width="3" opacity=".6"/></g>'
        '<use href="#frame"/></g>'
    )


def _note_back() -> str:
    """Return the back of a banknote: solid ink with the lines left blank."""
    width, height = NOTE_VIEW
    seals = "".join(f'<circle cx="{x}" cy="{y}" r="10" fill="{_ENGRAVE}" stroke="none"/>' for x, y in _CORNERS)
    return (
        f'<g id="note-back" fill="none" stroke="{_SHEET}"><rect width="{width}" height="{height}" rx="4" '
        f'fill="{_SHEET}" stroke="none"/><use href="#frame"/>{seals}'
        f'<rect x="44" y="44" width="{width - 88}" height="{height - 88}" fill="{_ENGRAVE}" stroke="none"/>'
        f'<svg x="44" y="44" width="{width - 88}" height="{height - 88}" overflow="hidden">'
        '<g transform="translate(-42 -6) scale(.25)" stroke-width="2.4" opacity=".3"><use href="#field"/></g></svg>'
        f'<g transform="translate({width / 2:g} {height / 2:g})">'
        '<g stroke-width="2.6" opacity=".75"><use href="#lace" transform="translate(-168) scale(.185)"/>'
        '<use href="#lace" transform="translate(168) scale(.185)"/></g>'
        f'<circle r="88" fill="{_ENGRAVE}" stroke="none"/>'
        '<use href="#lace" transform="scale(.185)" stroke-width="3.4"/>'
        f'<circle r="36" fill="{_SHEET}" stroke="{_ENGRAVE}" stroke-width="3"/>'
        f'<circle r="32" stroke="{_ENGRAVE}" stroke-width=".9"/></g></g>'
    )


def _slip_back() -> str:
    """Return a slip that is face down: a strip of paper, folded once, with a wreath on it."""
    width, height = SLIP_BACK_VIEW
    return (
        f'<g id="slip-back" fill="none" stroke="{_ENGRAVE}"><rect width="{width}" height="{height}" rx="3" '
        f'fill="{_SHEET}" stroke="none"/>'
        f'<rect x="14" y="14" width="{width - 28}" height="{height - 28}" stroke-width="1.6"/>'
        f'<rect x="18" y="18" width="{width - 36}" height="{height - 36}" stroke-width=".6"/>'
        f'<svg x="18" y="18" width="{width - 36}" height="{height - 36}" overflow="hidden">'
        f'<g stroke="{_ENGRAVE_2}" stroke-width="2.6" opacity=".4" transform="translate(-60 -20) scale(.5)">'
        '<use href="#field"/></g></svg>'
        f'<g transform="translate({width / 2:g} {height / 2:g})"><circle r="104" fill="{_SHEET}" stroke="none"/>'
        '<use href="#lace" transform="scale(.22)" stroke-width="3.4" opacity=".85"/>'
        f'<use href="#star" transform="scale(.11)" stroke="{_ENGRAVE_2}" stroke-width="5"/></g></g>'
    )
