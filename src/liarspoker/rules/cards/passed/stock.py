"""The stock of a round of Thorin's game: the cards still to come, and the discards that are shuffled into it.

The deck is a list, top first. When it runs out, the discards that lie there already, never the cards just thrown,
are shuffled and become the new stock: the list goes on with them. A live deal carries a seed, the key of the stream of
chance from which their order follows; a record writes the list on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from liarspoker.rules.cards.deck import JOKER, UNKNOWN, card_text, check_cards, copies, shuffled
from liarspoker.rules.chance import Stream
from liarspoker.rules.errors import BadDeal

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stock:
    """Cards still to come, and the discards; secret but for their numbers.

    Attributes:
        deck: the list so far, top first, the cards drawn already included; `None` where no card of it is known.
        jokers: jokers in the deck.
        position: how many cards have been drawn.
        end: where the present stock ends in the list.
        thrown: the discards that have not been shuffled in.
        seed: what the order of discards shuffled in follows from, each time by a stream of its own; empty where the
            list tells it.
    """

    deck: Cards | None
    jokers: int
    position: int
    end: int
    thrown: Cards = ()
    seed: bytes = b""

    @property
    def left(self) -> int:
        """Cards in the stock."""
        return self.end - self.position

    def draw(self, count: int, held: Cards) -> tuple[Cards, Stock]:
        """The next `count` cards, and the stock without them.

        Args:
            count: how many are drawn.
            held: the hand as it was before the discard; none of its cards can come.

        Raises:
            BadDeal: the list is too short, or goes on with a card that cannot be in the stock.
        """
        drawn: list[int] = []
        stock = self
        for _ in range(count):
            card, stock = stock._next((*held, *drawn))
            drawn.append(card)
        return tuple(drawn), stock

    def _next(self, held: Cards) -> tuple[int, Stock]:
        stock = self if self.position < self.end else self._with_discards(held)
        if stock.deck is None:
            return UNKNOWN, replace(stock, position=stock.position + 1)
        if stock.position >= len(stock.deck):
            raise BadDeal(f"deck: it is too short; card {stock.position + 1} is drawn")
        return stock.deck[stock.position], replace(stock, position=stock.position + 1)

    def _with_discards(self, held: Cards) -> Stock:
        """The stock once the discards have been shuffled in."""
        deck, end = self.deck, self.end + len(self.thrown)
        if deck is not None and self.seed:
            deck += shuffled(self.thrown, Stream(self.seed, f"discards/{self.position}").below)
        elif deck is not None:
            self._check_shuffled(deck[self.end : end], held)
        return replace(self, deck=deck, end=end, thrown=())

    def _check_shuffled(self, again: Cards, held: Cards) -> None:
        """Refuse cards that cannot be the discards shuffled in; one thrown unseen may be any that is not held.

        Raises:
            BadDeal: naming the card.
        """
        check_cards(again, self.jokers, "deck, the discards shuffled in")
        left = Counter(self.thrown)
        for card in again:
            if card == UNKNOWN:
                continue
            unseen = card not in left and (card not in held or card == JOKER)
            taken = UNKNOWN if unseen else card
            if not left[taken]:
                raise BadDeal(f"deck: {card_text(card)} is drawn again, but was not among the discards shuffled in")
            left[taken] -= 1

    def check_end(self) -> None:
        """Refuse a list that goes on after the end of the stock.

        Raises:
            BadDeal: saying where the stock ends.
        """
        if self.deck is not None and len(self.deck) > self.end:
            raise BadDeal(f"deck: {len(self.deck)} cards; with the discards shuffled in there were {self.end}")

    def after_throwing(self, cards: Cards) -> Stock:
        """The stock when `cards` lie with the discards."""
        return replace(self, thrown=self.thrown + cards)

    def could_be_held(self, card: int, held: Iterable[int]) -> bool:
        """Whether a card that nobody has seen may be `card`: no known place has every copy of it.

        Args:
            card: the card in question.
            held: the other cards of the hand.
        """
        coming = () if self.deck is None else self.deck[self.position : self.end]
        placed = Counter((*self.thrown, *coming, *held))
        return placed[card] < copies(card, self.jokers)
