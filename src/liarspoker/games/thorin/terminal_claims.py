"""Declarations and discards typed in the terminal of Thorin's game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from liarspoker.core.cards.claims import Spelling, write_spelling
from liarspoker.core.cards.deck import card_text, cards_text, rank_of
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, STARTS, hand_value
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.spoken_claims import as_thorin_claim, parse_claim, strip_verb
from liarspoker.games.cards.terminal import BACK, ask_kind, parse_cards, parse_ranks
from liarspoker.games.cards.wording import describe_value, format_cards, format_value_ranks, high_to_low, name_category
from liarspoker.games.thorin.ladder import claim_of, floor_of, next_value
from liarspoker.games.thorin.notation import write_claim, write_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.record_text import describe_action, describe_declaration
from liarspoker.games.thorin.result import ThorinView
from liarspoker.language import N_, _, pgettext
from liarspoker.records.words import capital, sentence
from liarspoker.terminal.renderer import Ask
from liarspoker.terminal.screen import Screen

_RANKS_HELP = {
    # Translators: what a player types to name the ranks of a hand, with examples.
    "high": N_("one or more ranks, highest first: K, or KT"),
    "pair": N_("the pair's rank, then the kickers: 7, or 7A; _A for any pair with an ace"),
    "color-flush": N_("its ranks, highest first: Q, or QJ942"),
    "two-pair": N_("the higher pair, the lower pair, the kicker: J, J8 or J84"),
    "three": N_("the rank of the three, then the kickers: 4, or 4AK"),
    "straight": N_("its highest rank: 9"),
    "flush": N_("its ranks, highest first: K, or KJ752"),
    "full-house": N_("the rank of the three, then of the pair: A, or AT"),
    "color-straight-flush": N_("its highest rank: 9"),
    "four": N_("the rank of the four, then the kicker: 7, or 7K"),
    "straight-flush": N_("its highest rank: 9"),
    "five": N_("the rank: 7"),
}


_DISCARD = re.compile(r"(?:discard|throw|d)(?![a-z])[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_NO_DISCARD = ("-", "none", "nothing", "keep", "keep all", "stand", "0")
_POSITION = re.compile(r"#?([1-5])")


def weakest_fit(claim: int) -> str:
    """Return the weakest hand that fits a declaration: `3-3-2-2-4`."""
    return format_value_ranks(floor_of(claim))


def least_above(value: int, rules: ThorinRules) -> str:
    """Describe the lowest declaration that beats a hand rank, and how to type it; empty if there is none."""
    following = next_value(value, rules)
    if following is None:
        return ""
    # Translators: {typed} is what a player types to name the hand.
    return _("{hand} (type {typed})", hand=format_value_ranks(following), typed=write_value(following))


def parse_declaration(words: str, rules: ThorinRules) -> Spelling | None:
    """Parse a declaration in notation or words, ignoring suits; return `None` if it isn't one."""
    named = parse_claim(words, lambda spelt: claim_of(as_thorin_claim(spelt), rules) is not None)
    return None if named is None else as_thorin_claim(named)


def claim_from_text(text: str, rules: ThorinRules) -> int:
    """Return the declaration in `text`, which may start with a verb.

    Raises:
        LiarsPokerError: the text isn't a declaration, or no hand fits it.
    """
    words = strip_verb(text)
    named = parse_declaration(text if words is None else words, rules)
    claim = None if named is None else claim_of(named, rules)
    if claim is None:
        raise LiarsPokerError(_("{text} isn't a hand; try two-pair, two-pair 73, pair _A or high KT", text=repr(text)))
    return claim


def show_check(screen: Screen, view: ThorinView, claim: int) -> None:
    """Print what a declaration promises, whether it beats the last one, and what beats it."""
    screen.say(sentence(describe_declaration(claim)))
    if view.result is None:
        screen.say(compare(floor_of(claim), view.floor))
    following = least_above(floor_of(claim), view.rules)
    if following:
        screen.say(_("The lowest hand that beats it is {hand}.", hand=following))
    else:
        screen.say(_("Nothing beats it."))


def compare(value: int, floor: int) -> str:
    """Return whether hand rank `value` beats `floor`, the one to beat, as a sentence."""
    if value > floor:
        return _("It beats {hand}, the hand to beat.", hand=format_value_ranks(floor))
    return _("It does not beat {hand}, the hand to beat.", hand=format_value_ranks(floor))


def complete_claim(screen: Screen, view: ThorinView, typed: str, ask: Ask) -> str:
    """Return the complete declaration; ask step by step after a bare verb, or after a category that is too low.

    Returns:
        The action in notation; `typed` itself if it isn't a declaration; empty if the player cancels.
    """
    words = strip_verb(typed)
    if words == "":
        kind = _ask_category(screen, view, ask)
        return "" if kind is None else _with_ranks(screen, view, kind, ask)
    named = parse_declaration(words or typed, view.rules)
    if named is None:
        return typed
    claim = claim_of(named, view.rules)
    too_low = claim is not None and floor_of(claim) <= view.floor
    if too_low and not named.ranks and named.word in dict(_least(view)):
        assert claim is not None
        promised = _("{hand} promises only {ranks}.", hand=describe_action(claim), ranks=weakest_fit(claim))
        screen.say(capital(promised))
        return _with_ranks(screen, view, named.word, ask)
    return f"declare {write_spelling(named)}"


def _least(view: ThorinView) -> Iterator[tuple[str, int]]:
    """Yield the categories that may be declared, each with its lowest legal hand rank."""
    for category, word in enumerate(CATEGORIES):
        value = next_value(max(view.floor, STARTS[category] - 1), view.rules)
        if value is not None and KEYS[value][0] == category:
            yield word, value


def _ask_category(screen: Screen, view: ThorinView, ask: Ask) -> str | None:
    """Ask for a category by number or name; return `None` if the player cancels."""
    kinds = {}
    for word, value in _least(view):
        claim = claim_of(Spelling(word), view.rules)
        any_will_do = claim is not None and floor_of(claim) > view.floor
        # Translators: any hand of a category may be declared; {ranks} is the weakest one.
        message = N_("any ({ranks})") if any_will_do else N_("from {ranks}")
        kinds[word] = _(message, ranks=format_value_ranks(value))
    question = _("Which category? The lowest hand that you may declare in each:")
    named = ask_kind(screen, question, kinds, ask, lambda words: parse_declaration(words, view.rules))
    return None if named is None else named.word


def _with_ranks(screen: Screen, view: ThorinView, word: str, ask: Ask) -> str:
    """Ask for ranks until the declaration is legal; return it, or "" if the player cancels."""
    without_article = claim_of(Spelling(word), view.rules)
    is_legal = without_article is not None and floor_of(without_article) > view.floor
    least = format_value_ranks(dict(_least(view))[word])
    category, how = name_category(word), _(_RANKS_HELP[word])
    # Translators: {how} is a message such as "its highest rank: 9".
    screen.say(_("Which ranks? Type {how}. It must promise at least {ranks}.", how=how, ranks=least))
    if is_legal:
        screen.say(_("Press Enter to declare just: {category}.", category=category))
    while True:
        typed = ask(_("ranks, or back > "))
        if typed.lower() in BACK:
            return f"declare {word}" if is_legal and not typed else ""
        ranks = parse_ranks(typed)
        claim = None if ranks is None else claim_of(Spelling(word, ranks), view.rules)
        if claim is None:
            screen.say(
                _("{typed} doesn't name a {category}. Type {how}.", typed=repr(typed), category=category, how=how)
            )
        elif floor_of(claim) <= view.floor:
            promised = _(
                "{hand} promises only {ranks}; it must promise at least {least}.",
                hand=describe_action(claim),
                ranks=weakest_fit(claim),
                least=least,
            )
            screen.say(capital(promised))
        else:
            return f"declare {write_claim(claim)}"


def with_positions(hand: tuple[int, ...]) -> str:
    """Return the hand from high to low with positions: `1 Kc, 2 Kd, 3 7h, 4 5s, 5 2s`."""
    return ", ".join(f"{place} {card_text(card)}" for place, card in enumerate(high_to_low(hand), 1))


def describe_hand_value(hand: tuple[int, ...], rules: ThorinRules) -> str:
    """Describe the rank of a hand in words and ranks."""
    value = hand_value(hand, bool(rules.double_any))
    words, ranks = describe_value(value), format_value_ranks(value)
    return words if ranks in words else f"{words} ({ranks})"


def cards_or_nothing(cards: tuple[int, ...]) -> str:
    """Return cards from high to low; `nothing` if there are none."""
    return format_cards(high_to_low(cards)) or pgettext("cards", "nothing")


def discard_words(typed: str) -> str | None:
    """Return the cards of a discard command, empty if none are named; `None` if the input isn't a discard.

    >>> discard_words("discard 7h 2s"), discard_words("d"), discard_words("keep"), discard_words("take")
    ('7h 2s', '', '-', None)
    """
    plain = typed.strip()
    if plain.lower() in _NO_DISCARD:
        return "-"
    match = _DISCARD.fullmatch(plain)
    if match is not None:
        return "-" if match[1].lower() in _NO_DISCARD else match[1].strip()
    cards, rest = parse_cards(plain)
    only_places = all(_POSITION.fullmatch(word) for word in rest)
    return plain if (cards or rest) and only_places else None


def discard_action(words: str, hand: tuple[int, ...]) -> str:
    """Return a discard in notation.

    Args:
        words: cards by name or position, `-` for none.
        hand: the hand.

    Raises:
        LiarsPokerError: a word isn't a card or position, isn't in the hand, or is ambiguous.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> hand = read_joined_cards("KcKd7h5s2s")
    >>> discard_action("7H 2s", hand), discard_action("3 4", hand), discard_action("-", hand)
    ('discard 7h2s', 'discard 7h5s', 'discard -')
    """
    if words == "-":
        return "discard -"
    cards, rest = parse_cards(words)
    cards += [_at_position(word, hand) for word in rest]
    held = Counter(hand)
    for card, count in Counter(cards).items():
        if count > held[card]:
            if held[card]:
                message = N_("{card} is in the hand only once; the hand is {hand}")
            else:
                message = N_("{card} isn't in the hand; the hand is {hand}")
            raise LiarsPokerError(_(message, card=card_text(card), hand=with_positions(hand)))
    return f"discard {cards_text(cards)}"


def _at_position(word: str, hand: tuple[int, ...]) -> int:
    """Return the card at a position; reject a word that could also be a rank in the hand."""
    match = _POSITION.fullmatch(word)
    if match is None:
        raise LiarsPokerError(
            _(
                "{word} isn't a card; name cards like 7h, or by position: {hand}",
                word=repr(word),
                hand=with_positions(hand),
            )
        )
    card = high_to_low(hand)[int(match[1]) - 1]
    same_rank = [held for held in hand if rank_of(held) == int(word) - 2] if word.isdecimal() else []
    if same_rank and card not in same_rank:
        raise LiarsPokerError(
            _(
                "{position}: the card at position {position}, {card}, or {others}? "
                "Type {card} or #{position} for the first, {other} for the other",
                position=word,
                card=card_text(card),
                others=format_cards(high_to_low(same_rank)),
                other=card_text(same_rank[0]),
            )
        )
    return card
