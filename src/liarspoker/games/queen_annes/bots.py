"""Bots of Queen Anne's games; they convert views to the inputs of `heuristics`."""

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
    Hints,
    PoolKnowledge,
    Workspace,
    believing,
    challenges_out_of_turn,
    consider,
    credence,
    fair_share_action,
    hints_with,
    ladder_of,
    likeliest_action,
    pool_knowledge,
    with_unknown,
)
from liarspoker.games.queen_annes.ladder import wild_mask
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.games.queen_annes.state import after


def beginner(view: QueenAnnesView, chance: Random) -> int:
    """Open with the best expected hand, raise as little as possible, and challenge hands that aren't expected.

    The expected pool is the visible cards plus a proportional share of the unseen ones.
    """
    now = _knowledge(view)
    return fair_share_action(
        now, _when_answered(view, now), _last_claim(view), ladder_of(view.rules), _workspace_of(view)
    )


@dataclass(frozen=True, slots=True)
class Bluffer:
    """A bot with beliefs about the other players' cards.

    It names the most probable hand, given the cards it sees and partly trusting the other claims, or challenges if that
    is safer. Sometimes it bluffs: it pretends to see one more card.

    Attributes:
        trust: from 0 to 1, how much it believes that players see the cards that they name.
        bluffs: the probability of trying a bluff.
        nerve: the smallest probability of a bluff, as a fraction of the most probable hand's.
    """

    trust: float = 0.8
    bluffs: float = 0.3
    nerve: float = 0.5

    def __call__(self, view: QueenAnnesView, chance: Random) -> int:
        """Return a claim or a challenge."""
        now = _knowledge(view)
        later, hints = _when_answered(view, now), self._hints(view, now)
        is_bluffing = self.bluffs > 0 and chance.random() < self.bluffs
        ladder, workspace = ladder_of(view.rules), _workspace_of(view)
        return likeliest_action(
            now, later, hints, _last_claim(view), self.trust, self.nerve, is_bluffing, ladder, workspace
        )

    def challenges_out_of_turn(self, view: QueenAnnesView, chance: Random) -> bool:
        """Return whether to challenge out of turn."""
        now = _knowledge(view)
        believed, ladder = believing(now, self._hints(view, now)), ladder_of(view.rules)
        holds = credence(_last_claim(view), now, believed, self.trust, ladder, _workspace_of(view))
        return challenges_out_of_turn(holds, len(view.alive))

    def in_mind(self, view: QueenAnnesView) -> list[tuple[int, int]]:
        """Return the legal claims that are considered, each with its probability in units of 1 / `CERTAIN`."""
        later, ladder, workspace = _when_answered(view, _knowledge(view)), ladder_of(view.rules), _workspace_of(view)
        believed = believing(later, self._hints(view, later))
        count = consider(later, believed, _last_claim(view), ladder, workspace)
        return [
            (claim, credence(claim, later, believed, self.trust, ladder, workspace))
            for claim in tuple(workspace.claims[:count])
        ]

    def _hints(self, view: QueenAnnesView, now: PoolKnowledge) -> Hints:
        """Return what the other players' claims suggest; nothing without trust."""
        hints, ladder = NO_HINTS, ladder_of(view.rules)
        for seat, claim in view.moves if self.trust else ():
            if claim >= 0 and seat != view.seat:
                hints = hints_with(hints, claim, _shared(view, seat), now, ladder)
        return hints


binomial = Bluffer(trust=0.0, bluffs=0.0)
"""The Calculator: it uses exact probabilities given the visible cards, and ignores the other players' claims.

Among equally probable hands it names the strongest, which leaves the other players the fewest options.
"""

bluffer = Bluffer()
"""The Bluffer: like the Calculator, but it mostly trusts claims and sometimes bluffs."""


def _knowledge(view: QueenAnnesView) -> PoolKnowledge:
    """Return what the seat knows about the pool."""
    return pool_knowledge(mask_of(view.known), view.hidden, view.rules)


def _when_answered(view: QueenAnnesView, now: PoolKnowledge) -> PoolKnowledge:
    """Return what the seat knows about the pool when the next player acts, after possible extra cards."""
    state, terms = view.state, view.terms
    if not view.rules.extras or state is None or terms is None or not view.legal.claims:
        return now
    later = after(state, view.legal.claims[0], terms.packed, view.rules)
    return with_unknown(now, now.unknown + later.drawn - state.drawn)


def _last_claim(view: QueenAnnesView) -> int:
    """Return the last claim."""
    return NO_CLAIM if view.state is None else view.state.claim


def _shared(view: QueenAnnesView, seat: int) -> int:
    """Return a mask of the cards that both the viewer and `seat` see and that aren't wild."""
    face_up = [extra.card for extra in view.extras if extra.face_up]
    hands = [card for owner, hand in enumerate(view.seen) if view.rules.blind and owner != seat for card in hand]
    return mask_of(card for card in (*face_up, *hands) if card != JOKER) & ~wild_mask(view.rules)


def _workspace_of(view: QueenAnnesView) -> Workspace:
    return _workspace(view.rules, get_ident())


@lru_cache(maxsize=8)
def _workspace(rules: QueenAnnesRules, thread: int) -> Workspace:
    """Return the workspace for one set of rules in one thread."""
    strongest = [UNKNOWN] * (4 << 13) * (MISSING + 1)
    return Workspace([0] * MOST_CLAIMS, [0.0] * WAYS, strongest, [0] * MEMO, [0.0] * MEMO)
