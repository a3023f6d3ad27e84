"""What chance gives a round of a pooled game, and what of it is possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liarspoker.core.cards.deck import UNKNOWN, Below, card_text, check_cards, full_deck, shuffled
from liarspoker.core.errors import BadDeal
from liarspoker.core.session import Deal

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QueenAnnesDeal(Deal):
    """What a round is dealt.

    Attributes:
        hands: each seat's cards, none for a seat that is out.
        extras: where a card comes with each turn, the cards as they come off the deck, whoever gets them. There may
            be more than are dealt in the end; there may be fewer only as long as nobody challenges.
    """

    hands: tuple[Cards, ...]
    extras: Cards = ()

    def parts(self) -> dict[str, Any]:
        """Return what was dealt, under the keys of a record."""
        parts: dict[str, Any] = {"deal": [list(map(card_text, hand)) for hand in self.hands]}
        return {**parts, "extras": list(map(card_text, self.extras))} if self.extras else parts


@dataclass(frozen=True, slots=True)
class QueenAnnesChance:
    """What the next round draws, and how to draw it.

    Attributes:
        hand_sizes: how many cards each seat is dealt at once.
        jokers: jokers in the deck.
        extras: more cards come off the deck during the round.
        opener: no rule says who opens; the table draws lots.
    """

    hand_sizes: tuple[int, ...]
    jokers: int
    extras: bool
    opener: bool = False

    def draw(self, below: Below) -> QueenAnnesDeal:
        """A deal from the chance that `below` gives: a shuffled deck, hand after hand off the top.

        >>> import random
        >>> QueenAnnesChance((2, 1, 0), jokers=0, extras=False).draw(random.Random(5).randrange).hands
        ((11, 18), (9,), ())
        """
        deck = shuffled(full_deck(self.jokers), below)
        hands, start = [], 0
        for size in self.hand_sizes:
            hands.append(deck[start : start + size])
            start += size
        return QueenAnnesDeal(tuple(hands), deck[start:] if self.extras else ())

    def parts(self) -> dict[str, Any]:
        """Return what is drawn: hands off the top of a shuffled deck, and perhaps the rest of it."""
        sizes = list(self.hand_sizes)
        return {"kind": "hands", "jokers": self.jokers, "hand_sizes": sizes, "extras": self.extras}

    def check(self, deal: QueenAnnesDeal) -> None:
        """Refuse a deal that is not what this round draws.

        Raises:
            BadDeal: naming the seat or the card.
        """
        if len(deal.hands) != len(self.hand_sizes):
            raise BadDeal(f"deal: {len(deal.hands)} hands for {len(self.hand_sizes)} players")
        for seat, (hand, size) in enumerate(zip(deal.hands, self.hand_sizes, strict=True)):
            if len(hand) != size:
                raise BadDeal(f"deal, seat {seat}: {len(hand)} cards; it gets {size}")
        if deal.extras and not self.extras:
            raise BadDeal("extras: no further cards are dealt in this game")
        cards = [card for hand in (*deal.hands, deal.extras) for card in hand]
        if UNKNOWN in cards:
            raise BadDeal("deal: every card must be known")
        check_cards(cards, self.jokers, "deal")
