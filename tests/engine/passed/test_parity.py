"""Compiled and in Python, the rules say the same: whole matches of every kind, the same deals and actions."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from liarspoker.engine.passed.play import play
from tests.engine.passed.puppets import LONG, UNIFORM, playing
from tests.engine.passed.replaying import Setting, random_setting, replay, setting

MATCHES = 5
MOVES, CARDS = 1_000, 2_000
ROUNDS = {"soak": 1_000_000, "quick": 300}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 2_000)


def compared(chance: random.Random, of: Setting, rounds: int | None = None) -> Counter[str]:
    """Play a few matches and replay them; how many rounds there were, of which kinds."""
    policies = [playing(chance.choice((LONG, UNIFORM)))] * (of.table.rules.seats - 1) + [playing(LONG)]
    seed, opener = chance.randrange(1 << 32), chance.randrange(of.table.rules.seats)
    played = play(
        of.table,
        MATCHES,
        seed,
        policies,
        rounds=rounds,
        opener=opener,
        rotate=True,
        keep_cards=CARDS,
        keep_moves=MOVES,
    )
    assert played.decisions.max() <= MOVES
    assert played.drawn.max() <= CARDS
    seen = Counter(rounds=sum(replay(played, number, of) for number in range(MATCHES)))
    real = played.decisions > 0
    seen["shuffled"] = int((played.drawn > 52 + of.table.rules.jokers).sum())
    seen["thrown in"] = int(((played.losers < 0) & real).sum())
    seen["took the top"] = int(((played.losers >= 0) & (played.challengers < 0) & real).sum())
    seen["truthful"] = int(((played.losers == played.challengers) & (played.challengers >= 0) & real).sum())
    seen["won"] = int((played.winners >= 0).sum())
    return seen


@pytest.mark.slow
@pytest.mark.soak
def test_whole_matches_come_out_the_same_compiled_and_in_python() -> None:
    chance, seen = random.Random(ROUNDS), Counter[str]()
    while seen["rounds"] < ROUNDS:
        seen += compared(chance, random_setting(chance), rounds=chance.choice((1, 3, None)))
    for kind in ("shuffled", "thrown in", "took the top", "truthful", "won"):
        assert seen[kind] > ROUNDS / 1000, seen


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_the_game_comes_out_the_same_as_it_stands(seats: int) -> None:
    assert compared(random.Random(seats), setting(seats, {}))["won"] == MATCHES


@pytest.mark.parametrize(
    "options",
    [
        {"jokers": 2, "duplicate": "any", "or_better": "words"},
        {"jokers": 1, "passes": 1, "take_top": True},
        {"passes": 1, "or_better": "words", "dealers_choice": True},
    ],
    ids=lambda options: " ".join(options),
)
def test_every_option_comes_out_the_same(options: dict[str, object]) -> None:
    for seats in (2, 4, 10):
        assert compared(random.Random(seats), setting(seats, options))["won"] == MATCHES
