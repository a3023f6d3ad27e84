"""How likely a declaration of a round in a record is true, from a point of view."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.ladder import keeps_promise
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.web.view_models.round_replay import ALL, RoundReplay


def probability(replay: RoundReplay, at: int) -> Fraction | None:
    """Return 1 if the declaration is true and 0 if it is false; `None` if the viewpoint doesn't know the hand."""
    session = cast(ThorinSession, replay.sessions[at])
    dealt = session.round
    assert dealt is not None
    declared = dealt.moves and dealt.moves[-1] == (replay.seat, dealt.state.claim)
    hand = dealt.hand if replay.view == ALL or declared else replay.seen(session).hand
    if dealt.state.claim < 0 or hand is None or UNKNOWN in hand:
        return None
    return Fraction(keeps_promise(hand_value(hand, bool(dealt.rules.double_any)), dealt.state.claim, dealt.rules))
