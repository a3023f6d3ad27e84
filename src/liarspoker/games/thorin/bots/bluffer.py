"""The Bluffer: puts itself in the next player's place, and follows the advice of the game's inventor (source 002)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, rank_of
from liarspoker.core.cards.hand_values import KEYS
from liarspoker.games.thorin.bots.choices import easy_sets, same_set, thought_of
from liarspoker.games.thorin.bots.declaring import answered, discard_but, hand_of, standing_of, worth
from liarspoker.games.thorin.bots.draws import Cards, keeps, reach
from liarspoker.games.thorin.bots.judgement import Story, prospects, story_of
from liarspoker.games.thorin.bots.promises import improvable
from liarspoker.games.thorin.bots.suspicion import believed, challenged
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import floor_of, full_claim, next_value
from liarspoker.games.thorin.state import DISCARDING, RESPOND
from liarspoker.games.thorin.view import ThorinView

_STUCK = 0.6
"""How likely somebody who takes the hand and cannot better it is to go out."""

_HAVING_IT = 0.8
"""What it is worth to have something true to declare, in parts of what somebody else's going out is worth."""

_LIES_UP_TO = 1
_DECLARES_UP_TO = 3
"""So many categories above the floor's are thought of, for lies while it discards, and when it declares."""

_ROUTINE = 0.3
"""A declaration that is less likely to be challenged is accepted as routine."""

_TRICK_FROM = 3
"""Kickers can be improved on at least so often before a set is broken."""

_SEVERAL = 4
"""Among so many players one sits several seats away, and a bluff that is told early may come to him."""


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
        standing = standing_of(view)
        if standing.phase == RESPOND:
            value, story = floor_of(standing.claim), story_of(view)
            return answered(prospects(value, believed(value, story), story, wary=True), view)
        if standing.phase == DISCARDING:
            return discard_but(self._kept(view, chance), hand_of(view))
        return full_claim(self._declared(view, chance))

    def _declared(self, view: ThorinView, chance: Random) -> int:
        """The value to declare: a set that it has broken or never had, or whatever seems to be worth most."""
        mine, thrown = worth(view), view.stints[-1].thrown
        story = _told_to_next(view, len(thrown))
        if story.before == NO_CLAIM and story.players >= _SEVERAL and chance.random() < self.tricks:
            choice: Sequence[int] = _early_bluffs(mine, story)
        else:
            choice = same_set(view.floor, view.rules) if _in_set(thrown, view) else ()
        if not choice:
            choice = thought_of(view.floor, mine, _DECLARES_UP_TO, view.rules, chance)
        return max((_worth_of(value, mine, story) + chance.gauss(0, self.whim), value) for value in choice)[1]

    def _kept(self, view: ThorinView, chance: Random) -> Cards:
        """What it keeps: the more cards it throws, the better the draw, and the less it will be believed."""
        hand, mine, least = hand_of(view), worth(view), next_value(view.floor, view.rules)
        if least is None:
            return hand
        broken = _broken(view)
        if broken is not None and len(view.alive) > 2 and chance.random() < self.tricks:
            return broken
        lies = thought_of(view.floor, view.floor, _LIES_UP_TO, view.rules, chance)
        having_it = _HAVING_IT / (len(view.alive) - 1)
        lying: dict[int, float] = {}
        offers = []
        for kept in keeps(hand):
            thrown = HAND_CARDS - len(kept)
            if thrown not in lying:
                story = _told_to_next(view, thrown)
                lying[thrown] = max(_worth_of(value, view.floor, story) for value in lies)
            has = reach(kept, least, view.rules)
            worth_it = has * having_it + (1 - has) * lying[thrown]
            offers.append((round(worth_it, 3), reach(kept, mine + 1, view.rules), kept))
        return max(offers)[2]


def _worth_of(value: int, mine: int, story: Story) -> float:
    """What a declaration is worth: -1 for going out, 1 for being the only one left.

    Args:
        value: what would be declared.
        mine: what the hand is worth.
        story: what the next player knows of it.
    """
    gain = 1.0 / (story.players - 1)
    higher = next_value(value, story.rules)
    if value < mine:
        bettered = 1.0
    elif value == mine:
        bettered = improvable(value, story.rules)
    else:
        bettered = 0.0 if higher is None else reach((), higher, story.rules)
    doubted = challenged(value, story)
    return (gain if value <= mine else -1.0) * doubted + (1.0 - doubted) * _STUCK * (1.0 - bettered) * gain


def _told_to_next(view: ThorinView, thrown: int) -> Story:
    """What the next player will know of the hand: of two players, the one who passed it on."""
    before = NO_CLAIM if view.standing is None else view.standing.claim
    known = view.stints[-1].taken if len(view.alive) == 2 and before != NO_CLAIM else None
    return Story(before, known, (thrown,), len(view.alive), view.rules)


def _in_set(cards: Sequence[int], view: ThorinView) -> bool:
    """Whether one of the cards belongs to the set that was declared last."""
    better = same_set(view.floor, view.rules)
    return bool(better) and any(card != JOKER and rank_of(card) == KEYS[view.floor][1][0] for card in cards)


def _early_bluffs(mine: int, story: Story) -> list[int]:
    """Declarations to open with that are not true, are likely to be taken, and may go around for long.

    "If you want to try and knock out a player several seats away, try making an easily improvable bluff early in the
    round."
    """
    return [value for value in easy_sets() if value > mine and challenged(value, story) < _ROUTINE]


def _broken(view: ThorinView) -> Cards | None:
    """The hand without a card of the set declared, and without its kickers; `None` if that would be no trick.

    "Another funny trick you can pull is to discard cards that are part of a set, and then name the same set with
    improved kickers, assuming the next player will routinely accept it."
    """
    better = same_set(view.floor, view.rules)
    if len(better) < _TRICK_FROM or worth(view) < view.floor:
        return None
    rank = KEYS[view.floor][1][0]
    kept = [card for card in hand_of(view) if card == JOKER or rank_of(card) == rank][1:]
    story = _told_to_next(view, HAND_CARDS - len(kept) - 1)
    return tuple(kept) if challenged(better[len(better) // 2], story) < _ROUTINE else None


bluffer = Bluffer()
