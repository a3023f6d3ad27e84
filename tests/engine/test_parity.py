"""Compiled rules and Python rules agree on whole matches and sessions of every kind with the same deals and actions."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from liarspoker.engine.rollout import Rollout, play
from tests.effort import effort
from tests.engine.scripted_policies import UNIFORM, VARIED, playing
from tests.engine.tables import BY_FAMILY, GAMES, Setting, random_setting, replay, setting

MATCHES = 5
MOVES, CARDS = 2_000, 3_000
ROUNDS = {
    "digits": effort(2_000, quick=1_000, soak=1_000_000),
    "queen_annes": effort(1_000, quick=500, soak=1_000_000),
    "thorin": effort(400, quick=300, soak=1_000_000),
}
KINDS = {
    "digits": ("outcome 0", "outcome 1", "outcome 2", "outcome 3", "rebids", "loose", "progressive", "compound"),
    "queen_annes": ("exists", "out of turn", "won"),
    "thorin": ("shuffled", "thrown in", "took the top", "truthful", "won"),
}


def compared(chance: random.Random, of: Setting, rounds: int | None = None) -> Counter[str]:
    """Play a few matches, replay them with the Python rules, and return the number of rounds of each kind."""
    seats, family = of.table.rules.seats, of.family
    ways = (VARIED,) * (seats - 1) + (chance.choice((VARIED, UNIFORM)),)
    policies = [playing(way, family=family) for way in (ways[0], ways[-1])]
    lineup = [policies[0]] * (seats - 1) + policies[1:]
    seed, opener = chance.randrange(1 << 32), chance.choice(of.session.alive)
    rollout = play(
        of.table,
        MATCHES,
        seed,
        lineup,
        rounds=rounds,
        opener=opener,
        rotate=True,
        keep_deals=CARDS,
        keep_moves=MOVES,
    )
    assert rollout.decisions.max() <= MOVES
    return Counter(rounds=sum(replay(rollout, number, of) for number in range(MATCHES))) + kinds_in(rollout, of)


def kinds_in(rollout: Rollout, of: Setting) -> Counter[str]:
    rules, real = of.table.rules, rollout.decisions > 0
    if of.family == "digits":
        kinds = Counter({f"outcome {kind}": int((rollout.outcomes == kind).sum()) for kind in range(4)})
        actions = rollout.moves[..., 1]
        kinds["rebids"] = int(((actions[..., 1:] >= 0) & (actions[..., :-1] == -1)).sum())
        return kinds + Counter({n: int(real.sum()) for n in ("loose", "progressive", "compound") if getattr(rules, n)})
    kinds = Counter({"won": int((rollout.winners >= 0).sum())})
    if of.family == "queen_annes":
        kinds["exists"] = int(((rollout.missing == 0) & real).sum())
        kinds["out of turn"] = int((rollout.moves[..., 1] < -1).sum())
        return kinds
    assert rollout.drawn.max() <= CARDS
    lost, challenged = rollout.losers >= 0, rollout.challengers >= 0
    kinds["shuffled"] = int((rollout.drawn > 52 + rules.jokers).sum())
    kinds["thrown in"] = int((~lost & real).sum())
    kinds["took the top"] = int((lost & ~challenged & real).sum())
    kinds["truthful"] = int(((rollout.losers == rollout.challengers) & challenged & real).sum())
    return kinds


@pytest.mark.soak
@pytest.mark.parametrize("family", BY_FAMILY)
def test_whole_matches_have_the_same_results_compiled_and_in_python(family: str) -> None:
    chance, seen = random.Random(ROUNDS[family]), Counter[str]()
    lengths = (1, 2, 12, 25) if family == "digits" else (1, 3, None)
    while seen["rounds"] < ROUNDS[family]:
        of = random_setting(family, chance)
        # In longer sessions, a compounding stake exceeds the engine's limit.
        compounds = family == "digits" and of.table.rules.compound
        seen += compared(chance, of, rounds=chance.choice((1, 2, 5) if compounds else lengths))
    for kind in KINDS[family]:
        assert seen[kind] > ROUNDS[family] / 1000, seen


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 10])
def test_every_preset_has_the_same_results_compiled_and_in_python(game: str, seats: int) -> None:
    of = setting(game, seats)
    seen = compared(random.Random(seats), of, rounds=21 if of.family == "digits" else None)
    assert seen["rounds"] == 21 * MATCHES if of.family == "digits" else seen["won"] == MATCHES


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("salomon-1986", {"compound_carry": True}),
        ("salomon-1986", {"compound_carry": True, "none_carry": "bid", "carry_across_slips": False}),
        ("salomon-1986", {"next_opener": "winner", "two_player_none": "push"}),
        ("salomon-1986", {"next_opener": "rotate", "rebid": False, "progressive": False}),
        ("salomon-1986", {"cap_level": False, "hand_size": 1, "symbols": 2}),
        ("queen-annes-stud", {"stud_everyone_lost": "forgive", "next_opener": "winner"}),
        ("queen-annes-stud", {"stud_everyone_lost": "at_once", "next_opener": "rotate", "stud_exit_losses": 5}),
        (
            "queen-annes-stud",
            {"stud_deal_to": "everyone", "who_may_challenge": "anyone", "jokers": 2, "wild_ranks": "29"},
        ),
        ("thorin", {"jokers": 2, "duplicate": "any", "or_better": "words"}),
        ("thorin", {"jokers": 1, "passes": 1, "take_top": True}),
        ("thorin", {"passes": 1, "or_better": "words", "dealers_choice": True}),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_every_carry_option_has_the_same_results_compiled_and_in_python(game: str, options: dict[str, object]) -> None:
    digits = game == "salomon-1986"
    for seats in (2, 3, 5) if digits else (2, 4, 10):
        for from_slips in (False, True) if digits and "symbols" not in options else (False,):
            of = setting(game, seats, options, **({"from_slips": from_slips} if digits else {}))
            # In longer sessions, a compounding stake exceeds the engine's limit.
            rounds = (12 if "compound_carry" in options else 21) if digits else None
            seen = compared(random.Random(seats), of, rounds)
            assert seen["rounds"] == MATCHES * rounds if rounds else seen["won"] == MATCHES
