"""Reviewed rounds of Queen Anne's games: what the best hand in the pool may be."""

from __future__ import annotations

from functools import partial

from liarspoker.games.cards.coaching import beliefs_with
from liarspoker.games.queen_annes.record_text import describe_action
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.language import N_
from liarspoker.web.view_models.review import Coaching


def _in_words(session: QueenAnnesSession, action: int) -> str:
    return describe_action(action, session.setup.rules)


_beliefs = partial(
    beliefs_with,
    N_("The best hand in the pool, for all you knew"),
    N_("The best hand in the pool, for all {name} knew"),
)

REVIEW = Coaching(_in_words, _beliefs, in_rounds=True)
