"""What a player under the gun takes into account: is the declaration true, and what would become of it if it took.

"If the active player names a hand that's difficult to improve on and you're under the gun, you should usually
challenge" (source 002): a taker must name better, and who cannot has to lie to the next player.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.games.thorin.actions import cards_of, is_discard
from liarspoker.games.thorin.bots.draws import Cards, reach, reach_by_throwing
from liarspoker.games.thorin.bots.promises import improvable, model_hand
from liarspoker.games.thorin.ladder import fit, floor_of, next_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.round import Stint
from liarspoker.games.thorin.view import ThorinView

CAUGHT = 0.5
"""How likely it is that a lie told in need is challenged, where nothing more is known."""


@dataclass(frozen=True, slots=True)
class Story:
    """What somebody knows of the hand that a declaration is about.

    Attributes:
        before: what stood before, `NO_CLAIM` at the opening.
        known: the hand as he last saw it himself in this round; without it, only what was promised is known.
        throws: how many cards have been thrown since, by each who had the hand.
        players: how many are living.
        rules: the rules of the round.
    """

    before: int
    known: Cards | None
    throws: tuple[int, ...]
    players: int
    rules: ThorinRules

    def reach(self, value: int) -> float:
        """The chance that the hand is now worth `value` or more, had everybody drawn to that."""
        if self.before == NO_CLAIM:
            return reach((), value, self.rules)
        if self.known is None:
            was_better = _was_better(self.before, value, self.rules)
            hand, throws = model_hand(floor_of(self.before)), self.throws[-1:]
        else:
            was_better, hand, throws = 0.0, self.known, self.throws
        fails = 1.0 - was_better
        for thrown in throws:
            fails *= 1.0 - _by_throwing(hand, thrown, value, self.rules)
        return 1.0 - fails

    def truth(self) -> float:
        """The chance that the hand beats what stood before: then there was something true to declare."""
        least = next_value(floor_of(self.before), self.rules)
        return 0.0 if least is None else self.reach(least)


@dataclass(frozen=True, slots=True)
class Prospects:
    """What the two answers to a declaration are worth: -1 for going out, 1 for being the only one left.

    Attributes:
        challenge: the hand is shown.
        take: the hand is taken, improved if it can be, and better declared.
    """

    challenge: float
    take: float


def prospects(value: int, truth: float, story: Story, *, wary: bool = False) -> Prospects:
    """What the two answers to a declaration are worth.

    Args:
        value: what is promised.
        truth: the chance that it is true.
        story: what is known of the hand.
        wary: he expects that the next player knows how hard the hand was to improve on, and that the harder it was,
            the likelier a lie is to be challenged; if not, that is as likely as `CAUGHT` says.
    """
    rules = story.rules
    gain = 1.0 / (story.players - 1)
    higher = next_value(value, rules)
    if higher is None:
        return Prospects((1.0 - truth) * gain - truth, -1.0)
    improves = truth * improvable(value, rules) + (1.0 - truth) * reach((), higher, rules)
    return Prospects((1.0 - truth) * gain - truth, -(1.0 - improves) * (1.0 - improves if wary else CAUGHT))


def story_of(view: ThorinView) -> Story:
    """What the seat under the gun knows of the hand."""
    assert view.terms is not None
    claims = [(seat, action) for seat, action in view.moves if action >= 0]
    before = claims[-2][1] if len(claims) > 1 else NO_CLAIM
    throws = [(seat, len(cards_of(action))) for seat, action in view.moves if is_discard(action)]
    known = None
    if view.stints:
        known = passed_on(view.stints[-1])
        mine = max((place for place, (seat, _) in enumerate(throws) if seat == view.seat), default=-1)
        throws = throws[mine + 1 :]
    return Story(before, known, tuple(count for _, count in throws), len(view.alive), view.rules)


def passed_on(stint: Stint) -> Cards:
    """The hand as its holder passed it on."""
    thrown = list(stint.thrown)
    kept = []
    for card in stint.taken:
        if card in thrown:
            thrown.remove(card)
        else:
            kept.append(card)
    return (*kept, *stint.drawn)


@lru_cache(maxsize=1 << 15)
def _by_throwing(hand: Cards, thrown: int, value: int, rules: ThorinRules) -> float:
    return reach_by_throwing(hand, thrown, value, rules)


@lru_cache(maxsize=1 << 15)
def _was_better(claim: int, value: int, rules: ThorinRules) -> float:
    """The chance that a hand that kept the promise of a claim, of those that fit its words, was worth `value`."""
    floor = floor_of(claim)
    _, best = fit(floor, claim, rules)
    over = 0.0 if best + 1 > value else reach((), best + 1, rules)
    if value > best:
        return 0.0
    return (reach((), value, rules) - over) / (reach((), floor, rules) - over)
