"""Spoken claims of the card games: "two pair, sevens over threes", "king-ten high", "flush 2,5,7,J,K clubs".

What is said is first put into plain signs, one a word: ranks `2` to `A` (with an `s` where they were said of several),
the words of the categories, a comma for a pause. Suits and colours are taken out on the way. Then the category is
found by its name, and the ranks around it are read as that category names them. Only here may ranks be out of order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_SUIT, OPEN_RANK, Spelling, read_spelling
from liarspoker.core.cards.deck import RANKS, SUITS
from liarspoker.core.cards.hand_values import ACE, CATEGORIES, KEYS, hand_value, straight_ranks
from liarspoker.games.cards.record_words import RANK_NAMES, RANK_PLURALS, SUIT_NAMES, SUIT_SIGNS
from liarspoker.games.thorin.ladder import SYNONYMS

_RANKS_OF = dict(zip(RANK_NAMES, RANKS, strict=True)) | {"deuce": "2", "trey": "3", "10": "T"}
_RANKS_OF |= {rank: rank for rank in RANKS} | {rank: rank.upper() for rank in "tjqk"}
_SEVERAL = dict(zip(RANK_PLURALS, RANKS, strict=True)) | {"deuces": "2", "treys": "3"}
_SUITS_OF = {word: suit for suit, name in enumerate(SUIT_NAMES) for word in (name, name[:-1])}
_SUITS_OF |= {sign: suit for signs in (SUITS, SUIT_SIGNS) for suit, sign in enumerate(signs)}
_SILENT = {"a", "an", "the", "of", "and", "all", "in", "suit", "suited", "from", "same", "color", "colour"}
_SAME = {
    "with": ",",
    "kickers": "kicker",
    "pairs": "pair",
    "boat": "full house",
    "trips": "3 kind",
    "trip": "3 kind",
    "set": "3 kind",
    "quads": "4 kind",
    "quad": "4 kind",
}
_KEPT = {
    ",",
    "high",
    "card",
    "pair",
    "kind",
    "straight",
    "flush",
    "full",
    "house",
    "royal",
    "over",
    "up",
    "kicker",
    "to",
}

_WORD = re.compile(r"[a-z]+'s|[a-z0-9]+'?s?|\S", re.IGNORECASE)
_PLURAL_SIGN = re.compile(r"([2-9TJQKAtjqk]|10)'?s")
_ARTICLE = re.compile(r"\A\s*an?\s+(?=(?:pair|straight|flush|full\s+house|royal|colou?r|set|boat)\b)", re.IGNORECASE)
_COLOR_FLUSH = re.compile(r"\bcolou?r[\s-]+(straight[\s-]+)?flush\b", re.IGNORECASE)
_VERB = re.compile(r"(?:claim|declare|name|say|bid)\b[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_LOW_RANKS = re.compile(r"(?<![\w'’])(?:[2-9tjqka]{2,}|[tjqk])(?![\w'’])")
_RUN = re.compile(r"(?<![\w'’])[2-9TJQKA]{2,5}(?![\w'’])")
_ACE_AT_THE_END = re.compile(r"(?<=[\s\-,])a(?=[\s.!]*\Z)")
_ACE_BEFORE = re.compile(r"(?<![\w'’])a(?=[ -](?:high(?! card)|over|up|full|kicker)\b|-)")
_ACE_AMONG = re.compile(r"(?<=[2-9tjqkTJQK][ ,-])a(?=[ ,-])|(?<=pair )a(?= [2-9tjqk])|(?<=flush )a(?= [2-9tjqk])")
_ACES = re.compile(r"(?<!\w)[aA]['’]s(?!\w)")
_LONGEST = 200
"""Signs in a claim that anybody would say; longer texts are not tried."""

_R = "[2-9TJQKA]s?"
_LIST = rf"{_R}(?:[ ,]+{_R})*"
_THREE_AND_TWO = re.compile(r"(?:full house ,? ?)?\b3 ([2-9TJQKA]s) (?:, )?(?:pair|2) ([2-9TJQKA]s)")
_NAMES = (
    ("royal-flush", r"royal(?: flush)?"),
    ("color-straight-flush", r"colored straight flush"),
    ("straight-flush", r"straight flush"),
    ("color-flush", r"colored flush"),
    ("flush", r"flush"),
    ("straight", r"straight"),
    ("full-house", r"full house"),
    ("full-house", r"(?<=s) full"),
    ("five", r"5 kind|^5(?= [2-9TJQKA]s)"),
    ("four", r"4 kind|^4(?= [2-9TJQKA]s)"),
    ("three", r"3 kind|^3(?= [2-9TJQKA]s)"),
    ("two-pair", r"2 pair|pair(?=.* pair\b)"),
    ("pair", r"pair|^2(?= [2-9TJQKA]s)"),
    ("high", r"high card|card high|high"),
    ("two-pair", r"(?<=s) up|(?<=s) over(?= .s)|(?<=s) (?=.s\b)"),
)
_ONE_KICKER = ("four", "two-pair")
_MIXED = (0, 1, 2, 3)
_RED = (1, 2)
_STRAIGHTS = ("straight", "straight-flush", "color-straight-flush")


class Heard(NamedTuple):
    """What was said: ranks and words with blanks between, the suit or `NO_SUIT`, and whether a colour was named."""

    signs: str
    suit: int
    colored: bool


def spoken_claim(text: str) -> Spelling | None:
    """The claim that `text` says, spelt as it would be written; `None` if it says none.

    There may be no such hand: that is for the ladder to find. Five ranks without a category's name mean what they
    make; "all red" makes them a colour flush, and beside a category's name it means nothing.

    >>> from liarspoker.core.cards.claims import write_spelling
    >>> def heard(*texts): return [write_spelling(spoken_claim(text)) for text in texts]
    >>> heard("eights and jacks", "full house A over 10", "a pair, ace kicker", "three fours and an ace-king")
    ['two-pair J8', 'full-house AT', 'pair _A', 'three 4AK']
    >>> heard("flush 2,5,7,J,K clubs", "straight flush nine high hearts", "10-10-5-5-2", "Q-J-9-4-2, all red")
    ['flush KJ752 c', 'straight-flush 9 h', 'two-pair T52', 'color-flush QJ942']
    """
    heard = _plain(text) if len(text) <= _LONGEST else None
    if heard is None:
        return None
    for word, name in _NAMES:
        if found := re.search(rf"(?:{name})", heard.signs):
            pause = heard.signs[found.end() :].lstrip().startswith(",")
            rest = f"{heard.signs[: found.start()]} {heard.signs[found.end() :]}"
            return _with_ranks(word, " ".join(rest.split()).strip(", "), pause, heard.suit)
    if re.fullmatch(_LIST, heard.signs) and len(ranks := _ranks_in(heard.signs)) == 5:
        return listed(ranks, heard.suit, heard.colored)
    return None


def in_thorins_words(said: Spelling) -> Spelling:
    """A spoken claim as it is spelt in Thorin's game: no suits, and the royal flush is the highest straight flush.

    >>> in_thorins_words(Spelling("royal-flush", (), 3)), in_thorins_words(Spelling("flush", (11,), 2)).suit
    (Spelling(word='straight-flush', ranks=(12,), suit=-1), -1)
    """
    unsuited = said._replace(suit=NO_SUIT)
    return SYNONYMS.get(unsuited, unsuited)


def _plain(text: str) -> Heard | None:
    """What was said in plain signs; `None` where a word is no word of a claim."""
    said = _COLOR_FLUSH.sub(r"colored \1flush", _ARTICLE.sub("", text.replace("’", "'")))
    signs: list[str] = []
    suits: set[int] = set()
    colored = False
    for word in _WORD.findall(re.sub(r"[-–/+&]", " ", said)):
        low = word.lower()
        if low in _SUITS_OF:
            suits.add(_SUITS_OF[low])
        elif low in ("red", "black"):
            colored = True
        elif (sign := _sign(word)) is None:
            return None
        else:
            signs.append(sign)
    if len(suits) > 1:
        return None
    plain = re.sub(r"(?: ?,)+ ?", " , ", " ".join(filter(None, signs))).strip(" ,")
    plain = _THREE_AND_TWO.sub(r"full house \1 over \2", plain)
    return Heard(plain, suits.pop() if suits else NO_SUIT, colored)


def _sign(word: str) -> str | None:
    """One word in plain signs, empty if it says nothing; `None` if it is no word of a claim."""
    low = word.lower()
    if word == "A" or word in _RANKS_OF or low in _RANKS_OF:
        return _RANKS_OF.get(word) or _RANKS_OF[low]
    if low in _SEVERAL:
        return _SEVERAL[low] + "s"
    if several := _PLURAL_SIGN.fullmatch(word):
        return _RANKS_OF[several[1]] + "s"
    if low in _SILENT:
        return ""
    if low in _KEPT or low == "colored":
        return low
    return _SAME.get(low)


def _ranks_in(signs: str) -> tuple[int, ...]:
    return tuple(RANKS.index(sign[0]) for sign in re.findall(_R, signs))


def _with_ranks(word: str, rest: str, pause: bool, suit: int) -> Spelling | None:
    """The claim of category `word`, where `rest` is what was said beside its name."""
    if word == "royal-flush":
        return None if rest else Spelling(word, (), suit)
    if word in _STRAIGHTS:
        return _straight(word, rest, suit)
    if word == "full-house":
        found = re.fullmatch(rf"(?:({_R})(?: over| full| ,)*(?: ({_R}))?)?", rest)
        return None if found is None else Spelling(word, _ranks_in(" ".join(filter(None, found.groups()))), suit)
    if word in ("high", "flush", "color-flush"):
        found = re.fullmatch(rf"({_LIST})?(?: {'kicker' if word == 'high' else 'high'})?", rest)
        return None if found is None else Spelling(word, _falling(_ranks_in(rest)), suit)
    return _of_a_kind(word, rest, pause, suit)


def _straight(word: str, rest: str, suit: int) -> Spelling | None:
    """A straight by its top, by both ends or by all its ranks; no such claim if they do not belong together."""
    found = re.fullmatch(rf"(?:({_R}) )?to ({_R})|(?:({_LIST})(?: high)?)?", rest.replace(" ,", ""))
    if found is None:
        return None
    ranks = _ranks_in(" ".join(filter(None, found.groups())))
    if len(ranks) > 1:
        for top in range(3, 13):
            ends = {top, (top - 4) % 13}
            if (len(ranks) == 2 and set(ranks) == ends) or (len(ranks) == 5 and set(ranks) == straight_ranks(top)):
                ranks = (top,)
    if word == "straight-flush" and ranks == (ACE,):
        return Spelling("royal-flush", (), suit)
    return Spelling(word, ranks, suit)


def _of_a_kind(word: str, rest: str, pause: bool, suit: int) -> Spelling | None:
    """Pairs, threes, fours, fives: what there is several of, then kickers."""
    rest = rest.replace("pair ", "")
    found = re.fullmatch(rf"(?:({_LIST})( up| over)?)?(?:[ ,]*({_LIST}))?( kicker)?", rest)
    if found is None or (found[2] and word != "two-pair"):
        return None
    signs = re.findall(_R, rest)
    ranks = _ranks_in(rest)
    if len(ranks) == 5 and not found[4]:
        made = listed(ranks, NO_SUIT, colored=False)
        return made._replace(suit=suit) if made.word == word else Spelling(word, ranks, suit)
    places = 2 if word == "two-pair" else 1
    mains = _mains(word, signs, pause) if found[4] else places
    first, kickers = _falling(ranks[:mains]), _falling(ranks[mains:])
    left_open = (OPEN_RANK,) * (places - len(first) if kickers else 0)
    return Spelling(word, first + left_open + kickers, suit)


def _mains(word: str, signs: list[str], pause: bool) -> int:
    """How many of the ranks said, the last of them as kickers, are no kickers."""
    if word in _ONE_KICKER:
        return len(signs) - 1
    several = any(sign.endswith("s") for sign in signs)
    return 0 if not several and (pause or len(signs) == 1) else 1


def _falling(ranks: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(ranks, reverse=True))


def listed(ranks: Sequence[int], suit: int, colored: bool) -> Spelling:
    """The claim that five ranks make.

    Args:
        ranks: five of them, in any order.
        suit: the suit of them all, `NO_SUIT` if none was named.
        colored: they were said to be all red or all black.

    Returns:
        A flush has its suit, which Thorin's claims go without.

    >>> listed((10, 9, 7, 2, 0), NO_SUIT, colored=True)
    Spelling(word='color-flush', ranks=(10, 9, 7, 2, 0), suit=-1)
    >>> listed((12, 12, 12, 12, 12), NO_SUIT, colored=False)
    Spelling(word='five', ranks=(12,), suit=-1)
    """
    if len(set(ranks)) == 1:
        return Spelling("five", (ranks[0],), suit)
    most = max(map(ranks.count, ranks))
    if suit != NO_SUIT and most == 1:
        cards = [4 * rank + suit for rank in ranks]
    else:
        cards = _cards(ranks, _RED if colored and most <= len(_RED) else _MIXED)
    category, keys = KEYS[hand_value(cards)]
    word = CATEGORIES[category]
    return (
        Spelling("royal-flush", (), suit) if word == "straight-flush" and keys == (12,) else Spelling(word, keys, suit)
    )


def _cards(ranks: Sequence[int], suits: tuple[int, ...]) -> list[int]:
    """Cards of these ranks in more than one of `suits`."""
    cards = [4 * rank + suits[list(ranks[:place]).count(rank)] for place, rank in enumerate(ranks)]
    if len(set(ranks)) == len(ranks):
        cards[0] = 4 * ranks[0] + suits[1]
    return cards


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
