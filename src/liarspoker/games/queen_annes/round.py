"""One round of a pooled game: what chance gives it, where it is, what was done, and which cards have been dealt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from liarspoker.core.cards.deck import UNKNOWN, Below, card_text, check_cards, full_deck, shuffled
from liarspoker.core.cards.match import mask_of
from liarspoker.core.errors import LEGAL, BadDeal, IllegalAction
from liarspoker.core.session import Deal, PlayedRound, RoundSetup
from liarspoker.games.queen_annes import state
from liarspoker.games.queen_annes.ladder import ladder_length
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import (
    CHALLENGE,
    OVER,
    Ground,
    RoundState,
    challenge_by,
    challenger_of,
    face_up,
    first_receiver,
    opening,
    packed_losses,
    slot_of,
    turn_of,
)

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


class Drawn(NamedTuple):
    """A card that came off the deck during the round, but for the card itself: all of it public."""

    seat: int
    turn: int
    face_up: bool


class Extra(NamedTuple):
    """A card that came off the deck during the round; `UNKNOWN` where it is not seen, or no record tells it."""

    seat: int
    turn: int
    card: int
    face_up: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """What a round is played on; all of it public.

    Attributes:
        number: the round's number in the match, from 0.
        opener: the seat that names the first hand.
        losses: each seat's losses before the round.
        alive: the seats that play it.
        opener_agreed: the table named the opener, not the rules.
        ground: the same in ints, for the rule functions.
    """

    number: int
    opener: int
    losses: tuple[int, ...]
    alive: tuple[int, ...]
    opener_agreed: bool = False
    ground: Ground = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ground", Ground(self.opener, mask_of(self.alive), packed_losses(self.losses)))


@dataclass(frozen=True, slots=True)
class Legal:
    """What the seat to act may do, and who else may challenge.

    Attributes:
        claims: the hands that may be named, weakest first.
        answers: challenges, that of the seat to act first.
    """

    claims: range
    answers: tuple[int, ...]

    @property
    def min_claim(self) -> int | None:
        """The weakest hand that may be named, `None` if none may."""
        return self.claims[0] if self.claims else None

    @property
    def actions(self) -> tuple[int, ...]:
        """Every legal action: the claims from the weakest up, then the challenges."""
        return (*self.claims, *self.answers)


@dataclass(frozen=True, slots=True)
class QueenAnnesRound:
    """One round. `terms`, `standing`, `drawn` and `moves` are public; `hands` and `deck` are not.

    Attributes:
        rules: the table's rules, packed.
        terms: opener and losses.
        hands: the cards that each seat was dealt at once; secret.
        deck: further cards as they come off the deck, as far as they are known; secret.
        standing: where the round is.
        drawn: who got the cards that have come off the deck, first to last; public.
        moves: who did what so far, as (seat, action).
    """

    rules: QueenAnnesRules
    terms: Terms
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    standing: RoundState
    drawn: tuple[Drawn, ...]
    moves: tuple[tuple[int, int], ...] = ()

    @classmethod
    def begin(
        cls, rules: QueenAnnesRules, terms: Terms, hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...]
    ) -> QueenAnnesRound:
        """The round before its first claim; the opener's extra card, if he gets one, has been dealt."""
        standing = opening(terms.ground, rules)
        return cls(rules, terms, hands, deck, standing, _came(standing, terms, rules))

    @property
    def extras(self) -> tuple[Extra, ...]:
        """The cards that have come off the deck, as far as they are known; secret where they lie face down."""
        known = zip(self.drawn, self.deck, strict=False)
        return tuple(Extra(drawn.seat, drawn.turn, card, drawn.face_up) for drawn, card in known)

    @property
    def pool(self) -> tuple[int, ...]:
        """All cards dealt: the hands seat by seat, then those off the deck."""
        return (*(card for hand in self.hands for card in hand), *self.deck[: self.standing.drawn])

    def played(self) -> PlayedRound:
        """Return the round as a record keeps it."""
        opener = self.terms.opener if self.terms.opener_agreed else None
        return PlayedRound(QueenAnnesDeal(self.hands, self.deck), RoundSetup(opener), self.moves)

    def refusal(self, action: int) -> int:
        """Why `action` may not be played now; `LEGAL` if it may."""
        return state.refusal(self.standing, action, self.terms.ground.alive, self.rules)

    def apply(self, action: int) -> QueenAnnesRound:
        """The round after `action`, which the seat to act plays, or whoever challenges.

        Raises:
            IllegalAction: with the refusal's code; this round is unchanged.
            BadDeal: a challenge, but cards that were dealt are not known.
        """
        standing = self.standing
        code = self.refusal(action)
        if code != LEGAL:
            raise IllegalAction(action, code)
        if action < 0 and standing.drawn > len(self.deck):
            raise BadDeal(f"extras: {len(self.deck)} cards; {standing.drawn} were dealt before the challenge")
        seat = standing.to_act if action >= 0 else challenger_of(action, standing.to_act)
        later = state.after(standing, action, self.terms.ground, self.rules)
        drawn = (*self.drawn, *_came(later, self.terms, self.rules)) if later.came else self.drawn
        moves = (*self.moves, (seat, action))
        return QueenAnnesRound(self.rules, self.terms, self.hands, self.deck, later, drawn, moves)

    def legal(self) -> Legal:
        """What the seat to act may do, and who else may challenge; nothing once the round is over."""
        if self.standing.phase == OVER:
            return Legal(range(0), ())
        challenges = (CHALLENGE, *map(challenge_by, self.terms.alive)) if self.rules.anyone_challenges else (CHALLENGE,)
        answers = tuple(action for action in challenges if not self.refusal(action))
        return Legal(range(self.standing.claim + 1, ladder_length(self.rules)), answers)


def _came(now: RoundState, terms: Terms, rules: QueenAnnesRules) -> tuple[Drawn, ...]:
    """Who got a card with the turn that has just begun, first to last."""
    came, found = now.came, []
    turn = turn_of(now.made, terms.ground.alive)
    while came:
        seat = first_receiver(now.to_act, came)
        found.append(Drawn(seat, turn, face_up(slot_of(seat, now.made, terms.ground, rules), rules)))
        came ^= 1 << seat
    return tuple(found)
