"""Bots as strategies: what is in the table is what the bot says, however seldom it was asked."""

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
from liarspoker.solve.strategy import Strategy
from liarspoker.solve.tabulate import table_size, tabulated
from tests.effort import effort
from tests.solve.tables import Small, small_games

NAMES = [row.name for row in bots.bots()]
EVERY_BOT = pytest.mark.parametrize("name", NAMES)


def table_of(small: Small, name: str) -> Strategy:
    bot: Any = bots.load(name, "digits")
    return tabulated(small.game, small.seats, small.options, bot.chances, bot.heard, name=name)


@EVERY_BOT
@settings(max_examples=effort(12, quick=5, soak=500))
@given(small=small_games(((2, 1, 2), (2, 1, 3), (3, 1, 2), (2, 2, 2))))
def test_a_table_says_what_the_bot_says_at_a_table(name: str, small: Small) -> None:
    """At a session of the catalogue, that is, with every number that somebody may hold."""
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
            told = dict(bot.chances(session.view(session.to_act)))  # type: ignore[attr-defined]
            expected = [told.get(action, 0.0) for action in position.actions]
            assert chances[:, column].tolist() == pytest.approx(expected, abs=1e-6)


def _numbers(digits: str, size: int) -> Iterable[str]:
    """Every number whose digits ascend, in the order of the hands."""
    if not size:
        return [""]
    if len(digits) == 1:
        return [digits * size]
    return [digits[0] * many + rest for many in range(size + 1) for rest in _numbers(digits[1:], size - many)]


@EVERY_BOT
def test_to_ask_once_is_as_good_as_to_ask_everywhere(name: str) -> None:
    bot: Any = bots.load(name, "digits")
    for seats, options in ((2, {"hand_size": 2, "symbols": 2}), (3, {"hand_size": 1, "symbols": 2})):
        often = tabulated("salomon-1986", seats, options, bot.chances)
        seldom = tabulated("salomon-1986", seats, options, bot.chances, bot.heard)
        assert np.array_equal(often.probabilities, seldom.probabilities)


def test_it_is_told_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    bot: Any = bots.load("uniform", "digits")
    options = {"hand_size": 2, "symbols": 3, "rebid": False}
    tabulated("slips", 2, options, bot.chances, progress=lambda done, rows: told.append((done, rows)), name="uniform")
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] == 6142
    assert len(told) > 1


def test_a_bot_that_plays_what_is_not_legal_is_refused() -> None:
    with pytest.raises(BadStrategy, match=r"-2 with 22 after \(\)"):
        tabulated("dollar-bill", 2, {"hand_size": 2, "symbols": 3}, lambda view: ((-2, 1.0),))


def test_a_bot_whose_chances_are_none_is_refused() -> None:
    with pytest.raises(BadStrategy, match="row 0, hand 0"):
        tabulated("dollar-bill", 2, {"hand_size": 1, "symbols": 2}, lambda view: ((view.legal.actions[0], 0.5),))


def test_a_table_that_does_not_fit_is_refused_with_what_it_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotFit, match=r"e\+[0-9]+ bytes of memory, and [0-9.]+ [GT]B are free"):
        tabulated("slips", 2, {}, lambda view: ())
    monkeypatch.setattr(memory, "free_memory", lambda: 10_240)
    with pytest.raises(CannotFit, match=r"2,582 rows of 3 hands would take 31\.0 kB of memory, and 10\.2 kB are free"):
        tabulated("slips", 2, {"hand_size": 2, "symbols": 2}, lambda view: ())


def test_a_table_has_as_many_bytes_as_told() -> None:
    options = {"hand_size": 2, "symbols": 2}
    strategy = table_of(Small("salomon-1986", 2, options), "uniform")
    assert table_size(packed(DigitOptions().with_values(options), 2)) == strategy.probabilities.nbytes


@pytest.mark.parametrize(("game", "options"), [("thorin", {}), ("slips", {"cap_level": False})])
def test_other_games_have_no_table(game: str, options: dict[str, object]) -> None:
    with pytest.raises(CannotPlay):
        tabulated(game, 2, options, lambda view: ())
