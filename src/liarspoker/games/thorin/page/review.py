"""Reviewed rounds of Thorin's game: what the hand that a player answered may be."""

from __future__ import annotations

from liarspoker.coach.document import ReviewDocument
from liarspoker.games.cards.wording import name_category
from liarspoker.games.thorin.record_text import describe_action
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.language import N_
from liarspoker.records.words import said_of
from liarspoker.web.view_models.review import Beliefs, Coaching
from liarspoker.web.view_models.round_replay import RoundReplay


def _in_words(session: ThorinSession, action: int) -> str:
    return describe_action(action)


def _beliefs(review: ReviewDocument, replay: RoundReplay, at: int) -> Beliefs:
    """Return how likely the hand is of each category, as the player who answered saw and heard it."""
    action = review["hands"][0]["actions"][at - 1] if at else None
    if action is None or not action["hands"]:
        return Beliefs()
    titles = N_("The hand, for all you knew"), N_("The hand, for all {name} knew")
    hands = tuple((name_category(word), chance) for word, chance in action["hands"].items())
    return Beliefs(said_of(replay.names[action["seat"]], *titles), hands=hands)


REVIEW = Coaching(_in_words, _beliefs, in_rounds=True)
