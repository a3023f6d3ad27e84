"""A network gives the same probabilities in plain Python, in compiled code, for all hands at once, and in training."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots import catalogue
from liarspoker.bots.catalogue import UnknownBot
from liarspoker.bots.network import (
    BadNetwork,
    Style,
    Weights,
    network_bytes,
    read_network,
    save_network,
    styled,
    temperament_of,
)
from liarspoker.core import catalogue as games
from liarspoker.engine.compiling import compiled
from liarspoker.engine.network import buffers_for, evaluate, network_of, soften
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.engine.totals import strength
from liarspoker.games.digits.appraisal import hand_of
from liarspoker.games.digits.features import action_of, is_choice, tails_of, write_features
from liarspoker.games.digits.hands import packed_counts
from liarspoker.games.digits.kernel_network import INPUTS
from liarspoker.games.digits.network_bot import NETWORK_BOTS, DigitNetwork, from_file, trained
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.result import DigitView
from liarspoker.solve.beliefs.network_policy import NetworkPolicy
from liarspoker.solve.beliefs.positions import Position, column_of
from liarspoker.solve.hands import index_of
from liarspoker.train.learner import log_probabilities
from tests.bots.tables import new_hand
from tests.train.networks import random_weights

ROUNDING = 2e-6
OPPONENTS = ("pip", "hal", "mae", "ivy", "gus", "rex")
MARGIN = 0.02
"""Units per hand that each of the named opponents wins at least from the weaker one before it."""
TABLES = [(2, 3, 3), (3, 2, 4), (2, 8, 10), (5, 8, 10)]
SMALL = TABLES[:2]


def table_of(seats: int, hand_size: int, symbols: int) -> Table:
    options = {"hand_size": hand_size, "symbols": symbols}
    return Table.of("salomon-1986", seats, options, from_slips=False)


def session_of(seats: int, hand_size: int, symbols: int, seed: int) -> Any:
    return new_hand("salomon-1986", seats, seed, DigitOptions(hand_size=hand_size, symbols=symbols))


def seen_by(view: DigitView) -> tuple[list[float], list[bool]]:
    """Return the features and the legal choices of a view; the temperament is 0.1 give or take 0.9."""
    rules, auction = view.rules, view.auction
    assert auction is not None
    weights = random_weights(rules, 1)
    buffers = buffers_for(network_of(weights), rules.symbols)
    features = [0.0] * buffers.features.size
    counts, made = packed_counts(view.number or ""), len(view.moves)
    write_features(auction, counts, view.moves, made, tails_of(rules), rules, features)
    features[-1] = temperament_of(Style(0.1, spread=0.9), counts)
    return features, [is_choice(column, auction, rules) for column in range(buffers.legal.size)]


@pytest.mark.parametrize(("seats", "hand_size", "symbols"), TABLES)
def test_all_ways_to_evaluate_a_network_agree(seats: int, hand_size: int, symbols: int) -> None:
    table = table_of(seats, hand_size, symbols)
    weights = random_weights(table.rules, 7)
    bot, network = DigitNetwork((Style(0.1, spread=0.9),), own=weights), network_of(weights)
    policy, buffers, chance = NetworkPolicy(bot), buffers_for(network, symbols), Random(3)
    asked = 0
    for seed in range(6):
        session, position = session_of(seats, hand_size, symbols, seed), Position.at(table)
        while not position.is_over:
            view = session.view(session.to_act)
            stated = dict(bot.action_probabilities(view))
            assert set(stated) <= set(view.legal.actions)
            assert sum(stated.values()) == pytest.approx(1)
            features, legal = seen_by(view)
            buffers.features[:], buffers.legal[:] = features, legal
            evaluate(network, buffers)
            logs = log_probabilities(network, jnp.array([features], jnp.float32), jnp.array([legal]), symbols)
            columns = np.flatnonzero(legal)
            expected = [stated[action_of(int(column), view.auction, view.rules)] for column in columns]
            assert buffers.probabilities[columns] == pytest.approx(expected, abs=ROUNDING)
            assert np.exp(np.array(logs)[0, columns]) == pytest.approx(expected, abs=ROUNDING)
            row = policy.matrix(position)[index_of(hand_of(view))] if hand_size < 8 or asked == 3 else None
            if row is not None:
                for action, likely in stated.items():
                    assert row[column_of(action, view.rules)] == pytest.approx(likely, abs=ROUNDING)
            action, asked = bot(view, chance), asked + 1
            session, position = session.apply(action), position.after(action)
    assert asked > 12


@given(st.integers(0, 2**32), st.sampled_from([0.1, 3.0, 1e4]), st.integers(1, 50))
def test_probabilities_are_the_softmax_of_the_legal_actions(seed: int, scale: float, columns: int) -> None:
    chance = np.random.default_rng(seed)
    logits, legal = (scale * chance.normal(size=columns)).astype(np.float32), chance.random(columns) < 0.5
    legal[chance.integers(columns)] = True
    logits[~legal & (chance.random(columns) < 0.5)] = chance.choice([np.nan, np.inf, -np.inf, 3e38])
    found = np.zeros(columns)
    compiled(soften)(logits, legal, found)
    powers = np.zeros(columns)
    powers[legal] = np.exp(logits[legal].astype(float) - logits[legal].max())
    assert found == pytest.approx(powers / powers.sum(), rel=1e-6, abs=1e-12)
    assert found.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("seats", "hand_size", "symbols"), SMALL)
def test_a_compiled_network_plays_as_often_as_it_says(seats: int, hand_size: int, symbols: int) -> None:
    table = table_of(seats, hand_size, symbols)
    style = Style(0.1, spread=0.9)
    bot = DigitNetwork((style,), own=random_weights(table.rules, 5))
    policy = INPUTS.policy(network_of(bot.weights(table.rules)), style, table.rules)
    played = play(table, 20_000, 4, [policy], keep_moves=1)
    opened = np.bincount(played.moves[:, 0, 0, 1], minlength=table.actions)[: table.actions]
    position = Position.at(table)
    likely = NetworkPolicy(bot).split(position, position.hands.prior).probabilities[: opened.size]
    assert opened == pytest.approx(20_000 * likely, abs=5 * (20_000 * 0.25) ** 0.5)
    assert opened.sum() == 20_000


@pytest.mark.parametrize(("seats", "hand_size", "symbols"), SMALL)
def test_the_parts_of_a_networks_policy_agree(seats: int, hand_size: int, symbols: int) -> None:
    table = table_of(seats, hand_size, symbols)
    policy = NetworkPolicy(DigitNetwork((Style(spread=1.0),), own=random_weights(table.rules, 9)))
    position = Position.at(table).after(symbols)
    belief, matrix = position.hands.prior, policy.matrix(position)
    split = policy.split(position, belief)
    assert matrix.sum(axis=1) == pytest.approx(1)
    assert split.probabilities == pytest.approx(belief @ matrix)
    assert policy.sketch(position, belief).probabilities == pytest.approx(split.probabilities, abs=0.02)
    actions = position.legal.actions
    for action, row in zip(
        actions, policy.rows(position.rules, position.auction, position.moves, actions), strict=True
    ):
        assert row == pytest.approx(policy.likelihoods(position, action))
        assert row == pytest.approx(matrix[:, column_of(action, position.rules)])
    other = super(NetworkPolicy, policy).split(position, belief)
    assert split.bids == pytest.approx(other.bids)
    assert split.answered == pytest.approx(other.answered)


@given(seed=st.integers(0, 99), seats=st.sampled_from([2, 3, 6]))
def test_a_file_holds_the_network(seed: int, seats: int) -> None:
    weights = random_weights(table_of(seats, 3, 3).rules, seed)
    read = read_network(network_bytes(weights), "it")
    assert (read.about, read.shapes, read.numbers) == (weights.about, weights.shapes, weights.numbers)


@given(cut=st.integers(0, 3000), data=st.binary(max_size=60))
def test_a_damaged_file_is_refused(cut: int, data: bytes) -> None:
    raw = network_bytes(random_weights(table_of(2, 3, 3).rules, 1))
    for broken in (raw[:cut], data, raw[:7] + data):
        if broken != raw:
            with pytest.raises(BadNetwork, match="it: "):
                read_network(broken, "it")


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_a_file_with_numbers_that_are_not_finite_is_refused(number: float) -> None:
    weights = random_weights(table_of(2, 3, 3).rules, 1)
    broken = {**weights.numbers, "answer_bias": (number,)}
    with pytest.raises(BadNetwork, match="it: some of its numbers are infinite or undefined"):
        read_network(network_bytes(Weights(weights.about, weights.shapes, broken)), "it")


def test_a_style_changes_what_is_likely() -> None:
    rules = table_of(2, 8, 10).rules
    session = session_of(2, 8, 10, 1).apply(12)
    view, weights = session.view(session.to_act), trained(2)

    def challenges(style: Weights) -> float:
        return dict(DigitNetwork((Style(),), own=style).action_probabilities(view))[-1]

    usual = challenges(weights)
    assert challenges(styled(weights, Style(doubt=2.0))) > usual > challenges(styled(weights, Style(doubt=-2.0)))
    hot = DigitNetwork((Style(heat=1000.0),), own=weights).action_probabilities(view)
    assert [likely for _, likely in hot] == pytest.approx([1 / len(hot)] * len(hot), rel=0.05)
    bot = DigitNetwork((Style(), Style(0.5)))
    assert [bot.style(rules._replace(seats=seats)).temperament for seats in (2, 3, 6)] == [0.0, 0.5, 0.5]


def test_a_network_from_a_file_plays_only_at_its_table(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    save_network(random_weights(table_of(2, 3, 3).rules, 1), path)
    bot: Any = catalogue.at(f"net:{path}@0.75")
    assert bot.styles == (Style(0.75),)
    bot = catalogue.at(f"net:{path}@-1..0.5")
    assert bot.styles == (Style(-0.25, spread=0.75),)
    assert from_file(str(path)).styles == NETWORK_BOTS["champion"].styles
    view = session_of(2, 3, 3, 1).view(0)
    assert bot(view, Random(1)) in view.legal.actions
    with pytest.raises(BadNetwork, match="trained for 2 players with 3 of 3 digits, not for 3 with 2 of 4"):
        bot(session_of(3, 2, 4, 1).view(0), Random(1))
    with pytest.raises(UnknownBot, match="does not play the games of pennies"):
        catalogue.at(f"net:{path}", "pennies")
    with pytest.raises(UnknownBot, match="nothing: No such file or directory; name a network's file"):
        catalogue.at("net:nothing")
    for temperaments in ("1.5", "0.5..2", "1..0", "0..0.5..1", "nan"):
        with pytest.raises(BadNetwork, match="temperaments are from -1 to 1"):
            catalogue.at(f"net:{path}@{temperaments}")
    path.write_bytes(b"what")
    with pytest.raises(BadNetwork):
        catalogue.at(f"net:{path}")


@pytest.mark.parametrize("name", ["item_first", "middle_second", "item_choice", "answer_bias", "first_bias"])
def test_a_network_with_layers_of_other_sizes_is_refused(name: str, tmp_path: Path) -> None:
    """Compiled code doesn't check sizes: it would read other memory."""
    path, table = tmp_path / "net.safetensors", table_of(2, 3, 3)
    weights = random_weights(table.rules, 1)
    weights.shapes[name] = (*weights.shapes[name][:-1], 2)  # type: ignore[index]
    numbers = {key: (0.0,) * prod(shape) for key, shape in weights.shapes.items()}
    save_network(replace(weights, numbers=numbers), path)
    bot = from_file(str(path))
    with pytest.raises(BadNetwork, match="other sizes"):
        bot(session_of(2, 3, 3, 1).view(0), Random(1))
    with pytest.raises(BadNetwork, match="other sizes"):
        play(table, 10, 1, [f"net:{path}"])


@pytest.mark.parametrize("name", NETWORK_BOTS)
def test_a_bot_without_a_network_for_the_table_plays_as_the_bluffer(name: str) -> None:
    bluffer: Any = catalogue.load("bluffer", "digits")
    bot: Any = catalogue.load(name, "digits")
    view = session_of(2, 3, 3, 2).view(0)
    assert bot.action_probabilities(view) == bluffer.action_probabilities(view)
    assert bot(view, Random(1)) == bluffer(view, Random(1))


@pytest.mark.parametrize("seats", DigitNetwork.seats)
def test_the_champion_and_the_shark_beat_the_older_bots(seats: int) -> None:
    table = Table.of("salomon-1986", seats, from_slips=False)
    for name in ("champion", "shark"):
        for other in ("binomial", "bluffer"):
            mean, half_width = strength(table, name, other, 3_000 * seats, 1)
            assert mean > 1.5 * half_width, (name, other)


@pytest.mark.parametrize("game", ["queen-annes", "queen-annes-indian", "queen-annes-stud", "thorin"])
@pytest.mark.parametrize("seats", [2, 5])
def test_the_champion_of_the_card_games_beats_the_bluffer(game: str, seats: int) -> None:
    mean, half_width = strength(Table.of(game, seats), "champion", "bluffer", 800 * seats, 1)
    assert mean > half_width


def test_each_opponent_for_people_beats_the_one_before() -> None:
    table = Table.of("salomon-1986", 2, from_slips=False)
    for weaker, better in pairwise(OPPONENTS):
        mean, half_width = strength(table, better, weaker, 24_000, 1)
        assert mean - half_width > MARGIN, (better, weaker, mean)
    assert strength(table, "champion", OPPONENTS[-1], 24_000, 1)[0] > 0


@pytest.mark.parametrize("game", ["thorin", "queen-annes-indian"])
def test_each_opponent_for_people_beats_the_one_before_at_cards(game: str) -> None:
    table = Table.of(game, 2)
    for weaker, better in pairwise([*OPPONENTS, "champion"]):
        mean, _half_width = strength(table, better, weaker, 3_000, 1)
        assert mean > MARGIN, (better, weaker, mean)


LIKELIEST = {
    2: [("3x6", 0.103), ("challenge", 0.577), ("3x0", 0.163), ("4x2", 0.202)],
    3: [("2x1", 0.166), ("2x6", 0.355), ("3x1", 0.451), ("3x2", 0.301)],
    4: [("5x2", 0.322), ("5x9", 0.658), ("challenge", 1.0), ("challenge", 1.0)],
    5: [("4x2", 0.105), ("5x1", 0.151), ("5x6", 0.26), ("6x3", 0.202)],
    6: [("5x6", 0.11), ("6x2", 0.145), ("6x9", 0.927), ("challenge", 1.0)],
}
"""The Champion's likeliest action and its probability, each after the one before, by the number of players."""


@pytest.mark.parametrize("seats", DigitNetwork.seats)
def test_the_networks_of_the_package_see_what_they_were_trained_to_see(seats: int) -> None:
    """A feature that changes its meaning changes these figures, even if all ways to evaluate a network agree."""
    session = new_hand("salomon-1986", seats, seats)
    for expected, likely in LIKELIEST[seats]:
        chances = dict(NETWORK_BOTS["champion"].action_probabilities(session.view(session.to_act)))
        best = max(chances, key=chances.__getitem__)
        assert session.write(best) == expected
        assert chances[best] == pytest.approx(likely, abs=6e-4)
        session = session.apply(best)


LIKELIEST_AT_CARDS = {
    "queen-annes": [("claim pair 9", 0.262), ("claim pair T", 0.326), ("claim three T", 0.763)],
    "queen-annes-indian": [
        ("claim two-pair T4", 0.336),
        ("claim straight 6", 0.984),
        ("claim straight J", 0.566),
        ("claim full-house T4", 0.995),
        ("claim full-house T6", 0.92),
    ],
    "queen-annes-stud": [("claim high A", 0.682), ("claim pair 2", 0.476), ("challenge", 0.995)],
    "thorin": [("declare color-flush AAKQJ", 0.717), ("take", 0.543), ("discard -", 0.595)],
}


@pytest.mark.parametrize("game", LIKELIEST_AT_CARDS)
def test_the_networks_of_the_card_games_see_what_they_were_trained_to_see(game: str) -> None:
    loaded: Any = games.load(game)
    champion: Any = catalogue.load("champion", loaded.preset.family)
    session = loaded.session(3, loaded.options({}))
    session = session.deal(session.chance_spec().draw(Random(4 if game == "thorin" else 3).randrange))
    for expected, likely in LIKELIEST_AT_CARDS[game]:
        chances = dict(champion.probabilities(session.view(session.to_act)))
        best = max(chances, key=chances.__getitem__)
        assert session.write(best) == expected
        assert chances[best] == pytest.approx(likely, abs=6e-4)
        session = session.apply(best)
