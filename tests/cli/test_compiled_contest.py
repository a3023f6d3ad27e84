"""Where the engine plays as a bot, it takes the very actions that the bot would take."""

from __future__ import annotations

import random
from typing import Any

import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.bots.digits.binomial import binomial
from liarspoker.cli.compiled_contest import policy
from liarspoker.engine.digits.play import play
from tests.engine.digits.replaying import Setting, deal_of, setting

SESSIONS = 30


def decisions_compared(of: Setting, lineup: tuple[str, ...], seed: int) -> int:
    """Play sessions of twelve hands, and ask the bot at every turn of the policy; how often it was asked."""
    table, asked = of.table, 0
    policies = {name: policy(name, table.rules) for name in set(lineup)}
    rounds = play(table, SESSIONS, seed, [policies[name] for name in lineup], hands=12, keep_deals=True, keep_moves=200)
    for number in range(SESSIONS):
        session: Any = of.session
        for hand in range(12):
            deal = deal_of(rounds, number, hand, table.rules, of.session.setup.from_slips)
            session = session.deal(deal, opener=0 if hand == 0 else None)
            for seat, action in rounds.moves[number, hand, : rounds.decisions[number, hand]].tolist():
                if lineup[seat] == "binomial":
                    assert binomial(session.view(seat), random.Random(0)) == action
                    asked += 1
                session = session.apply(action)
    return asked


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("dollar-bill", 2, {}),
        ("salomon-1986", 4, {}),
        ("slips", 3, {"order": "ace_high"}),
        ("salomon-1986", 2, {"hand_size": 2, "symbols": 3}),
        ("dollar-bill", 3, {"hand_size": 2, "symbols": 4, "loose_order": True}),
    ],
    ids=["dollar-bill", "salomon-1986", "slips", "small", "loose"],
)
def test_compiled_the_calculator_plays_as_it_does_in_python(game: str, seats: int, options: dict[str, object]) -> None:
    of = setting(game, seats, options, from_slips=game == "slips")
    assert decisions_compared(of, (*("binomial",) * (seats - 1), "uniform"), seed=1) > 12 * SESSIONS
