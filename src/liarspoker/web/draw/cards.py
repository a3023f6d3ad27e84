"""Playing cards in the notation of the records (`Ah`, `Td`, `2c`, `Jk`; `??` for an unknown one), and raised hands."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup, escape

from liarspoker.core.cards.deck import JOKER_TEXT, RANKS, SUITS, UNKNOWN_TEXT
from liarspoker.web.draw.svg import joined, placed, svg

_VIEW = "0 0 100 140"
_RANK_NAMES = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_TICK = '<g class="card-tick"><circle cx="83" cy="17" r="15"/><path d="M75.5 17l5.5 5.5 10-11"/></g>'
_TILTS = 5


@lru_cache(maxsize=1024)
def card(
    text: str,
    *,
    label: str | None = "",
    lit: bool = False,
    dim: bool = False,
    small: bool = False,
    tilt: int = 0,
    classes: str = "",
) -> Markup:
    """One card.

    Args:
        text: its notation.
        label: in words; empty for the card's own name, None where the words stand beside it.
        lit: it is part of what was named: raised, rimmed and ticked.
        dim: it is not.
        small: one large pip only, for cards less than 60 pixels wide.
        tilt: -5 to 5, how far it leans in a fan.
        classes: further CSS classes.

    Raises:
        ValueError: naming a text that is no card.
    """
    name = card_name(text)
    said = name if label == "" else label
    suit = "joker" if text == JOKER_TEXT else "hidden" if text == UNKNOWN_TEXT else f"suit-{text[1]}"
    state = joined("card", suit, "lit" * lit, "dim" * dim, "small" * small, _tilt(tilt), classes)
    body = _small(text) if small and text != UNKNOWN_TEXT else placed(_shape(text))
    rim = '<rect class="card-rim" x="2" y="2" width="96" height="136" rx="5"/>' + _TICK if lit else ""
    return svg(_VIEW, body + Markup(rim), classes=state, label=said)


def any_suit(rank: str, *, label: str | None = "", classes: str = "") -> Markup:
    """A dashed card: this rank in any suit, as in a claim.

    Raises:
        ValueError: naming a rank that is none.
    """
    if rank and rank not in RANKS:
        raise ValueError(f"{rank!r} is no rank; a rank is one of {RANKS}")
    sign = {"": "any", "T": "10"}.get(rank, rank)
    name = _RANK_NAMES.get(rank, rank)
    said = (
        (f"{'an' if name in ('ace', '8') else 'a'} {name} of any suit" if rank else "any card")
        if label == ""
        else label
    )
    size = 54 if rank else 30
    body = (
        '<rect class="card-any" width="100" height="140" rx="7"/>'
        '<rect class="card-dashes" x="4" y="4" width="92" height="132" rx="4"/>'
        f'<text class="card-letter" x="50" y="{70 + size / 3:g}" font-size="{size}">{escape(sign)}</text>'
    )
    return svg(_VIEW, body, classes=joined("card any", classes), label=said)


def card_name(text: str) -> str:
    """A card in words.

    Raises:
        ValueError: naming a text that is no card.

    >>> [card_name(text) for text in ("Td", "As", "Jk", "??")]
    ['10 of diamonds', 'ace of spades', 'joker', 'a card face down']
    """
    if text == JOKER_TEXT:
        return "joker"
    if text == UNKNOWN_TEXT:
        return "a card face down"
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(f"{text!r} is no card; a card is a rank of {RANKS} and a suit of {SUITS}, {JOKER_TEXT} or ??")
    return f"{_RANK_NAMES.get(text[0], text[0])} of {_SUIT_NAMES[text[1]]}"


def _shape(text: str) -> str:
    """The name of a card's shape in the sprite."""
    return "card-back" if text == UNKNOWN_TEXT else f"card-{text}"


def _small(text: str) -> Markup:
    """A face for small sizes: rank and suit in the corner and once more, large."""
    paper = Markup('<rect class="card-paper" x=".5" y=".5" width="99" height="139" rx="7"/>')
    if text == JOKER_TEXT:
        word = '<text class="card-letter" x="50" y="31" font-size="24">JOKER</text>'
        return paper + Markup(word) + placed("cap", ' transform="translate(50 88) scale(1.25)"')
    rank, suit = text[0], text[1]
    sign = "10" if rank == "T" else rank
    return (
        paper
        + Markup(f'<text class="card-letter" x="25" y="40" font-size="42">{sign}</text>')
        + Markup("").join(
            (
                placed(f"pip-{suit}", ' transform="translate(25 62) scale(.27)"'),
                placed(f"pip-{suit}", ' transform="translate(60 98) scale(.58)"'),
            )
        )
    )


def _tilt(tilt: int) -> str:
    """The class that leans a card, or nothing."""
    if not -_TILTS <= tilt <= _TILTS:
        raise ValueError(f"a card leans by -{_TILTS} to {_TILTS}, not {tilt}")
    return "" if tilt == 0 else f"tilt-{'left' if tilt < 0 else 'right'}-{abs(tilt)}"


HAND_VIEW, FINGERS_A_HAND = (72, 112), 5
"""Width and height of one raised hand; the four fingers and the thumb."""


@lru_cache(maxsize=256)
def raised_hands(count: int, *, label: str | None = None, classes: str = "") -> Markup:
    """As many raised fingers as `count`: a fist for none, one hand to five, then more hands.

    Raises:
        ValueError: `count` is less than 0.
    """
    if count < 0:
        raise ValueError(f"nobody raises {count} fingers")
    full, rest = divmod(count, FINGERS_A_HAND)
    shown = [FINGERS_A_HAND] * full + [rest] * (rest > 0 or full == 0)
    width, height = HAND_VIEW
    hands = Markup("").join(
        placed(f"hand-{fingers}", _place(place, width, mirrored=len(shown) > 1 and place % 2 == 0))
        for place, fingers in enumerate(shown)
    )
    size = joined("hands", "hands-more" if len(shown) > 1 else "", classes)
    return svg(f"0 0 {width * len(shown)} {height}", hands, classes=size, label=label)


def _place(place: int, width: int, *, mirrored: bool) -> str:
    """The attributes which put the hand with this number beside the one before it; the left of a pair is mirrored."""
    if mirrored:
        return f' transform="translate({width * (place + 1)}) scale(-1 1)"'
    return f' x="{width * place}"' if place else ""
