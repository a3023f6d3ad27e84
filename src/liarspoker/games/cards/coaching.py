"""Reviewed rounds of card games: how likely the hand in question is of each category."""

from __future__ import annotations

from liarspoker.coach.document import ReviewDocument
from liarspoker.games.cards.wording import name_category
from liarspoker.records.words import said_of
from liarspoker.web.view_models.review import Beliefs
from liarspoker.web.view_models.round_replay import RoundReplay


def beliefs_with(yours: str, of_player: str, review: ReviewDocument, replay: RoundReplay, at: int) -> Beliefs:
    """Return how likely the hand is of each category, as the player who acted at a ply saw and heard it.

    Args:
        yours: the title for the user's own ply, a message.
        of_player: the title for that of the player `{name}`, a message.
        review: the review of the round.
        replay: the round.
        at: the number of actions.
    """
    action = review["hands"][0]["actions"][at - 1] if at else None
    if action is None or not action["hands"]:
        return Beliefs()
    hands = tuple((name_category(word), chance) for word, chance in action["hands"].items())
    return Beliefs(said_of(replay.names[action["seat"]], yours, of_player), hands=hands)
