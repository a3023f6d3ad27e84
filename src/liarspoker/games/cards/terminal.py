"""What card games share in the terminal: what people type for ranks, suits and cards, and how a match goes."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from liarspoker.core.cards.claims import OPEN_RANK, Spelling
from liarspoker.core.cards.deck import JOKER, RANKS, SUITS
from liarspoker.games.cards.record_spoken import claim_words
from liarspoker.games.cards.record_words import RANK_NAMES, RANK_PLURALS, SUIT_NAMES, SUIT_SIGNS
from liarspoker.records.words import subject
from liarspoker.terminal.renderer import Ask, Position, Question, S, TerminalRenderer, V
from liarspoker.terminal.screen import Screen

T = TypeVar("T")

KINDS = {
    "high": "high card",
    "pair": "pair",
    "color-flush": "color flush (five cards all red or all black)",
    "two-pair": "two pair",
    "three": "three of a kind",
    "straight": "straight (five ranks in a row)",
    "flush": "flush (five cards of one suit)",
    "full-house": "full house (three and a pair)",
    "color-straight-flush": "color straight flush",
    "four": "four of a kind",
    "straight-flush": "straight flush",
    "royal-flush": "royal flush (ace high)",
    "five": "five of a kind",
}
"""Every kind of hand by the word that records write for it."""

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


def ask_for(ask: Ask, prompt: str, read: Callable[[str], T | None]) -> T | None:
    """Ask until `read` understands what is typed, which else says why; return `None` if the person gives up."""
    while True:
        typed = ask(prompt)
        if typed.lower() in BACK:
            return None
        found = read(typed)
        if found is not None:
            return found


def ask_kind(
    screen: Screen, may: str, kinds: dict[str, str], ask: Ask, spelt: Callable[[str], Spelling | None]
) -> Spelling | None:
    """Ask for a kind of hand by its number or name, or for a whole hand."""

    def read(typed: str) -> Spelling | None:
        if typed.isdecimal() and 1 <= int(typed) <= len(kinds):
            return Spelling(list(kinds)[int(typed) - 1])
        named = spelt(claim_words(typed) or typed)
        if named is not None and named.word in kinds:
            return named
        screen.say(f"{typed!r} is none of these; type a number of the list, or back.")
        return None

    screen.say(f"Which kind of hand? Each with the least that you may {may}:")
    for number, (word, least) in enumerate(kinds.items(), 1):
        screen.say(f"{number:2}  {KINDS[word]}: {least}", indent="  ")
    return ask_for(ask, f"1 to {len(kinds)}, or back > ", read)


class MatchTerms(Protocol):
    """How a round of a match begins."""

    @property
    def number(self) -> int:
        """The round's, from 0."""

    @property
    def opener(self) -> int:
        """The seat that opens."""

    @property
    def opener_agreed(self) -> bool:
        """The table decided who opens."""


def begins(terms: MatchTerms, names: tuple[str, ...], verb: str) -> str:
    """Return how a round begins: `Bea opens`; the opener of the first round is drawn at random."""
    drawn = " (drawn by lot)" if terms.opener_agreed and terms.number == 0 else ""
    return f"Round {terms.number + 1}: {subject(names[terms.opener], verb)}{drawn}."


class CardTerminal(TerminalRenderer[S, V]):
    """How the terminal shows a card game; its players also ask for the kinds of hands, and for what a claim promises.

    Attributes:
        kinds: the words of the kinds of hands, lowest first.
        ties: what decides between alike hands.
    """

    kinds: tuple[str, ...]
    ties: str

    def questions(self) -> Mapping[str, Question[S, V]]:
        """What can be asked."""
        return {**super().questions(), "check": self._check, "ranks": self._ranks}

    @abstractmethod
    def _check(self, screen: Screen, position: Position[S, V], rest: str) -> None:
        """What a claim would promise, whether it beats the last one, and what beats it."""

    def _ranks(self, screen: Screen, position: Position[S, V], rest: str) -> None:
        screen.say("Kinds of hands, lowest first:")
        for number, kind in enumerate(self.kinds, 1):
            screen.say(f"{number:2}  {KINDS[kind]}", indent="  ")
        screen.say(self.ties)


def show_standings(
    screen: Screen, names: tuple[str, ...], left: tuple[str, ...], alive: tuple[int, ...], winner: int | None
) -> None:
    """Show a line for each seat: what it has `left`, or that it is out; and the winner."""
    width = max(map(len, names))
    screen.say("The match is won:" if winner is not None else "The match so far:")
    for seat, name in enumerate(names):
        has = "won" if seat == winner else left[seat]
        screen.say(f"{name:<{width}}  {has if seat in alive else 'out'}", indent="  ")
