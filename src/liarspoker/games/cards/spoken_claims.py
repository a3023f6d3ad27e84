"""Spoken claims of the card games: "two pair, sevens over threes", "king-ten high", "flush 2,5,7,J,K clubs".

A phrase is first normalized to tokens, one per word: ranks `2` to `A` (with an `s` for plurals), category keywords, and
a comma for a pause. Suits and colors are extracted on the way. Then the category is found by its name, and the ranks
around it are read in that category's order. Only spoken claims may name ranks out of order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_SUIT, OPEN_RANK, Spelling, read_spelling
from liarspoker.core.cards.deck import RANKS, SUITS
from liarspoker.core.cards.hand_values import ACE, CATEGORIES, KEYS, hand_value, straight_ranks
from liarspoker.games.cards.wording import RANK_NAMES, RANK_PLURALS, SUIT_NAMES, SUIT_SIGNS
from liarspoker.games.thorin.ladder import SYNONYMS

_RANKS_OF = dict(zip(RANK_NAMES, RANKS, strict=True)) | {"deuce": "2", "trey": "3", "10": "T"}
_RANKS_OF |= {rank: rank for rank in RANKS} | {rank: rank.upper() for rank in "tjqk"}
_PLURALS = dict(zip(RANK_PLURALS, RANKS, strict=True)) | {"deuces": "2", "treys": "3"}
_SUITS_OF = {word: suit for suit, name in enumerate(SUIT_NAMES) for word in (name, name[:-1])}
_SUITS_OF |= {sign: suit for tokens in (SUITS, SUIT_SIGNS) for suit, sign in enumerate(tokens)}
_IGNORED = {"a", "an", "the", "of", "and", "all", "in", "suit", "suited", "from", "same", "color", "colour"}
_SYNONYMS = {
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
_KEYWORDS = {
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
"""Longest text to parse, in characters."""

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


class Phrase(NamedTuple):
    """A normalized phrase: tokens separated by spaces, the suit or `NO_SUIT`, and whether a color was named."""

    tokens: str
    suit: int
    colored: bool


def parse_spoken_claim(text: str) -> Spelling | None:
    """Parse a claim in words; return `None` if `text` isn't a claim.

    The hand may not exist on the ladder: the caller checks that. Five ranks without a category name mean the hand
    that they make; "all red" turns them into a color flush, and is ignored next to a category name.

    >>> from liarspoker.core.cards.claims import write_spelling
    >>> def spell(*texts): return [write_spelling(parse_spoken_claim(text)) for text in texts]
    >>> spell("eights and jacks", "full house A over 10", "a pair, ace kicker", "three fours and an ace-king")
    ['two-pair J8', 'full-house AT', 'pair _A', 'three 4AK']
    >>> spell("flush 2,5,7,J,K clubs", "straight flush nine high hearts", "10-10-5-5-2", "Q-J-9-4-2, all red")
    ['flush KJ752 c', 'straight-flush 9 h', 'two-pair T52', 'color-flush QJ942']
    """
    phrase = _normalize(text) if len(text) <= _LONGEST else None
    if phrase is None:
        return None
    for word, name in _NAMES:
        if found := re.search(rf"(?:{name})", phrase.tokens):
            pause = phrase.tokens[found.end() :].lstrip().startswith(",")
            rest = f"{phrase.tokens[: found.start()]} {phrase.tokens[found.end() :]}"
            return _with_ranks(word, " ".join(rest.split()).strip(", "), pause, phrase.suit)
    if re.fullmatch(_LIST, phrase.tokens) and len(ranks := _ranks_in(phrase.tokens)) == 5:
        return claim_from_ranks(ranks, phrase.suit, phrase.colored)
    return None


def as_thorin_claim(claim: Spelling) -> Spelling:
    """Convert a claim to Thorin's game: drop the suit, and read a royal flush as the highest straight flush.

    >>> as_thorin_claim(Spelling("royal-flush", (), 3)), as_thorin_claim(Spelling("flush", (11,), 2)).suit
    (Spelling(word='straight-flush', ranks=(12,), suit=-1), -1)
    """
    unsuited = claim._replace(suit=NO_SUIT)
    return SYNONYMS.get(unsuited, unsuited)


def _normalize(text: str) -> Phrase | None:
    """Normalize `text`; return `None` if a word can't be part of a claim."""
    phrase = _COLOR_FLUSH.sub(r"colored \1flush", _ARTICLE.sub("", text.replace("’", "'")))
    tokens: list[str] = []
    suits: set[int] = set()
    colored = False
    for word in _WORD.findall(re.sub(r"[-–/+&]", " ", phrase)):
        low = word.lower()
        if low in _SUITS_OF:
            suits.add(_SUITS_OF[low])
        elif low in ("red", "black"):
            colored = True
        elif (sign := _token(word)) is None:
            return None
        else:
            tokens.append(sign)
    if len(suits) > 1:
        return None
    plain = re.sub(r"(?: ?,)+ ?", " , ", " ".join(filter(None, tokens))).strip(" ,")
    plain = _THREE_AND_TWO.sub(r"full house \1 over \2", plain)
    return Phrase(plain, suits.pop() if suits else NO_SUIT, colored)


def _token(word: str) -> str | None:
    """Return the token for a word, empty if the word is ignored, `None` if it can't be part of a claim."""
    low = word.lower()
    if word == "A" or word in _RANKS_OF or low in _RANKS_OF:
        return _RANKS_OF.get(word) or _RANKS_OF[low]
    if low in _PLURALS:
        return _PLURALS[low] + "s"
    if several := _PLURAL_SIGN.fullmatch(word):
        return _RANKS_OF[several[1]] + "s"
    if low in _IGNORED:
        return ""
    if low in _KEYWORDS or low == "colored":
        return low
    return _SYNONYMS.get(low)


def _ranks_in(tokens: str) -> tuple[int, ...]:
    return tuple(RANKS.index(sign[0]) for sign in re.findall(_R, tokens))


def _with_ranks(word: str, rest: str, pause: bool, suit: int) -> Spelling | None:
    """Build the claim of category `word` from `rest`, the tokens around its name."""
    if word == "royal-flush":
        return None if rest else Spelling(word, (), suit)
    if word in _STRAIGHTS:
        return _straight(word, rest, suit)
    if word == "full-house":
        found = re.fullmatch(rf"(?:({_R})(?: over| full| ,)*(?: ({_R}))?)?", rest)
        return None if found is None else Spelling(word, _ranks_in(" ".join(filter(None, found.groups()))), suit)
    if word in ("high", "flush", "color-flush"):
        found = re.fullmatch(rf"({_LIST})?(?: {'kicker' if word == 'high' else 'high'})?", rest)
        return None if found is None else Spelling(word, _descending(_ranks_in(rest)), suit)
    return _of_a_kind(word, rest, pause, suit)


def _straight(word: str, rest: str, suit: int) -> Spelling | None:
    """Build a straight from its highest rank, from both ends or from all its ranks; `None` if they don't fit."""
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
    """Build a pair, two pair, three, four or five of a kind: the matched ranks, then the kickers."""
    rest = rest.replace("pair ", "")
    found = re.fullmatch(rf"(?:({_LIST})( up| over)?)?(?:[ ,]*({_LIST}))?( kicker)?", rest)
    if found is None or (found[2] and word != "two-pair"):
        return None
    tokens = re.findall(_R, rest)
    ranks = _ranks_in(rest)
    if len(ranks) == 5 and not found[4]:
        made = claim_from_ranks(ranks, NO_SUIT, colored=False)
        return made._replace(suit=suit) if made.word == word else Spelling(word, ranks, suit)
    places = 2 if word == "two-pair" else 1
    mains = _main_count(word, tokens, pause) if found[4] else places
    first, kickers = _descending(ranks[:mains]), _descending(ranks[mains:])
    left_open = (OPEN_RANK,) * (places - len(first) if kickers else 0)
    return Spelling(word, first + left_open + kickers, suit)


def _main_count(word: str, tokens: list[str], pause: bool) -> int:
    """Count the ranks that aren't kickers, where "kicker" follows the last of them."""
    if word in _ONE_KICKER:
        return len(tokens) - 1
    several = any(sign.endswith("s") for sign in tokens)
    return 0 if not several and (pause or len(tokens) == 1) else 1


def _descending(ranks: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(ranks, reverse=True))


def claim_from_ranks(ranks: Sequence[int], suit: int, colored: bool) -> Spelling:
    """Return the claim that five ranks make.

    Args:
        ranks: five ranks, in any order.
        suit: the suit of all five cards, `NO_SUIT` if none was named.
        colored: whether the phrase calls them all red or all black.

    Returns:
        The claim; a flush keeps its suit, which claims in Thorin's game don't have.

    >>> claim_from_ranks((10, 9, 7, 2, 0), NO_SUIT, colored=True)
    Spelling(word='color-flush', ranks=(10, 9, 7, 2, 0), suit=-1)
    >>> claim_from_ranks((12, 12, 12, 12, 12), NO_SUIT, colored=False)
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
    """Return cards of these ranks that use more than one of `suits`."""
    cards = [4 * rank + suits[list(ranks[:place]).count(rank)] for place, rank in enumerate(ranks)]
    if len(set(ranks)) == len(ranks):
        cards[0] = 4 * ranks[0] + suits[1]
    return cards


def strip_verb(typed: str) -> str | None:
    """Return what follows the verb of a claim, empty if only the verb was typed; `None` if there is no verb.

    >>> strip_verb("claim pair 7"), strip_verb("Declare"), strip_verb("pair 7")
    ('pair 7', '', None)
    """
    match = _VERB.fullmatch(typed.strip())
    return None if match is None else match[1].strip()


def parse_claim(words: str, exists: Callable[[Spelling], bool]) -> Spelling | None:
    """Parse a claim in notation or in words; return `None` if it is neither.

    If the text can be read both ways, prefer the reading that exists.

    Args:
        words: the claim without a verb; ranks may be lower-case.
        exists: whether a claim exists in the game.

    >>> parse_claim("pair a", lambda named: True).ranks
    (12,)
    >>> parse_claim("two-pair 3 7", lambda named: named.ranks == (5, 1)).ranks
    (5, 1)
    """
    plain = _capitalize_ranks(words)
    apart = _RUN.sub(lambda run: " ".join(run[0]), plain)
    readings = [named for named in (read_spelling(plain), parse_spoken_claim(apart)) if named is not None]
    return next((named for named in readings if exists(named)), readings[0] if readings else None)


def _capitalize_ranks(words: str) -> str:
    """Convert lower-case ranks to upper case, and an `a` that can't be an article to an ace."""
    plain = _ACES.sub("aces", " ".join(words.split()))
    for pattern in (_ACE_AT_THE_END, _ACE_BEFORE, _ACE_AMONG):
        plain = pattern.sub("A", plain)
    return _LOW_RANKS.sub(lambda match: match[0].upper(), plain)
