"""OpenSpiel's own tests for every game, and comparisons with its own implementation of the same game."""

from __future__ import annotations

from typing import Any

import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
import pytest
from open_spiel.python import policy  # type: ignore[import-not-found,import-untyped,unused-ignore]
from open_spiel.python.algorithms import exploitability  # type: ignore[import-not-found,import-untyped,unused-ignore]
from open_spiel.python.games import liars_poker  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: F401

from liarspoker.research.errors import BadEnvironment
from liarspoker.research.openspiel import load, name_of
from tests.effort import effort
from tests.research.playouts import GAMES

SMALL: dict[str, object] = {"hand_size": 2, "symbols": 3}
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in GAMES),
    ("salomon-1986", {"rounds": None, "options": SMALL}),
    ("slips", {"rounds": 2, "slips": True}),
    ("dollar-bill", {"players": 4, "options": {**SMALL, "loose_order": True}}),
    ("thorin", {"players": 2, "options": {"dealers_choice": True}}),
    ("queen-annes", {"players": 3, "options": {"who_may_challenge": "anyone", "wild_ranks": "29"}}),
    ("queen-annes-stud", {"players": 3, "options": {"stud_deal_to": "everyone", "jokers": 2}}),
]
SIZES = effort([(1, 2)], quick=[(1, 2)], soak=[(1, 2), (1, 3), (2, 2)])
"""Digits in a hand and digits in play; the last pair takes a minute."""


@pytest.mark.parametrize(("game", "how"), VARIANTS, ids=lambda value: value if isinstance(value, str) else "")
def test_random_simulation(game: str, how: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(game, **how), num_sims=2, serialize=True, verbose=False)


@pytest.mark.slow
def test_random_simulation_of_a_whole_match() -> None:
    pyspiel.random_sim_test(load("queen-annes", 3, rounds=None), num_sims=1, serialize=True, verbose=False)


def nash_conv(game: Any) -> float:
    """Return the sum of both players' gains from a best response to uniform play."""
    gain: float = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    return gain


@pytest.mark.soak
@pytest.mark.parametrize(("hand_size", "symbols"), SIZES)
def test_uniform_play_is_as_exploitable_as_in_openspiels_own_game(hand_size: int, symbols: int) -> None:
    ours = load("dollar-bill", options={"hand_size": hand_size, "symbols": symbols, "rebid": True})
    peer = pyspiel.load_game(f"python_liars_poker(hand_length={hand_size},num_digits={symbols})")
    assert nash_conv(ours) == pytest.approx(nash_conv(peer), abs=1e-9)


def test_our_game_counts_zeros_and_openspiels_own_does_not() -> None:
    """OpenSpiel deals the digits 1 to 9 and 0, but looks for a digit 10 when the strongest digit is bid."""
    peer = pyspiel.load_game("python_liars_poker(hand_length=1,num_digits=10)").new_initial_state()
    for action in (0, 0, 10, 0, 0):  # both hold a zero; one zero is bid, challenged and counted
        peer.apply_action(action)
    assert peer.returns() == [-1.0, 1.0]
    ours = load("dollar-bill", options={"hand_size": 1, "symbols": 10, "rebid": True, "order": "zero_high"})
    state = ours.new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)  # none of any digit except the last one, the zero
    for text in ("1x0", "challenge", "count"):
        state.apply_action(state.string_to_action(text))
    assert state.returns() == [1.0, -1.0]


def test_a_game_is_loaded_by_name_with_its_options_as_parameters() -> None:
    game = pyspiel.load_game("liarspoker_salomon_1986(players=3,hand_size=2,symbols=3,sixes=False)")
    assert game.spec.start.option_changes() == {"sixes": False, "hand_size": 2, "symbols": 3}
    assert game.num_distinct_actions() == 2 * 3 * 3 + 2
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    wild = load("queen-annes", options={"wild_ranks": "2"})
    assert pyspiel.load_game(str(wild)).spec.start.option_changes() == {"wild_ranks": "2"}
    assert name_of("queen-annes-stud") in pyspiel.registered_names()


def test_information_states_distinguish_states_that_observations_do_not() -> None:
    game = load("dollar-bill", options={"hand_size": 1, "symbols": 2})
    state = game.new_initial_state()
    for action in (0, 0, 0, 1):
        state.apply_action(action)
    other = game.new_initial_state()
    for action in (0, 0, 1):
        other.apply_action(action)
    assert state.information_state_string(0) != other.information_state_string(0)
    assert state.information_state_tensor(0) != other.information_state_tensor(0)
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    with pytest.raises(BadEnvironment, match="of a single player"):
        game.make_py_observer(kind)


def test_an_information_state_tensor_exists_where_it_can_hold_the_history() -> None:
    assert load("dollar-bill").get_type().provides_information_state_tensor
    assert not load("dollar-bill", rounds=2).get_type().provides_information_state_tensor
    assert not load("thorin").get_type().provides_information_state_tensor


def test_invalid_games_are_rejected() -> None:
    with pytest.raises(BadEnvironment, match="cap_level"):
        load("slips", options={"cap_level": False})
