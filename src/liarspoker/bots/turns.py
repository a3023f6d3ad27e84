"""Who challenges out of turn, where the rules let anyone challenge."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from liarspoker.bots.protocol import Bot, Shouter
from liarspoker.core.session import Session


def shout(session: Session, bots: Sequence[Bot | None], chance: Random) -> int | None:
    """The challenge of the first bot that makes one although it is another's turn; `None` if all keep quiet.

    They are asked in the order of their seats, from the one behind the seat to act. Most bots wait for their turn and
    are not asked at all.

    Args:
        session: a round in play; asked about once after every claim.
        bots: who plays each seat; `None` where it is no bot.
        chance: where the bots' randomness comes from.
    """
    first = session.to_act
    assert first is not None
    for seat in (*range(first + 1, len(bots)), *range(first)):
        bot, challenge = bots[seat], session.out_of_turn_challenge(seat)
        if challenge is not None and isinstance(bot, Shouter) and bot.shouts(session.view(seat), chance):
            return challenge
    return None
