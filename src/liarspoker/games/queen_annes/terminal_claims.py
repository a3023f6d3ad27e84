"""Claims typed in the terminal of Queen Anne's games: checking one, and asking for one step by step."""

from __future__ import annotations

from collections.abc import Iterator

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT, WORDS, Spelling, write_spelling
from liarspoker.core.cards.deck import SUITS
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.spoken_claims import parse_claim, strip_verb
from liarspoker.games.cards.terminal import ANSWERS, ask_for, ask_kind, parse_ranks, parse_suit
from liarspoker.games.cards.wording import describe_claim, suit_names
from liarspoker.games.queen_annes.ladder import claim_of, ladder_length, named_hand
from liarspoker.games.queen_annes.notation import write_claim
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.record_text import by_promise, describe_hand, promise
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.language import N_, _
from liarspoker.records.words import capital
from liarspoker.terminal.renderer import Ask
from liarspoker.terminal.screen import Screen

_RANK_COUNTS = {"two-pair": 2, "full-house": 2, "flush": 5, "royal-flush": 0}
_SUITED = ("flush", "straight-flush", "royal-flush")
_HOW = {
    "two-pair": N_("two ranks, as in J8"),
    "full-house": N_("two ranks, that of the three first, as in AT for aces over tens"),
    "flush": N_("five ranks, as in KJ752"),
    "straight": N_("its highest rank, as in 9"),
    "straight-flush": N_("its highest rank, as in 9"),
}
_ONE_RANK = N_("one rank, 2 to 10, J, Q, K or A")


def example(claim: int, rules: QueenAnnesRules) -> str:
    """Describe a claim and how to type it."""
    hand = describe_hand(named_hand(claim, rules))
    # Translators: {typed} is what a player types to name the hand.
    return _("{hand} (type {typed})", hand=hand, typed=write_claim(claim, rules))


def above(claim: int, rules: QueenAnnesRules) -> str:
    """Describe the next higher hand as a sentence."""
    if claim + 1 == ladder_length(rules):
        return _("No hand is higher.")
    return _("The next higher hand is {hand}.", hand=example(claim + 1, rules))


def show_check(screen: Screen, view: QueenAnnesView, claim: int) -> None:
    """Print what a hand requires, whether it beats the last hand named, and the next higher hand."""
    rules = view.rules
    named = named_hand(claim, rules)
    required = by_promise(
        named,
        N_("{hand} requires that, among all cards, there is at least {cards}."),
        N_("{hand} requires that, among all cards, there are at least {cards}."),
        N_("{hand} requires that, among all cards, there are {cards}."),
    )
    screen.say(_(required, hand=capital(describe_hand(named)), cards=promise(named)))
    standing = NO_CLAIM if view.state is None or view.result is not None else view.state.claim
    if standing != NO_CLAIM:
        last = describe_hand(named_hand(standing, rules))
        if claim > standing:
            screen.say(_("It beats the last hand named, {hand}.", hand=last))
        else:
            screen.say(_("It does not beat the last hand named, {hand}.", hand=last))
    screen.say(above(claim, rules))


def claim_from_text(text: str, rules: QueenAnnesRules) -> int:
    """Return the claim in `text`, which may start with a verb.

    Raises:
        LiarsPokerError: the text isn't a claim, or not a complete one.
    """
    words = strip_verb(text)
    named = _parse(text if words is None else words, rules)
    claim = None if named is None else claim_of(named, rules)
    if claim is None:
        raise LiarsPokerError(
            _(
                "{text} isn't a hand; name one completely, as in pair 7, straight 9, two-pair J8 or flush KJ752 c",
                text=repr(text),
            )
        )
    return claim


def complete(screen: Screen, view: QueenAnnesView, typed: str, ask: Ask) -> str:
    """Return the complete action for the input, asking for missing parts of a claim; empty if the player cancels."""
    if typed.lower() in ANSWERS:
        return ANSWERS[typed.lower()]
    words = strip_verb(typed)
    rules = view.rules
    if words == "":
        named = _ask_category(screen, view, ask)
        if named is None:
            return ""
    else:
        named = _parse(words or typed, rules)
        if named is None:
            return typed
    completed = _completed(screen, view, named, ask)
    return f"claim {write_spelling(completed)}" if completed is not None else ""


def _completed(screen: Screen, view: QueenAnnesView, named: Spelling, ask: Ask) -> Spelling | None:
    """Ask for missing ranks and a missing suit; return `None` if the player cancels."""
    if named.word not in dict(_least(view)) and named.word in WORDS and not named.ranks:
        return named  # the rules explain why it can't be named
    if len(named.ranks) < _RANK_COUNTS.get(named.word, 1):
        ranks = _ask_ranks(screen, view, named.word, ask)
        if ranks is None:
            return None
        named = named._replace(ranks=ranks)
    if named.word in _SUITED and named.suit == NO_SUIT:
        suit = _ask_suit(screen, ask)
        if suit is None:
            return None
        named = named._replace(suit=suit)
    return named


def _least(view: QueenAnnesView) -> Iterator[tuple[str, int]]:
    """Yield the categories that may be named, each with its lowest legal claim."""
    before = ""
    for claim in view.legal.claims:
        word = named_hand(claim, view.rules).word
        if word != before:
            yield word, claim
        before = word


def _ask_category(screen: Screen, view: QueenAnnesView, ask: Ask) -> Spelling | None:
    """Ask for a category by number or name; return `None` if there is none or the player cancels."""
    kinds = {word: describe_hand(named_hand(claim, view.rules)) for word, claim in _least(view)}
    if not kinds:
        screen.say(_("No hand is higher; you can only challenge."))
        return None
    question = _("Which category? The lowest hand that you may name in each:")
    return ask_kind(screen, question, kinds, ask, lambda words: _parse(words, view.rules))


def _ask_ranks(screen: Screen, view: QueenAnnesView, word: str, ask: Ask) -> tuple[int, ...] | None:
    how = _(_HOW.get(word, _ONE_RANK))

    def read(typed: str) -> tuple[int, ...] | None:
        ranks = parse_ranks(typed)
        if ranks is not None and len(ranks) == _RANK_COUNTS.get(word, 1) and min(ranks) >= 0:
            return ranks if word == "full-house" else tuple(sorted(ranks, reverse=True))
        screen.say(_("{typed} isn't valid; type {how}.", typed=repr(typed), how=how))
        return None

    least = dict(_least(view)).get(word)
    # Translators: {hand} is a message such as "a pair" or "two pair", {how} one such as "two ranks, as in J8".
    sentences = [_("Which ranks? For {hand}, type {how}.", hand=describe_claim(Spelling(word, ())), how=how)]
    if least is not None:
        sentences.append(_("The lowest is {hand}.", hand=describe_hand(named_hand(least, view.rules))))
    screen.say(" ".join(sentences))
    return ask_for(ask, _("ranks, or back > "), read)


def _ask_suit(screen: Screen, ask: Ask) -> int | None:
    """Ask for a suit by letter, name or symbol; return `None` if the player cancels."""
    suits = ", ".join(f"{letter} {name}" for letter, name in zip(SUITS, suit_names(), strict=True))

    def read(typed: str) -> int | None:
        suit = parse_suit(typed)
        if suit is None:
            screen.say(question)
        return suit

    question = _("Which suit? {suits}, lowest first.", suits=suits)
    screen.say(question)
    return ask_for(ask, _("suit, or back > "), read)


def _parse(words: str, rules: QueenAnnesRules) -> Spelling | None:
    """Parse a hand in notation or words; return `None` if it isn't one."""
    return parse_claim(words, lambda spelt: claim_of(spelt, rules) is not None)
