"""What chance gives a round of Thorin's game, and what of it is possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liarspoker.core.cards.deck import JOKER, Below, card_text, check_cards, deck_size, full_deck, shuffled
from liarspoker.core.errors import BadDeal
from liarspoker.core.session import Deal
from liarspoker.games.thorin.stock import Stock

HAND_CARDS = 5
_SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class ThorinDeal(Deal):
    """What a round is dealt.

    Attributes:
        deck: the cards, top first; the opening hand is the first five. Cards that are not known are `UNKNOWN`; `None`
            means that none is known. In a record the list may stop where no more is drawn, and it goes on with the
            discards as they were shuffled into the stock.
        seed: what the order of discards shuffled in follows from, where the list ends with the deck.
    """

    deck: tuple[int, ...] | None = None
    seed: bytes = b""

    def parts(self) -> dict[str, Any]:
        """Return the deck under the key of a record, and under `shuffle` the seed of the discards, in hexadecimal."""
        parts: dict[str, Any] = {} if self.deck is None else {"deck": list(map(card_text, self.deck))}
        return {**parts, "shuffle": self.seed.hex()} if self.seed else parts


@dataclass(frozen=True, slots=True)
class ThorinChance:
    """What the next round draws, and how to draw it.

    Attributes:
        jokers: jokers in the deck.
        opener: no rule says who begins; the table draws lots.
    """

    jokers: int
    opener: bool = False

    def draw(self, below: Below) -> ThorinDeal:
        """A deal from the chance that `below` gives: the shuffled deck, and a seed for the discards.

        >>> import random
        >>> len(ThorinChance(jokers=1).draw(random.Random(5).randrange).deck)
        53
        """
        deck = shuffled(full_deck(self.jokers), below)
        return ThorinDeal(deck, bytes(below(256) for _ in range(_SEED_BYTES)))

    def parts(self) -> dict[str, Any]:
        """Return what is drawn: a shuffled deck, and what the discards are shuffled by."""
        return {"kind": "deck", "jokers": self.jokers}

    def check(self, deal: ThorinDeal) -> None:
        """Refuse a deal that is not what this round draws.

        Raises:
            BadDeal: naming the card, or how many there should be.
        """
        if deal.deck is None:
            return
        size = deck_size(self.jokers)
        if len(deal.deck) < HAND_CARDS:
            raise BadDeal(f"deck: {len(deal.deck)} cards are too short for a hand of {HAND_CARDS}")
        check_cards(deal.deck[:size], self.jokers, "deck")
        if JOKER in deal.deck and not self.jokers:
            raise BadDeal("deck: a joker; the option jokers is 0")
        if deal.seed and len(deal.deck) != size:
            raise BadDeal(f"deck: {len(deal.deck)} cards; a deck whose discards have a seed has {size}")

    def stock(self, deal: ThorinDeal) -> Stock:
        """The stock of a round that is dealt so, before the opening hand is drawn."""
        return Stock(deal.deck, self.jokers, position=0, end=deck_size(self.jokers), seed=deal.seed)
