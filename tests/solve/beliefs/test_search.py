"""Bots that think: legal and repeatable play, and better decisions than those of their network."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.bots.catalogue import UnknownBot, at
from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.engine.table import Table
from liarspoker.games.digits.appraisal import number_of
from liarspoker.games.digits.network_bot import champion
from liarspoker.games.digits.session import DigitSession
from liarspoker.solve.beliefs.network_policy import NetworkPolicy
from liarspoker.solve.beliefs.playouts import dealt, play_out
from liarspoker.solve.beliefs.positions import column_of
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.beliefs.search import SearchBot, thinking
from liarspoker.solve.hands import counts_of, index_of


def decisions(game: str, seats: int, seed: int, options: dict[str, Any] | None = None) -> list[DigitSession]:
    """Return the sessions before each decision of a hand between Champions."""
    chance, loaded = Random(seed), catalogue.load(game)
    start: Any = loaded.session(seats, loaded.options(options or {}))
    session: DigitSession = start.deal(
        start.chance_spec().draw(chance.randrange), RoundSetup(opener=seed % seats, stake=1)
    )
    found = []
    while session.in_play:
        found.append(session)
        session = session.apply(champion(session.view(session.to_act), chance))
    return found


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("salomon-1986", 2, {}),
        ("slips", 3, {"rebid": False}),
        ("dollar-bill", 5, {}),
        ("salomon-1986", 2, {"hand_size": 3}),  # no network is trained for it
    ],
)
def test_it_plays_legal_actions_and_the_same_ones_again(game: str, seats: int, options: dict[str, Any]) -> None:
    for session in decisions(game, seats, 3, options):
        view = session.view(session.to_act)
        first, again = (SearchBot("champion", 5)(view, Random(8)) for _ in range(2))
        assert first in view.legal.actions
        assert first == again


def test_its_decisions_win_more_than_those_of_its_network() -> None:
    """The values are those of other playouts, by the same beliefs."""
    bot, table, gains = SearchBot("champion", 50), Table.of("salomon-1986", 2), []
    for seed in range(8):
        for session in decisions("salomon-1986", 2, seed):
            view = session.view(session.to_act)
            beliefs: Beliefs = bot._beliefs(table, seed % 2, view.moves)
            hand = index_of(counts_of(number_of(view), view.rules))
            actions, better = zip(*bot._probabilities(view, Random(seed)), strict=True)
            row = NetworkPolicy(champion).row(beliefs.position, hand)
            plain = row[[column_of(action, view.rules) for action in actions]]
            numbers = dealt(beliefs, hand, 1000, np.random.default_rng(seed))
            won = play_out(table, beliefs.position, actions, numbers, ["champion"], 99 + seed).mean(axis=1)
            gains.append(won @ better - won @ plain / plain.sum())
    assert len(gains) > 30
    assert min(gains) > -0.05
    assert sum(gain > 0 for gain in gains) > 3 * sum(gain < 0 for gain in gains)


def test_without_greed_it_plays_what_won_most() -> None:
    session = decisions("salomon-1986", 2, 1)[0]
    view = session.view(session.to_act)
    [(best, certain)] = SearchBot("champion", 20, greed=0.0)._probabilities(view, Random(1))
    choices = dict(SearchBot("champion", 20)._probabilities(view, Random(1)))
    assert certain == 1.0
    assert len(choices) > 1
    assert best in choices


def test_a_budget_is_named_in_milliseconds() -> None:
    assert at("champion:50ms") == thinking("champion", "50ms") == SearchBot("champion", 50)
    for place, why in (
        ("champion:50", "must be from 1ms"),
        ("shark:0ms", "must be from 1ms"),
        ("shark:99999ms", "must be from 1ms"),
        ("bluffer:50ms", "only these bots can think"),
    ):
        with pytest.raises(UnknownBot, match=why):
            at(place)


def test_bots_that_think_do_not_play_cards() -> None:
    with pytest.raises(UnknownBot, match="does not play the games of thorin"):
        at("champion:50ms", "thorin")
    with pytest.raises(UnknownBot, match="no-such-file: No such file or directory; name a network's file"):
        at("net:no-such-file", "thorin")
