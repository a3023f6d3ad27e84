"""Bots as strategies: the table contains what the bot plays, however rarely it was asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.engine import memory
from liarspoker.engine.errors import BadStrategy, CannotFit, CannotPlay
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.solve.memory import strategy_size
from liarspoker.solve.strategy import Strategy
from liarspoker.solve.tabulate import tabulate_bot
from tests.effort import effort
from tests.solve.tables import Small, small_games

NAMES = [row.name for row in bots.bots()]
EVERY_BOT = pytest.mark.parametrize("name", NAMES)


def table_of(small: Small, name: str) -> Strategy:
    bot: Any = bots.load(name, "digits")
    return tabulate_bot(small.game, small.seats, small.options, bot.action_probabilities, bot.history_key, name=name)


@EVERY_BOT
@settings(max_examples=effort(12, quick=5, soak=500))
@given(small=small_games(((2, 1, 2), (2, 1, 3), (3, 1, 2), (2, 2, 2))))
def test_the_table_agrees_with_the_bot_in_sessions(name: str, small: Small) -> None:
    """Ask the bot in sessions of the catalogue, with every number that a player can hold."""
    strategy, bot = table_of(small, name), bots.load(name, "digits")
    loaded: Any = catalogue.load(small.game)
    start = loaded.session(small.seats, loaded.options(dict(small.options)), from_slips=False)
    digits = start.chance_spec().digits
    hands = list(_numbers(digits, small.rules.hand_size))
    walked = list(strategy.walk())
    for position, chances in walked[:: max(1, len(walked) // 50)]:
        for column, number in enumerate(hands):
            session = start.deal(DigitDeal((number,) * small.seats), RoundSetup(opener=0, stake=1))
            for move in position.moves:
                session = session.apply(move)
            stated = dict(bot.action_probabilities(session.view(session.to_act)))  # type: ignore[attr-defined]
            expected = [stated.get(action, 0.0) for action in position.actions]
            assert chances[:, column].tolist() == pytest.approx(expected, abs=1e-6)


def _numbers(digits: str, size: int) -> Iterable[str]:
    """Yield every number with ascending digits, in the order of the hands."""
    if not size:
        return [""]
    if len(digits) == 1:
        return [digits * size]
    return [digits[0] * many + rest for many in range(size + 1) for rest in _numbers(digits[1:], size - many)]


@EVERY_BOT
def test_asking_once_per_history_key_gives_the_same_table(name: str) -> None:
    bot: Any = bots.load(name, "digits")
    for seats, options in ((2, {"hand_size": 2, "symbols": 2}), (3, {"hand_size": 1, "symbols": 2})):
        often = tabulate_bot("salomon-1986", seats, options, bot.action_probabilities)
        seldom = tabulate_bot("salomon-1986", seats, options, bot.action_probabilities, bot.history_key)
        assert np.array_equal(often.probabilities, seldom.probabilities)


def test_progress_is_reported() -> None:
    reports: list[tuple[int, int]] = []
    bot: Any = bots.load("uniform", "digits")
    options = {"hand_size": 2, "symbols": 3, "rebid": False}
    tabulate_bot(
        "slips",
        2,
        options,
        bot.action_probabilities,
        progress=lambda done, rows: reports.append((done, rows)),
        name="uniform",
    )
    assert reports == sorted(reports)
    assert reports[-1][0] == reports[-1][1] == 6142
    assert len(reports) > 1


def test_a_bot_that_plays_an_illegal_action_is_rejected() -> None:
    with pytest.raises(BadStrategy, match=r"-2 with 22 after \(\)"):
        tabulate_bot("dollar-bill", 2, {"hand_size": 2, "symbols": 3}, lambda view: ((-2, 1.0),))


@pytest.mark.parametrize("answer", [{0: 1.0}, None, 0, [(0, None)], [(0, "all")], [0, 1]], ids=str)
def test_a_bot_that_does_not_return_pairs_is_rejected(answer: Any) -> None:
    with pytest.raises(BadStrategy, match=r"returns .+ with 1 after \(\); it must return pairs"):
        tabulate_bot("dollar-bill", 2, {"hand_size": 1, "symbols": 2}, lambda view: answer)


def test_a_bot_whose_probabilities_do_not_sum_to_one_is_rejected() -> None:
    with pytest.raises(BadStrategy, match="row 0, hand 0"):
        tabulate_bot("dollar-bill", 2, {"hand_size": 1, "symbols": 2}, lambda view: ((view.legal.actions[0], 0.5),))


def test_a_table_that_does_not_fit_is_rejected_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotFit, match=r"e\+[0-9]+ bytes of memory, but only [0-9.]+ [GT]B are free"):
        tabulate_bot("slips", 2, {}, lambda view: ())
    monkeypatch.setattr(memory, "free_memory", lambda: 10_240)
    with pytest.raises(
        CannotFit, match=r"2,582 rows of 3 hands would take 31\.0 kB of memory, but only 10\.2 kB are free"
    ):
        tabulate_bot("slips", 2, {"hand_size": 2, "symbols": 2}, lambda view: ())


def test_the_size_of_a_table_is_predicted_exactly() -> None:
    options = {"hand_size": 2, "symbols": 2}
    strategy = table_of(Small("salomon-1986", 2, options), "uniform")
    assert strategy_size(packed(DigitOptions().with_values(options), 2)) == strategy.probabilities.nbytes


@pytest.mark.parametrize(("game", "options"), [("thorin", {}), ("slips", {"cap_level": False})])
def test_other_games_cannot_be_tabulated(game: str, options: dict[str, object]) -> None:
    with pytest.raises(CannotPlay):
        tabulate_bot(game, 2, options, lambda view: ())
