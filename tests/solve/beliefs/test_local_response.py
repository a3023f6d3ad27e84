"""The local best responder: its values, its winnings, and that a best response wins at least as much."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.engine.errors import CannotBelieve, CannotPlay
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.games.digits.bots import bluffer
from liarspoker.solve.beliefs.bot_policy import bot_policy
from liarspoker.solve.beliefs.local_response import Gain, Responder, Search, local_best_response
from liarspoker.solve.beliefs.lookahead import action_values
from liarspoker.solve.beliefs.policies import BlendPolicy, MixedPolicy, TablePolicy, UniformPolicy
from liarspoker.solve.beliefs.positions import Position, action_at
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.best_response import certify
from liarspoker.solve.best_response import response as exact_response
from liarspoker.solve.hands import Floats, counts_of, index_of
from liarspoker.solve.tabulate import tabulate_bot
from tests.effort import effort
from tests.solve.beliefs.playing import Whims, small_steps, small_tables
from tests.solve.tables import Small, random_strategy, small_games

SEEDS = st.integers(0, 2**32)


def looked_ahead(beliefs: Beliefs, seat: int, hand: int) -> float:
    """Return the value of a position by definition: the others answer or bid, and a bid of theirs is counted."""
    position = beliefs.position
    if position.is_over or position.to_act == seat:
        return float(beliefs.count_by_hand(seat)[hand])
    policy = beliefs.policies[position.to_act]
    assert policy is not None
    chances, worth = policy.split(position, beliefs.seats[position.to_act]).probabilities, 0.0
    for column in np.flatnonzero(chances > 0):
        later = beliefs.after(action_at(int(column), position.rules))
        bids = column < chances.size - 2
        worth += chances[column] * (later.count_by_hand(seat)[hand] if bids else looked_ahead(later, seat, hand))
    return worth


@settings(max_examples=effort(6, quick=4, soak=500))
@given(table=small_tables(), seed=SEEDS)
def test_action_values_agree_with_the_definition(table: Table, seed: int) -> None:
    chance, seats = Random(seed), table.rules.seats
    seat = chance.randrange(seats)
    whims = [Whims(seed + other, never=0.2) for other in range(seats)]
    beliefs = Beliefs.at(table, [None if other == seat else whims[other] for other in range(seats)])
    for _ in range(chance.randrange(5)):
        later = beliefs.after(chance.choice(small_steps(beliefs.position)), surprise="keep")
        if later.position.is_over:
            break
        beliefs = later
    while beliefs.position.to_act != seat:
        beliefs = beliefs.after(beliefs.position.legal.actions[0], surprise="keep")
        assume(not beliefs.position.is_over)
    actions = tuple(small_steps(beliefs.position))
    worth = action_values(
        beliefs, seat, actions, lambda at: whims[at.position.to_act].split(at.position, at.seats[at.position.to_act])
    )
    for action, table_of in zip(actions, worth, strict=True):
        for hand, counts in enumerate(beliefs.hands.counts.tolist()):
            found = sum(row[count] for row, count in zip(table_of, counts, strict=True))
            assert found == pytest.approx(looked_ahead(beliefs.after(action), seat, hand), abs=1e-12)


def response(responder: Responder, beliefs: Beliefs, counts: tuple[int, ...], local: bool) -> float:
    """Return what the local best response, or a best response, wins on average with a hand, over the whole tree."""
    position = beliefs.position
    if position.is_over:
        return float(beliefs.count_by_hand(responder.seat)[index_of(counts)])
    if position.to_act == responder.seat:
        actions = [responder.advise(beliefs).best(counts)] if local else position.legal.actions
        return max(response(responder, beliefs.after(action), counts, local) for action in actions)
    chances = responder.split(beliefs).probabilities
    return sum(
        float(chances[column])
        * response(responder, beliefs.after(action_at(int(column), position.rules)), counts, local)
        for column in np.flatnonzero(chances > 0)
    )


@settings(max_examples=effort(2, quick=2, soak=50))
@given(
    game=st.sampled_from([(2, 3, True), (2, 3, False), (2, 4, False), (3, 2, False)]),
    preset=st.sampled_from(["dollar-bill", "salomon-1986"]),
    policy=st.one_of(
        SEEDS.map(Whims),
        st.sampled_from(["beginner", "binomial", "bluffer"]).map(bot_policy),
    ),
)
def test_a_best_response_wins_at_least_as_much(game: tuple[int, int, bool], preset: str, policy: MixedPolicy) -> None:
    seats, symbols, rebid = game
    table = Table.of(preset, seats, {"hand_size": 1, "symbols": symbols, "rebid": rebid})
    for seat in range(seats):
        responder = Responder(table, policy, seat)
        local, best = mean_response(responder, local=True), mean_response(responder, local=False)
        assert local <= best + 1e-12


def mean_response(responder: Responder, *, local: bool) -> float:
    """Return the average of `response` over the responder's hands."""
    beliefs = responder.begin()
    held: list[list[int]] = beliefs.hands.counts.tolist()
    won = [response(responder, beliefs, tuple(counts), local) for counts in held]
    return float(beliefs.hands.prior @ won)


@pytest.mark.parametrize(("seats", "symbols", "rebid"), [(2, 3, True), (3, 2, False)])
@pytest.mark.parametrize("policy", [Whims(3), bot_policy("bluffer")])
def test_the_estimate_agrees_with_the_whole_tree(seats: int, symbols: int, rebid: bool, policy: MixedPolicy) -> None:
    table = Table.of("salomon-1986", seats, {"hand_size": 1, "symbols": symbols, "rebid": rebid})
    gain = local_best_response(table, policy, 800 * seats, seed=2)
    for seat, (mean, half) in enumerate(gain.seats):
        exact = mean_response(Responder(table, policy, seat), local=True)
        assert half is not None
        assert 0 < half < 0.1
        assert mean == pytest.approx(exact, abs=2 * half)


@settings(max_examples=effort(1, quick=1, soak=50))
@given(small=small_games(((2, 1, 2), (3, 1, 2))), seed=SEEDS)
def test_the_whole_tree_gives_the_exact_best_response_to_a_strategy(small: Small, seed: int) -> None:
    """Compare with code that shares nothing with beliefs."""
    strategy = random_strategy(small, seed)
    table = Table.of(small.game, small.seats, dict(small.options))
    for seat in range(small.seats):
        mine = mean_response(Responder(table, TablePolicy(strategy), seat), local=False)
        assert mine == pytest.approx(exact_response(strategy, seat).best, abs=1e-9)


def played_on(beliefs: Beliefs, seat: int, hand: int, policy: MixedPolicy) -> float:
    """Return the value of a position to a seat with a hand if all play by the policy, over the whole tree."""
    position = beliefs.position
    if position.is_over:
        return float(beliefs.count_by_hand(seat)[hand])
    own = position.to_act == seat
    chances = (
        policy.row(position, hand) if own else policy.split(position, beliefs.seats[position.to_act]).probabilities
    )
    later = [(chances[column], action_at(int(column), position.rules)) for column in np.flatnonzero(chances > 0)]
    return sum(float(likely) * played_on(beliefs.after(action), seat, hand, policy) for likely, action in later)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_search_finds_what_wins_most_if_all_play_on_by_the_policy(seats: int) -> None:
    table = Table.of("salomon-1986", seats, {"hand_size": 2, "symbols": 2, "rebid": False})
    policy, chance, differed = bot_policy("bluffer"), Random(seats), 0
    responder = Responder(table, policy, 0, search=Search("bluffer", 4000))
    beliefs = responder.begin()
    for hand, counts in enumerate(beliefs.hands.counts.tolist()):
        worth = {
            action: played_on(beliefs.after(action), 0, hand, policy) for action in beliefs.position.legal.actions[:8]
        }
        found = responder.choose(beliefs, tuple(counts), chance)
        assert worth[found] >= max(worth.values()) - 0.04
        differed += worth[responder.advise(beliefs).best(tuple(counts))] < worth[found] - 0.06
    assert differed == 2  # looking one step ahead isn't as good with these hands


@dataclass(frozen=True)
class Opener(UniformPolicy):
    """Plays evenly, but with a known hand always the same bid."""

    bid: int

    def row(self, position: Position, hand: int) -> Floats:
        row = np.zeros_like(UniformPolicy().row(position, hand))
        row[self.bid] = 1.0
        return row


def test_a_search_also_plays_out_what_the_others_would_play() -> None:
    table = Table.of("salomon-1986", 2, {"hand_size": 2, "symbols": 3, "rebid": False})
    for bid in (0, 3):  # one step ahead, the lowest bid isn't among the five best with this hand
        responder = Responder(table, Opener(bid), 0, search=Search("binomial", 4000))
        assert (responder.choose(responder.begin(), (1, 0, 1), Random(1)) == 0) is (bid == 0)


def test_a_search_wins_no_more_than_the_best_response() -> None:
    options = {"hand_size": 2, "symbols": 3, "rebid": False}
    table, policy = Table.of("dollar-bill", 2, options), bot_policy("bluffer")
    gain = local_best_response(table, policy, 600, seed=4, search=Search("bluffer", 200))
    strategy = tabulate_bot("dollar-bill", 2, options, bluffer.action_probabilities, bluffer.history_key)
    best = certify(strategy).exploitability
    assert gain.half_width is not None
    assert best is not None
    assert 0.3 < gain.mean < best + gain.half_width


def test_a_strategy_for_other_rules_is_rejected() -> None:
    strategy = random_strategy(Small("dollar-bill", 2, {"hand_size": 1, "symbols": 2}), 1)
    with pytest.raises(CannotBelieve, match="the strategy is for"):
        Responder(Table.of("dollar-bill", 2, {"hand_size": 1, "symbols": 3}), TablePolicy(strategy), 1).play(Random(1))


def test_a_player_who_always_challenges_is_exploited_fully() -> None:
    """Against a player who challenges every bid, looking one step ahead is exact."""
    table = Table.of("salomon-1986", 2, {"hand_size": 2, "symbols": 2, "rebid": False})
    responder = Responder(table, Challenger(), 0, levels=4)
    beliefs = responder.begin()
    for counts in beliefs.hands.counts.tolist():
        local, best = (response(responder, beliefs, tuple(counts), how) for how in (True, False))
        assert local == pytest.approx(best, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "options"), [("bluffer", {"hand_size": 3, "symbols": 4}), ("uniform", {"hand_size": 2, "symbols": 3})]
)
def test_it_wins_the_same_from_the_bots_in_real_sessions(bot: str, options: dict[str, object]) -> None:
    policy = bot_policy(bot)
    table, hands, seats = Table.of("salomon-1986", 3, options), effort(160, quick=160, soak=3000), 3
    gain = local_best_response(table, policy, rounds=hands, seed=3)
    assert gain.half_width is not None
    assert gain.mean > 3 * gain.half_width
    responders = [Responder(table, policy, seat) for seat in range(seats)]
    player: Any = bots.load(bot, "digits")
    won = [sat_down(responders[number % seats], player, options, number) for number in range(hands)]
    spread = 1.96 * stdev(won) / hands**0.5
    assert abs(fmean(won) - gain.mean) < 2 * (spread**2 + gain.half_width**2) ** 0.5


def sat_down(responder: Responder, bot: Any, options: dict[str, object], seed: int) -> int:
    """Play a hand of a real session between the responder and bots; return what the responder won."""
    game: Any = catalogue.load("salomon-1986")
    session, chance = game.session(3, game.options(options), from_slips=False), Random(seed)
    session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(opener=0, stake=1))
    beliefs = responder.begin()
    while session.in_play:
        view = session.view(session.to_act)
        if session.to_act == responder.seat:
            action = responder.advise(beliefs).best(counts_of(view.number, responder.table.rules))
        else:
            action = bot(view, chance)
        session, beliefs = session.apply(action), responder.after(beliefs, action)
    return int(session.score[responder.seat])


@pytest.mark.parametrize("change", [{"rounds": "20"}, {"rounds": 20.0}, {"seed": None}, {"seed": "1"}, {"jobs": 1.5}])
def test_numbers_of_the_wrong_type_are_rejected(change: dict[str, Any]) -> None:
    table = Table.of("dollar-bill", seats=2, options={"hand_size": 2, "symbols": 2})
    with pytest.raises(CannotPlay, match=f"{next(iter(change))}: .*it must be an int"):
        local_best_response(table, UniformPolicy(), **{"rounds": 20, "seed": 1, **change})


@pytest.mark.parametrize(("seed", "seat"), [(19, 1), (37, 0)])
def test_hands_that_differ_by_rounding_only_give_no_interval(seed: int, seat: int) -> None:
    table = Table.of("salomon-1986", seats=2, options={"hand_size": 2, "symbols": 2})
    gain = local_best_response(table, bot_policy("bluffer"), rounds=4, seed=seed)
    assert gain.seats[seat][1] is None
    assert gain.seats[1 - seat][1] is not None
    assert gain.half_width is None


def test_the_same_seed_gives_the_same_gain_in_any_chunks() -> None:
    table = Table.of("dollar-bill", 2, {"hand_size": 2, "symbols": 3})
    policy = bot_policy("bluffer")
    parts = list[Gain]()
    assert local_best_response(table, policy, 250, seed=5, report=parts.append) == parts[-1]
    assert [part.rounds for part in parts] == [100, 200, 250]
    assert parts[-1] == local_best_response(table, policy, 250, seed=5)
    assert parts[0] == local_best_response(table, policy, 100, seed=5)
    assert parts[-1] != local_best_response(table, policy, 250, seed=6)
    assert parts[-1].mean == pytest.approx(fmean(mean for mean, _ in parts[-1].seats))


@pytest.mark.slow
def test_the_number_of_processes_does_not_change_the_result() -> None:
    table = Table.of("dollar-bill", 2, {"hand_size": 2, "symbols": 3})
    policy = BlendPolicy(((0.9, bot_policy("bluffer")), (0.1, UniformPolicy())))
    assert local_best_response(table, policy, 110, seed=5, jobs=2) == local_best_response(table, policy, 110, seed=5)


def test_winnings_are_reported_with_a_confidence_interval() -> None:
    table = Table.of("dollar-bill", 3, {"hand_size": 1, "symbols": 2})
    few = local_best_response(table, UniformPolicy(), 4, seed=1)
    assert isinstance(few, Gain)
    assert few.half_width is None
    assert few.seats[1][1] is None


@pytest.mark.parametrize("wrong", [{"rounds": 1}, {"jobs": 0}, {"levels": 0}, {"search": Search("bluffer", 0)}])
def test_arguments_out_of_range_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(CannotPlay, match=f"{'playouts' if 'search' in wrong else next(iter(wrong))}: "):
        local_best_response(Table.of("slips", 2), UniformPolicy(), **{"rounds": 10, "seed": 1, **wrong})


class Challenger(Whims):
    """A policy that challenges every bid, and counts its own."""

    def __init__(self) -> None:
        super().__init__(0)

    def matrix(self, position: Any) -> Any:
        matrix = super().matrix(position) * 0.0
        answers = position.legal.answers
        matrix[:, position.columns[-1 if answers else 0]] = 1.0
        assert not answers or answers[0] == (COUNT if position.auction.phase == DECIDE else CHALLENGE)
        return matrix
