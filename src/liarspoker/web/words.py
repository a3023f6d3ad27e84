"""Small things that every template says in the same way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from zlib import crc32

from markupsafe import Markup

from liarspoker.records import words

MINUS = "\N{MINUS SIGN}"
_CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def net(units: int) -> Markup:
    """Units up or down, with a sign that needs no colour.

    >>> print(net(3), net(-12), net(0), sep=chr(10))
    <span class="net up">▲ 3</span>
    <span class="net down">▼ 12</span>
    <span class="net flat">■ 0</span>
    """
    kind, sign = ("up", "▲") if units > 0 else ("down", "▼") if units < 0 else ("flat", "■")
    return Markup(f'<span class="net {kind}">{sign} {abs(units)}</span>')


def signed(units: int) -> str:
    """Units with a sign, for columns of figures.

    >>> signed(4), signed(-1), signed(0)
    ('+4', '−1', '0')
    """
    return f"+{units}" if units > 0 else f"{MINUS}{-units}" if units < 0 else "0"


def initials(name: str) -> str:
    """One or two letters for a seat's medallion.

    >>> initials("Ann"), initials("mary jane watson"), initials("")
    ('A', 'MJ', '?')
    """
    parts = name.split()
    return "".join(part[0] for part in parts[:2]).upper() or "?"


def clock(seconds: float) -> str:
    """A time that is left, in minutes and seconds.

    >>> clock(24.2), clock(95), clock(-1)
    ('0:25', '1:35', '0:00')
    """
    whole = max(0, -int(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02}"


def day(seconds: float) -> str:
    """The day of a time, by the world's clock.

    >>> day(0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def typeset(text: str) -> str:
    """A text of the rules or of the server as pages are set: with typographic apostrophes.

    >>> typeset("Dollar-bill Liar's Poker")
    'Dollar-bill Liar’s Poker'
    """
    return text.replace("'", "’")


def sentence(text: str) -> str:
    """What a refusal says, as a sentence.

    >>> sentence("it is Bob's turn")
    'It is Bob’s turn.'
    """
    return typeset(words.sentence(text))


def suited(text: str) -> str:
    """Cards that a text names by their letters, with the signs of their suits.

    >>> suited("Qc Tc 9c and the pair")
    'Q♣ 10♣ 9♣ and the pair'
    """
    return _CARD.sub(lambda card: card[1].replace("T", "10") + _SUITS[card[2]], text)


def form_id(version: int) -> str:
    """The field that holds the id of a form, which is the version of the table that the form was drawn for."""
    return f'<input type="hidden" name="id" value="{version}">'


def mark(html: str) -> str:
    """A short key that changes with the content of a part of a page, for its `data-same`.

    The ids of its forms change with every version of a table and are no content: a script sends others.

    >>> mark("<p>1</p>") == mark("<p>1</p>"), mark("<p>1</p>") == mark("<p>2</p>")
    (True, False)
    >>> mark('<input type="hidden" name="id" value="7">') == mark('<input type="hidden" name="id" value="8">')
    True
    """
    return f"{crc32(_FORM_ID.sub('', html).encode()):08x}"


_FORM_ID = re.compile(form_id(0).replace("0", r"\d+"))

FILTERS: Mapping[str, Callable[..., Any]] = {
    "net": net,
    "signed": signed,
    "initials": initials,
    "clock": clock,
    "form_id": form_id,
    "mark": mark,
    "plural": words.plural,
    "day": day,
    "sentence": sentence,
    "suited": suited,
    "typeset": typeset,
}
"""What templates may say after a bar."""
