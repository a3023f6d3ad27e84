"""Cards and claims in the words that people use at the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from liarspoker.core.cards.claims import NO_SUIT, OPEN_RANK, Spelling, write_spelling
from liarspoker.core.cards.deck import RANKS, card_text
from liarspoker.core.cards.hand_values import ACE, CATEGORIES, KEYS, straight_ranks

RANK_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANK_PLURALS = tuple(name + ("es" if name == "six" else "s") for name in RANK_NAMES)
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_SIGNS = "♣♦♥♠"

_OF_A_KIND = {"pair": "a pair", "three": "three of a kind", "four": "four of a kind", "five": "five of a kind"}
_COUNTED = {"pair": "a pair of", "three": "three", "four": "four", "five": "five"}
_TOPPED = {
    "straight": "a straight",
    "color-straight-flush": "a color straight flush",
    "straight-flush": "a straight flush",
    "flush": "a flush",
    "color-flush": "a color flush",
}


def rank_sign(rank: int) -> str:
    """A rank as it stands on a card: `2` to `10`, `J`, `Q`, `K`, `A`."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def ranks_in_signs(ranks: Iterable[int]) -> str:
    """Several ranks as people write them: `10-10-5-5-2`."""
    return "-".join(map(rank_sign, ranks))


def a_rank(rank: int) -> str:
    """One card of a rank.

    >>> a_rank(9), a_rank(6), a_rank(12)
    ('a jack', 'an eight', 'an ace')
    """
    name = RANK_NAMES[rank]
    return f"an {name}" if name in ("ace", "eight") else f"a {name}"


def cards_in_words(cards: Iterable[int]) -> str:
    """Cards as they are written, a blank between them.

    >>> cards_in_words((44, 52, -1))
    'Kc Jk ??'
    """
    return " ".join(map(card_text, cards))


def high_to_low(cards: Iterable[int]) -> tuple[int, ...]:
    """Cards as a player sorts a hand: jokers first, then from the ace down, cards not known last.

    >>> high_to_low((0, 51, 52, -1, 3))
    (52, 51, 3, 0, -1)
    """
    return tuple(sorted(cards, reverse=True))


def wanted_in_words(rank: int, suit: int) -> str:
    """A card that a named hand wants: `an eight`, or of one suit `the eight of clubs`."""
    return a_rank(rank) if suit == NO_SUIT else f"the {RANK_NAMES[rank]} of {SUIT_NAMES[suit]}"


def claim_in_words(named: Spelling) -> str:
    """A claim of either ladder as it is said; where no words say it well, as it is written.

    >>> def said(text): return claim_in_words(read_spelling(text))
    >>> from liarspoker.core.cards.claims import read_spelling
    >>> said("two-pair 73J"), said("high KT"), said("pair _A"), said("flush KJ752 c"), said("full-house AT")
    ... # doctest: +NORMALIZE_WHITESPACE
    ('two pair, sevens over threes with a jack kicker', 'king-ten high', 'a pair with an ace kicker',
     'a flush of clubs, K-J-7-5-2', 'a full house, aces over tens')
    """
    suited = f" of {SUIT_NAMES[named.suit]}" if named.suit != NO_SUIT else ""
    ranks = named.ranks
    while ranks and ranks[-1] == OPEN_RANK:
        ranks = ranks[:-1]
    said = _unsuited(named.word, ranks, suited)
    return said or write_spelling(named)


def value_in_ranks(value: int) -> str:
    """The five ranks of a hand that is worth `value` in Thorin's game, those that decide first.

    >>> value_in_ranks(0)
    '7-5-4-3-2'
    """
    category, keys = KEYS[value]
    return ranks_in_signs(_five_ranks(CATEGORIES[category], keys))


def value_in_words(value: int) -> str:
    """What a hand is worth in Thorin's game: its category, and the ranks that decide, in words."""
    category, keys = KEYS[value]
    return claim_in_words(Spelling(CATEGORIES[category], keys))


def _five_ranks(word: str, keys: Sequence[int]) -> Sequence[int]:
    if word in ("straight", "color-straight-flush", "straight-flush"):
        low_ace = keys[0] < ACE
        return sorted(straight_ranks(keys[0]), key=lambda rank: -1 if low_ace and rank == ACE else rank, reverse=True)
    counts = {"pair": (2,), "two-pair": (2, 2), "three": (3,), "full-house": (3, 2), "four": (4,), "five": (5,)}
    times = counts.get(word, ())
    return [rank for place, rank in enumerate(keys) for _ in range(times[place] if place < len(times) else 1)]


def _unsuited(word: str, ranks: tuple[int, ...], suited: str) -> str | None:
    """The claim in words; `None` where ranks are left open for which there are none."""
    if word == "royal-flush" or (word == "straight-flush" and ranks == (ACE,)):
        return f"a royal flush{suited}"
    if word in _COUNTED:
        return _of_a_kind(word, ranks)
    if word == "two-pair":
        return _two_pair(ranks)
    if OPEN_RANK in ranks:
        return None
    if word == "high":
        return _high(ranks)
    if word == "full-house":
        return "a full house" + ("", ", {} full", ", {} over {}")[len(ranks)].format(*(RANK_PLURALS[r] for r in ranks))
    return _TOPPED[word] + suited + (f", {_topped(ranks)}" if ranks else "")


def _topped(ranks: tuple[int, ...]) -> str:
    return f"{RANK_NAMES[ranks[0]]} high" if len(ranks) == 1 else ranks_in_signs(ranks)


def _high(ranks: tuple[int, ...]) -> str:
    if len(ranks) > 2:
        return f"{ranks_in_signs(ranks)} high"
    return f"{'-'.join(RANK_NAMES[rank] for rank in ranks)} high" if ranks else "high card"


def _of_a_kind(word: str, ranks: tuple[int, ...]) -> str | None:
    if not ranks:
        return _OF_A_KIND[word]
    main, *kickers = ranks
    if OPEN_RANK in kickers:
        return None
    kind = _OF_A_KIND[word] if main == OPEN_RANK else f"{_COUNTED[word]} {RANK_PLURALS[main]}"
    return kind + _kickers(kickers)


def _two_pair(ranks: tuple[int, ...]) -> str | None:
    mains, kickers = ranks[:2], ranks[2:]
    if mains[:1] == (OPEN_RANK,):
        both = None if mains[1] != OPEN_RANK else ""
    elif mains[1:] in ((), (OPEN_RANK,)):
        both = f", {RANK_PLURALS[mains[0]]} up" if mains else ""
    else:
        both = f", {RANK_PLURALS[mains[0]]} over {RANK_PLURALS[mains[1]]}"
    return None if both is None else f"two pair{both}{_kickers(kickers)}"


def _kickers(ranks: Sequence[int]) -> str:
    if not ranks:
        return ""
    return f" with {a_rank(ranks[0])} kicker" if len(ranks) == 1 else f" with {ranks_in_signs(ranks)} kickers"


def bare(words: str) -> str:
    """Words without the article that they begin with.

    >>> bare("a pair of sevens"), bare("three of a kind")
    ('pair of sevens', 'three of a kind')
    """
    return words.removeprefix("an ").removeprefix("a ")
