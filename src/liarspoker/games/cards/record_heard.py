"""Claims as people type them in a hurry: in words or in notation, in either case, with or without a verb."""

from __future__ import annotations

import re
from collections.abc import Callable

from liarspoker.core.cards.claims import Spelling, read_spelling
from liarspoker.games.cards.record_spoken import spoken_claim

_VERB = re.compile(r"(?:claim|declare|name|say|bid)\b[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_LOW_RANKS = re.compile(r"(?<![\w'’])(?:[2-9tjqka]{2,}|[tjqk])(?![\w'’])")
_RUN = re.compile(r"(?<![\w'’])[2-9TJQKA]{2,5}(?![\w'’])")
_ACE_AT_THE_END = re.compile(r"(?<=[\s\-,])a(?=[\s.!]*\Z)")
_ACE_BEFORE = re.compile(r"(?<![\w'’])a(?=[ -](?:high(?! card)|over|up|full|kicker)\b|-)")
_ACE_AMONG = re.compile(r"(?<=[2-9tjqkTJQK][ ,-])a(?=[ ,-])|(?<=pair )a(?= [2-9tjqk])|(?<=flush )a(?= [2-9tjqk])")
_ACES = re.compile(r"(?<!\w)[aA]['’]s(?!\w)")


def claim_words(typed: str) -> str | None:
    """The words of a claim after its verb, empty if only the verb was typed; `None` if there is no verb.

    >>> claim_words("claim pair 7"), claim_words("Declare"), claim_words("pair 7")
    ('pair 7', '', None)
    """
    match = _VERB.fullmatch(typed.strip())
    return None if match is None else match[1].strip()


def heard(words: str, exists: Callable[[Spelling], bool]) -> Spelling | None:
    """The claim that is written or said; of two readings the one that exists, `None` if it is no claim.

    Args:
        words: without a verb; ranks may be in small letters.
        exists: whether there is such a claim.

    >>> heard("pair a", lambda named: True).ranks, heard("two-pair 3 7", lambda named: named.ranks == (5, 1)).ranks
    ((12,), (5, 1))
    """
    plain = _in_capitals(words)
    apart = _RUN.sub(lambda run: " ".join(run[0]), plain)
    readings = [named for named in (read_spelling(plain), spoken_claim(apart)) if named is not None]
    return next((named for named in readings if exists(named)), readings[0] if readings else None)


def _in_capitals(words: str) -> str:
    """Ranks in small letters as capitals, and an `a` that can be no article as an ace."""
    plain = _ACES.sub("aces", " ".join(words.split()))
    for pattern in (_ACE_AT_THE_END, _ACE_BEFORE, _ACE_AMONG):
        plain = pattern.sub("A", plain)
    return _LOW_RANKS.sub(lambda match: match[0].upper(), plain)
