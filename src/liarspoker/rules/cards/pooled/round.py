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

from dataclasses import dataclass
from typing import NamedTuple

from liarspoker.rules.cards.claims import NO_CLAIM
from liarspoker.rules.cards.elimination import next_living
from liarspoker.rules.cards.pooled.dealing import NO_SLOT, extra_slot, face_up
from liarspoker.rules.cards.pooled.ladder import ladder_length
from liarspoker.rules.cards.pooled.options import PooledRules
from liarspoker.rules.errors import (
    LEGAL,
    NO_SUCH_CLAIM,
    NOT_STRONGER,
    ROUND_OVER,
    UNREADABLE_ACTION,
    WRONG_PHASE,
    BadDeal,
    IllegalAction,
)

CHALLENGE = -1
_CHALLENGE_BY = -2

OPEN = 0
RESPOND = 1
OVER = 2
PHASES = ("open", "respond", "over")

NOBODY = -1


def challenge_by(seat: int) -> int:
    """The challenge of a seat whose turn it is not; that of the seat to act is `CHALLENGE`."""
    return _CHALLENGE_BY - seat


def challenger_of(action: int, to_act: int) -> int:
    """The seat that challenges by `action`, which must be a challenge."""
    return to_act if action == CHALLENGE else _CHALLENGE_BY - action


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
    """

    number: int
    opener: int
    losses: tuple[int, ...]
    alive: tuple[int, ...]
    opener_agreed: bool = False


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
class PooledRound:
    """One round. `terms`, `standing` and `moves` are public; `hands` and `deck` are not.

    Attributes:
        rules: the table's rules, packed.
        terms: opener and losses.
        hands: the cards that each seat was dealt at once; secret.
        deck: further cards as they come off the deck, as far as they are known; secret.
        standing: where the round stands.
        moves: who did what so far, as (seat, action).
    """

    rules: PooledRules
    terms: Terms
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    standing: Standing
    moves: tuple[tuple[int, int], ...] = ()

    @classmethod
    def begin(
        cls, rules: PooledRules, terms: Terms, hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...]
    ) -> PooledRound:
        """The round before its first claim; the opener's extra card, if he gets one, has been dealt."""
        start = Standing(NO_CLAIM, NOBODY, NOBODY, terms.opener, OPEN, (0,) * rules.seats, ())
        return cls(rules, terms, hands, deck, _turn_begun(start, terms, rules))

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

    def apply(self, action: int) -> PooledRound:
        """The round after `action`, which the seat to act plays, or whoever challenges.

        Raises:
            IllegalAction: with the refusal's code; this round is unchanged.
            BadDeal: a challenge, but cards that were dealt are not known.
        """
        code = self.refusal(action)
        if code != LEGAL:
            raise IllegalAction(action, code)
        standing = self.standing
        if action < 0 and len(standing.drawn) > len(self.deck):
            raise BadDeal(f"extras: {len(self.deck)} cards; {len(standing.drawn)} were dealt before the challenge")
        seat = standing.to_act if action >= 0 else challenger_of(action, standing.to_act)
        later = after(standing, action, self.terms, self.rules)
        return PooledRound(self.rules, self.terms, self.hands, self.deck, later, (*self.moves, (seat, action)))

    def legal(self) -> Legal:
        """What the seat to act may do, and who else may challenge; nothing once the round is over."""
        if self.standing.phase == OVER:
            return Legal(range(0), ())
        challenges = (CHALLENGE, *map(challenge_by, self.terms.alive)) if self.rules.anyone_challenges else (CHALLENGE,)
        answers = tuple(action for action in challenges if self.refusal(action) == LEGAL)
        return Legal(range(self.standing.claim + 1, ladder_length(self.rules)), answers)


def refusal(standing: Standing, action: int, terms: Terms, rules: PooledRules) -> int:
    """Why `action` may not be played: `LEGAL`, which is 0, or a refusal of `liarspoker.rules.errors`.

    A seat whose turn it is not may only challenge, and only where anyone may; never the claimant, or one who is out.
    """
    if standing.phase == OVER:
        return ROUND_OVER
    if action >= 0:
        if action >= ladder_length(rules):
            return NO_SUCH_CLAIM
        return LEGAL if action > standing.claim else NOT_STRONGER
    if action != CHALLENGE:
        seat = challenger_of(action, standing.to_act)
        if not rules.anyone_challenges or seat >= rules.seats or seat == standing.to_act:
            return UNREADABLE_ACTION
        if seat == standing.claimant or seat not in terms.alive:
            return WRONG_PHASE
    return LEGAL if standing.phase == RESPOND else WRONG_PHASE


def after(standing: Standing, action: int, terms: Terms, rules: PooledRules) -> Standing:
    """Where the round stands after `action`, which must be legal."""
    if action < 0:
        challenger = challenger_of(action, standing.to_act)
        return standing._replace(challenger=challenger, to_act=NOBODY, phase=OVER)
    following = next_living(standing.to_act, terms.alive)
    claimed = standing._replace(claim=action, claimant=standing.to_act, to_act=following, phase=RESPOND)
    return _turn_begun(claimed, terms, rules)


def _turn_begun(standing: Standing, terms: Terms, rules: PooledRules) -> Standing:
    """The turn of the seat to act is counted, and the cards that come with it are dealt."""
    seat = standing.to_act
    turn = standing.turns[seat] + 1
    turns = (*standing.turns[:seat], turn, *standing.turns[seat + 1 :])
    if not rules.extras:
        return standing._replace(turns=turns)
    receivers = [seat]
    if rules.deal_to_everyone:
        first = terms.alive.index(seat)
        receivers = [*terms.alive[first:], *terms.alive[:first]] if seat == terms.opener else []
    common = min(terms.losses[other] for other in terms.alive)
    slots = [(other, extra_slot(turn, terms.losses[other], common, rules)) for other in receivers]
    drawn = [Drawn(other, turn, face_up(slot, rules)) for other, slot in slots if slot != NO_SLOT]
    left = rules.deck_size - rules.hand_cards * len(terms.alive) - len(standing.drawn)
    return standing._replace(turns=turns, drawn=(*standing.drawn, *drawn[:left]))
