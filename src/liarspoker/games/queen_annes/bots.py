"""Bots of Queen Anne's games; they convert views to the inputs of `heuristics`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from threading import get_ident

from liarspoker.core.cards.deck import JOKER, mask_of
from liarspoker.games.queen_annes.heuristics import (
    MEMO,
    MISSING,
    MOST_CLAIMS,
    NO_HINTS,
    UNKNOWN,
    WAYS,
    Hints,
    Ladder,
    PoolKnowledge,
    Workspace,
    believing,
    challenges_out_of_turn,
    consider,
    credence,
    fair_share_action,
    ladder_of,
    likeliest_action,
)
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.games.queen_annes.seen import Observation, hints_of, knowledge_of, when_answered


def beginner(view: QueenAnnesView, chance: Random) -> int:
    """Open with the best expected hand, raise as little as possible, and challenge hands that aren't expected.

    The expected pool is the visible cards plus a proportional share of the unseen ones.
    """
    seen, ladder = seen_in(view), ladder_of(view.rules)
    now = knowledge_of(seen)
    return fair_share_action(now, when_answered(seen, now, ladder), seen.state.claim, ladder, workspace_for(view.rules))


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
        seen, ladder, workspace = seen_in(view), ladder_of(view.rules), workspace_for(view.rules)
        now = knowledge_of(seen)
        later, hints = when_answered(seen, now, ladder), self._hints(seen, now, ladder)
        is_bluffing = self.bluffs > 0 and chance.random() < self.bluffs
        return likeliest_action(
            now, later, hints, seen.state.claim, self.trust, self.nerve, is_bluffing, ladder, workspace
        )

    def challenges_out_of_turn(self, view: QueenAnnesView, chance: Random) -> bool:
        """Return whether to challenge out of turn."""
        seen, ladder = seen_in(view), ladder_of(view.rules)
        now = knowledge_of(seen)
        believed = believing(now, self._hints(seen, now, ladder))
        holds = credence(seen.state.claim, now, believed, self.trust, ladder, workspace_for(view.rules))
        return challenges_out_of_turn(holds, len(view.alive))

    def in_mind(self, view: QueenAnnesView) -> list[tuple[int, int]]:
        """Return the legal claims that are considered, each with its probability in units of 1 / `CERTAIN`."""
        seen, ladder, workspace = seen_in(view), ladder_of(view.rules), workspace_for(view.rules)
        later = when_answered(seen, knowledge_of(seen), ladder)
        believed = believing(later, self._hints(seen, later, ladder))
        count = consider(later, believed, seen.state.claim, ladder, workspace)
        return [
            (claim, credence(claim, later, believed, self.trust, ladder, workspace))
            for claim in tuple(workspace.claims[:count])
        ]

    def _hints(self, seen: Observation, now: PoolKnowledge, ladder: Ladder) -> Hints:
        """Return what the other players' claims suggest; nothing without trust."""
        return hints_of(seen, now, ladder) if self.trust else NO_HINTS


binomial = Bluffer(trust=0.0, bluffs=0.0)
"""The Calculator: it uses exact probabilities given the visible cards, and ignores the other players' claims.

Among equally probable hands it names the strongest, which leaves the other players the fewest options.
"""

bluffer = Bluffer()
"""The Bluffer: like the Calculator, but it mostly trusts claims and sometimes bluffs."""


def seen_in(view: QueenAnnesView) -> Observation:
    """Return what the viewer sees of the current round.

    Raises:
        ValueError: the view is a spectator's, or no round has begun.
    """
    if view.seat is None or view.state is None or view.terms is None:
        raise ValueError("a bot needs the view of a seat in a round")
    known, shared = mask_of(view.known), tuple(_shared(view, seat) for seat in range(view.rules.seats))
    dealt = len(view.known) + view.hidden
    terms, moves = view.terms.packed, view.moves
    requirements = ladder_of(view.rules).requirements
    return Observation(view.rules, terms, view.state, view.seat, known, shared, dealt, requirements, len(moves), moves)


def _shared(view: QueenAnnesView, seat: int) -> int:
    """Return a mask of the cards except jokers that both the viewer and `seat` see."""
    if seat == view.seat:
        return mask_of(view.known) & (1 << JOKER) - 1
    face_up = [extra.card for extra in view.extras if extra.face_up]
    hands = [card for owner, hand in enumerate(view.seen) if view.rules.blind and owner != seat for card in hand]
    return mask_of(card for card in (*face_up, *hands) if card != JOKER)


def workspace_for(rules: QueenAnnesRules) -> Workspace:
    """Return the workspace of this thread for a table's rules."""
    return _workspace(rules, get_ident())


@lru_cache(maxsize=8)
def _workspace(rules: QueenAnnesRules, thread: int) -> Workspace:
    """Return the workspace for one set of rules in one thread."""
    strongest = [UNKNOWN] * (4 << 13) * (MISSING + 1)
    return Workspace([0] * MOST_CLAIMS, [0] * MOST_CLAIMS, [0.0] * WAYS, strongest, [0] * MEMO, [0.0] * MEMO)
