"""What the engine has played, played again by the Python rules; everything that came out is compared."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.engine.passed.play import Matches
from liarspoker.engine.passed.table import Table
from liarspoker.games.thorin.deal import PassedDeal
from liarspoker.games.thorin.options import OPTIONS
from liarspoker.games.thorin.session import PassedSession


@dataclass(frozen=True)
class Setting:
    """A table of the engine's and the session of the Python rules that it stands for."""

    table: Table
    session: PassedSession


def setting(seats: int, options: dict[str, object]) -> Setting:
    found: Any = catalogue.load("thorin")
    return Setting(Table.of("thorin", seats, options), found.session(seats, found.options(options)))


def random_setting(chance: random.Random) -> Setting:
    """Any table that the engine plays."""
    return setting(chance.randint(2, 10), {info.name: chance.choice(info.choices) for info in OPTIONS})


def replay(played: Matches, number: int, of: Setting) -> int:
    """Play match `number` again and compare all of it; how many rounds it had."""
    session, rounds = of.session, int(played.lengths[number])
    for round_ in range(rounds):
        at = number, round_
        deck = tuple(played.cards[number, round_, : played.drawn[at]].tolist())
        session = session.deal(PassedDeal(deck), opener=int(played.openers[at]) if round_ == 0 else None)
        for seat, action in played.moves[number, round_, : played.decisions[at]].tolist():
            assert seat == session.to_act
            session = session.apply(action)
        result = session.round_result
        assert result is not None, "the engine's round ended before its end"
        assert session.round is not None
        assert session.round.stock.position == len(deck)
        mine = (result.opener, result.final_claim, result.claimant, result.challenger, result.loser, result.hand_value)
        arrays = (
            *(played.openers, played.claims, played.claimants),
            *(played.challengers, played.losers, played.values),
        )
        assert tuple(-1 if each is None else each for each in mine) == tuple(int(array[at]) for array in arrays)
    assert session.round is not None
    assert session.round.standing.spent == tuple(played.spent[number].tolist())
    assert (-1 if session.winner is None else session.winner) == played.winners[number]
    return rounds
