"""Notation of actions in Queen Anne's games: `claim flush KJ752 c`, `challenge`, `challenge 3`."""

from __future__ import annotations

import re

from liarspoker.core.cards.claims import read_spelling, write_spelling
from liarspoker.core.errors import NO_SUCH_CLAIM, UNREADABLE_ACTION, IllegalAction
from liarspoker.games.queen_annes.ladder import claim_of, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import CHALLENGE, challenge_by, challenger_of

_BY = re.compile(r"challenge\s+([0-9]{1,2})")
_CLAIM = re.compile(r"claim\s+(\S.*)", re.DOTALL)


def read(text: str, to_act: int, rules: QueenAnnesRules) -> int:
    """Parse an action; `to_act` is the seat to act.

    Raises:
        IllegalAction: `unreadable-action`, or `no-such-claim` for a hand that can't be named.
    """
    plain = text.strip()
    if plain == "challenge":
        return CHALLENGE
    by = _BY.fullmatch(plain)
    if by is not None and rules.anyone_challenges and int(by[1]) < rules.seats:
        return CHALLENGE if int(by[1]) == to_act else challenge_by(int(by[1]))
    named = _CLAIM.fullmatch(plain)
    if named is None:
        raise IllegalAction(text, UNREADABLE_ACTION)
    return read_claim(named[1], rules, text)


def read_claim(claim: str, rules: QueenAnnesRules, text: str | None = None) -> int:
    """Parse a claim in notation; `text` is the action that contains it.

    Raises:
        IllegalAction: `unreadable-action`, or `no-such-claim` for a hand that can't be named.

    >>> from liarspoker.games.queen_annes.options import packed
    >>> from liarspoker.games.queen_annes.presets import presets
    >>> queen_annes = presets()["queen-annes"]
    >>> rules = packed(queen_annes.options, queen_annes.dealing, seats=2)
    >>> write(read_claim("flush K J 7 5 2 c", rules), rules)
    'claim flush KJ752 c'
    """
    spelt = read_spelling(claim)
    if spelt is None:
        raise IllegalAction(text or claim, UNREADABLE_ACTION)
    found = claim_of(spelt, rules)
    if found is None:
        raise IllegalAction(text or claim, NO_SUCH_CLAIM)
    return found


def write(action: int, rules: QueenAnnesRules) -> str:
    """Return an action in notation."""
    if action >= 0:
        return f"claim {write_claim(action, rules)}"
    return "challenge" if action == CHALLENGE else f"challenge {challenger_of(action, to_act=-1)}"


def write_claim(claim: int, rules: QueenAnnesRules) -> str:
    """Return a claim in notation: `flush KJ752 c`."""
    return write_spelling(named_hand(claim, rules))
