"""How likely a named hand of a round in a record exists, from a point of view."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.odds.pools import partial_pool
from liarspoker.web.view_models.round_replay import ALL, RoundReplay


def probability(replay: RoundReplay, at: int) -> Fraction | None:
    """Return the probability that the named hand exists, given the cards visible from the point of view."""
    session = cast(QueenAnnesSession, replay.sessions[at])
    assert session.round is not None
    return None if session.round.state.claim < 0 else chance(replay, session)


def chance(replay: RoundReplay, session: QueenAnnesSession) -> Fraction:
    """Return the same for a session of the round in which a hand has been named."""
    dealt, view = session.round, replay.seen(session)
    assert dealt is not None
    named = named_hand(dealt.state.claim, dealt.rules)
    if replay.view == ALL:
        return partial_pool(dealt.pool, 0, dealt.rules).probability(named)
    known = tuple(card for hand in view.seen for card in hand)
    known += tuple(one.card for one in view.extras if one.card != UNKNOWN)
    unknown = sum(view.hand_sizes) + len(view.extras) - len(known)
    return partial_pool(known, unknown, dealt.rules).probability(named)
