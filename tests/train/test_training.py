"""Training: what is recorded, what is learned, and that it goes on where it stopped."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from liarspoker import cli
from liarspoker.bots.catalogue import UnknownBot
from liarspoker.bots.network import BadNetwork, Style, probabilities_of, read_network, save_network
from liarspoker.cli import progress
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.network import network_of
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.engine.totals import strength
from liarspoker.games.digits.kernel_network import INPUTS
from liarspoker.train.learner import Minibatch, Settings, fresh, imitate
from liarspoker.train.selfplay import Recorder, Temperaments, advantages, inputs_of, no_decisions
from liarspoker.train.trainer import CRITIC_FIRST, Plan, Trainer, part_of_update
from tests.train.networks import HIDDEN, random_weights

SMALL = {"hand_size": 2, "symbols": 3}
PLAN = Plan(hands=512, minibatch=128, hidden=8, bots=(), bot_share=0.0)


def small_table(seats: int = 2) -> Table:
    return Table.of("salomon-1986", seats, SMALL, from_slips=False)


def recorder_of(table: Table, seed: int, wild: float) -> Recorder:
    network = network_of(random_weights(table.rules, seed))
    return Recorder(table, network, no_decisions(network, table.rules.symbols, 20_000), wild)


def measured(trainer: Trainer) -> tuple[float, float]:
    """Return what the network wins from random play at temperament 0, and half the width of its interval."""
    table = small_table()
    return strength(table, INPUTS.policy(trainer.network(), Style(), table.rules), "uniform", 4000, 1)


@pytest.mark.parametrize(("seats", "others"), [(2, ()), (3, ()), (3, ("bluffer",))])
def test_a_recorder_remembers_every_decision_with_its_hand(seats: int, others: tuple[str, ...]) -> None:
    table = small_table(seats)
    recorder = recorder_of(table, 1, wild=0.1)
    sample = recorder.play(300, 5, others, Temperaments(-0.5, 0.5))
    decisions = sample.decisions
    assert decisions.legal[np.arange(decisions.columns.size), decisions.columns].all()
    assert ((decisions.probabilities > 0) & (decisions.probabilities <= 1)).all()
    assert (sample.secrets.sum(axis=1) == table.rules.hand_size).all()
    assert (np.diff(sample.rounds) >= 0).all()
    assert 200 < np.unique(sample.rounds).size <= 300
    temperaments = decisions.features[:, -1]
    assert -0.5 <= temperaments.min() < temperaments.max() <= 0.5
    for hand in np.unique(sample.rounds)[:50]:
        rows = sample.rounds == hand
        for seat in np.unique(decisions.seats[rows]):
            mine = rows & (decisions.seats == seat)
            assert np.unique(temperaments[mine]).size == np.unique(sample.units[mine]).size == 1
            # A digit's first feature is a quarter of how many of it the seat holds.
            width = (decisions.features.shape[1] - 32 - 2 * (seats - 1)) // table.rules.symbols
            held = decisions.features[mine][:, 0 : width * table.rules.symbols : width] * 4
            assert (held == sample.secrets[mine][:, :, 0]).all()
    if others:
        assert (decisions.seats == sample.rounds % seats).all()
    elif seats == 2:  # what one wins, the other loses
        for hand in np.unique(sample.rounds):
            rows = sample.rounds == hand
            won = dict(zip(decisions.seats[rows].tolist(), sample.units[rows].tolist(), strict=True))
            assert len(won) == 1 or sum(won.values()) == 0


def test_advantages_add_up_to_what_was_won() -> None:
    table = small_table()
    recorder = recorder_of(table, 2, wild=0.0)
    sample = recorder.play(200, 1, (), Temperaments(0.0, 0.0))
    values = np.random.default_rng(1).normal(size=sample.rounds.size).astype(np.float32)
    better, targets = advantages(sample, values, 1.0)
    assert targets == pytest.approx(sample.units, abs=1e-5)
    assert better == pytest.approx(sample.units - values, abs=1e-5)
    short, _ = advantages(sample, values, 0.0)
    last = np.array(
        [
            not any(
                (sample.rounds[place + 1 :] == sample.rounds[place]) & (sample.decisions.seats[place + 1 :] == seat)
            )
            for place, seat in enumerate(sample.decisions.seats)
        ]
    )
    assert short[last] == pytest.approx((sample.units - values)[last], abs=1e-5)


@pytest.mark.slow
def test_training_learns_to_beat_random_play() -> None:
    trainer = Trainer.begin([small_table()], PLAN._replace(hands=2048))
    before, _ = measured(trainer)
    for _ in zip(range(10), trainer.run(1e6), strict=False):
        pass
    after, width = measured(trainer)
    assert after > before + 0.15 + width
    assert trainer.curve[0].hands >= 2048


def test_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    def rounds(trainer: Trainer, number: int) -> None:
        for _ in trainer.run(1e6):
            if trainer.rounds == number:
                return

    whole, first, second = (Trainer.begin([small_table()], PLAN) for _ in range(3))
    rounds(whole, 4)
    rounds(first, 2)
    first.save(tmp_path / "checkpoint")
    second.resume(tmp_path / "checkpoint")
    assert (second.rounds, second.hands) == (2, first.hands)
    rounds(second, 4)
    for one, other in zip(whole.network(), second.network(), strict=True):
        assert one == pytest.approx(other, abs=1e-4)
    with pytest.raises(BadNetwork, match="another training"):
        Trainer.begin([small_table()], PLAN._replace(seed=2)).resume(tmp_path / "checkpoint")
    (tmp_path / "checkpoint").write_bytes(b"what")
    with pytest.raises(BadNetwork, match="isn't a checkpoint"):
        second.resume(tmp_path / "checkpoint")


def test_an_update_is_the_mean_of_what_its_parts_have_learned() -> None:
    trainer = Trainer.begin([small_table()], PLAN._replace(parts=3))
    begun = jax.tree.map(np.asarray, trainer.learner)
    parts = [part_of_update(trainer.tables, trainer.plan, begun, 0, 0.0, part) for part in range(3)]
    next(iter(trainer.run(1e6)))
    assert trainer.hands == sum(part.hands for part in parts) == 3 * PLAN.hands
    for found, *learned in zip(
        *map(jax.tree.leaves, (trainer.learner, *(part.learner for part in parts))), strict=True
    ):
        expected = max(learned) if learned[0].dtype.kind == "i" else np.mean(learned, axis=0)
        assert found == pytest.approx(expected, abs=1e-6)
    first, second, third = (part.learner.actor.first_bias for part in parts)
    assert np.abs(first - second).max() > 1e-4 < np.abs(second - third).max()
    alone = Trainer.begin([small_table()], PLAN)
    next(iter(alone.run(1e6)))
    assert first == pytest.approx(np.asarray(alone.learner.actor.first_bias), abs=1e-6)


@pytest.mark.parametrize("options", [{"cap_level": False}, {"loose_order": True}])
def test_tables_without_a_usual_ladder_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(CannotPlay):
        Trainer.begin([Table.of("salomon-1986", 2, options, from_slips=False)], PLAN)


def test_tables_that_one_network_cannot_play_are_refused() -> None:
    cards, digits = Table.of("queen-annes", 2), small_table()
    for tables in ([cards, digits], [digits, small_table(3)], [Table.of("thorin", 2), cards]):
        with pytest.raises(CannotPlay, match="one network can't play both"):
            Trainer.begin(tables, PLAN)
    with pytest.raises(CannotPlay, match="who_may_challenge"):
        Trainer.begin([Table.of("queen-annes", 2, {"who_may_challenge": "anyone"})], PLAN)


@pytest.mark.parametrize("range_", ["-4..0.5", "0.5..0", "nan", "0..0.5..1", "low"])
def test_temperaments_are_a_range(range_: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["train", "slips", f"--temperaments={range_}", "-o", "out.safetensors"])
    assert f"'{range_}' isn't a range of temperaments, as in --temperaments=-0.4..0.5" in capsys.readouterr().err


@pytest.mark.parametrize("weights", ["0.06", "0.06,", "0,0.03", "0.06,0.03,0.01", "high,low"])
def test_the_weights_of_the_entropy_are_two_numbers(weights: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["train", "slips", "--entropy", weights, "-o", "out.safetensors"])
    assert f"'{weights}' isn't two numbers above 0" in capsys.readouterr().err


def test_a_training_begins_with_the_weights_of_another_one(tmp_path: Path) -> None:
    first = Trainer.begin([small_table()], PLAN)
    next(iter(first.run(1e6)))
    path = tmp_path / "first.safetensors"
    save_network(first.weights(), path)
    second = Trainer.begin([small_table()], PLAN._replace(start=str(path)))
    begun = [np.asarray(array) for array in second.learner.actor]
    for found, expected in zip(begun, first.network(), strict=True):
        assert found == pytest.approx(expected, abs=1e-3)
    for _ in second.run(1e6):
        is_same = all(map(np.array_equal, begun, second.learner.actor))
        assert is_same == (second.rounds <= CRITIC_FIRST)
        if second.rounds > CRITIC_FIRST:
            break
    with pytest.raises(BadNetwork, match="its layers have other sizes"):
        Trainer.begin([small_table()], PLAN._replace(start=str(path), hidden=12))
    with pytest.raises(UnknownBot, match="No such file"):
        Trainer.begin([small_table()], PLAN._replace(start=str(tmp_path / "none")))


def test_a_network_learns_the_average_of_its_teachers(tmp_path: Path) -> None:
    table, places = small_table(), [tmp_path / "one", tmp_path / "other"]
    for seed, place in enumerate(places):
        save_network(random_weights(table.rules, seed), place)
    plan = PLAN._replace(hands=2048, teachers=tuple(map(str, places)))
    trainer = Trainer.begin([table], plan)
    critic = jax.tree.map(np.asarray, trainer.learner.critic)
    first, *_, last = (now for _, now in zip(range(30), trainer.run(1e6), strict=False))
    assert last.moved < first.moved / 4
    assert all(map(np.array_equal, critic, trainer.learner.critic))
    assert trainer.weights().about["plan"]["teachers"] == ("one", "other")
    alone = Trainer.begin([table], plan._replace(teachers=(str(places[0]),), start=str(places[0])))
    assert next(iter(alone.run(1e6))).moved == pytest.approx(0.0, abs=1e-4)
    with pytest.raises(BadNetwork, match="it is for other tables"):
        Trainer.begin([small_table(3)], plan)
    with pytest.raises(UnknownBot, match="No such file"):
        Trainer.begin([table], PLAN._replace(teachers=(str(tmp_path / "none"),)))


def test_the_average_of_teachers_is_that_of_their_logits() -> None:
    table = small_table()
    rules, networks = table.rules, [random_weights(table.rules, seed) for seed in range(3)]
    decisions = recorder_of(table, 7, wild=0.0).play(40, 1, (), Temperaments(-1.0, 1.0)).decisions
    chances = np.array(
        [
            [probabilities_of(one, row.tolist(), legal.tolist(), rules.symbols) for one in networks]
            for row, legal in zip(decisions.features, decisions.legal, strict=True)
        ]
    )
    goal = np.exp(np.log(np.where(decisions.legal[:, None], chances, 1.0)).mean(axis=1)) * decisions.legal
    goal /= goal.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.where(goal > 0, goal * np.log(goal / chances[:, 0]), 0.0).sum(axis=1).mean()
        disorder = np.where(goal > 0, -goal * np.log(goal), 0.0).sum(axis=1).mean()
    pupil, *teachers = (jax.tree.map(jnp.array, network_of(networks[number])) for number in (0, 0, 1, 2))
    learner = fresh(INPUTS.sizes(rules), rules.seats, HIDDEN, 1)._replace(actor=pupil, teachers=tuple(teachers))
    nothing = np.zeros(decisions.columns.size, np.float32)
    batch = Minibatch(decisions.features, nothing, decisions.legal, decisions.columns, nothing, nothing, nothing)
    learned, facts = imitate(learner, batch, 0.01, 0.0, Settings(rules.symbols))
    assert np.asarray(facts) == pytest.approx([disorder, 0.0, apart], rel=1e-3)
    _, later = imitate(learned, batch, 0.01, 0.0, Settings(rules.symbols))
    assert later[2] < facts[2]


def test_jobs_without_a_cluster_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["train", "slips", "--jobs", "2", "-o", "out.safetensors"])
    assert "--jobs needs --cluster, such as --cluster local" in capsys.readouterr().err


def test_an_opponent_that_does_not_exist_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("net:nothing.safetensors", "nobody"):
        assert cli.main(["train", "slips", "--bots", name, "-o", str(tmp_path / "out.safetensors")]) == 1
        assert name.removeprefix("net:") in capsys.readouterr().err


def test_the_command_trains_and_its_network_can_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    path = tmp_path / "small.safetensors"
    options = ["--option", "hand_size=2", "--option", "symbols=2"]
    quick = ["--minutes", "0.02", "--bots", "binomial", "-o", str(path)]
    assert cli.main(["train", "salomon-1986", *options, *quick, "--json"]) == 0
    said = capsys.readouterr()
    shown = r"^Training: \d+%, [\d.]+ of 0\.02 minutes, [\d:?]+ left, [\d,]+ hands, entropy [\d.]+$"
    assert re.search(shown, said.err, re.MULTILINE)
    report = json.loads(said.out)
    assert report["hands"] > 0
    assert report["options"] == {"hand_size": 2, "symbols": 2}
    assert (report["bots"], report["seed"]) == (["binomial"], 1)
    assert {one["bot"] for one in report["wins"]} == {"binomial"}
    assert cli.main(["train", "salomon-1986", "--minutes", "0.02", "-o", str(path)]) == 2  # the file exists
    assert "exists" in capsys.readouterr().err
    against = ["--bots", f"net:{path}", "-o", str(tmp_path / "response.safetensors")]
    assert cli.main(["train", "salomon-1986", *against]) == 1
    assert "trained for 2 players with 2 of 2 digits, not for 2 with 8 of 10" in capsys.readouterr().err
    size = ["--hand-size", "2", "--symbols", "2"]
    assert cli.main(["exploit", f"net:{path}@0", "salomon-1986", *size, "--json"]) == 0
    exact = json.loads(capsys.readouterr().out)["exploitability"]
    assert 0 < exact < 2
    local = ["--local", "--rounds", "200", "--seed", "1"]
    assert cli.main(["exploit", f"net:{path}@0", "salomon-1986", *size, *local]) == 0


@pytest.mark.parametrize(("game", "seats"), [("thorin", 4), ("queen-annes", 3), ("queen-annes-stud", 4)])
def test_the_loser_of_a_round_pays_those_who_are_still_in(game: str, seats: int) -> None:
    table = Table.of(game, seats)
    inputs = inputs_of(table)
    played = play(table, 40, 1, ["uniform"])
    won, out = inputs.won(played), 1 if game == "thorin" else table.rules.exit_losses
    assert won.shape == (*played.losers.shape, seats)
    for match in range(40):
        losses = [0] * seats
        for number in range(played.losers.shape[1]):
            row, loser = won[match, number], int(played.losers[match, number])
            if number >= played.lengths[match] or loser < 0:
                assert not row.any()
                continue
            others = [seat for seat in range(seats) if losses[seat] < out and seat != loser]
            assert row[loser] == -1
            assert row[others] == pytest.approx(1 / len(others))
            assert row.sum() == pytest.approx(0, abs=1e-6)
            losses[loser] += 1


def test_a_network_learns_matches_of_all_numbers_of_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cards.safetensors"
    quick = ["--players", "3", "--minutes", "0.02", "--hidden", "8", "--bots", "bluffer", "-o", str(path)]
    steps = ["--hands", "4000", "--rate", "0.01", "--entropy", "0.05,0.04"]
    assert cli.main(["train", "queen-annes", *quick, *steps, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    plan = read_network(path.read_bytes(), "cards").about["plan"]
    assert (plan["hands"], plan["rate"], plan["entropy"], plan["seed"]) == (4000, 0.01, [0.05, 0.04], 1)
    assert {(one["game"], one["players"]) for one in report["wins"]} == {("queen-annes", 2), ("queen-annes", 3)}
    contest = ["--players", "2", "--rounds", "4", "--seed", "1"]
    assert cli.main(["arena", "queen-annes", "--bots", f"net:{path},bluffer", *contest]) == 0
    assert cli.main(["arena", "thorin", "--bots", f"net:{path},bluffer", *contest]) != 0
    assert "another family of games" in capsys.readouterr().err
