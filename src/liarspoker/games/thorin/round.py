"""One round of Thorin's game: the hand that goes around, and what may be done with it and said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from liarspoker.core.cards.deck import UNKNOWN, mask_of
from liarspoker.core.errors import LEGAL, IllegalAction
from liarspoker.core.session import PlayedRound, RoundSetup
from liarspoker.games.thorin import state
from liarspoker.games.thorin.actions import (
    CHALLENGE,
    PASS,
    TAKE,
    cards_of,
    discard_of,
    is_discard,
    is_held,
    is_show,
)
from liarspoker.games.thorin.deal import HAND_CARDS, Stock, ThorinDeal
from liarspoker.games.thorin.ladder import ClaimsAbove, floor_of, full_claim, ladder_of, next_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import (
    DECLARE,
    DISCARDING,
    RESPOND,
    SHOWING,
    RoundState,
    Terms,
    after,
    opening,
    passes_left,
    spent_by,
)

Cards = tuple[int, ...]


class Stint(NamedTuple):
    """The time for which one seat had the hand; known to that seat alone.

    Attributes:
        seat: who had it.
        taken: the five cards as it got them.
        thrown: what it threw.
        drawn: what it drew instead.
    """

    seat: int
    taken: Cards
    thrown: Cards = ()
    drawn: Cards = ()


@dataclass(frozen=True, slots=True)
class Legal:
    """What the seat to act may do.

    Attributes:
        claims: the declarations that may be made, the weakest promise first.
        min_claim: the weakest of them that names every rank, `None` if none may be made.
        answers: what else may be done. Discards are here, every subset of the hand, for the seat to act alone.
        discard: the seat to act must discard, or say that it throws nothing.
        show: the seat to act must show the hand.
    """

    claims: Sequence[int]
    min_claim: int | None
    answers: tuple[int, ...]
    discard: bool = False
    show: bool = False

    @property
    def actions(self) -> tuple[int, ...]:
        """Every legal action but a show: declarations from the weakest up, then the rest. Long when declaring."""
        return (*self.claims, *self.answers)


NOTHING_LEGAL = Legal((), None, ())


@dataclass(frozen=True, slots=True)
class ThorinRound:
    """One round. `terms` and `standing` are public; the rest is not, though of `moves` the discards alone are secret.

    Attributes:
        rules: the rules of this round, packed.
        terms: opener, living seats, options named.
        standing: where the round stands.
        stock: the cards still to come, and the discards; secret.
        hand: the five cards that go around; secret but to the active seat.
        stints: who has held what in this round, the active seat's last; each secret but to its seat.
        moves: who did what so far, as (seat, action); discards hold their cards, see `face_down`.
    """

    rules: ThorinRules
    terms: Terms
    standing: RoundState
    stock: Stock
    hand: Cards
    stints: tuple[Stint, ...]
    moves: tuple[tuple[int, int], ...] = ()

    @classmethod
    def begin(cls, rules: ThorinRules, terms: Terms, stock: Stock, spent: int) -> ThorinRound:
        """The round before its first declaration; the opener has drawn the hand."""
        hand, rest = stock.draw(HAND_CARDS)
        return cls(rules, terms, opening(terms.opener, spent), rest, hand, (Stint(terms.opener, hand),))

    @property
    def floor(self) -> int:
        """The value that the next declaration must promise more than."""
        return floor_of(self.standing.claim)

    def passes_left(self) -> tuple[int, ...]:
        """How many passes each seat has left under the rules of this round."""
        return tuple(passes_left(spent_by(seat, self.standing.spent), self.rules) for seat in range(self.rules.seats))

    def played(self) -> PlayedRound:
        """Return the round as a record keeps it; the deck goes on with the discards as they were shuffled in."""
        terms = self.terms
        setup = RoundSetup(terms.opener if terms.opener_agreed else None, options=dict(terms.named))
        return PlayedRound(ThorinDeal(self.stock.deck), setup, self.moves)

    def refusal(self, action: int) -> int:
        """Why the seat to act may not play `action`; `LEGAL` if it may."""
        held = (is_discard(action) or is_show(action)) and self._holds(action)
        return state.refusal(self.standing, action, held, ladder_of(self.rules), self.rules)

    def apply(self, action: int) -> ThorinRound:
        """The round after the seat to act plays `action`.

        Raises:
            IllegalAction: with the refusal's code; this round is unchanged.
            BadDeal: the cards drawn now are not what can be in the stock.
        """
        code = self.refusal(action)
        if code != LEGAL:
            raise IllegalAction(action, code)
        known = UNKNOWN not in self.hand
        standing = after(self.standing, action, self.terms.living, known, ladder_of(self.rules))
        if is_discard(action):
            return self._discarded(action, standing)
        stints = (*self.stints, Stint(standing.active, self.hand)) if action == TAKE else self.stints
        hand = cards_of(action) if is_show(action) else self.hand
        return ThorinRound(self.rules, self.terms, standing, self.stock, hand, stints, self._moves_and(action))

    def legal(self) -> Legal:
        """What the seat to act may do; nothing once the round is over."""
        phase = self.standing.phase
        if phase == DECLARE:
            lowest = next_value(self.floor, self.rules)
            least = None if lowest is None else full_claim(lowest)
            return Legal(ClaimsAbove(self.floor, self.rules), least, ())
        if phase == RESPOND:
            return Legal((), None, tuple(answer for answer in (TAKE, CHALLENGE, PASS) if not self.refusal(answer)))
        if phase == DISCARDING:
            return Legal((), None, _all_discards(self.hand), discard=True)
        return Legal((), None, (), show=True) if phase == SHOWING else NOTHING_LEGAL

    def _holds(self, action: int) -> bool:
        """Whether the hand can hold the cards of a discard, or all those of a show."""
        if is_discard(action) and UNKNOWN not in self.hand:
            return is_held(action, mask_of(self.hand))
        cards = cards_of(action)
        return (is_discard(action) or len(cards) == HAND_CARDS) and self._kept(cards) is not None

    def _kept(self, cards: Cards) -> Cards | None:
        """What is left of the hand without `cards`, in its order; `None` if it does not hold them.

        A card that a record does not tell may be any that is not known to be elsewhere.
        """
        kept = list(self.hand)
        guessed = []
        for card in cards:
            if card in kept:
                kept.remove(card)
            elif UNKNOWN in kept:
                kept.remove(UNKNOWN)
                guessed.append(card)
            else:
                return None
        known = [card for card in self.hand if card != UNKNOWN]
        for place, card in enumerate(guessed):
            if not self.stock.could_be_held(card, (*known, *guessed[:place])):
                return None
        return tuple(kept)

    def _discarded(self, action: int, standing: RoundState) -> ThorinRound:
        """The round after a discard, which stands so."""
        thrown = cards_of(action)
        kept = self._kept(thrown)
        assert kept is not None  # it has been judged legal
        drawn, stock = self.stock.exchange(thrown, held=self.hand)
        stint = self.stints[-1]._replace(thrown=thrown, drawn=drawn)
        return ThorinRound(
            self.rules,
            self.terms,
            standing,
            stock,
            kept + drawn,
            (*self.stints[:-1], stint),
            self._moves_and(action),
        )

    def _moves_and(self, action: int) -> tuple[tuple[int, int], ...]:
        return (*self.moves, (self.standing.to_act, action))


def _all_discards(hand: Cards) -> tuple[int, ...]:
    """Every discard from `hand`, those of fewest cards first, each once."""
    subsets = [tuple(card for place, card in enumerate(hand) if mask >> place & 1) for mask in range(1 << len(hand))]
    return tuple(dict.fromkeys(discard_of(cards) for cards in sorted(subsets, key=len)))
