"""The arena: who plays whom, ratings, and the sequential test."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from liarspoker.bots.arena import (
    Interval,
    PairResult,
    estimates,
    overall,
    pairs_at,
    read_results,
    shipped_results,
    table_result,
    to_json,
)
from liarspoker.bots.catalogue import bots, row
from liarspoker.bots.duplicate import Estimate, Moments
from liarspoker.bots.sprt import LEAST, Sprt
from liarspoker.core import catalogue
from tests.effort import effort

BOTS = ("uniform", "beginner", "binomial")


def result(bot: str, others: str, mean: float, half: float | None = 0.01) -> PairResult:
    return PairResult(bot, others, "python", 10, 20, Interval(mean, half), None, None)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_pair_plays_in_both_directions_unless_these_are_the_same(players: int) -> None:
    pairs = pairs_at("slips", players, BOTS, 100, seed=1)
    assert len(pairs) == (3 if players == 2 else 6)
    for pair in pairs:
        others = [bot for number, bot in enumerate(pair.contest.lineup) if number != pair.measured]
        assert pair.contest.lineup[pair.measured] == pair.bot
        assert others == [pair.others] * (players - 1)
        assert pair.contest.lineup == tuple(sorted(pair.contest.lineup, key=BOTS.index))
    assert len({pair.contest.seed for pair in pairs}) == len(pairs)


@pytest.mark.parametrize("players", [2, 3])
def test_ratings_are_the_strengths_where_winnings_are_their_differences(players: int) -> None:
    strengths = {"a": 0.5, "b": 0.1, "c": -0.6}
    pairs = [
        result(one, other, strengths[one] - strengths[other])
        for one in strengths
        for other in strengths
        if one != other and (players > 2 or one > other)
    ]
    table = table_result("slips", players, list(strengths), pairs)
    assert {rated.bot: rated.rating.mean for rated in table.ratings} == pytest.approx(strengths)
    assert [rated.bot for rated in table.ratings] == ["a", "b", "c"]
    terms = 2 if players == 2 else 1  # variances, in units of that of a pair; the mean of two directions has half
    assert table.ratings[0].rating.half_width == pytest.approx(0.01 * terms**0.5 / 3, abs=1e-6)


def test_ratings_of_several_tables_are_averaged_by_unit() -> None:
    slips = [table_result("slips", 2, ["a", "b"], [result("b", "a", mean, 0.04)]) for mean in (0.2, 0.4)]
    thorin = table_result("thorin", 2, ["a", "b"], [result("b", "a", 0.1)])
    hands, matches = overall([*slips, thorin])
    assert (hands.unit, hands.tables) == ("units_per_round", 2)
    assert [(one.bot, one.rating.mean) for one in hands.ratings] == [("b", 0.15), ("a", -0.15)]
    assert hands.ratings[0].rating.half_width == pytest.approx(0.02 / 2**0.5, abs=1e-6)
    assert (matches.unit, matches.tables) == ("win_rate_above_share", 1)


def test_a_rating_has_no_interval_if_all_blocks_of_its_pairs_were_alike() -> None:
    table = table_result("slips", 2, ["a", "b"], [result("b", "a", 1.0, None)])
    assert [rated.rating.half_width for rated in table.ratings] == [None, None]
    table = table_result("slips", 2, ["a", "b", "c"], [result("b", "a", 1.0, None), result("c", "a", 1.0, 0.03)])
    assert {rated.bot: rated.rating.half_width for rated in table.ratings} == {"a": 0.01, "b": None, "c": 0.01}


def coins(chance: Random, mean: float) -> Moments:
    """Return a part of blocks of two hands, in which a player wins or loses two units, `mean` per hand."""
    units = [2 if chance.random() < 0.5 + mean / 2 else -2 for _ in range(LEAST)]
    return Moments(LEAST, 2 * LEAST, 0, sum(units), (sum(units),), ((sum(one * one for one in units),),))


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "h1"), (0.1, "h0")])
def test_the_sequential_test_keeps_its_error_rates(truth: float, wrong: str) -> None:
    test, runs = Sprt(0.0, 0.1, alpha=0.1, beta=0.1), effort(400, quick=400, soak=4000)
    verdicts, blocks = [], 0
    for run in range(runs):
        chance, estimate = Random(run), Estimate(2)
        while test.accepted(estimate) is None:
            estimate.add(coins(chance, truth))
        verdicts.append(test.accepted(estimate))
        blocks += estimate.blocks
    assert verdicts.count(wrong) / runs < 0.1 + 3 * (0.1 * 0.9 / runs) ** 0.5  # type: ignore[arg-type]
    # A test of fixed length with these error rates needs ((1.28 + 1.28) / 0.1)² blocks of variance 1 per hand.
    assert blocks / runs < 0.8 * 656


def test_the_log_likelihood_ratio_is_zero_half_way_between_the_hypotheses() -> None:
    estimate = Estimate(2)
    estimate.add(Moments(100, 200, 0, 100, (10,), ((100,),)))
    assert Sprt(0.0, 0.1).log_likelihood_ratio(estimate) == pytest.approx(0)
    higher, lower = Sprt(-0.1, 0.1).log_likelihood_ratio(estimate), Sprt(0.0, 0.2).log_likelihood_ratio(estimate)
    assert higher is not None
    assert lower is not None
    assert lower < 0 < higher


def test_a_test_of_blocks_that_are_all_alike_goes_on() -> None:
    estimate = Estimate(2)
    estimate.add(Moments(1000, 2000, 0, 2000, (2000,), ((4000,),)))
    assert Sprt(0.0, 0.1).accepted(estimate) is None
    assert (estimate.mean, estimate.half_width, estimate.gain) == (1.0, None, None)


def test_a_pair_stops_when_its_test_is_decided() -> None:
    pair, chance = pairs_at("slips", 2, BOTS, 100_000, seed=1)[0], Random(1)
    control_free = [0] * 8

    def two_parts() -> Iterator[Moments]:
        for _ in range(2):
            part = coins(chance, 0.5)
            rows = [(*part.products[0], *control_free), *[(0, *control_free)] * 8]
            yield part._replace(sums=(*part.sums, *control_free), products=tuple(rows))

    assert sum(1 for _ in estimates(pair, two_parts(), Sprt(0.0, 0.1))) == 1
    assert sum(1 for _ in estimates(pair, two_parts())) == 2


def test_the_shipped_results_are_complete_and_survive_a_round_trip() -> None:
    for results in shipped_results():
        assert read_results(to_json(results)) == results
        assert {row(bot).name for bot in results.bots} == set(results.bots)
        for table in results.tables:
            assert catalogue.preset(table.game).id == table.game
            assert {rated.bot for rated in table.ratings} == set(results.bots)
            assert sum(rated.rating.mean for rated in table.ratings) == pytest.approx(0, abs=1e-5)
            count = len(results.bots) * (len(results.bots) - 1)
            assert len(table.pairs) == (count // 2 if table.players == 2 else count)
        assert results.ratings == overall(results.tables)


def test_the_shipped_results_have_every_game_and_all_bots() -> None:
    shown = {table.game: set(results.bots) for results in shipped_results() for table in results.tables}
    assert set(shown) == {preset.id for preset in catalogue.games()}
    assert all(rated == {row.name for row in bots()} for rated in shown.values())
