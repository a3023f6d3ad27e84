"""Shared terminal code of the card games: parsing of ranks, suits and cards, and the standings of a match."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from liarspoker.core.cards.claims import OPEN_RANK, Spelling
from liarspoker.core.cards.deck import JOKER, RANKS, SUITS
from liarspoker.games.cards.spoken_claims import strip_verb
from liarspoker.games.cards.wording import RANK_NAMES, RANK_PLURALS, SUIT_NAMES, SUIT_SIGNS, name_category
from liarspoker.language import N_, _, pgettext
from liarspoker.records.words import aligned, name_shown, said_of
from liarspoker.terminal.renderer import Ask, Position, Question, S, TerminalRenderer, V
from liarspoker.terminal.screen import Screen

T = TypeVar("T")

_EXPLAINED = {
    "color-flush": N_("color flush (five cards all red or all black)"),
    "straight": N_("straight (five ranks in a row)"),
    "flush": N_("flush (five cards of one suit)"),
    "full-house": N_("full house (three and a pair)"),
    "royal-flush": N_("royal flush (ace high)"),
}
"""Names of hand categories with an explanation, by their word in the notation."""

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
"""Actions by the text that players may type for them."""

BACK = ("", "back", "b")
"""Input that cancels a step-by-step claim."""

_RANK_OF = {name: rank for names in (RANK_NAMES, RANK_PLURALS) for rank, name in enumerate(names)}
_RANK_OF |= {sign.lower(): rank for rank, sign in enumerate(RANKS)} | {"10": RANKS.index("T"), "_": OPEN_RANK}
_SUIT_OF = {word: suit for suit, name in enumerate(SUIT_NAMES) for word in (name, name[:-1], name[0])}
_SUIT_OF |= {sign: suit for suit, sign in enumerate(SUIT_SIGNS)}
_CARD = rf"(?:10|[{RANKS}])\s*[{SUITS}{SUIT_SIGNS}]|jk|joker"
_CARD_IN_WORDS = (
    rf"(?:{'|'.join(sorted(_RANK_OF.keys() - {'_'}, key=len, reverse=True))}) of (?:{'|'.join(SUIT_NAMES)})"
)
_ONE = re.compile(rf"{_CARD_IN_WORDS}|{_CARD}", re.IGNORECASE)
_CARDS = re.compile(rf"(?<!\w)(?:(?:{_CARD_IN_WORDS}|{_CARD})[\s,]*)+(?!\w)", re.IGNORECASE)


def parse_ranks(text: str) -> tuple[int, ...] | None:
    """Parse ranks written as symbols or words, `_` for an open one; return `None` if there is anything else.

    >>> parse_ranks("aces over 10"), parse_ranks("kj7_2"), parse_ranks("hearts")
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


def parse_suit(text: str) -> int | None:
    """Parse a suit given by name, letter or symbol; return `None` if it isn't one."""
    return _SUIT_OF.get(text.strip().lower())


def parse_cards(text: str) -> tuple[list[int], list[str]]:
    """Return the cards in a text, and the words that aren't cards.

    >>> parse_cards("7H 10s, the two of clubs and 4")
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


def explain_category(word: str) -> str:
    """Return the name of a category, explained if its name doesn't say enough.

    >>> explain_category("flush"), explain_category("pair")
    ('flush (five cards of one suit)', 'pair')
    """
    return _(_EXPLAINED[word]) if word in _EXPLAINED else name_category(word)


def ask_for(ask: Ask, prompt: str, read: Callable[[str], T | None]) -> T | None:
    """Ask until `read` accepts the input; return `None` if the player cancels. `read` prints why it rejects input."""
    while True:
        typed = ask(prompt)
        if typed.lower() in BACK:
            return None
        found = read(typed)
        if found is not None:
            return found


def ask_kind(
    screen: Screen, question: str, kinds: dict[str, str], ask: Ask, spelt: Callable[[str], Spelling | None]
) -> Spelling | None:
    """Ask `question`, for a category by number or name or for a complete hand; return `None` if the player cancels."""

    def read(typed: str) -> Spelling | None:
        if typed.isdecimal() and 1 <= int(typed) <= len(kinds):
            return Spelling(list(kinds)[int(typed) - 1])
        named = spelt(strip_verb(typed) or typed)
        if named is not None and named.word in kinds:
            return named
        screen.say(_("{typed} isn't in the list; type a number from it, or back.", typed=repr(typed)))
        return None

    screen.say(question)
    for number, (word, least) in enumerate(kinds.items(), 1):
        screen.say(f"{number:2}  {explain_category(word)}: {least}", indent="  ")
    return ask_for(ask, _("1 to {count}, or back > ", count=len(kinds)), read)


class MatchTerms(Protocol):
    """How a round of a match starts."""

    @property
    def number(self) -> int:
        """The number of the round, from 0."""

    @property
    def opener(self) -> int:
        """The seat that opens."""

    @property
    def opener_agreed(self) -> bool:
        """Whether the table chose the opener."""


def begins(position: Position[Any, Any], terms: MatchTerms, usual: tuple[str, str], drawn: tuple[str, str]) -> str:
    """Return who opens the round.

    Args:
        position: the start of the round.
        terms: how the round starts.
        usual: the messages with `{number}`, the number of the round; see `said_of`.
        drawn: the messages for a first round, whose opener is drawn at random.
    """
    messages = drawn if terms.opener_agreed and terms.number == 0 else usual
    return said_of(position.names[terms.opener], *messages, number=position.numbered(terms.number))


class CardTerminal(TerminalRenderer[S, V]):
    """Terminal renderer of a card game, with the extra commands `check` and `ranks`.

    Attributes:
        kinds: the categories of hands in notation, lowest first.
        ties: how hands of the same category compare, a message.
    """

    has_cards = True
    kinds: tuple[str, ...]
    ties: str

    def questions(self) -> Mapping[str, Question[S, V]]:
        """Return the commands that print information, by name."""
        return {**super().questions(), "check": self._check_named, "ranks": self._ranks}

    def _check_named(self, screen: Screen, position: Position[S, V], rest: str) -> None:
        if rest:
            self._check(screen, position, rest)
        else:
            screen.say(_("Type a hand too, as in: check pair 7"))

    @abstractmethod
    def _check(self, screen: Screen, position: Position[S, V], rest: str) -> None:
        """Show what a claim would promise, whether it beats the last one, and what beats it."""

    def _ranks(self, screen: Screen, position: Position[S, V], rest: str) -> None:
        screen.say(_("Hand categories, lowest first:"))
        for number, kind in enumerate(self.kinds, 1):
            screen.say(f"{number:2}  {explain_category(kind)}", indent="  ")
        screen.say(_(self.ties))


def show_standings(
    screen: Screen, names: tuple[str, ...], left: tuple[str, ...], alive: tuple[int, ...], winner: int | None
) -> None:
    """Print a line for each seat: what it has `left`, that it is out, or that it won the match."""
    screen.say(_("Final standings:") if winner is not None else _("Standings:"))
    for seat, name in enumerate(aligned(tuple(map(name_shown, names)))):
        has = pgettext("a player", "won") if seat == winner else left[seat]
        screen.say(f"{name}  {has if seat in alive else pgettext('a player', 'out')}", indent="  ")
