"""The faces of playing cards, for the sprite: ids `card-2c` to `card-As`, `card-Jk` and `card-back`.

A face is drawn in `currentColor`, which the page sets to the color of the suit. The large pips of a face have the class
`pip`.
"""

from __future__ import annotations

RANKS, SUITS, JOKER_TEXT = "23456789TJQKA", "cdhs", "Jk"
"""The ranks of cards, as records write them."""

CARD_VIEW = (100, 140)
"""Width and height of a card."""

_PIPS = {
    "c": "M0-46a20 20 0 0 1 16 32A20.5 20.5 0 1 1 5 21Q6 38 15 46H-15Q-6 38-5 21A20.5 20.5 0 1 1-16-14 "
    "20 20 0 0 1 0-46z",
    "d": "M0-48Q16-20 36 0 16 20 0 48-16 20-36 0-16-20 0-48z",
    "h": "M0 46C-12 26-42 10-42-18-42-46-8-50 0-24 8-50 42-46 42-18 42 10 12 26 0 46z",
    "s": "M0-48C10-26 40-12 40 12 40 34 14 38 5 20Q6 38 15 46H-15Q-6 38-5 20C-14 38-40 34-40 12-40-12-10-26 0-48z",
}
_LEFT, _MIDDLE, _RIGHT = 33, 50, 67
_TOP, _BOTTOM = 27, 113

_SHEET, _ENGRAVE, _ENGRAVE_2 = "var(--sheet)", "var(--engrave)", "var(--engrave-2)"

_EMBLEMS = {
    "K": '<path d="M-12 8-14.5-5.5-7 .5 0-9.5 7 .5 14.5-5.5 12 8z"/><path d="M-11.5 5H11.5M0-13v4M-1.8-11.3h3.6"/>'
    '<circle cx="-14.5" cy="-7" r="1.5"/><circle cx="14.5" cy="-7" r="1.5"/>',
    "Q": '<path d="M-11 8Q-11.5 0-14-5-9-4-7 .5-6-5-4-9-1.5-6 0-2 1.5-6 4-9 6-5 7 .5 9-4 14-5 11.5 0 11 8z"/>'
    '<path d="M-11 5H11"/><circle cx="-14" cy="-6.5" r="1.4"/><circle cx="-4" cy="-10.6" r="1.4"/>'
    '<circle cx="4" cy="-10.6" r="1.4"/><circle cx="14" cy="-6.5" r="1.4"/>',
    "J": "".join(
        f'<g transform="scale({side} 1)"><path d="M-9.4 3.2 9.6-11.8 13.5-13 11.6-9.4-6.6 6.2z"/>'
        '<path d="M-12-.6-4.6 8.6M-8.2 4.8-12 8"/><circle cx="-12.8" cy="8.8" r="1.7"/></g>'
        for side in (1, -1)
    ),
}
"""The emblem of each court card, centered at 0 0: a crown, a coronet, two swords."""

_WREATHS = {"K": ("lace", ".056 .108", 7), "Q": ("rosette", ".03 .062", 11), "J": ("core", ".17 .36", 2.6)}
"""The wreath behind each court card, and its scale to fill the panel."""

_COLUMN = {2: (0, 1), 3: (0, 1 / 2, 1), 4: (0, 1 / 3, 2 / 3, 1)}


def pip_places(count: int) -> tuple[tuple[float, float], ...]:
    """Return the positions of the pips of a card with `count` of them, 2 to 10, in the traditional arrangement.

    >>> pip_places(3)
    ((50, 27), (50, 70.0), (50, 113))
    """
    height = _BOTTOM - _TOP
    if count <= 3:
        return tuple((_MIDDLE, _TOP + height * part) for part in _COLUMN[count])
    side = 2 if count < 6 else 3 if count < 9 else 4
    inner = {
        4: (),
        5: (1 / 2,),
        6: (),
        7: (1 / 4,),
        8: (1 / 4, 3 / 4),
        9: (1 / 2,),
        10: (1 / 6, 5 / 6),
    }[count]
    sides = [(x, _TOP + height * part) for part in _COLUMN[side] for x in (_LEFT, _RIGHT)]
    return (*sides, *((_MIDDLE, _TOP + height * part) for part in inner))


def face_symbols() -> str:
    """Return the pips, the emblems of the court cards, every face and the back."""
    pips = "".join(f'<path id="pip-{suit}" d="{path}"/>' for suit, path in _PIPS.items())
    emblems = "".join(f'<g id="emblem-{rank}">{path}</g>' for rank, path in _EMBLEMS.items())
    faces = "".join(_face(rank, suit) for rank in RANKS for suit in SUITS)
    return pips + emblems + faces + _joker() + _back()


def _face(rank: str, suit: str) -> str:
    """Return the face of one card other than a joker."""
    if rank in _EMBLEMS:
        middle = _court(rank, suit)
    elif rank == "A":
        middle = _ace(suit)
    else:
        middle = "".join(_pip(suit, x, y, 0.175, "pip") for x, y in pip_places(RANKS.index(rank) + 2))
    index = _index(rank, suit)
    turned = f'<g transform="rotate(180 50 70)">{index}</g>'
    return f'<g id="card-{rank}{suit}" fill="currentColor">{_PAPER}{index}{turned}{middle}</g>'


_PAPER = f'<rect x=".5" y=".5" width="99" height="139" rx="6" fill="{_SHEET}" stroke="var(--sheet-line)"/>'


def _pip(suit: str, x: float, y: float, size: float, name: str = "") -> str:
    """Return a pip around a point; in the lower half of the card it is upside down."""
    named = f' class="{name}"' if name else ""
    turned = f"{-size:g}" if y > CARD_VIEW[1] / 2 else f"{size:g}"
    return f'<use{named} href="#pip-{suit}" transform="translate({x:g} {y:g}) scale({turned})"/>'


def _index(rank: str, suit: str) -> str:
    """Return the rank and the suit in the corner."""
    sign = f">{rank}" if rank != "T" else ' textLength="19" lengthAdjust="spacingAndGlyphs">10'
    return (
        f'<text x="13" y="24" font-size="24" font-weight="700" text-anchor="middle"{sign}</text>'
        f"{_pip(suit, 13, 35, 0.13)}"
    )


def _court(rank: str, suit: str) -> str:
    """Return a court card: a panel with a wreath, a medallion with the letter, and the emblem above it.

    The card has point symmetry.
    """
    wreath, scale, weight = _WREATHS[rank]
    emblem = f'<use href="#emblem-{rank}" transform="translate(50 43.5) scale(1.05)"'
    half = (
        f'{emblem} fill="{_SHEET}" stroke="{_SHEET}" stroke-width="3.5" stroke-linejoin="round"/>'
        f'<use href="#pip-{suit}" transform="translate(50 23.5) scale(.115)" stroke="{_SHEET}" stroke-width="30"/>'
        f'<use href="#pip-{suit}" transform="translate(50 23.5) scale(.115)" fill="currentColor" stroke="none"/>'
        f'{emblem} fill="currentColor" fill-opacity=".16" stroke-width="1.1" stroke-linejoin="round"/>'
    )
    return (
        '<g fill="none" stroke="currentColor"><rect x="25" y="14" width="50" height="112" stroke-width="1.1"/>'
        '<rect x="27" y="16" width="46" height="108" stroke-width=".45"/>'
        '<svg x="27" y="16" width="46" height="108" overflow="hidden"><g transform="translate(23 54)">'
        f'<use href="#{wreath}" transform="scale({scale})" stroke-width="{weight}" opacity=".6"/></g></svg>'
        f'{half}<g transform="rotate(180 50 70)">{half}</g>'
        f'<circle cx="50" cy="70" r="18.5" fill="{_SHEET}" stroke-width="1.3"/>'
        '<circle cx="50" cy="70" r="16.5" stroke-width=".45"/></g>'
        f'<text x="50" y="79.5" font-size="29" font-weight="700" text-anchor="middle">{rank}</text>'
        f""
    )


def _ace(suit: str) -> str:
    """Return an ace: one large pip on a wreath; the ace of spades carries the name of the game, as is traditional."""
    wreath, scale, size = ("lace", ".072 .09", 0.5) if suit == "s" else ("star", ".115", 0.42)
    motto = (
        '<text x="50" y="128" font-size="5" text-anchor="middle" letter-spacing=".7">LIAR’S POKER</text>'
        if suit == "s"
        else ""
    )
    return (
        f'<g transform="translate(50 70)"><use href="#{wreath}" transform="scale({scale})" fill="none" '
        'stroke="currentColor" stroke-width="6" opacity=".55"/>'
        f'<use href="#pip-{suit}" transform="scale({size})" stroke="{_SHEET}" stroke-width="16" '
        'stroke-linejoin="round"/>'
        f'<use class="pip" href="#pip-{suit}" transform="scale({size})"/>'
        f'<use href="#pip-{suit}" transform="scale({size * 0.78:g})" fill="none" stroke="{_SHEET}" '
        f'stroke-width="2.5"/></g>{motto}'
    )


def _joker() -> str:
    """Return the joker: a cap with three bells."""
    word = (
        '<text x="12 12 12 12 12" y="18 29 40 51 62" font-size="11.5" font-weight="700" text-anchor="middle">'
        "JOKER</text>"
    )
    return (
        '<g id="cap" fill="none" stroke-linejoin="round">'
        f'<g fill="{_SHEET}" stroke="{_SHEET}" stroke-width="6">{_CAP}</g>'
        f'<g fill="currentColor" fill-opacity=".14" stroke="currentColor" stroke-width="1.5">{_CAP}</g>'
        f'<path d="{_CAP_FOLDS}" stroke="currentColor" stroke-width=".7"/></g>'
        f'<g id="card-{JOKER_TEXT}" fill="currentColor">{_PAPER}{word}<g transform="rotate(180 50 70)">{word}</g>'
        '<use href="#star" transform="translate(50 70) scale(.118 .165)" fill="none" stroke="currentColor" '
        'stroke-width="5" opacity=".5"/><use href="#cap" x="50" y="70"/></g>'
    )


_CAP = (
    '<path d="M-16 14C-17 2-21-4-30-2-27-16-14-19-8-7-7-17-4-24 0-31 4-24 7-17 8-7 '
    '14-19 27-16 30-2 21-4 17 2 16 14z"/>'
    '<path d="M-18 14H18L14 24 8.4 16 4.5 27 0 16-4.5 27-8.4 16-14 24z"/>'
    '<circle cx="-31" cy="1" r="3.2"/><circle cx="0" cy="-34" r="3.2"/><circle cx="31" cy="1" r="3.2"/>'
)
_CAP_FOLDS = "M-9 12Q-11 2-8-6M-5 12Q-6-2-3-14M0 12V-22M5 12Q6-2 3-14M9 12Q11 2 8-6M-22 0q3-7 8-8M22 0q-3-7-8-8"


def _back() -> str:
    """Return the back of every card: solid ink with the lines left blank."""
    return (
        f'<g id="card-back" fill="none" stroke="{_SHEET}">{_PAPER}'
        f'<rect x="5" y="5" width="90" height="130" rx="3" fill="{_ENGRAVE}" stroke="none"/>'
        '<svg x="7" y="7" width="86" height="126" overflow="hidden"><g stroke-width="5" opacity=".42">'
        '<g transform="translate(-20 -4) scale(.11)"><use href="#field"/><use href="#field" y="830"/></g>'
        '<g transform="translate(106 -4) scale(-.11 .11)"><use href="#field"/><use href="#field" y="830"/></g>'
        "</g></svg>"
        '<rect x="7" y="7" width="86" height="126" rx="2" stroke-width=".8"/>'
        f'<g transform="translate(50 70)"><circle r="35" fill="{_ENGRAVE}" stroke="none"/>'
        '<use href="#lace" transform="scale(.067)" stroke-width="7"/></g></g>'
    )
