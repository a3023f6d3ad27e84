"""The discard: which cards are thrown, what the stock holds, and what can come of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.games.cards.record_words import high_to_low
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import next_value
from liarspoker.games.thorin.page.promises import Promise, cards_told, value_told
from liarspoker.games.thorin.page.seen import SeenRound
from liarspoker.odds.draws import choices, reach
from liarspoker.odds.figures import percent

_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Throwable:
    """A card of the hand, the form's field for it, and whether it is chosen."""

    text: str
    field: str
    thrown: bool


@dataclass(frozen=True, slots=True)
class Best:
    """A discard among the best, in words, and its chance to reach what must be declared."""

    words: str
    chance: str


@dataclass(frozen=True, slots=True)
class Throwing:
    """The discard as far as it is chosen.

    Attributes:
        words: the button's words: `Throw 2 cards`.
        which: what is thrown: `7♥ 2♠`; empty for none.
        target: the least that must be declared then; `None` if nothing beats what stands.
        chance: to hold that or better after this discard; empty where no help is given.
        stock: what happens when the stock runs short; empty while it cannot.
    """

    cards: tuple[Throwable, ...]
    count: int
    words: str
    which: str
    target: Promise | None
    chance: str
    best: tuple[Best, ...]
    may_ask: bool
    stock: str


def throwing_of(seen: SeenRound, hand: tuple[int, ...]) -> Throwing:
    """The discard, for who has taken `hand`."""
    cards = _chosen(seen, hand)
    thrown = read_cards(card.text for card in cards if card.thrown)
    target = next_value(seen.floor, seen.rules)
    may_help = seen.help and target is not None
    jokers, double_any = seen.rules.jokers, bool(seen.rules.double_any)
    asked = may_help and "chances" in seen.draft
    return Throwing(
        cards=cards,
        count=len(thrown),
        words=f"Throw {len(thrown)} card{'' if len(thrown) == 1 else 's'}" if thrown else "Keep all five",
        which=cards_told(thrown),
        target=None if target is None else value_told(target),
        chance=percent(reach(hand, thrown, target, jokers, double_any)) if may_help and target is not None else "",
        best=_best(hand, target, jokers, double_any) if asked and target is not None else (),
        may_ask=may_help and not asked,
        stock=_stock(seen.view.stock, seen.view.discards),
    )


def _chosen(seen: SeenRound, hand: tuple[int, ...]) -> tuple[Throwable, ...]:
    wanted = Counter(text for name, text in seen.draft.items() if name.startswith("action."))
    cards = []
    for place, card in enumerate(high_to_low(hand), 1):
        text, field = card_text(card), f"action.{place}"
        cards.append(Throwable(text, field, bool(wanted[text]) and seen.draft.get(field) == text))
    return tuple(cards)


def _best(hand: tuple[int, ...], target: int, jokers: int, double_any: bool) -> tuple[Best, ...]:
    found = choices(hand, target, jokers, double_any)[:_SHOWN]
    return tuple(Best(cards_told(high_to_low(thrown)) or "nothing", percent(chance)) for thrown, chance in found)


def _stock(stock: int, discards: int) -> str:
    if stock >= HAND_CARDS:
        return ""
    left = f"{stock} card{'' if stock == 1 else 's'}"
    return (
        f"The stock has {left} left. If you throw more, the {discards} cards thrown earlier are shuffled in; "
        "what you throw now never comes back to you."
    )
