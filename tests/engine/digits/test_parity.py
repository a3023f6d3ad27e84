"""Compiled and in Python, the rules say the same: whole sessions of every kind, the same deals and actions."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from liarspoker.engine.digits.play import play
from liarspoker.engine.errors import OutgrownStake
from tests.engine.digits.puppets import HASTY, UNIFORM, playing
from tests.engine.digits.replaying import Setting, random_setting, replay, setting

SESSIONS = 10
HANDS = {"soak": 1_000_000, "quick": 2_000}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 20_000)


def compared(chance: random.Random, of: Setting, hands: int) -> Counter[str]:
    """Play a few sessions and replay them; how many hands there were, of which kinds."""
    table = of.table
    few = table.is_finite and table.rules.seats < 6
    policies = (playing(HASTY), playing(UNIFORM if few else HASTY))
    seed = chance.randrange(1 << 32)
    some = min(table.most_moves, 4000)
    opener = chance.randrange(table.rules.seats)
    try:
        rounds = play(
            table, SESSIONS, seed, policies, hands=hands, opener=opener, keep_deals=True, keep_moves=some, rotate=True
        )
    except OutgrownStake:
        assert table.rules.compound
        return Counter(outgrown=1)
    assert rounds.decisions.max() <= some
    played = sum(replay(rounds, number, of) for number in range(SESSIONS))
    seen = Counter({f"outcome {outcome}": count for outcome, count in Counter(rounds.outcomes.flat).items()})
    seen["hands"] = played
    seen["rebids"] = int((rounds.moves[:, :, :, 1] == -2).any(axis=2).sum())
    return seen + Counter({name: played for name in ("loose", "progressive", "compound") if getattr(table.rules, name)})


@pytest.mark.slow
@pytest.mark.soak
def test_whole_sessions_come_out_the_same_compiled_and_in_python() -> None:
    chance, seen = random.Random(HANDS), Counter[str]()
    while seen["hands"] < HANDS:
        seen += compared(chance, random_setting(chance), hands=chance.choice((1, 2, 12, 25)))
    for kind in ("outcome 0", "outcome 1", "outcome 2", "outcome 3", "rebids", "loose", "progressive", "compound"):
        assert seen[kind] > HANDS / 1000, seen


@pytest.mark.parametrize("game", ["dollar-bill", "salomon-1986", "slips"])
@pytest.mark.parametrize("seats", [2, 3, 5, 16])
def test_every_game_comes_out_the_same_as_it_stands(game: str, seats: int) -> None:
    chance = random.Random(seats)
    for from_slips in (False, True) if game != "dollar-bill" else (False,):
        assert compared(chance, setting(game, seats, {}, from_slips), hands=21)["hands"] == 21 * SESSIONS


@pytest.mark.parametrize(
    "options",
    [
        {"compound_carry": True},
        {"compound_carry": True, "none_carry": "bid", "carry_across_slips": False},
        {"next_opener": "winner", "two_player_none": "push"},
        {"next_opener": "rotate", "rebid": False, "progressive": False},
    ],
    ids=lambda options: " ".join(options),
)
def test_every_way_to_carry_on_comes_out_the_same(options: dict[str, object]) -> None:
    for seats in (2, 3, 5):
        for from_slips in (False, True):
            of = setting("salomon-1986", seats, options, from_slips)
            hands = 12 if "compound_carry" in options else 21  # in longer sessions the stake outgrows what is counted
            assert compared(random.Random(seats), of, hands)["hands"] == hands * SESSIONS


def test_a_ladder_without_a_top_comes_out_the_same() -> None:
    of = setting("salomon-1986", 3, {"cap_level": False, "hand_size": 1, "symbols": 2}, from_slips=False)
    assert compared(random.Random(1), of, hands=30)["hands"] == 30 * SESSIONS
