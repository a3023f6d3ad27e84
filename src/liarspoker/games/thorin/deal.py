"""What chance gives a round of Thorin's game, what of it is possible, and where the cards lie that nobody holds.

The deck is a list, top first. Source 002 does not say what happens when it runs out; here it goes on with the discards
that lie there already, never with the cards just thrown. `Piles` and its functions say when, on numbers alone, and the
engine compiles them; `Stock` carries that out card by card. A live deal carries a seed, the key of the stream of chance
from which the order of the discards follows; a record writes the list on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from liarspoker.core.cards.deck import (
    JOKER,
    UNKNOWN,
    Below,
    card_text,
    check_cards,
    copies,
    deck_size,
    full_deck,
    shuffled,
)
from liarspoker.core.chance import Stream
from liarspoker.core.errors import BadDeal
from liarspoker.core.session import Deal


class Piles(NamedTuple):
    """How many cards lie where.

    Attributes:
        drawn: how many cards of the list have been drawn.
        end: where the present stock ends in the list; once all before it are drawn, the stock has run out.
        discards: how many cards have been thrown and not been shuffled in, the first of them lowest.
    """

    drawn: int
    end: int
    discards: int


def whole_deck(cards: int) -> Piles:
    """The piles before any card is drawn, out of a deck of so many."""
    return Piles(0, cards, 0)


def stock_left(piles: Piles) -> int:
    """How many cards are in the stock."""
    return piles.end - piles.drawn


def after_drawing(count: int, piles: Piles) -> Piles:
    """The piles when `count` cards more have been drawn, no more than stock and discards have together.

    >>> after_drawing(2, Piles(drawn=49, end=52, discards=40)), after_drawing(5, Piles(drawn=49, end=52, discards=40))
    (Piles(drawn=51, end=52, discards=40), Piles(drawn=54, end=92, discards=0))
    """
    if count <= stock_left(piles):
        return Piles(piles.drawn + count, piles.end, piles.discards)
    return Piles(piles.drawn + count, piles.end + piles.discards, 0)


def after_exchange(count: int, piles: Piles) -> Piles:
    """The piles when a player has thrown `count` cards and drawn as many.

    >>> after_exchange(5, Piles(drawn=49, end=52, discards=40))
    Piles(drawn=54, end=92, discards=5)
    """
    drawn = after_drawing(count, piles)
    return Piles(drawn.drawn, drawn.end, drawn.discards + count)


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
        """Whether a card that nobody has seen may be `card`: no known place has every copy of it."""
        coming = () if self.deck is None else self.deck[self.position : self.end]
        placed = Counter((*self.thrown, *coming, *held))
        return placed[card] < copies(card, self.jokers)


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
