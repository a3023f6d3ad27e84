"""What people type at a card table: answers, ranks, suits and cards."""

from __future__ import annotations

import re

from liarspoker.core.cards.claims import OPEN_RANK
from liarspoker.core.cards.deck import JOKER, RANKS, SUITS
from liarspoker.games.cards.record_words import RANK_NAMES, RANK_PLURALS, SUIT_NAMES, SUIT_SIGNS

ANSWERS = {
    "c": "challenge",
    "ch": "challenge",
    "liar": "challenge",
    "challenge": "challenge",
    "t": "take",
    "take": "take",
    "take it": "take",
    "p": "pass",
    "pass": "pass",
}
"""Answers in full by what may be typed for them."""

BACK = ("", "back", "b")
"""What gives up an action that is asked for piece by piece."""

_RANK_OF = {name: rank for names in (RANK_NAMES, RANK_PLURALS) for rank, name in enumerate(names)}
_RANK_OF |= {sign.lower(): rank for rank, sign in enumerate(RANKS)} | {"10": RANKS.index("T"), "_": OPEN_RANK}
_SUIT_OF = {word: suit for suit, name in enumerate(SUIT_NAMES) for word in (name, name[:-1], name[0])}
_SUIT_OF |= {sign: suit for suit, sign in enumerate(SUIT_SIGNS)}
_CARD = rf"(?:10|[{RANKS}])\s*[{SUITS}{SUIT_SIGNS}]|jk|joker"
_CARD_SAID = rf"(?:{'|'.join(sorted(_RANK_OF.keys() - {'_'}, key=len, reverse=True))}) of (?:{'|'.join(SUIT_NAMES)})"
_ONE = re.compile(rf"{_CARD_SAID}|{_CARD}", re.IGNORECASE)
_CARDS = re.compile(rf"(?<!\w)(?:(?:{_CARD_SAID}|{_CARD})[\s,]*)+(?!\w)", re.IGNORECASE)


def ranks_typed(text: str) -> tuple[int, ...] | None:
    """Ranks and nothing else, as signs or words, `_` for one left open; `None` if something else is there.

    >>> ranks_typed("aces over 10"), ranks_typed("kj7_2"), ranks_typed("hearts")
    ((12, 8), (11, 9, 5, -1, 0), None)
    """
    ranks: list[int] = []
    for word in re.findall(r"[a-z0-9_]+", text.lower()):
        if word in ("and", "over", "of", "high"):
            continue
        signs = [word] if word in _RANK_OF else re.findall(r"10|.", word)
        if any(sign not in _RANK_OF for sign in signs):
            return None
        ranks += [_RANK_OF[sign] for sign in signs]
    return tuple(ranks) or None


def suit_typed(text: str) -> int | None:
    """A suit by its name, its letter or its sign; `None` if it is none."""
    return _SUIT_OF.get(text.strip().lower())


def cards_typed(text: str) -> tuple[list[int], list[str]]:
    """The cards that are named, and the words that name none.

    >>> cards_typed("7H 10s, the two of clubs and 4")
    ([22, 35, 0], ['4'])
    """
    cards = [_card(found.lower()) for group in _CARDS.findall(text) for found in _ONE.findall(group)]
    rest = re.findall(r"[^\s,]+", _CARDS.sub(" ", text))
    return cards, [word for word in rest if word.lower() not in ("and", "the", "a", "cards", "card")]


def _card(text: str) -> int:
    if text in ("jk", "joker"):
        return JOKER
    rank, _, suit = text.partition(" of ")
    if not suit:
        rank, suit = text[:-1].strip(), text[-1]
    return 4 * _RANK_OF[rank] + _SUIT_OF[suit]
