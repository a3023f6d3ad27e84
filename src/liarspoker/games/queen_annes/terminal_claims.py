"""Naming a hand in Queen Anne's games: what it promises, and how it is asked for piece by piece."""

from __future__ import annotations

from collections.abc import Iterator

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT, Spelling, write_spelling
from liarspoker.core.cards.deck import SUITS
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.record_spoken import claim_words, heard
from liarspoker.games.cards.record_words import SUIT_NAMES, bare
from liarspoker.games.cards.terminal import ANSWERS, KINDS, ask_for, ask_kind, ranks_typed, suit_typed
from liarspoker.games.queen_annes.ladder import claim_of, ladder_length, named_hand
from liarspoker.games.queen_annes.notation import write_claim
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.record_text import hand_in_words, there
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.records.words import capital
from liarspoker.terminal.renderer import Ask
from liarspoker.terminal.screen import Screen

_RANKS_WANTED = {"two-pair": 2, "full-house": 2, "flush": 5, "royal-flush": 0}
_SUITED = ("flush", "straight-flush", "royal-flush")
_HOW = {
    "two-pair": "two ranks, as in J8",
    "full-house": "two ranks, of the three first, as in AT for aces over tens",
    "flush": "five ranks, as in KJ752",
    "straight": "its highest rank, as in 9",
    "straight-flush": "its highest rank, as in 9",
}


def example(claim: int, rules: QueenAnnesRules) -> str:
    """A claim in words, and how it can be typed."""
    return f"{hand_in_words(named_hand(claim, rules))} (type {write_claim(claim, rules)})"


def above(claim: int, rules: QueenAnnesRules) -> str:
    """The least hand above a claim, as an example; empty above the highest."""
    return example(claim + 1, rules) if claim + 1 < ladder_length(rules) else ""


def tell_check(screen: Screen, view: QueenAnnesView, claim: int) -> None:
    """What a hand would promise, whether it beats the standing one, and what beats it."""
    rules = view.rules
    named = named_hand(claim, rules)
    screen.say(f"{capital(hand_in_words(named))} says: among all cards {there(named)}.")
    standing = NO_CLAIM if view.standing is None or view.result is not None else view.standing.claim
    if standing != NO_CLAIM:
        verdict = "beats" if claim > standing else "does not beat"
        screen.say(f"It {verdict} the standing {bare(hand_in_words(named_hand(standing, rules)))}.")
    following = above(claim, rules)
    screen.say(f"The least hand above it is {following}." if following else "Nothing is above it.")


def claim_heard(text: str, rules: QueenAnnesRules) -> int:
    """The claim that a question names, with its verb or without.

    Raises:
        LiarsPokerError: it is none, or not named in full.
    """
    words = claim_words(text)
    named = _spelt(text if words is None else words, rules)
    claim = None if named is None else claim_of(named, rules)
    if claim is None:
        raise LiarsPokerError(f"{text!r} names no hand; name one in full, as pair 7, two-pair J8 or flush KJ752 c")
    return claim


def complete(screen: Screen, view: QueenAnnesView, typed: str, ask: Ask) -> str:
    """The whole of what was typed: an answer, a claim, or one that is asked for piece by piece; empty if given up."""
    if typed.lower() in ANSWERS:
        return ANSWERS[typed.lower()]
    words = claim_words(typed)
    rules = view.rules
    if words == "":
        named = _kind_asked(screen, view, ask)
        if named is None:
            return ""
    else:
        named = _spelt(words or typed, rules)
        if named is None:
            return typed
    whole = _whole(screen, view, named, ask)
    return f"claim {write_spelling(whole)}" if whole is not None else ""


def _whole(screen: Screen, view: QueenAnnesView, named: Spelling, ask: Ask) -> Spelling | None:
    """The hand with the ranks and the suit that it wants; `None` if the person gives up."""
    if named.word not in dict(_least(view)) and named.word in KINDS and not named.ranks:
        return named  # the rules explain why it cannot be named
    if len(named.ranks) < _RANKS_WANTED.get(named.word, 1):
        ranks = _ranks_asked(screen, view, named.word, ask)
        if ranks is None:
            return None
        named = named._replace(ranks=ranks)
    if named.word in _SUITED and named.suit == NO_SUIT:
        suit = _suit_asked(screen, ask)
        if suit is None:
            return None
        named = named._replace(suit=suit)
    return named


def _least(view: QueenAnnesView) -> Iterator[tuple[str, int]]:
    """The kinds of hands that may be named, each with the least of them."""
    before = ""
    for claim in view.legal.claims:
        word = named_hand(claim, view.rules).word
        if word != before:
            yield word, claim
        before = word


def _kind_asked(screen: Screen, view: QueenAnnesView, ask: Ask) -> Spelling | None:
    """The kind of a hand, by its number or its name."""
    kinds = {word: hand_in_words(named_hand(claim, view.rules)) for word, claim in _least(view)}
    if not kinds:
        screen.say("Nothing can be named above it; you can only challenge.")
        return None
    return ask_kind(screen, "name", kinds, ask, lambda words: _spelt(words, view.rules))


def _ranks_asked(screen: Screen, view: QueenAnnesView, word: str, ask: Ask) -> tuple[int, ...] | None:
    how = _HOW.get(word, "one rank, 2 to 10, J, Q, K or A")

    def read(typed: str) -> tuple[int, ...] | None:
        ranks = ranks_typed(typed)
        if ranks is not None and len(ranks) == _RANKS_WANTED.get(word, 1) and min(ranks) >= 0:
            return ranks if word == "full-house" else tuple(sorted(ranks, reverse=True))
        screen.say(f"{typed!r}: it wants {how}.")
        return None

    least = dict(_least(view)).get(word)
    from_ = "" if least is None else f"; the least is {bare(hand_in_words(named_hand(least, view.rules)))}"
    screen.say(f"Which ranks? {capital(KINDS[word])} wants {how}{from_}.")
    return ask_for(ask, "ranks, or back > ", read)


def _suit_asked(screen: Screen, ask: Ask) -> int | None:
    """A suit by its letter, its name or its sign."""
    letters = ", ".join(f"{letter} {name}" for letter, name in zip(SUITS, SUIT_NAMES, strict=True))

    def read(typed: str) -> int | None:
        suit = suit_typed(typed)
        if suit is None:
            screen.say(f"Which suit? {letters}, lowest first.")
        return suit

    screen.say(f"Which suit? {letters}, lowest first.")
    return ask_for(ask, "suit, or back > ", read)


def _spelt(words: str, rules: QueenAnnesRules) -> Spelling | None:
    """The hand that is written or said; `None` if it is none."""
    return heard(words, lambda spelt: claim_of(spelt, rules) is not None)
