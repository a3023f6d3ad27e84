"""One round of a pooled game: where it is, what was done, and which cards have been dealt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from liarspoker.core.cards.elimination import mask_of
from liarspoker.core.errors import LEGAL, BadDeal, IllegalAction
from liarspoker.games.queen_annes import state
from liarspoker.games.queen_annes.dealing import face_up
from liarspoker.games.queen_annes.ladder import ladder_length
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import (
    CHALLENGE,
    OVER,
    Ground,
    RoundState,
    challenge_by,
    challenger_of,
    first_receiver,
    opening,
    packed_losses,
    slot_of,
    turn_of,
)


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
