"""The discard panel: the selected cards, the stock, and probabilities."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.games.cards.wording import high_to_low
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.known_discards import known_discards
from liarspoker.games.thorin.ladder import next_value
from liarspoker.games.thorin.page.history import cards_discarded
from liarspoker.games.thorin.page.promises import Promise, format_card_symbols, promise_of_value
from liarspoker.games.thorin.page.seen import SeenRound
from liarspoker.games.thorin.round import Stint
from liarspoker.language import _, ngettext, pgettext
from liarspoker.odds.draws import Gone, choices, reach
from liarspoker.odds.figures import percent

_SHOWN = 4


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the hand, its form field, and whether it is selected for discard."""

    text: str
    field: str
    discarded: bool


@dataclass(frozen=True, slots=True)
class Best:
    """One of the best discards, and its probability of reaching the lowest legal declaration."""

    words: str
    chance: str


@dataclass(frozen=True, slots=True)
class DiscardPanel:
    """State of the discard panel.

    Attributes:
        words: the button label: `Discard 2 cards`.
        which: the selected cards: `7♥ 2♠`; empty for none.
        target: the lowest legal declaration; `None` if nothing beats the last one.
        chance: the probability of reaching it with this discard; empty if help is off.
        stock: a note if the stock runs short; empty otherwise.
    """

    cards: tuple[HandCard, ...]
    count: int
    words: str
    which: str
    target: Promise | None
    chance: str
    best: tuple[Best, ...]
    may_ask: bool
    stock: str


def discard_panel_of(seen: SeenRound, hand: tuple[int, ...]) -> DiscardPanel:
    """Return the discard panel for a player who has taken `hand`."""
    cards = _chosen(seen, hand)
    discarded = read_cards(card.text for card in cards if card.discarded)
    target = next_value(seen.floor, seen.rules)
    may_help = seen.help and target is not None
    jokers, double_any, gone = seen.rules.jokers, bool(seen.rules.double_any), _gone(seen)
    asked = may_help and "chances" in seen.draft
    return DiscardPanel(
        cards=cards,
        count=len(discarded),
        words=ngettext("Discard {count} card", "Discard {count} cards", len(discarded))
        if discarded
        else _("Keep all five"),
        which=format_card_symbols(discarded),
        target=None if target is None else promise_of_value(target),
        chance=percent(reach(hand, discarded, target, jokers, double_any, gone))
        if may_help and target is not None
        else "",
        best=_best(hand, target, jokers, double_any, gone) if asked and target is not None else (),
        may_ask=may_help and not asked,
        stock=_stock(seen.view.stock, seen.view.discards),
    )


def _chosen(seen: SeenRound, hand: tuple[int, ...]) -> tuple[HandCard, ...]:
    wanted = Counter(text for name, text in seen.draft.items() if name.startswith("action."))
    cards = []
    for place, card in enumerate(high_to_low(hand), 1):
        text, field = card_text(card), f"action.{place}"
        cards.append(HandCard(text, field, bool(wanted[text]) and seen.draft.get(field) == text))
    return tuple(cards)


def _gone(seen: SeenRound) -> Gone:
    """Return the discards that the viewer knows, which can't be drawn unless the stock is too short."""
    stints = [
        Stint(seen.seat or 0, read_cards(one.taken), read_cards(one.discarded), read_cards(one.drawn))
        for one in seen.hand.memory
    ]
    discarded = sum(cards_discarded(action) for _seat, action in seen.view.moves if action.startswith("discard "))
    return Gone(known_discards(stints, discarded, seen.view.discards), seen.view.stock)


def _best(hand: tuple[int, ...], target: int, jokers: int, double_any: bool, gone: Gone) -> tuple[Best, ...]:
    found = choices(hand, target, jokers, double_any, gone)[:_SHOWN]
    return tuple(
        Best(format_card_symbols(high_to_low(discarded)) or pgettext("cards", "nothing"), percent(chance))
        for discarded, chance in found
    )


def _stock(stock: int, discards: int) -> str:
    if stock >= HAND_CARDS:
        return ""
    left = ngettext("The stock has {count} card left.", "The stock has {count} cards left.", stock)
    more = ngettext(
        "If you discard more, the {count} card discarded earlier is shuffled in, but not the cards that you discard "
        "now.",
        "If you discard more, the {count} cards discarded earlier are shuffled in, but not the cards that you discard "
        "now.",
        discards,
    )
    return f"{left} {more}"
