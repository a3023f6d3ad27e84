"""The deal of a round of Thorin's game, its validation, and the stock and discards.

The deck is a list, top first. Source 002 doesn't say what happens when it runs out. Here the earlier discards are
shuffled into the stock, but not the cards being discarded. `Piles` and its functions do this with numbers of cards, and
the engine compiles them; `Stock` does it with cards. A live deal has a seed that determines the order of the shuffled
discards; a record appends them to the list.
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
from liarspoker.language import _


class Piles(NamedTuple):
    """Numbers of cards in the stock and the discard pile.

    Attributes:
        drawn: number of cards of the list drawn so far.
        end: index in the list where the current stock ends.
        discards: number of discards not yet shuffled in.
    """

    drawn: int
    end: int
    discards: int


def whole_deck(cards: int) -> Piles:
    """Return the piles of a full deck before any draw."""
    return Piles(0, cards, 0)


def stock_left(piles: Piles) -> int:
    """Return the number of cards in the stock."""
    return piles.end - piles.drawn


def after_drawing(count: int, piles: Piles) -> Piles:
    """Return the piles after drawing `count` cards, at most the stock and discards together.

    >>> after_drawing(2, Piles(drawn=49, end=52, discards=40)), after_drawing(5, Piles(drawn=49, end=52, discards=40))
    (Piles(drawn=51, end=52, discards=40), Piles(drawn=54, end=92, discards=0))
    """
    if count <= stock_left(piles):
        return Piles(piles.drawn + count, piles.end, piles.discards)
    return Piles(piles.drawn + count, piles.end + piles.discards, 0)


def after_exchange(count: int, piles: Piles) -> Piles:
    """Return the piles after a player has discarded `count` cards and drawn as many.

    >>> after_exchange(5, Piles(drawn=49, end=52, discards=40))
    Piles(drawn=54, end=92, discards=5)
    """
    drawn = after_drawing(count, piles)
    return Piles(drawn.drawn, drawn.end, drawn.discards + count)


Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stock:
    """The stock and the discard pile; only their sizes are public.

    Attributes:
        deck: the list, top first, including cards already drawn; `None` if no card is known.
        jokers: jokers in the deck.
        position: number of cards drawn.
        end: index in the list where the current stock ends.
        discards: the discards not yet shuffled in.
        seed: determines the order of shuffled discards, with a separate random stream each time; empty if the list
            has them.
    """

    deck: Cards | None
    jokers: int
    position: int
    end: int
    discards: Cards = ()
    seed: bytes = b""

    @property
    def piles(self) -> Piles:
        """The numbers of cards, for the rule functions."""
        return Piles(self.position, self.end, len(self.discards))

    @property
    def left(self) -> int:
        """The number of cards in the stock."""
        return stock_left(self.piles)

    def draw(self, count: int) -> tuple[Cards, Stock]:
        """Return the next `count` cards, and the stock without them.

        Raises:
            BadDeal: the list is too short, or continues with a card that can't be in the stock.
        """
        return self._drawn(after_drawing(count, self.piles), discarded=(), held=())

    def exchange(self, discarded: Cards, held: Cards) -> tuple[Cards, Stock]:
        """Discard cards and draw as many; return the cards drawn, and the stock afterwards.

        Args:
            discarded: the cards that the player discards.
            held: the hand before the discard; none of its cards can be drawn.

        Raises:
            BadDeal: the list is too short, or continues with a card that can't be in the stock.
        """
        return self._drawn(after_exchange(len(discarded), self.piles), discarded, held)

    def _drawn(self, later: Piles, discarded: Cards, held: Cards) -> tuple[Cards, Stock]:
        """Return the cards drawn to reach the piles `later`, and the stock afterwards."""
        pile = self.discards + discarded
        mixed_in = len(pile) - later.discards
        deck = self._with(pile[:mixed_in], held) if mixed_in else self.deck
        stock = replace(self, deck=deck, position=later.drawn, end=later.end, discards=pile[mixed_in:])
        if deck is None:
            return (UNKNOWN,) * (later.drawn - self.position), stock
        if later.drawn > len(deck):
            raise BadDeal(_("deck: it has {count} cards, but more are drawn", count=len(deck)))
        return deck[self.position : later.drawn], stock

    def _with(self, discards: Cards, held: Cards) -> Cards | None:
        """Return the list after shuffling these discards in."""
        if self.deck is None:
            return None
        if self.seed:
            return self.deck + shuffled(discards, Stream(self.seed, f"discards/{self.end}").below)
        again = self.deck[self.end : self.end + len(discards)]
        self._check_shuffled(again, discards, (*held, *self.deck[self.position : self.end]))
        return self.deck

    def _check_shuffled(self, again: Cards, discards: Cards, held: Cards) -> None:
        """Check that cards can be the shuffled discards; an unseen discard may be any card that isn't held.

        Raises:
            BadDeal: a card wasn't discarded.
        """
        check_cards(again, self.jokers, _("deck, the discards shuffled in"))
        left = Counter(discards)
        for card in again:
            if card == UNKNOWN:
                continue
            unseen = card not in left and (card not in held or card == JOKER)
            taken = UNKNOWN if unseen else card
            if not left[taken]:
                raise BadDeal(
                    _("deck: {card} is drawn again, but wasn't among the discards shuffled in", card=card_text(card))
                )
            left[taken] -= 1

    def check_end(self) -> None:
        """Check that the list doesn't continue after the end of the stock.

        Raises:
            BadDeal: the list is too long.
        """
        if self.deck is not None and len(self.deck) > self.end:
            raise BadDeal(
                _(
                    "deck: {count} cards, but with the shuffled discards there are only {end}",
                    count=len(self.deck),
                    end=self.end,
                )
            )

    def could_be_held(self, card: int, held: Iterable[int]) -> bool:
        """Return whether an unseen card may be `card`: not all of its copies are known to be elsewhere."""
        coming = () if self.deck is None else self.deck[self.position : self.end]
        placed = Counter((*self.discards, *coming, *held))
        return placed[card] < copies(card, self.jokers)


HAND_CARDS = 5
_SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class ThorinDeal(Deal):
    """The deal of a round.

    Attributes:
        deck: the cards, top first; the first five are the opening hand. Unknown cards are `UNKNOWN`; `None` means that
            no card is known. In a record, the list may stop after the last card drawn, and it continues with the
            shuffled discards.
        seed: determines the order of shuffled discards, if the list ends with the deck.
    """

    deck: tuple[int, ...] | None = None
    seed: bytes = b""

    def parts(self) -> dict[str, Any]:
        """Return the deck under its key in a record, and under `shuffle` the seed of the discards in hexadecimal."""
        parts: dict[str, Any] = {} if self.deck is None else {"deck": list(map(card_text, self.deck))}
        return {**parts, "shuffle": self.seed.hex()} if self.seed else parts


@dataclass(frozen=True, slots=True)
class ThorinChance:
    """Specification of the random draw of the next round.

    Attributes:
        jokers: jokers in the deck.
        opener: whether the opener must be drawn at random, since no rule determines it.
    """

    jokers: int
    opener: bool = False

    def draw(self, below: Below) -> ThorinDeal:
        """Return a deck shuffled with `below`, and a seed for the discards.

        >>> import random
        >>> len(ThorinChance(jokers=1).draw(random.Random(5).randrange).deck)
        53
        """
        deck = shuffled(full_deck(self.jokers), below)
        return ThorinDeal(deck, bytes(below(256) for _ in range(_SEED_BYTES)))

    def parts(self) -> dict[str, Any]:
        """Return the specification under the keys of a draw."""
        return {"kind": "deck", "jokers": self.jokers}

    def check(self, deal: ThorinDeal) -> None:
        """Check that a deal fits this specification.

        Raises:
            BadDeal: the deal doesn't fit; the message names the card or the number of cards.
        """
        if deal.deck is None:
            return
        size = deck_size(self.jokers)
        if len(deal.deck) < HAND_CARDS:
            raise BadDeal(
                _("deck: {count} cards are too few for a hand of {size}", count=len(deal.deck), size=HAND_CARDS)
            )
        check_cards(deal.deck[:size], self.jokers, "deck")
        if JOKER in deal.deck and not self.jokers:
            raise BadDeal(_("deck: a joker, but the option jokers is 0"))
        if deal.seed and len(deal.deck) != size:
            raise BadDeal(
                _(
                    "deck: {count} cards instead of {size}, which a deal with a seed needs",
                    count=len(deal.deck),
                    size=size,
                )
            )

    def stock(self, deal: ThorinDeal) -> Stock:
        """Return the stock of a deal before the opening hand is drawn."""
        return Stock(deal.deck, self.jokers, position=0, end=deck_size(self.jokers), seed=deal.seed)
