"""Compiled and in Python, the rules say the same: whole matches of every kind, the same deals and actions."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from liarspoker.engine.pooled.play import play
from tests.engine.pooled.puppets import HASTY, UNIFORM, playing
from tests.engine.pooled.replaying import GAMES, Setting, random_setting, replay, setting

MATCHES = 5
MOVES = 60
ROUNDS = {"soak": 1_000_000, "quick": 1_000}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 5_000)


def compared(chance: random.Random, of: Setting, rounds: int | None = None) -> Counter[str]:
    """Play a few matches and replay them; how many rounds there were, of which kinds."""
    policies = [playing(HASTY)] * (of.table.rules.seats - 1) + [playing(chance.choice((HASTY, UNIFORM)))]
    seed = chance.randrange(1 << 32)
    opener = chance.choice(of.session.alive)
    played = play(
        of.table, MATCHES, seed, policies, rounds=rounds, opener=opener, rotate=True, keep_deals=True, keep_moves=MOVES
    )
    assert played.decisions.max() <= MOVES
    seen = Counter(rounds=sum(replay(played, number, of) for number in range(MATCHES)))
    seen["exists"] = int(((played.missing == 0) & (played.decisions > 0)).sum())
    seen["out of turn"] = int((played.moves[:, :, :, 1] < -1).sum())
    seen["won"] = int((played.winners >= 0).sum())
    return seen


@pytest.mark.slow
@pytest.mark.soak
def test_whole_matches_come_out_the_same_compiled_and_in_python() -> None:
    chance, seen = random.Random(ROUNDS), Counter[str]()
    while seen["rounds"] < ROUNDS:
        seen += compared(chance, random_setting(chance), rounds=chance.choice((1, 3, None)))
    for kind in ("exists", "out of turn", "won"):
        assert seen[kind] > ROUNDS / 1000, seen


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 10])
def test_every_game_comes_out_the_same_as_it_stands(game: str, seats: int) -> None:
    assert compared(random.Random(seats), setting(game, seats, {}))["won"] == MATCHES


@pytest.mark.parametrize(
    "options",
    [
        {"stud_everyone_lost": "forgive", "next_opener": "winner"},
        {"stud_everyone_lost": "at_once", "next_opener": "rotate", "stud_exit_losses": 5},
        {"stud_deal_to": "everyone", "who_may_challenge": "anyone", "jokers": 2, "wild_ranks": "29"},
    ],
    ids=lambda options: " ".join(options),
)
def test_every_way_to_deal_stud_comes_out_the_same(options: dict[str, object]) -> None:
    for seats in (2, 4, 10):
        assert compared(random.Random(seats), setting("queen-annes-stud", seats, options))["won"] == MATCHES
