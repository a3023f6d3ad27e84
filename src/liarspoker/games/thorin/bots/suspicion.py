"""How a declaration sounds to somebody who knows that players lie, and who puts himself in the next player's place."""

from __future__ import annotations

from math import exp

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.games.thorin.bots.judgement import Story, prospects
from liarspoker.games.thorin.ladder import floor_of, next_value

DOUBT = 0.1
"""Whatever the draws say, a declaration is false, and true, with at least this chance."""

OTHERS_DOUBT = 0.3
"""The same of an opening, as one supposes the others to think of one's own."""

_SMALL_LIES = 0.5
"""This share of the lies told after the opening are as small as they may be; the rest are great. At the opening all."""

_SMALL, _GREAT = 6, 3
"""How much such lies crowd at their end of all that could be true: powers of the distance from the other end."""

_WHIM = 0.3
"""The chance that the next player answers at random."""

_FIRMNESS = 0.1
"""Two answers of which one is worth so much more than the other: the odds are e to 1 that it is given."""


def believed(value: int, story: Story, doubt: float = DOUBT) -> float:
    """The chance that a declaration of `value` is true, by how much of what could be true it leaves below itself.

    Who has something true to say may have anything; who lies says little more than he must, or far too much.

    Args:
        value: what is promised.
        story: what is known of the hand.
        doubt: the least chance that an opening is false.
    """
    opening = story.before == NO_CLAIM
    prior = min(1.0 - (doubt if opening else DOUBT), max(DOUBT, story.truth()))
    least = next_value(floor_of(story.before), story.rules)
    room = 0.0 if least is None else story.reach(least)
    below = 1.0 - story.reach(value) / room if room > 0.0 else 0.0
    small = 0.0 if opening else _SMALL_LIES
    lie = small * (1 + _SMALL) * (1.0 - below) ** _SMALL + (1.0 - small) * (1 + _GREAT) * below**_GREAT
    return prior / (prior + (1.0 - prior) * lie)


def challenged(value: int, story: Story) -> float:
    """How likely the next player is to challenge a declaration of `value`.

    He may be one who thinks that people lie only if they must, or one who is as suspicious as this.

    Args:
        value: what would be declared.
        story: what the next player knows of the hand.
    """
    chance = _WHIM / 2
    for truth in (story.truth(), believed(value, story, OTHERS_DOUBT)):
        either = prospects(value, truth, story)
        chance += (1 - _WHIM) / 2 / (1.0 + exp((either.take - either.challenge) / _FIRMNESS))
    return chance
