"""The Beginner: tells the truth as far as it goes, and takes what sounds ordinary."""

from __future__ import annotations

from random import Random

from liarspoker.core.cards.deck import JOKER, rank_of
from liarspoker.core.cards.hand_values import THREE
from liarspoker.games.thorin.actions import CHALLENGE, TAKE, discard_of
from liarspoker.games.thorin.bots.declaring import hand_of, least_lie, standing_of, worth
from liarspoker.games.thorin.ladder import category_of, full_claim
from liarspoker.games.thorin.state import DISCARDING, RESPOND
from liarspoker.games.thorin.view import ThorinView

IMPRESSED_FROM = THREE
"""The category from which on it believes nothing."""


def beginner(view: ThorinView, chance: Random) -> int:
    """Takes whatever is below three of a kind and challenges the rest; keeps sets alone; lies only if it must.

    It names the hand exactly as it is, or, when that is not enough, the least that it may.
    """
    standing = standing_of(view)
    if standing.phase == RESPOND:
        impressed = category_of(standing.claim) >= IMPRESSED_FROM
        return CHALLENGE if impressed or TAKE not in view.legal.answers else TAKE
    if standing.phase == DISCARDING:
        hand = hand_of(view)
        ranks = [rank_of(card) for card in hand]
        return discard_of([card for card in hand if card != JOKER and ranks.count(rank_of(card)) == 1])
    value = worth(view)
    return full_claim(value) if value > view.floor else least_lie(view)
