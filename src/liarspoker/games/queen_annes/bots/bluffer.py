"""The Bluffer: counts like the Calculator, believes most of what the others named, and at times claims a card more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from liarspoker.games.queen_annes.bots.binomial import likeliest, worth_a_shout
from liarspoker.games.queen_annes.bots.hearsay import Told, believing, told_by_others
from liarspoker.games.queen_annes.bots.names import thought_of
from liarspoker.games.queen_annes.bots.sight import Sight, now, wants_of, when_answered
from liarspoker.games.queen_annes.round import CHALLENGE
from liarspoker.games.queen_annes.view import QueenAnnesView


@dataclass(frozen=True, slots=True)
class Bluffer:
    """A player with beliefs.

    Attributes:
        trust: 0 to 1; how much it believes that the others see what they name.
        bluffs: the chance that, when it names a hand, it takes itself to see one card more than it does.
    """

    trust: float = 0.8
    bluffs: float = 0.3
    nerve: float = 0.5

    def __call__(self, view: QueenAnnesView, chance: Random) -> int:
        """The hand that is likeliest by what it sees and half believes, or a challenge if that is safer.

        A bluff builds on what is credible: the further card is of the rank that was named last, or, at the opening, of
        the rank that it sees most of. Whether to challenge it decides without bluffing.
        """
        sight = now(view)
        if not view.legal.claims:
            return CHALLENGE
        above = view.legal.claims[0] - 1
        told = told_by_others(view, sight)
        later = when_answered(view, sight)
        best, named = self._named(later, told, above)
        if view.legal.answers and 1 - self._chance(sight, told)(above) > best:
            return CHALLENGE
        if chance.random() < self.bluffs:
            _, bluff = self._named(_with_one_more(later, above), told, above)
            if self._chance(later, told)(bluff) >= self.nerve * best:
                return bluff
        return named

    def shouts(self, view: QueenAnnesView, chance: Random) -> bool:
        """Challenges out of turn what it half believes to be too unlikely to let pass."""
        assert view.standing is not None
        sight = now(view)
        holds = self._chance(sight, told_by_others(view, sight))(view.standing.claim)
        return worth_a_shout(holds, len(view.alive))

    def _named(self, sight: Sight, told: Told, above: int) -> tuple[float, int]:
        believed = believing(sight, told)
        claims = sorted({*thought_of(sight, above), *thought_of(believed, above)})
        return likeliest(claims, self._chance(sight, told))

    def _chance(self, sight: Sight, told: Told) -> Callable[[int], float]:
        """The chance of a claim to somebody who trusts so much: a mean of that of a believer and of a sceptic."""
        believed, trust = believing(sight, told), self.trust
        return lambda claim: trust * believed.chance(claim) + (1 - trust) * sight.chance(claim)


def _with_one_more(sight: Sight, above: int) -> Sight:
    """The sight with one more card of a credible rank, if there may be one."""
    most = max(range(13), key=lambda rank: (sight.held[rank], rank))
    rank = most if above < 0 else wants_of(sight.rules)[above][0][0]
    return believing(sight, ({rank: 1}, 0))


bluffer = Bluffer()
