"""The stock of a round of Thorin's game: the cards still to come, and the discards that are shuffled into it.

The deck is a list, top first, that goes on with discards when it runs out: `piles` says when, and with which of them. A
live deal carries a seed, the key of the stream of chance from which their order follows; a record writes the list on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from liarspoker.core.cards.deck import JOKER, UNKNOWN, card_text, check_cards, copies, shuffled
from liarspoker.core.chance import Stream
from liarspoker.core.errors import BadDeal
from liarspoker.games.thorin.piles import Piles, after_drawing, after_exchange, stock_left

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
    def piles(self) -> Piles:
        """How many cards lie where, for the rule functions."""
        return Piles(self.position, self.end, len(self.thrown))

    @property
    def left(self) -> int:
        """Cards in the stock."""
        return stock_left(self.piles)

    def draw(self, count: int) -> tuple[Cards, Stock]:
        """The next `count` cards, and the stock without them.

        Raises:
            BadDeal: the list is too short, or goes on with a card that cannot be in the stock.
        """
        return self._drawn(after_drawing(count, self.piles), thrown=(), held=())

    def exchange(self, thrown: Cards, held: Cards) -> tuple[Cards, Stock]:
        """As many cards as are thrown, and the stock without them, when those thrown lie with the discards.

        Args:
            thrown: what is thrown.
            held: the hand as it was before the discard; none of its cards can come.

        Raises:
            BadDeal: the list is too short, or goes on with a card that cannot be in the stock.
        """
        return self._drawn(after_exchange(len(thrown), self.piles), thrown, held)

    def _drawn(self, later: Piles, thrown: Cards, held: Cards) -> tuple[Cards, Stock]:
        """The cards that are drawn until the piles stand so, and the stock then."""
        lying = self.thrown + thrown
        mixed_in = len(lying) - later.discards
        deck = self._with(lying[:mixed_in], held) if mixed_in else self.deck
        stock = replace(self, deck=deck, position=later.drawn, end=later.end, thrown=lying[mixed_in:])
        if deck is None:
            return (UNKNOWN,) * (later.drawn - self.position), stock
        if later.drawn > len(deck):
            raise BadDeal(f"deck: it is too short; card {len(deck) + 1} is drawn")
        return deck[self.position : later.drawn], stock

    def _with(self, discards: Cards, held: Cards) -> Cards | None:
        """The list once these discards have been shuffled in."""
        if self.deck is None:
            return None
        if self.seed:
            return self.deck + shuffled(discards, Stream(self.seed, f"discards/{self.end}").below)
        again = self.deck[self.end : self.end + len(discards)]
        self._check_shuffled(again, discards, (*held, *self.deck[self.position : self.end]))
        return self.deck

    def _check_shuffled(self, again: Cards, discards: Cards, held: Cards) -> None:
        """Refuse cards that cannot be the discards shuffled in; one thrown unseen may be any that is not held.

        Raises:
            BadDeal: naming the card.
        """
        check_cards(again, self.jokers, "deck, the discards shuffled in")
        left = Counter(discards)
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

    def could_be_held(self, card: int, held: Iterable[int]) -> bool:
        """Whether a card that nobody has seen may be `card`: no known place has every copy of it.

        Args:
            card: the card in question.
            held: the other cards of the hand.
        """
        coming = () if self.deck is None else self.deck[self.position : self.end]
        placed = Counter((*self.thrown, *coming, *held))
        return placed[card] < copies(card, self.jokers)
