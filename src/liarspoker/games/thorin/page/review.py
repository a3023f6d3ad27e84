"""Reviewed rounds of Thorin's game: what the hand that a player answered may be."""

from __future__ import annotations

from functools import partial

from liarspoker.games.cards.coaching import beliefs_with
from liarspoker.games.thorin.record_text import describe_action
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.language import N_
from liarspoker.web.view_models.review import Coaching
from liarspoker.web.words import suited


def _in_words(session: ThorinSession, action: int) -> str:
    return suited(describe_action(action))


_beliefs = partial(beliefs_with, N_("The hand, for all you knew"), N_("The hand, for all {name} knew"))

REVIEW = Coaching(_in_words, _beliefs, in_rounds=True)
