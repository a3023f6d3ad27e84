"""A round of Queen Anne's games: its deal, state, actions and cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from liarspoker.core.cards.deck import UNKNOWN, Below, card_text, check_cards, full_deck, shuffled
from liarspoker.core.cards.match import mask_of
from liarspoker.core.errors import LEGAL, BadDeal, IllegalAction
from liarspoker.core.session import Deal, PlayedRound, RoundSetup
from liarspoker.games.queen_annes.ladder import ladder_length
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import (
    CHALLENGE,
    OVER,
    PackedTerms,
    RoundState,
    after,
    challenge_by,
    challenger_of,
    face_up,
    first_receiver,
    opening,
    packed_losses,
    refusal,
    slot_of,
    turn_of,
)
from liarspoker.language import _

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QueenAnnesDeal(Deal):
    """The deal of a round.

    Attributes:
        hands: each seat's cards, empty for a seat that is out.
        extras: in Stud, the extra cards in dealing order. There may be more than the round uses; there must be enough
            before a challenge.
    """

    hands: tuple[Cards, ...]
    extras: Cards = ()

    def parts(self) -> dict[str, Any]:
        """Return the deal under the keys of a record."""
        parts: dict[str, Any] = {"deal": [list(map(card_text, hand)) for hand in self.hands]}
        return {**parts, "extras": list(map(card_text, self.extras))} if self.extras else parts


@dataclass(frozen=True, slots=True)
class QueenAnnesChance:
    """Specification of the random draw of the next round.

    Attributes:
        hand_sizes: number of cards dealt to each seat at the start.
        jokers: jokers in the deck.
        extras: whether extra cards are dealt during the round.
        opener: whether the opener must be drawn at random, since no rule determines it.
    """

    hand_sizes: tuple[int, ...]
    jokers: int
    extras: bool
    opener: bool = False

    def draw(self, below: Below) -> QueenAnnesDeal:
        """Return a deal from a deck shuffled with `below`, hand after hand off the top.

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
        """Return the specification under the keys of a draw."""
        sizes = list(self.hand_sizes)
        return {"kind": "hands", "jokers": self.jokers, "hand_sizes": sizes, "extras": self.extras}

    def check(self, deal: QueenAnnesDeal) -> None:
        """Check that a deal fits this specification.

        Raises:
            BadDeal: the deal doesn't fit; the message names the seat or card.
        """
        if len(deal.hands) != len(self.hand_sizes):
            raise BadDeal(
                _("deal: {hands} hands for {players} players", hands=len(deal.hands), players=len(self.hand_sizes))
            )
        for seat, (hand, size) in enumerate(zip(deal.hands, self.hand_sizes, strict=True)):
            if len(hand) != size:
                raise BadDeal(
                    _("deal, seat {seat}: {count} cards instead of {size}", seat=seat, count=len(hand), size=size)
                )
        if deal.extras and not self.extras:
            raise BadDeal(_("extras: this game has no extra cards"))
        cards = [card for hand in (*deal.hands, deal.extras) for card in hand]
        if UNKNOWN in cards:
            raise BadDeal(_("deal: all cards must be known"))
        check_cards(cards, self.jokers, "deal")


class Drawn(NamedTuple):
    """Public part of an extra card: who got it, on which turn, and whether it is face up."""

    seat: int
    turn: int
    face_up: bool


class Extra(NamedTuple):
    """An extra card; `UNKNOWN` if it can't be seen or isn't recorded."""

    seat: int
    turn: int
    card: int
    face_up: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a round, fixed when it starts; all of it is public.

    Attributes:
        number: the round's number in the match, from 0.
        opener: the seat that names the first hand.
        losses: each seat's losses before the round.
        alive: the seats that play it.
        opener_agreed: whether the table, not the rules, chose the opener.
        packed: the terms as ints, for the rule functions.
    """

    number: int
    opener: int
    losses: tuple[int, ...]
    alive: tuple[int, ...]
    opener_agreed: bool = False
    packed: PackedTerms = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "packed", PackedTerms(self.opener, mask_of(self.alive), packed_losses(self.losses)))


@dataclass(frozen=True, slots=True)
class Legal:
    """Legal actions of the seat to act, and legal challenges out of turn.

    Attributes:
        claims: the legal claims, weakest first.
        answers: the legal challenges, that of the seat to act first.
    """

    claims: range
    answers: tuple[int, ...]

    @property
    def min_claim(self) -> int | None:
        """The weakest legal claim; `None` if there is none."""
        return self.claims[0] if self.claims else None

    @property
    def actions(self) -> tuple[int, ...]:
        """All legal actions: the claims, weakest first, then the challenges."""
        return (*self.claims, *self.answers)


@dataclass(frozen=True, slots=True)
class QueenAnnesRound:
    """A round. `terms`, `state`, `drawn` and `moves` are public; `hands` and `deck` are secret.

    Attributes:
        rules: the table's rules, packed.
        terms: opener and losses.
        hands: the cards dealt to each seat at the start; secret.
        deck: the extra cards in dealing order, as far as known; secret.
        state: the state of the round.
        drawn: who got the extra cards dealt so far, first to last; public.
        moves: the actions so far, as (seat, action).
    """

    rules: QueenAnnesRules
    terms: Terms
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    state: RoundState
    drawn: tuple[Drawn, ...]
    moves: tuple[tuple[int, int], ...] = ()

    @classmethod
    def begin(
        cls, rules: QueenAnnesRules, terms: Terms, hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...]
    ) -> QueenAnnesRound:
        """Return the round before its first claim, after the extra cards of the first turn."""
        state = opening(terms.packed, rules)
        return cls(rules, terms, hands, deck, state, _cards_dealt(state, terms, rules))

    @property
    def extras(self) -> tuple[Extra, ...]:
        """The extra cards dealt so far, as far as known; face-down ones are secret."""
        known = zip(self.drawn, self.deck, strict=False)
        return tuple(Extra(drawn.seat, drawn.turn, card, drawn.face_up) for drawn, card in known)

    @property
    def pool(self) -> tuple[int, ...]:
        """All cards dealt: the hands seat by seat, then the extra cards."""
        return (*(card for hand in self.hands for card in hand), *self.deck[: self.state.drawn])

    def played(self) -> PlayedRound:
        """Return the round as saved in a record."""
        opener = self.terms.opener if self.terms.opener_agreed else None
        return PlayedRound(QueenAnnesDeal(self.hands, self.deck), RoundSetup(opener), self.moves)

    def refusal(self, action: int) -> int:
        """Return why `action` is illegal now, or `LEGAL`."""
        return refusal(self.state, action, self.terms.packed.alive, self.rules)

    def apply(self, action: int) -> QueenAnnesRound:
        """Return the round after an action of the seat to act or a challenge.

        Raises:
            IllegalAction: the action is illegal; this round is unchanged.
            BadDeal: a challenge while dealt cards are unknown.
        """
        state = self.state
        code = self.refusal(action)
        if code != LEGAL:
            raise IllegalAction(action, code)
        if action < 0 and state.drawn > len(self.deck):
            raise BadDeal(
                _(
                    "extras: {count} cards; {drawn} were dealt before the challenge",
                    count=len(self.deck),
                    drawn=state.drawn,
                )
            )
        seat = state.to_act if action >= 0 else challenger_of(action, state.to_act)
        later = after(state, action, self.terms.packed, self.rules)
        drawn = (*self.drawn, *_cards_dealt(later, self.terms, self.rules)) if later.dealt_to else self.drawn
        moves = (*self.moves, (seat, action))
        return QueenAnnesRound(self.rules, self.terms, self.hands, self.deck, later, drawn, moves)

    def legal(self) -> Legal:
        """Return the legal actions; none once the round is over."""
        if self.state.phase == OVER:
            return Legal(range(0), ())
        challenges = (CHALLENGE, *map(challenge_by, self.terms.alive)) if self.rules.anyone_challenges else (CHALLENGE,)
        answers = tuple(action for action in challenges if not self.refusal(action))
        return Legal(range(self.state.claim + 1, ladder_length(self.rules)), answers)


def _cards_dealt(now: RoundState, terms: Terms, rules: QueenAnnesRules) -> tuple[Drawn, ...]:
    """Return who got an extra card as the current turn began, first to last."""
    dealt_to, found = now.dealt_to, []
    turn = turn_of(now.made, terms.packed.alive)
    while dealt_to:
        seat = first_receiver(now.to_act, dealt_to)
        found.append(Drawn(seat, turn, face_up(slot_of(seat, now.made, terms.packed, rules), rules)))
        dealt_to ^= 1 << seat
    return tuple(found)
