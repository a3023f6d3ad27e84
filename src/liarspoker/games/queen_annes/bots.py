"""The bots of Queen Anne's games: each turns a view into what `heuristics` weighs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from threading import get_ident

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, mask_of
from liarspoker.games.queen_annes.heuristics import (
    MEMO,
    MISSING,
    MOST_CLAIMS,
    NO_HINTS,
    UNKNOWN,
    WAYS,
    Desk,
    Hints,
    Sight,
    believing,
    challenges_out_of_turn,
    credence,
    fair_share_action,
    hints_with,
    ladder_of,
    likeliest_action,
    sight_of,
    with_unknown,
)
from liarspoker.games.queen_annes.ladder import wild_mask
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.games.queen_annes.state import after


def beginner(view: QueenAnnesView, chance: Random) -> int:
    """Opens with the best hand that it expects, raises by as little as it can, and challenges what it doesn't expect.

    It expects in the pool what it sees and a fair share of the cards that it doesn't see.
    """
    now = _sight(view)
    return fair_share_action(now, _when_answered(view, now), _standing(view), ladder_of(view.rules), _desk_of(view))


@dataclass(frozen=True, slots=True)
class Bluffer:
    """A player with beliefs.

    It names the hand that is likeliest by what it sees and half believes, or challenges if that is safer, and at times
    pretends to see one more card.

    Attributes:
        trust: 0 to 1; how much it believes that the others see what they name.
        bluffs: the probability that, when it names a hand, it takes itself to see one card more than it does.
        nerve: a bluff must be so probable, in parts of the likeliest hand.
    """

    trust: float = 0.8
    bluffs: float = 0.3
    nerve: float = 0.5

    def __call__(self, view: QueenAnnesView, chance: Random) -> int:
        """The hand that it names, or a challenge."""
        now = _sight(view)
        later, hints = _when_answered(view, now), self._hints(view, now)
        is_bluffing = self.bluffs > 0 and chance.random() < self.bluffs
        ladder, desk = ladder_of(view.rules), _desk_of(view)
        return likeliest_action(now, later, hints, _standing(view), self.trust, self.nerve, is_bluffing, ladder, desk)

    def shouts(self, view: QueenAnnesView, chance: Random) -> bool:
        """Challenges out of turn what it half believes to be too unlikely to let pass."""
        now = _sight(view)
        believed, ladder = believing(now, self._hints(view, now)), ladder_of(view.rules)
        holds = credence(_standing(view), now, believed, self.trust, ladder, _desk_of(view))
        return challenges_out_of_turn(holds, len(view.alive))

    def _hints(self, view: QueenAnnesView, now: Sight) -> Hints:
        """What the others' claims suggest, to a player who believes any of it."""
        hints, ladder = NO_HINTS, ladder_of(view.rules)
        for seat, claim in view.moves if self.trust else ():
            if claim >= 0 and seat != view.seat:
                hints = hints_with(hints, claim, _shared(view, seat), now, ladder)
        return hints


binomial = Bluffer(trust=0.0, bluffs=0.0)
"""The Calculator: the exact probability of every hand it considers, by the cards it sees alone; it never listens.

Of hands that are as likely as each other it names the strongest, which leaves the others the least room.
"""

bluffer = Bluffer()
"""Counts like the Calculator, believes most of what the others named, and at times claims a card more."""


def _sight(view: QueenAnnesView) -> Sight:
    """What the seat knows of the pool as it is."""
    return sight_of(mask_of(view.known), view.hidden, view.rules)


def _when_answered(view: QueenAnnesView, now: Sight) -> Sight:
    """The same when the next player answers what the seat names now: further cards may have been dealt by then."""
    standing, terms = view.standing, view.terms
    if not view.rules.extras or standing is None or terms is None or not view.legal.claims:
        return now
    later = after(standing, view.legal.claims[0], terms.ground, view.rules)
    return with_unknown(now, now.unknown + later.drawn - standing.drawn)


def _standing(view: QueenAnnesView) -> int:
    """The claim that stands."""
    return NO_CLAIM if view.standing is None else view.standing.claim


def _shared(view: QueenAnnesView, seat: int) -> int:
    """The cards that this seat and `seat` both see and that aren't wild, as a mask."""
    face_up = [extra.card for extra in view.extras if extra.face_up]
    hands = [card for owner, hand in enumerate(view.seen) if view.rules.blind and owner != seat for card in hand]
    return mask_of(card for card in (*face_up, *hands) if card != JOKER) & ~wild_mask(view.rules)


def _desk_of(view: QueenAnnesView) -> Desk:
    return _desk(view.rules, get_ident())


@lru_cache(maxsize=8)
def _desk(rules: QueenAnnesRules, thread: int) -> Desk:
    """Room for the heuristics of one table's rules, in one thread."""
    strongest = [UNKNOWN] * (4 << 13) * (MISSING + 1)
    return Desk([0] * MOST_CLAIMS, [0.0] * WAYS, strongest, [0] * MEMO, [0.0] * MEMO)
