"""The Calculator: chances of draws and promises, the truth where there is one, and the least lie where there is not."""

from __future__ import annotations

from random import Random

from liarspoker.games.thorin.bots.declaring import answered, discard_but, hand_of, least_lie, standing_of, worth
from liarspoker.games.thorin.bots.draws import best_keep
from liarspoker.games.thorin.bots.judgement import prospects, story_of
from liarspoker.games.thorin.ladder import floor_of, full_claim, next_value
from liarspoker.games.thorin.state import DISCARDING, RESPOND
from liarspoker.games.thorin.view import ThorinView


def binomial(view: ThorinView, chance: Random) -> int:
    """Takes or challenges, whichever is worth more; draws to what beats the declaration; and says what it then holds.

    A declaration is true as often as the draws would make it so, for somebody who lies only if he must.
    """
    standing = standing_of(view)
    if standing.phase == RESPOND:
        story = story_of(view)
        return answered(prospects(floor_of(standing.claim), story.truth(), story), view)
    if standing.phase == DISCARDING:
        hand, higher = hand_of(view), next_value(view.floor, view.rules)
        return discard_but(hand if higher is None else best_keep(hand, higher, view.rules)[1], hand)
    value = worth(view)
    return full_claim(value) if value > view.floor else least_lie(view)
