"""One round of a pooled game: whose turn it is, what stands, and which cards have been dealt.

```
            claim                claim
   OPEN ───────────► RESPOND ◄──────────┐
                        │   └───────────┘
                        │ challenge
                        └──────────────► OVER
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from liarspoker.core.cards.elimination import mask_of
from liarspoker.core.errors import LEGAL, BadDeal, IllegalAction
from liarspoker.games.queen_annes import course
from liarspoker.games.queen_annes.course import (
    CHALLENGE,
    NOBODY,
    OPEN,
    OVER,
    PHASES,
    RESPOND,
    Course,
    Ground,
    challenge_by,
    challenger_of,
    first_receiver,
    packed_losses,
    slot_of,
    turn_of,
)
from liarspoker.games.queen_annes.dealing import face_up
from liarspoker.games.queen_annes.ladder import ladder_length
from liarspoker.games.queen_annes.options import QueenAnnesRules

__all__ = [
    "CHALLENGE",
    "NOBODY",
    "OPEN",
    "OVER",
    "PHASES",
    "RESPOND",
    "Drawn",
    "Extra",
    "Legal",
    "QueenAnnesRound",
    "Standing",
    "Terms",
    "after",
    "challenge_by",
    "challenger_of",
    "refusal",
]


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


class Standing(NamedTuple):
    """Where the round stands; all of it public.

    Attributes:
        claim: the hand named last, `NO_CLAIM` before the first.
        claimant: the seat that named it, `NOBODY` before the first.
        challenger: the seat that challenged it, `NOBODY` before that.
        to_act: the seat whose turn it is, `NOBODY` when the round is over.
        phase: `OPEN`, `RESPOND` or `OVER`.
        turns: how often each seat has been to act.
        drawn: who got the cards that have come off the deck, first to last.
    """

    claim: int
    claimant: int
    challenger: int
    to_act: int
    phase: int
    turns: tuple[int, ...]
    drawn: tuple[Drawn, ...]


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
    """One round. `terms`, `standing` and `moves` are public; `hands` and `deck` are not.

    Attributes:
        rules: the table's rules, packed.
        terms: opener and losses.
        hands: the cards that each seat was dealt at once; secret.
        deck: further cards as they come off the deck, as far as they are known; secret.
        standing: where the round stands.
        moves: who did what so far, as (seat, action).
    """

    rules: QueenAnnesRules
    terms: Terms
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    standing: Standing
    moves: tuple[tuple[int, int], ...] = ()

    @classmethod
    def begin(
        cls, rules: QueenAnnesRules, terms: Terms, hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...]
    ) -> QueenAnnesRound:
        """The round before its first claim; the opener's extra card, if he gets one, has been dealt."""
        standing = _standing_at(course.opening(terms.ground, rules), (0,) * rules.seats, (), terms, rules)
        return cls(rules, terms, hands, deck, standing)

    @property
    def extras(self) -> tuple[Extra, ...]:
        """The cards that have come off the deck, as far as they are known; secret where they lie face down."""
        known = zip(self.standing.drawn, self.deck, strict=False)
        return tuple(Extra(drawn.seat, drawn.turn, card, drawn.face_up) for drawn, card in known)

    @property
    def pool(self) -> tuple[int, ...]:
        """All cards dealt: the hands seat by seat, then those off the deck."""
        return (*(card for hand in self.hands for card in hand), *self.deck[: len(self.standing.drawn)])

    def refusal(self, action: int) -> int:
        """Why `action` may not be played now; `LEGAL` if it may."""
        return refusal(self.standing, action, self.terms, self.rules)

    def apply(self, action: int) -> QueenAnnesRound:
        """The round after `action`, which the seat to act plays, or whoever challenges.

        Raises:
            IllegalAction: with the refusal's code; this round is unchanged.
            BadDeal: a challenge, but cards that were dealt are not known.
        """
        standing, now = self.standing, _course_of(self.standing)
        code = course.refusal(now, action, self.terms.ground.alive, self.rules)
        if code != LEGAL:
            raise IllegalAction(action, code)
        if action < 0 and len(standing.drawn) > len(self.deck):
            raise BadDeal(f"extras: {len(self.deck)} cards; {len(standing.drawn)} were dealt before the challenge")
        seat = standing.to_act if action >= 0 else challenger_of(action, standing.to_act)
        later = _standing_after(now, standing, action, self.terms, self.rules)
        return QueenAnnesRound(self.rules, self.terms, self.hands, self.deck, later, (*self.moves, (seat, action)))

    def legal(self) -> Legal:
        """What the seat to act may do, and who else may challenge; nothing once the round is over."""
        if self.standing.phase == OVER:
            return Legal(range(0), ())
        now, alive = _course_of(self.standing), self.terms.ground.alive
        challenges = (CHALLENGE, *map(challenge_by, self.terms.alive)) if self.rules.anyone_challenges else (CHALLENGE,)
        answers = tuple(action for action in challenges if not course.refusal(now, action, alive, self.rules))
        return Legal(range(self.standing.claim + 1, ladder_length(self.rules)), answers)


def refusal(standing: Standing, action: int, terms: Terms, rules: QueenAnnesRules) -> int:
    """Why `action` may not be played; `LEGAL` if it may. See `course.refusal`."""
    return course.refusal(_course_of(standing), action, terms.ground.alive, rules)


def after(standing: Standing, action: int, terms: Terms, rules: QueenAnnesRules) -> Standing:
    """Where the round stands after `action`, which must be legal."""
    return _standing_after(_course_of(standing), standing, action, terms, rules)


def _standing_after(now: Course, standing: Standing, action: int, terms: Terms, rules: QueenAnnesRules) -> Standing:
    """The same, where the standing is known in ints as well."""
    later = course.after(now, action, terms.ground, rules)
    return _standing_at(later, standing.turns, standing.drawn, terms, rules)


def _course_of(standing: Standing) -> Course:
    """The same in ints; which cards came with the last turn is behind us."""
    claim, claimant, challenger, to_act, phase, turns, drawn = standing
    return Course(claim, claimant, challenger, to_act, phase, sum(turns) - 1, len(drawn), 0)


def _standing_at(
    now: Course, turns: tuple[int, ...], drawn: tuple[Drawn, ...], terms: Terms, rules: QueenAnnesRules
) -> Standing:
    """The standing in words, when `turns` and `drawn` are what they were before."""
    if now.phase != OVER:
        seat, turn = now.to_act, turn_of(now.made, terms.ground.alive)
        turns = (*turns[:seat], turn, *turns[seat + 1 :])
        drawn = (*drawn, *_came(now, turn, terms, rules))
    return Standing(now.claim, now.claimant, now.challenger, now.to_act, now.phase, turns, drawn)


def _came(now: Course, turn: int, terms: Terms, rules: QueenAnnesRules) -> Iterator[Drawn]:
    """Who got a card with the turn that has just begun, first to last."""
    came = now.came
    while came:
        seat = first_receiver(now.to_act, came)
        yield Drawn(seat, turn, face_up(slot_of(seat, now.made, terms.ground, rules), rules))
        came ^= 1 << seat
