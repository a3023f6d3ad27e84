"""The bots of Thorin's game: each turns a view into what `heuristics` judges.

The Beginner tells the truth as far as it goes, and takes what sounds ordinary. The Calculator knows the probabilities
of draws and promises; it tells the truth where there is one, and the least lie where there isn't. The Bluffer takes the
next player's place, and follows the advice of the game's inventor (source 002).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from threading import get_ident

from liarspoker.core.cards.deck import mask_of
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.actions import PASS, TAKE
from liarspoker.games.thorin.heuristics import (
    Story,
    Turn,
    beginners_answer,
    beginners_discard,
    begun,
    bluffers_answer,
    bluffers_claim,
    bluffers_discard,
    calculators_answer,
    calculators_discard,
    story_with,
    true_or_least,
)
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.outlook import (
    Desk,
    new_desk,
)
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.round import Stint
from liarspoker.games.thorin.state import DISCARDING, RESPOND


def beginner(view: ThorinView, chance: Random) -> int:
    """Takes whatever is below three of a kind and challenges the rest; keeps sets alone; lies only if it must.

    It names the hand exactly as it is, or, when that is not enough, the least that it may.
    """
    phase, turn, desk = _asked(view)
    if phase == RESPOND:
        return beginners_answer(turn, desk.ladder)
    return beginners_discard(turn.hand) if phase == DISCARDING else true_or_least(turn, desk.ladder)


def binomial(view: ThorinView, chance: Random) -> int:
    """Takes or challenges, whichever is worth more; draws to what beats the declaration; and says what it then holds.

    A declaration is true as often as the draws would make it so, for somebody who lies only if he must.
    """
    phase, turn, desk = _asked(view)
    if phase == RESPOND:
        return calculators_answer(turn, _story(view), desk)
    return calculators_discard(turn, desk) if phase == DISCARDING else true_or_least(turn, desk.ladder)


@dataclass(frozen=True, slots=True)
class Bluffer:
    """A player who lies where a lie is likely to be taken, and tells the truth where it is likely to be challenged.

    Attributes:
        whim: how far it may misjudge what a declaration is worth, by chance, so that nobody can tell what it will say.
        tricks: the chance of a trick where there is one: with more than two players, to break a set that it goes on
            naming; with more than three, to open with a bluff that is easily improved.
    """

    whim: float = 0.05
    tricks: float = 0.1

    def __call__(self, view: ThorinView, chance: Random) -> int:
        """Takes or challenges by how the declaration sounds; discards and declares by how that will sound."""
        phase, turn, desk = _asked(view)
        if phase == RESPOND:
            return bluffers_answer(turn, _story(view), desk)
        if phase == DISCARDING:
            return bluffers_discard(turn, self.tricks, chance, desk)
        return bluffers_claim(turn, self.whim, self.tricks, chance, desk)


bluffer = Bluffer()


def _asked(view: ThorinView) -> tuple[int, Turn, Desk]:
    """The phase, what the seat knows of its turn, and what the heuristics work with.

    Raises:
        ValueError: the view is nobody's, no round is on the table, or a hand is wanted that isn't shown.
    """
    standing = view.standing
    if view.seat is None or standing is None:
        raise ValueError("a bot plays from a seat, and this is nobody's view")
    hand = mine = taken = thrown = 0
    if standing.phase != RESPOND:
        if view.hand is None:
            raise ValueError("a bot that has the hand was shown a view without it")
        hand, mine = mask_of(view.hand), hand_value(view.hand, bool(view.rules.double_any))
        taken, thrown = mask_of(view.stints[-1].taken), mask_of(view.stints[-1].thrown)
    answers = view.legal.answers
    turn = Turn(standing.claim, len(view.alive), TAKE in answers, PASS in answers, hand, mine, taken, thrown)
    return standing.phase, turn, _desk(view.rules, get_ident())


def _story(view: ThorinView) -> Story:
    """What the seat under the gun knows of the hand."""
    story = begun(_passed_on(view.stints[-1]) if view.stints else 0, len(view.alive))
    for seat, action in view.moves:
        story = story_with(story, action, seat == view.seat)
    return story


def _passed_on(stint: Stint) -> int:
    """The hand as its holder passed it on."""
    return mask_of(stint.taken) - mask_of(stint.thrown) + mask_of(stint.drawn)


@lru_cache(maxsize=8)
def _desk(rules: ThorinRules, thread: int) -> Desk:
    """Room for the heuristics of one table's rules, in one thread."""
    return new_desk(rules)
