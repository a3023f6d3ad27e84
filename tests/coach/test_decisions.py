"""The values of decisions: exact by a strategy, else from playouts."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import liarspoker
from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.bots.catalogue import load
from liarspoker.coach.decisions import (
    Appraisal,
    Effort,
    Value,
    appraise,
    chance_of,
    chances_of,
    odds_of,
    skunk_of,
    value_of,
)
from liarspoker.coach.models import Model, model_of
from liarspoker.coach.verdicts import BEST, FINE, THRESHOLDS, VERDICTS
from liarspoker.core.session import RoundSetup
from liarspoker.engine.table import Table
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.ladder import level_of
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import NONE, payoff, settle
from liarspoker.solve.beliefs.bot_policy import bot_policy
from liarspoker.solve.beliefs.playouts import dealt, play_out
from liarspoker.solve.beliefs.policies import TablePolicy
from liarspoker.solve.beliefs.positions import Position
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.best_response import choices_after, response
from liarspoker.solve.hands import all_hands, numbers_of
from liarspoker.solve.tree import ranks_of_bids
from tests.bots.tables import new_hand
from tests.solve.tables import Small, random_strategy, small_games

TINY = Small("dollar-bill", 2, {"hand_size": 2, "symbols": 2, "rebid": True, "level_bonus": True, "hero": True})


def table_of(small: Small) -> Table:
    return Table.of(small.game, small.seats, small.options)


def walk(position: Position, chance: Random) -> Position:
    """Return a position with a seat to act, after some random actions."""
    for _ in range(chance.randint(0, 4)):
        later = position.after(chance.choice(position.legal.actions))
        if later.is_over:
            break
        position = later
    return position


@given(small_games(), st.integers(0, 2**32))
def test_by_a_strategy_the_values_are_those_of_a_best_responder(small: Small, seed: int) -> None:
    chance, strategy = Random(seed), random_strategy(small, seed)
    model = Model("random", TablePolicy(strategy), strategy)
    position = walk(Position.at(table_of(small)), chance)
    hand, chosen = chance.randrange(position.hands.size), chance.choice(position.legal.actions)
    beliefs = Beliefs(position, (model.policy,), (position.hands.prior,) * small.seats)
    found = appraise(model, table_of(small), beliefs, hand, chosen, Effort())
    exact = choices_after(strategy, [action for _, action in position.moves])
    if not exact.reached:
        assert found is None
        return
    assert found is not None
    values = dict(zip(exact.position.actions, exact.values[:, hand], strict=True))
    assert {one.action: one.mean for one in found.values} == pytest.approx(values, abs=1e-9)
    assert found.loss == pytest.approx(max(values.values()) - values[chosen], abs=1e-9)
    assert found.half_width == 0.0
    assert (found.verdict == BEST) == (found.loss == 0.0)


def test_the_best_action_is_that_of_the_best_response() -> None:
    strategy = random_strategy(TINY, 5)
    model = Model("random", TablePolicy(strategy), strategy)
    best = strategy.probabilities.copy()
    response(strategy, 0, into=best)
    position = Position.at(table_of(TINY))
    beliefs = Beliefs.at(table_of(TINY), [model.policy])
    first = strategy.at(())
    for hand in range(position.hands.size):
        found = appraise(model, table_of(TINY), beliefs, hand, position.legal.actions[0], Effort())
        assert found is not None
        row = best[first.row : first.row + first.rows, hand]
        assert first.actions[int(row.argmax())] == found.best


def value_by_enumeration(session: DigitSession, action: int, seat: int, bot: Any) -> float:
    """Return what a seat wins on average, from an action on, if everybody plays as a bot with the numbers dealt."""
    session = session.apply(action)
    result = session.round_result
    if result is not None:
        return float(result.payoffs[seat])
    view = session.view(session.to_act)
    chances = bot.action_probabilities(view)
    values: list[float] = [
        likely * value_by_enumeration(session, one, seat, bot) for one, likely in chances if likely > 0
    ]
    return sum(values)


@pytest.mark.parametrize("bot", ["bluffer", "binomial"])
@pytest.mark.parametrize("seats", [2, 3])
def test_playouts_agree_with_enumeration(bot: str, seats: int) -> None:
    """The hands of all others, weighted by the beliefs, and all their actions, in a game small enough."""
    options = {"hand_size": 2, "symbols": 3, "rebid": True, "level_bonus": True, "sixes": True, "hero": True}
    table = Table.of("salomon-1986", seats, options)
    game: Any = liarspoker.load("salomon-1986")
    policy = bot_policy(bot)
    beliefs = Beliefs.at(table, [policy]).after("1x2")
    position, seat = beliefs.position, beliefs.position.to_act
    hands, played = all_hands(table.rules), load(bot, "digits")
    mine = 2
    actions = (*position.legal.answers, *position.legal.claims[:4])
    others = [one for one in range(seats) if one != seat]
    won = play_out(table, position, actions, dealt(beliefs, mine, 6000, np.random.default_rng(1)), [bot], seed=1)
    texts = numbers_of(table.rules)
    expected = np.zeros(len(actions))

    for held in itertools.product(range(hands.size), repeat=seats - 1):
        weight = float(np.prod([beliefs.seats[other][hand] for other, hand in zip(others, held, strict=True)]))
        dealt_to = dict(zip(others, held, strict=True)) | {seat: mine}
        deal = DigitDeal(numbers=tuple(texts[dealt_to[one]] for one in range(seats)))
        start = game.session(seats, game.options(options), False).deal(deal, RoundSetup(opener=0, stake=1))
        start = start.apply(start.read("1x2"))
        for place, action in enumerate(actions):
            expected[place] += weight * value_by_enumeration(start, action, seat, played)
    for place in range(len(actions)):
        error = 4.5 * won[place].std() / won.shape[1] ** 0.5 + 1e-9
        assert won[place].mean() == pytest.approx(expected[place], abs=error), actions[place]


def test_dealt_hands_follow_the_beliefs() -> None:
    table = Table.of("slips", 3, {"hand_size": 2, "symbols": 3}, from_slips=False)
    beliefs = Beliefs.at(table, [bot_policy("bluffer")]).after("1x2")
    hands = all_hands(table.rules)
    numbers = dealt(beliefs, 4, 2000, np.random.default_rng(2))
    for seat in range(3):
        counts = np.array(
            [
                [sum((number >> 4 * place & 15) == digit for place in range(2)) for digit in (1, 2, 3)]
                for number in numbers[:, seat].tolist()
            ]
        )
        found = np.array([(counts == hands.counts[hand]).all(axis=1).mean() for hand in range(hands.size)])
        wanted = np.eye(hands.size)[4] if seat == beliefs.position.to_act else beliefs.seats[seat]
        assert found == pytest.approx(wanted, abs=1.5 / 2000)


@given(small_games(), st.integers(0, 2**32))
def test_the_chance_of_the_standing_bid_agrees_with_enumeration(small: Small, seed: int) -> None:
    chance, strategy = Random(seed), random_strategy(small, seed)
    beliefs = Beliefs.at(table_of(small), [TablePolicy(strategy)])
    for _ in range(chance.randint(1, 3)):
        later = beliefs.after(chance.choice(beliefs.position.legal.actions), surprise="keep")
        if later.position.is_over:
            break
        beliefs = later
    position = beliefs.position
    if position.auction.claim < 0:
        return
    seat, hand = position.to_act, chance.randrange(position.hands.size)
    rank, found, skunk = ranks_of_bids(position.rules)[position.auction.claim], 0.0, 0.0
    sizes = [range(position.hands.size) if other != seat else [hand] for other in range(small.seats)]
    for held in itertools.product(*sizes):
        likely = float(np.prod([beliefs.seats[other][one] for other, one in enumerate(held) if other != seat]))
        counts = [int(position.hands.counts[one, rank]) for one in held]
        found += likely * (sum(counts) >= level_of(position.auction.claim, position.rules))
        settled = settle(position.auction.claim, counts[position.auction.bidder], sum(counts), position.rules)
        skunk += likely * (settled.outcome == NONE)
    assert chance_of(beliefs, seat, hand) == pytest.approx(found, abs=1e-12)
    assert skunk_of(beliefs, seat, hand) == pytest.approx(skunk, abs=1e-12)


@given(small_games(), st.integers(0, 2**32))
def test_the_chances_of_bids_are_those_of_a_payoff(small: Small, seed: int) -> None:
    chance, strategy = Random(seed), random_strategy(small, seed)
    beliefs = Beliefs.at(table_of(small), [TablePolicy(strategy)])
    if chance.random() < 0.5:
        beliefs = beliefs.after(chance.choice(beliefs.position.legal.actions), surprise="keep")
    position, hand = beliefs.position, chance.randrange(beliefs.position.hands.size)
    seat, rules = position.to_act, position.rules
    claims = [action for action in position.legal.actions if action >= 0][:3]
    wins = dict.fromkeys(claims, 0.0)
    sizes = [range(position.hands.size) if other != seat else [hand] for other in range(small.seats)]
    for held in itertools.product(*sizes):
        likely = float(np.prod([beliefs.seats[other][one] for other, one in enumerate(held) if other != seat]))
        for claim in claims:
            counts = [int(position.hands.counts[one, ranks_of_bids(rules)[claim]]) for one in held]
            settled = settle(claim, counts[seat], sum(counts), rules)
            wins[claim] += likely * (payoff(seat, seat, settled, 1, rules) > 0)
    assert chances_of(beliefs, hand, claims) == pytest.approx(wins, abs=1e-12)


def test_odds_without_hearing_anything() -> None:
    table = Table.of("dollar-bill", 2)
    hand = 0  # eight zeros
    claim = Position.at(table).after("1x1").auction.claim
    assert odds_of(claim, hand, table.rules) == pytest.approx(1 - 0.9**8)


@given(st.floats(0, 5), st.floats(0, 2))
def test_verdicts_get_worse_with_the_loss_that_is_certain(loss: float, half_width: float) -> None:
    found = Appraisal("champion", (Value(0, loss, 0.0), Value(1, 0.0, 0.0)), loss, half_width)
    certain = loss - half_width
    if loss == 0:
        assert found.verdict == BEST
    else:
        assert VERDICTS.index(found.verdict) == VERDICTS.index(FINE) + sum(
            certain >= least for least in THRESHOLDS.values()
        )


def test_more_playouts_shrink_the_interval_and_the_result_is_repeatable() -> None:
    session = new_hand("salomon-1986", 2, 1)
    table, model = Table.of("salomon-1986", 2, from_slips=False), model_of(None, session)
    beliefs = Beliefs.at(table, [model.policy]).after("3x8")
    few, many = (appraise(model, table, beliefs, 12_000, -1, Effort(playouts)) for playouts in (400, 6400))
    again = appraise(model, table, beliefs, 12_000, -1, Effort(400, threads=2))
    assert few == again
    assert few is not None
    assert many is not None
    width = {one.action: one.half_width for one in few.values}
    assert all(one.half_width < width[one.action] for one in many.values if one.action == many.best)


@given(st.lists(st.integers(-3, 3), min_size=8, max_size=8), st.lists(st.integers(-3, 3), min_size=3, max_size=8))
def test_an_action_with_fewer_playouts_is_compared_in_those_that_both_have(best: list[int], won: list[int]) -> None:
    found = value_of(7, np.array(won), np.array(best))
    behind = [one - other for one, other in zip(best, won, strict=False)]
    lead = sum(behind) / len(behind)
    expected = sum(best) / 8 - (lead if len(won) == len(best) else max(lead, 0))
    assert found.mean == pytest.approx(max(expected, min(best + won)))
    alone = value_of(7, np.array(best), np.array(best))
    assert found.half_width >= alone.half_width or len(won) == len(best)
