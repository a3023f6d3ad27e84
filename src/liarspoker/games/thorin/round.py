"""A round of Thorin's game: the hand, the declarations and the legal actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from liarspoker.core.cards.deck import UNKNOWN, check_cards, mask_of
from liarspoker.core.errors import LEGAL, BadDeal, IllegalAction
from liarspoker.core.session import PlayedRound, RoundSetup
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
    refusal,
    spent_by,
)
from liarspoker.language import _

Cards = tuple[int, ...]


class Stint(NamedTuple):
    """A period in which one seat had the hand; private to that seat.

    Attributes:
        seat: the seat.
        taken: the five cards as the seat got them.
        discarded: the cards that it discarded.
        drawn: the cards that it drew.
    """

    seat: int
    taken: Cards
    discarded: Cards = ()
    drawn: Cards = ()

    @property
    def held(self) -> Cards:
        """The cards after the exchange."""
        kept = list(self.taken)
        for card in self.discarded:
            kept.remove(card)
        return (*kept, *self.drawn)


@dataclass(frozen=True, slots=True)
class Legal:
    """Legal actions of the seat to act.

    Attributes:
        claims: the legal declarations, weakest promise first.
        min_claim: the weakest of them that names every rank; `None` if there is none.
        answers: the other legal actions; discards, every subset of the hand, are private to the seat to act.
        discard: whether the seat to act must discard (possibly no cards).
        show: whether the seat to act must show the hand.
    """

    claims: Sequence[int]
    min_claim: int | None
    answers: tuple[int, ...]
    discard: bool = False
    show: bool = False

    @property
    def actions(self) -> tuple[int, ...]:
        """All legal actions except a show: declarations, weakest first, then the rest. Long in the phase `declare`."""
        return (*self.claims, *self.answers)


NOTHING_LEGAL = Legal((), None, ())


@dataclass(frozen=True, slots=True)
class ThorinRound:
    """A round. `terms`, `state` and `moves` except discards are public; the rest is secret.

    Attributes:
        rules: the rules of this round, packed.
        terms: opener, seats and options.
        state: the state of the round.
        stock: the stock and the discards; secret.
        hand: the five cards; private to the active seat.
        stints: the periods in which seats had the hand, the active seat's last; each private to its seat.
        moves: the actions so far, as (seat, action); discards include their cards, see `face_down`.
    """

    rules: ThorinRules
    terms: Terms
    state: RoundState
    stock: Stock
    hand: Cards
    stints: tuple[Stint, ...]
    moves: tuple[tuple[int, int], ...] = ()

    @classmethod
    def begin(cls, rules: ThorinRules, terms: Terms, stock: Stock, spent: int) -> ThorinRound:
        """Return the round before its first declaration; the opener has drawn the hand."""
        hand, rest = stock.draw(HAND_CARDS)
        return cls(rules, terms, opening(terms.opener, spent), rest, hand, (Stint(terms.opener, hand),))

    @property
    def floor(self) -> int:
        """The hand rank that the next declaration must beat."""
        return floor_of(self.state.claim)

    def passes_left(self) -> tuple[int, ...]:
        """Return the passes that each seat has left under the rules of this round."""
        return tuple(passes_left(spent_by(seat, self.state.spent), self.rules) for seat in range(self.rules.seats))

    def played(self) -> PlayedRound:
        """Return the round as saved in a record; the deck continues with the shuffled discards."""
        terms = self.terms
        setup = RoundSetup(terms.opener if terms.opener_agreed else None, options=dict(terms.named))
        return PlayedRound(ThorinDeal(self.stock.deck), setup, self.moves)

    def as_seen(self, seat: int, stints: Sequence[Stint]) -> ThorinRound:
        """Return the round with all cards that a seat has seen, which the deck of a record may not have.

        Args:
            seat: the seat.
            stints: its stints in this round, or in a later state of it.

        Raises:
            BadDeal: the stints don't belong to this round.
        """
        left, found, hand = list(stints), list(self.stints), self.hand
        for place, stint in enumerate(found):
            if stint.seat != seat:
                continue
            seen, is_last = (left.pop(0) if left else Stint(stint.seat, ())), place == len(found) - 1
            if is_last and self.state.phase == DISCARDING:
                seen = Stint(seen.seat, seen.taken)
            if not all(map(_are_same, stint[1:], seen[1:])) or Counter(seen.discarded) - Counter(seen.taken):
                raise BadDeal(_("these aren't the cards that the player had"))
            found[place] = seen
            hand = seen.held if is_last else hand
        self._check_seen([stint for stint in found if stint.seat == seat])
        return replace(self, stints=tuple(found), hand=hand)

    def _check_seen(self, stints: Sequence[Stint]) -> None:
        """Check that no card occurs twice among those that a seat has seen at a time."""
        is_first_deck = self.stock.end == self.rules.deck_size
        discarded = [card for stint in stints if is_first_deck for card in stint.discarded]
        for stint in stints:
            check_cards((*stint.taken, *stint.drawn), self.rules.jokers, _("the cards seen"))
        for stint in stints[-1:]:
            check_cards((*stint.held, *discarded), self.rules.jokers, _("the cards seen"))

    def refusal(self, action: int) -> int:
        """Return why `action` is illegal for the seat to act, or `LEGAL`."""
        held = (is_discard(action) or is_show(action)) and self._holds(action)
        return refusal(self.state, action, held, ladder_of(self.rules), self.rules)

    def apply(self, action: int) -> ThorinRound:
        """Return the round after the seat to act plays `action`.

        Raises:
            IllegalAction: the action is illegal; this round is unchanged.
            BadDeal: the cards drawn can't be in the stock.
        """
        code = self.refusal(action)
        if code != LEGAL:
            raise IllegalAction(action, code)
        known = UNKNOWN not in self.hand
        state = after(self.state, action, self.terms.alive_mask, known, ladder_of(self.rules))
        if is_discard(action):
            return self._discarded(action, state)
        stints = (*self.stints, Stint(state.active, self.hand)) if action == TAKE else self.stints
        hand = cards_of(action) if is_show(action) else self.hand
        return ThorinRound(self.rules, self.terms, state, self.stock, hand, stints, self._moves_and(action))

    def legal(self) -> Legal:
        """Return the legal actions; none once the round is over."""
        phase = self.state.phase
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
        """Return whether the hand can hold the cards of a discard or show."""
        if is_discard(action) and UNKNOWN not in self.hand:
            return is_held(action, mask_of(self.hand))
        cards = cards_of(action)
        return (is_discard(action) or len(cards) == HAND_CARDS) and self._kept(cards) is not None

    def _kept(self, cards: Cards) -> Cards | None:
        """Return the hand without `cards`; `None` if it can't hold them.

        An unknown card may be any card that isn't known to be elsewhere.
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

    def _discarded(self, action: int, state: RoundState) -> ThorinRound:
        """Return the round after a discard."""
        discarded = cards_of(action)
        kept = self._kept(discarded)
        assert kept is not None  # the action is legal
        drawn, stock = self.stock.exchange(discarded, held=self.hand)
        stint = self.stints[-1]._replace(discarded=discarded, drawn=drawn)
        return ThorinRound(
            self.rules,
            self.terms,
            state,
            stock,
            kept + drawn,
            (*self.stints[:-1], stint),
            self._moves_and(action),
        )

    def _moves_and(self, action: int) -> tuple[tuple[int, int], ...]:
        return (*self.moves, (self.state.to_act, action))


def _are_same(known: Cards, cards: Cards) -> bool:
    """Return whether `cards` are `known`, of which some may be unknown."""
    return len(cards) == len(known) and not Counter(card for card in known if card != UNKNOWN) - Counter(cards)


def _all_discards(hand: Cards) -> tuple[int, ...]:
    """Return all discards from `hand`, fewest cards first, without duplicates."""
    subsets = [tuple(card for place, card in enumerate(hand) if mask >> place & 1) for mask in range(1 << len(hand))]
    return tuple(dict.fromkeys(discard_of(cards) for cards in sorted(subsets, key=len)))
