"""For each family, another deal of a round that is indistinguishable to one seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import Any

from liarspoker.core.cards.deck import JOKER, full_deck
from liarspoker.games.thorin.actions import cards_of, discard_of, is_discard
from tests.conformance.evenings import Round

Renamed = Callable[[int], int]
Other = Callable[[Round, Any, Random], tuple[Any, Renamed]]


def other_numbers(played: Round, view: Any, chance: Random) -> tuple[Any, Renamed]:
    """Return other numbers for all other seats."""
    deal: Any = played.deal
    spec: Any = played.before.chance_spec()
    fresh: Any = replace(spec, redraw=False).draw(chance.randrange)

    def but_own(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
        pairs = zip(old, new, strict=True)
        return tuple(kept if seat == view.seat else other for seat, (kept, other) in enumerate(pairs))

    other = replace(deal, numbers=but_own(deal.numbers, fresh.numbers), slips=but_own(deal.slips, fresh.slips))
    return other, lambda action: action


def exchanged(seen: Iterable[int], chance: Random) -> Renamed:
    """Return a permutation of the unseen cards; seen cards and jokers stay."""
    known = set(seen)
    unseen = [card for card in full_deck(0) if card not in known]
    new = dict(zip(unseen, chance.sample(unseen, len(unseen)), strict=True))
    return lambda card: new.get(card, card)


def other_pool(played: Round, view: Any, chance: Random) -> tuple[Any, Renamed]:
    """Return other cards in the hands and in the deck that the seat doesn't see."""
    deal: Any = played.deal
    name = exchanged(view.known, chance)
    hands = tuple(tuple(map(name, hand)) for hand in deal.hands)
    return replace(deal, hands=hands, extras=tuple(map(name, deal.extras))), lambda action: action


def other_deck(played: Round, view: Any, chance: Random) -> tuple[Any, Renamed]:
    """Return a deck with other cards than those that the seat has held, and the discards mapped accordingly."""
    deal: Any = played.deal
    held = [card for stint in view.stints for card in (*stint.taken, *stint.drawn) if card != JOKER]
    name = exchanged((*held, *(view.hand or ())), chance)

    def renamed(action: int) -> int:
        return discard_of(list(map(name, cards_of(action)))) if is_discard(action) else action

    return replace(deal, deck=tuple(map(name, deal.deck))), renamed


def other_hands(played: Round, view: Any, chance: Random) -> tuple[Any, Renamed]:
    """Return other hands for all other seats, in a simple session."""
    deal: Any = played.deal
    fresh: Any = played.before.chance_spec().draw(chance.randrange)
    pairs = enumerate(zip(deal.hands, fresh.hands, strict=True))
    return replace(
        deal, hands=tuple(old if seat == view.seat else new for seat, (old, new) in pairs)
    ), lambda move: move


OTHERS: dict[str, Other] = {"digits": other_numbers, "queen_annes": other_pool, "thorin": other_deck}
"""The functions by family; other packages' families have simple sessions."""
