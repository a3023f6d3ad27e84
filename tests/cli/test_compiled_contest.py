"""Where the engine plays as a bot, it takes the very actions that the bot would take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.bots import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.engine.rollout import play
from tests.effort import effort
from tests.engine.tables import Setting, setting

SESSIONS = effort(12, quick=6, soak=200)


@dataclass
class Compared:
    """How often bots were asked, and how often they did not play what they play most.

    Attributes:
        asked: decisions.
        surprises: those in which another action was played than the bot's likeliest one.
        expected: how many of these there should be, and
        variance: by how much that may vary.
    """

    asked: int = 0
    surprises: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, chances: dict[int, float], action: int) -> None:
        assert chances.get(action, 0.0) > 0.0
        likeliest = max(chances.values())
        self.asked += 1
        self.surprises += chances[action] < likeliest
        self.expected += 1 - likeliest
        self.variance += likeliest * (1 - likeliest)


def compared(of: Setting, lineup: tuple[str, ...], seed: int) -> Compared:
    """Play sessions of twelve hands, and ask the bots at every turn what they would have played."""
    table, found = of.table, Compared()
    bots: dict[str, Any] = {name: catalogue.load(name, "digits") for name in set(lineup) - {"uniform"}}
    rounds = play(table, SESSIONS, seed, lineup, rounds=12, keep_deals=1, keep_moves=200)
    for number in range(SESSIONS):
        session: Any = of.session
        for hand in range(12):
            session = session.deal(rounds.deal_of(number, hand), RoundSetup(0 if hand == 0 else None))
            for seat, action in rounds.moves[number, hand, : rounds.decisions[number, hand]].tolist():
                if lineup[seat] in bots:
                    found.add(dict(bots[lineup[seat]].chances(session.view(seat))), action)
                session = session.apply(action)
    return found


@pytest.mark.parametrize("name", ["beginner", "binomial", "bluffer"])
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
def test_compiled_a_bot_plays_as_it_does_in_python(
    name: str, game: str, seats: int, options: dict[str, object]
) -> None:
    of = setting(game, seats, options, from_slips=game == "slips")
    found = compared(of, (*(name,) * (seats - 1), "uniform"), seed=1)
    assert found.asked > 12 * SESSIONS
    assert (found.variance > 0) == (name == "bluffer")
    assert abs(found.surprises - found.expected) <= 4 * found.variance**0.5
