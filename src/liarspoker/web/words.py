"""Filters of the templates: numbers, names, times and texts as the pages write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from zlib import crc32

from markupsafe import Markup

from liarspoker.language import N_, _, language, number
from liarspoker.records import words

MINUS = "\N{MINUS SIGN}"
_CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")
_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)")
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def net(units: int) -> Markup:
    """Return units won or lost as HTML, with a sign that doesn't rely on colour.

    >>> print(net(3), net(-12), net(0), sep=chr(10))
    <span class="net up">▲ 3</span>
    <span class="net down">▼ 12</span>
    <span class="net flat">■ 0</span>
    """
    kind, sign = ("up", "▲") if units > 0 else ("down", "▼") if units < 0 else ("flat", "■")
    return Markup(f'<span class="net {kind}">{sign} {abs(units)}</span>')


def signed(units: int) -> str:
    """Return units with a sign, for columns of figures.

    >>> signed(4), signed(-1), signed(0)
    ('+4', '−1', '0')
    """
    return f"+{units}" if units > 0 else f"{MINUS}{-units}" if units < 0 else "0"


def signed_tenths(units: float) -> str:
    """Return expected units with a sign and one decimal.

    >>> signed_tenths(2.25), signed_tenths(-0.51), signed_tenths(-0.01)
    ('+2.2', '−0.5', '0.0')
    """
    rounded = round(units, 1) + 0.0
    return number(f"{rounded:+.1f}" if rounded else "0.0").replace("-", MINUS)


def initials(name: str) -> str:
    """Return one or two initials of a name, or its number, since the names of guests differ only in that.

    >>> initials("Ann"), initials("mary jane watson"), initials("Guest 731"), initials("")
    ('A', 'MJ', '731', '?')
    """
    parts = name.split()
    if len(parts) > 1 and len(parts[-1]) <= 3 and parts[-1].isdecimal():
        return parts[-1]
    return "".join(part[0] for part in parts[:2]).upper() or "?"


def clock(seconds: float) -> str:
    """Return a remaining time in minutes and seconds, rounded up, or in days and hours if it is long.

    >>> clock(24.2), clock(95), clock(-1)
    ('0:25', '1:35', '0:00')
    >>> clock(3600), clock(86_399), clock(86_400), clock(200_000)
    ('60:00', '23 h 59 m', '1 d 0 h', '2 d 7 h')
    """
    whole = max(0, -int(-seconds // 1))
    if whole >= 86_400:
        return _("{days} d {hours} h", days=whole // 86_400, hours=whole % 86_400 // 3600)
    if whole > 3600:
        return _("{hours} h {minutes} m", hours=whole // 3600, minutes=whole % 3600 // 60)
    return f"{whole // 60}:{whole % 60:02}"


def amount(units: int, unit: str) -> str:
    """Return what a number of units is worth; without a number in `unit`, a product.

    >>> amount(12, "1 euro"), amount(12, "€0.25"), amount(1, "0,50 EUR"), amount(3, "a beer")
    ('12 euros', '€3.00', '0,50 EUR', '3 × a beer')
    """
    found = _AMOUNT.fullmatch(unit.strip())
    if found is None:
        return f"{units} × {unit}"
    before, number, after = found.groups()
    value = str(units * Decimal(number.replace(",", ".")))
    is_singular = number == "1" and after.strip().isalpha() and after.islower()
    text = value.replace(".", ",") if "," in number else value
    return f"{before}{text}{after}" + "s" * (is_singular and units != 1 and language() in _PLURALS_IN_S)


_PLURALS_IN_S = ("en", "es")
"""The languages in which units such as “euro” get an s in the plural."""
_AMOUNT = re.compile(r"(\D*)(\d+(?:[.,]\d+)?)(\D*)")


def day(seconds: float) -> str:
    """Return the UTC date of a Unix timestamp.

    >>> day(0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def typeset(text: str) -> str:
    """Return a text with typographic apostrophes and quotation marks.

    >>> typeset("Dollar-bill Liar's Poker"), typeset("'seven' isn't a bid")
    ('Dollar-bill Liar’s Poker', '“seven” isn’t a bid')
    """
    return _QUOTED.sub(r"“\1”", text).replace("'", "’")


def sentence(text: str) -> str:
    """Return a message as a sentence, with typographic apostrophes.

    >>> sentence("it is Bob's turn")
    'It is Bob’s turn.'
    """
    return typeset(words.sentence(text))


def inline(label: str) -> str:
    """Return a label as it stands inside a sentence: in English in lower case, in other languages as it is.

    >>> inline("All hands")
    'all hands'
    """
    return label.lower() if language() == "en" else label


def suited(text: str) -> str:
    """Return a text with its cards written with suit symbols.

    >>> suited("Qc Tc 9c and the pair")
    'Q♣ 10♣ 9♣ and the pair'
    """
    return _CARD.sub(lambda card: card[1].replace("T", "10") + _SUITS[card[2]], text)


def form_id(version: int) -> str:
    """Return the hidden field with the id of a form, which is the table version that it was rendered for."""
    return f'<input type="hidden" name="id" value="{version}">'


def mark(html: str) -> str:
    """Return a short hash of a part of a page, for its `data-same`.

    The ids of its forms are ignored: they change with every version of a table, and the client sends its own.

    >>> mark("<p>1</p>") == mark("<p>1</p>"), mark("<p>1</p>") == mark("<p>2</p>")
    (True, False)
    >>> mark('<input type="hidden" name="id" value="7">') == mark('<input type="hidden" name="id" value="8">')
    True
    """
    return f"{crc32(_FORM_ID.sub('', html).encode()):08x}"


_FORM_ID = re.compile(form_id(0).replace("0", r"\d+"))

EMOJI: Mapping[str, str] = {
    "😀": N_("Grinning"),
    "😂": N_("Laughing"),
    "🙂": N_("Smiling"),
    "😉": N_("Winking"),
    "😎": N_("Cool"),
    "😇": N_("Innocent"),
    "🤔": N_("Thinking"),
    "🤨": N_("Doubtful"),
    "😬": N_("Grimacing"),
    "😮": N_("Astonished"),
    "😱": N_("Shocked"),
    "😭": N_("Crying"),
    "🤥": N_("Lying"),
    "🤐": N_("Lips sealed"),
    "👍": N_("Thumbs up"),
    "👏": N_("Clapping"),
    "🙏": N_("Thank you"),
    "🍀": N_("Good luck"),
    "🔥": N_("On fire"),
    "🎉": N_("Party"),
    "💰": N_("Money"),
}
"""The emoji of the chat's picker, with their names."""

FILTERS: Mapping[str, Callable[..., Any]] = {
    "net": net,
    "signed": signed,
    "signed_tenths": signed_tenths,
    "amount": amount,
    "clock": clock,
    "form_id": form_id,
    "mark": mark,
    "player": words.name_shown,
    "number": number,
    "day": day,
    "inline": inline,
    "sentence": sentence,
    "suited": suited,
    "typeset": typeset,
}
"""The filters by their names in templates."""
