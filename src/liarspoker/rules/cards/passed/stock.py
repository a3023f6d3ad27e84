"""The stock of a round of Thorin's game: the cards still to come, and the discards that are shuffled into it.

The deck is a list, top first. When it runs out, the discards that lie there already, never the cards just thrown,
are shuffled and become the new stock: the list goes on with them. A live deal carries a seed from which their order
follows; a record writes the list on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from liarspoker.rules.cards.deck import JOKER, UNKNOWN, card_text, chance_of, copies, shuffled
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
        shuffled_in: the discards that were shuffled in last and have not been drawn again.
        seed: what the order of discards shuffled in follows from; empty where the list tells it.
    """

    deck: Cards | None
    jokers: int
    position: int
    end: int
    thrown: Cards = ()
    shuffled_in: Cards = ()
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
        drawn = []
        stock = self
        for _ in range(count):
            card, stock = stock._next(held)
            drawn.append(card)
        return tuple(drawn), stock

    def _next(self, held: Cards) -> tuple[int, Stock]:
        stock = self if self.position < self.end else self._with_discards()
        if stock.deck is None:
            return UNKNOWN, replace(stock, position=stock.position + 1)
        if stock.position >= len(stock.deck):
            raise BadDeal(f"deck: it is too short; card {stock.position + 1} is drawn")
        card = stock.deck[stock.position]
        left = stock.shuffled_in
        if stock.position >= JOKER + stock.jokers:
            left = _one_less(left, card, held)
        return card, replace(stock, position=stock.position + 1, shuffled_in=left)

    def _with_discards(self) -> Stock:
        """The stock once the discards have been shuffled in."""
        deck = self.deck
        if deck is not None and self.seed:
            deck += shuffled(self.thrown, chance_of(self.seed + self.position.to_bytes(4, "big")))
        return replace(self, deck=deck, end=self.end + len(self.thrown), thrown=(), shuffled_in=self.thrown)

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


def _one_less(shuffled_in: Cards, card: int, held: Cards) -> Cards:
    """The discards shuffled in, without `card`, which has been drawn again."""
    if card == UNKNOWN:
        return shuffled_in
    taken = card
    if card not in shuffled_in:
        if UNKNOWN not in shuffled_in or (card in held and card != JOKER):
            raise BadDeal(f"deck: {card_text(card)} is drawn again, but was not among the discards shuffled in")
        taken = UNKNOWN
    place = shuffled_in.index(taken)
    return shuffled_in[:place] + shuffled_in[place + 1 :]
