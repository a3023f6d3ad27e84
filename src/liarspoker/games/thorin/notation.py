"""Notation of actions in Thorin's game: `declare two-pair 73`, `take`, `discard TsTd`, `show AcKdQh7s2s`."""

from __future__ import annotations

import re
from collections import Counter

from liarspoker.core.cards.claims import read_spelling, write_spelling
from liarspoker.core.cards.deck import JOKER, RANKS, SUITS, UNKNOWN, cards_text, read_joined_cards
from liarspoker.core.errors import CARDS_NOT_HELD, NO_SUCH_CLAIM, UNREADABLE_ACTION, WRONG_PHASE, IllegalAction
from liarspoker.games.thorin.actions import (
    CHALLENGE,
    PASS,
    TAKE,
    cards_of,
    discard_of,
    is_show,
    show_of,
)
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import SYNONYMS, claim_of, full_claim, spelling_of
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import DECLARE, DISCARDING, SHOWING

_ANSWERS = {"take": TAKE, "challenge": CHALLENGE, "pass": PASS}
_WORDS = {action: word for word, action in _ANSWERS.items()}
_DECLARE = re.compile(r"declare\s+(\S.*)", re.DOTALL)
_CARDS = rf"(?:\s*(?:[{RANKS}][{SUITS}]|Jk|\?\?))+"
_DISCARD = re.compile(rf"discard\s+(-|{_CARDS})")
_SHOW = re.compile(rf"show\s+({_CARDS})")


def read(text: str, phase: int, rules: ThorinRules) -> int:
    """Parse an action; cards may be separated by spaces.

    Args:
        text: the action in the notation.
        phase: the phase of the round; an action of another phase is reported as `wrong-phase` first.
        rules: the rules of the round.

    Raises:
        IllegalAction: `unreadable-action`; or `wrong-phase`, `no-such-claim` or `cards-not-held` for claims and cards
            that can't be encoded.

    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> rules = packed(ThorinOptions(), seats=4)
    >>> [write(read(text, DECLARE, rules)) for text in ("declare pair _ A _", "take", "discard TsTd")]
    ['declare pair _A', 'take', 'discard TdTs']
    """
    plain = text.strip()
    if plain in _ANSWERS:
        return _ANSWERS[plain]
    if match := _DECLARE.fullmatch(plain):
        return read_claim(match[1], rules, text, wrong_phase=phase != DECLARE)
    if match := _DISCARD.fullmatch(plain):
        cards = () if match[1] == "-" else read_joined_cards("".join(match[1].split()))
        return discard_of(_possible(cards, text, wrong_phase=phase != DISCARDING))
    if match := _SHOW.fullmatch(plain):
        cards = read_joined_cards("".join(match[1].split()))
        return show_of(_possible(cards, text, wrong_phase=phase != SHOWING, unseen=0))
    raise IllegalAction(text, UNREADABLE_ACTION)


def read_claim(claim: str, rules: ThorinRules, text: str | None = None, wrong_phase: bool = False) -> int:
    """Parse a declaration in notation; `text` is the action that contains it.

    Raises:
        IllegalAction: `unreadable-action`; or, if no hand fits, `no-such-claim`, or `wrong-phase` in another phase.
    """
    spelt = read_spelling(claim)
    if spelt is None:
        raise IllegalAction(text or claim, UNREADABLE_ACTION)
    found = claim_of(SYNONYMS.get(spelt, spelt), rules)
    if found is None:
        raise IllegalAction(text or claim, WRONG_PHASE if wrong_phase else NO_SUCH_CLAIM)
    return found


def _possible(cards: tuple[int, ...], text: str, wrong_phase: bool, unseen: int = HAND_CARDS) -> tuple[int, ...]:
    """Return `cards` if a hand can hold them, with at most `unseen` unknown cards.

    Raises:
        IllegalAction: `cards-not-held`, or `wrong-phase` in another phase.
    """
    most = {JOKER: 2, UNKNOWN: unseen}
    if len(cards) > HAND_CARDS or any(count > most.get(card, 1) for card, count in Counter(cards).items()):
        raise IllegalAction(text, WRONG_PHASE if wrong_phase else CARDS_NOT_HELD)
    return cards


def write(action: int) -> str:
    """Return an action in notation; discards are sorted, shown cards keep their order."""
    if action >= 0:
        return f"declare {write_claim(action)}"
    if action in _WORDS:
        return _WORDS[action]
    return f"{'show' if is_show(action) else 'discard'} {cards_text(cards_of(action)) or '-'}"


def write_claim(claim: int) -> str:
    """Return a declaration in notation: `two-pair 73J`."""
    return write_spelling(spelling_of(claim))


def write_value(value: int) -> str:
    """Return a hand rank in notation with every rank named, as in `floor` and `hand_value`."""
    return write_claim(full_claim(value))
