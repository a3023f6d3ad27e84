"""Playing cards in the notation of the records (`Ah`, `Td`, `2c`, `Jk`; `??` for an unknown one), and raised hands."""

from __future__ import annotations

from markupsafe import Markup, escape

from liarspoker.core.cards.deck import JOKER_TEXT, RANKS, SUITS, UNKNOWN_TEXT
from liarspoker.language import _, per_language, pgettext
from liarspoker.web.draw.svg import joined, placed, svg

_VIEW = "0 0 100 140"

_TICK = '<g class="card-tick"><circle cx="83" cy="17" r="15"/><path d="M75.5 17l5.5 5.5 10-11"/></g>'
_TILTS = 5


@per_language(maxsize=1024)
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
    """Draw a card.

    Args:
        text: the card in notation.
        label: accessible name; empty for the card's name, None if the page names the card beside it.
        lit: highlight it with a rim and a tick, as part of a claimed hand.
        dim: fade it.
        small: draw one large pip only, for cards less than 60 pixels wide.
        tilt: lean of the card in a fan, -5 to 5.
        classes: further CSS classes.

    Raises:
        ValueError: `text` isn't a card, or `tilt` is out of range.
    """
    name = card_name(text)
    accessible_name = name if label == "" else label
    suit = "joker" if text == JOKER_TEXT else "hidden" if text == UNKNOWN_TEXT else f"suit-{text[1]}"
    state = joined("card", suit, "lit" * lit, "dim" * dim, "small" * small, _tilt(tilt), classes)
    body = _small(text) if small and text != UNKNOWN_TEXT else placed(_shape(text))
    rim = '<rect class="card-rim" x="2" y="2" width="96" height="136" rx="5"/>' + _TICK if lit else ""
    return svg(_VIEW, body + Markup(rim), classes=state, label=accessible_name)


def any_suit(rank: str, *, label: str | None = "", classes: str = "") -> Markup:
    """Draw a dashed card: a rank of any suit, as in a claim, or any card if `rank` is empty.

    Raises:
        ValueError: `rank` isn't a rank.
    """
    if rank and rank not in RANKS:
        raise ValueError(f"{rank!r} isn't a rank; ranks are {RANKS}")
    sign = {"": pgettext("on a drawn card", "any"), "T": "10"}.get(rank, rank)
    accessible_name = (_of_any_suit(rank) if rank else _("any card")) if label == "" else label
    size = 54 if rank else 30
    body = (
        '<rect class="card-any" width="100" height="140" rx="7"/>'
        '<rect class="card-dashes" x="4" y="4" width="92" height="132" rx="4"/>'
        f'<text class="card-letter" x="50" y="{70 + size / 3:g}" font-size="{size}">{escape(sign)}</text>'
    )
    return svg(_VIEW, body, classes=joined("card any", classes), label=accessible_name)


def card_name(text: str) -> str:
    """Return a card in words.

    Raises:
        ValueError: `text` isn't a card.

    >>> [card_name(text) for text in ("Td", "As", "Jk", "??")]
    ['10 of diamonds', 'ace of spades', 'joker', 'a card face down']
    """
    if text == JOKER_TEXT:
        return _("joker")
    if text == UNKNOWN_TEXT:
        return _("a card face down")
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(
            f"{text!r} isn't a card; a card is a rank of {RANKS} and a suit of {SUITS}, {JOKER_TEXT} or ??"
        )
    suits = {
        "c": pgettext("a suit", "clubs"),
        "d": pgettext("a suit", "diamonds"),
        "h": pgettext("a suit", "hearts"),
        "s": pgettext("a suit", "spades"),
    }
    return _("{rank} of {suit}", rank=_rank_name(text[0]), suit=suits[text[1]])


def _rank_name(rank: str) -> str:
    names = {
        "T": "10",
        "J": pgettext("a rank", "jack"),
        "Q": pgettext("a rank", "queen"),
        "K": pgettext("a rank", "king"),
        "A": pgettext("a rank", "ace"),
    }
    return names.get(rank, rank)


def _of_any_suit(rank: str) -> str:
    if rank in "8A":
        return _("an {rank} of any suit", rank=_rank_name(rank))
    return _("a {rank} of any suit", rank=_rank_name(rank))


def _shape(text: str) -> str:
    """Return the id of a card's shape in the sprite."""
    return "card-back" if text == UNKNOWN_TEXT else f"card-{text}"


def _small(text: str) -> Markup:
    """Draw a face for small sizes: rank and suit in the corner, and a large suit."""
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
    """Return the CSS class that tilts a card; empty for none."""
    if not -_TILTS <= tilt <= _TILTS:
        raise ValueError(f"tilt must be from -{_TILTS} to {_TILTS}, not {tilt}")
    return "" if tilt == 0 else f"tilt-{'left' if tilt < 0 else 'right'}-{abs(tilt)}"


HAND_VIEW, FINGERS_A_HAND = (72, 112), 5
"""Width and height of a raised hand; the number of its fingers, including the thumb."""


@per_language(maxsize=256)
def raised_hands(count: int, *, label: str | None = None, classes: str = "") -> Markup:
    """Draw `count` raised fingers: a fist for 0, one hand up to five, then more hands.

    Raises:
        ValueError: `count` is negative.
    """
    if count < 0:
        raise ValueError(f"count can't be negative: {count}")
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
    """Return the attributes that place a hand after the previous one; the left hand of a pair is mirrored."""
    if mirrored:
        return f' transform="translate({width * (place + 1)}) scale(-1 1)"'
    return f' x="{width * place}"' if place else ""
