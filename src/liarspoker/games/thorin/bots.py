"""Bots of Thorin's game; they convert views to the inputs of `heuristics`.

The Beginner declares truthfully if it can, and takes ordinary hands. The Calculator computes the probabilities of draws
and promises; it declares truthfully if it can, and otherwise the lowest legal hand. The Bluffer models the next player
and follows the advice of the game's inventor (source 002).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from threading import get_ident

from liarspoker.core.cards.deck import mask_of
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.actions import PASS, TAKE
from liarspoker.games.thorin.draw_chances import (
    Workspace,
    new_workspace,
)
from liarspoker.games.thorin.heuristics import (
    HandKnowledge,
    Turn,
    beginners_answer,
    beginners_discard,
    begun,
    bluffers_answer,
    bluffers_claim,
    bluffers_discard,
    calculators_answer,
    calculators_discard,
    knowledge_after,
    true_or_least,
)
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.round import Stint
from liarspoker.games.thorin.state import DISCARDING, RESPOND


def beginner(view: ThorinView, chance: Random) -> int:
    """Take hands below three of a kind and challenge the rest; keep only sets; lie only if necessary.

    It declares the hand exactly, or, if that isn't legal, the lowest legal hand.
    """
    phase, turn, workspace = asked(view)
    if phase == RESPOND:
        return beginners_answer(turn, workspace.ladder)
    return beginners_discard(turn.hand) if phase == DISCARDING else true_or_least(turn, workspace.ladder)


def binomial(view: ThorinView, chance: Random) -> int:
    """Take or challenge by expected value, draw to beat the declaration, and declare the hand exactly if legal.

    It assumes that a player lies only if necessary, so a declaration is true with the probability that the draw
    reached it.
    """
    phase, turn, workspace = asked(view)
    if phase == RESPOND:
        return calculators_answer(turn, knowledge_of(view), workspace)
    return calculators_discard(turn, workspace) if phase == DISCARDING else true_or_least(turn, workspace.ladder)


@dataclass(frozen=True, slots=True)
class Bluffer:
    """A bot that bluffs when a bluff is likely to be taken, and is truthful when it is likely to be challenged.

    Attributes:
        whim: standard deviation of random noise in the expected value of declarations, to be unpredictable.
        tricks: the probability of a trick where one is possible: with more than two players, to break a set and keep
            declaring it; with more than three, to open with a bluff that is easily improved.
    """

    whim: float = 0.05
    tricks: float = 0.1

    def __call__(self, view: ThorinView, chance: Random) -> int:
        """Return an action, judging declarations by how credible they are."""
        phase, turn, workspace = asked(view)
        if phase == RESPOND:
            return bluffers_answer(turn, knowledge_of(view), workspace)
        if phase == DISCARDING:
            return bluffers_discard(turn, self.tricks, chance, workspace)
        return bluffers_claim(turn, self.whim, self.tricks, chance, workspace)


bluffer = Bluffer()


def asked(view: ThorinView) -> tuple[int, Turn, Workspace]:
    """Return the phase, what the seat knows on its turn, and the workspace.

    Raises:
        ValueError: the view is a spectator's, no round is in progress, or the hand is missing.
    """
    state = view.state
    if view.seat is None or state is None:
        raise ValueError("a bot needs the view of a seat in a round")
    hand = mine = taken = discarded = 0
    if state.phase != RESPOND:
        if view.hand is None:
            raise ValueError("the view of the active player has no hand")
        hand, mine = mask_of(view.hand), hand_value(view.hand, bool(view.rules.double_any))
        taken, discarded = mask_of(view.stints[-1].taken), mask_of(view.stints[-1].discarded)
    answers = view.legal.answers
    turn = Turn(state.claim, len(view.alive), TAKE in answers, PASS in answers, hand, mine, taken, discarded)
    return state.phase, turn, _workspace(view.rules, get_ident())


def knowledge_of(view: ThorinView) -> HandKnowledge:
    """Return what the seat under the gun knows about the hand."""
    knowledge = begun(_passed_on(view.stints[-1]) if view.stints else 0, len(view.alive))
    for seat, action in view.moves:
        knowledge = knowledge_after(knowledge, action, seat == view.seat)
    return knowledge


def _passed_on(stint: Stint) -> int:
    """Return the hand as its holder passed it on."""
    return mask_of(stint.taken) - mask_of(stint.discarded) + mask_of(stint.drawn)


@lru_cache(maxsize=8)
def _workspace(rules: ThorinRules, thread: int) -> Workspace:
    """Return the workspace for one set of rules in one thread."""
    return new_workspace(rules)
