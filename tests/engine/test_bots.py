"""The engine's bots play exactly the same actions as the Python bots, in every game."""

from __future__ import annotations

from importlib import import_module
from math import cos, log, pi, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from liarspoker.bots import catalogue
from liarspoker.bots.network import Style, save_network, styled
from liarspoker.bots.protocol import MixedBot
from liarspoker.core.session import RoundSetup
from liarspoker.engine.chance import CHOICES, begin, below, random_float, seed_of
from liarspoker.engine.rollout import play
from liarspoker.games.cards.network_bot import CardNetworkBot
from tests.engine.tables import setting

LINEUP = ("bluffer", "binomial", "beginner", "uniform")
TABLES: list[tuple[str, int, dict[str, object]]] = [
    ("dollar-bill", 2, {}),
    ("salomon-1986", 4, {}),
    ("slips", 4, {"order": "ace_high"}),
    ("salomon-1986", 2, {"hand_size": 2, "symbols": 3}),
    ("dollar-bill", 4, {"hand_size": 2, "symbols": 4, "loose_order": True}),
    ("queen-annes", 4, {"who_may_challenge": "anyone", "wild_ranks": "2"}),
    ("queen-annes", 4, {"flush_order": "suit_first", "wheel": False}),
    ("queen-annes-indian", 4, {"jokers": 2, "next_opener": "winner"}),
    ("queen-annes-stud", 4, {"stud_deal_to": "everyone"}),
    ("queen-annes-stud", 4, {}),
]
NETWORK_TABLES: list[tuple[str, int, dict[str, object], tuple[str, ...]]] = [
    ("salomon-1986", 4, {}, ("champion", "shark", "bluffer", "champion")),
    ("dollar-bill", 3, {"rebid": True}, ("ivy", "mae", "ivy")),
    ("dollar-bill", 2, {}, ("hal", "rex")),
    ("slips", 2, {}, ("gus", "pip")),
    ("queen-annes", 4, {"wild_ranks": "2"}, ("champion", "shark", "bluffer", "champion")),
    ("queen-annes-indian", 3, {"jokers": 2}, ("champion", "mae", "beginner")),
    ("queen-annes-stud", 2, {}, ("champion", "bluffer")),
    ("thorin", 4, {"jokers": 2}, ("champion", "hal", "beginner", "mae")),
    ("thorin", 3, {"or_better": "words", "passes": 1}, ("champion", "shark", "beginner")),
]


def network_bots(family: str) -> set[str]:
    """Return the names of a family's bots that play as a network."""
    return set(import_module(f"liarspoker.games.{family}.network_bot").NETWORK_BOTS)


class Leaning(Random):
    """A random source whose floats are all the same."""

    def __init__(self, fraction: float) -> None:
        super().__init__(1)
        self.fraction = fraction

    def random(self) -> float:
        return self.fraction


def stated(bot: Any, view: Any) -> dict[int, float]:
    """Return the action probabilities that a bot states; empty if it states none."""
    if isinstance(bot, MixedBot):
        return dict(bot.action_probabilities(view))
    if isinstance(bot, CardNetworkBot) and bot.is_trained(view.rules):
        return dict(bot.probabilities(view))
    return {}


@pytest.mark.parametrize(
    ("game", "seats", "options", "lineup"),
    [*((*table, LINEUP) for table in TABLES), *NETWORK_TABLES],
    ids=lambda value: "_".join(value) or None if isinstance(value, dict | tuple) else value,
)
def test_a_compiled_bot_plays_as_it_does_in_python(
    game: str, seats: int, options: dict[str, object], lineup: tuple[str, ...]
) -> None:
    of = setting(game, seats, options, **({"from_slips": True} if game == "slips" else {}))
    matches, lineup = (30, lineup[:seats]) if not of.session.has_winner else (6, lineup)
    assert set(of.table.kernel.policies) == {*LINEUP, *network_bots(of.family)}
    bots = [None if name == "uniform" else catalogue.load(name, of.family) for name in lineup]
    rounds = play(of.table, matches, 1, lineup, rounds=12, keep_deals=500, keep_moves=500)
    asked, surprises, expected, variance = dict.fromkeys(lineup, 0), 0, 0.0, 0.0
    for number in range(matches):
        session: Any = of.session
        for index in range(rounds.lengths[number]):
            session = session.deal(rounds.deal_of(number, index), RoundSetup(0 if index == 0 else None))
            for seat, action in rounds.moves[number, index, : rounds.decisions[number, index]].tolist():
                bot, view = bots[seat], session.view(seat)
                asked[lineup[seat]] += 1
                if bot is not None and seat != session.to_act:
                    assert bot.challenges_out_of_turn(view, Random(1))
                elif bot is not None:
                    probabilities = stated(bot, view)
                    possible = probabilities or {bot(view, Leaning(fraction)) for fraction in (0.0, 0.999)}
                    assert action in possible, (lineup[seat], session.write(action), possible)
                    likeliest = max(probabilities.values(), default=1.0)
                    surprises += probabilities.get(action, 1.0) < likeliest
                    expected += 1 - likeliest
                    variance += likeliest * (1 - likeliest)
                session = session.apply(action)
    assert min(asked.values()) > matches
    assert (variance > 0) == (lineup != LINEUP or not of.session.has_winner)
    assert abs(surprises - expected) <= 4 * variance**0.5


@pytest.mark.parametrize(
    ("game", "family"), [("slips", "digits"), ("thorin",) * 2, ("queen-annes-stud", "queen_annes")]
)
def test_a_compiled_bot_has_the_temperament_of_its_hand(game: str, family: str, tmp_path: Path) -> None:
    """With so little heat a bot hardly ever plays another action than its likeliest one."""
    of, path = setting(game, 2, {}), tmp_path / "cold.safetensors"
    champion: Any = catalogue.load("champion", family)
    weights = champion.weights(of.table.rules)
    save_network(styled(weights, Style(heat=1e-3)), path)
    bot, matches, asked, surprises = catalogue.at(f"net:{path}@-1..1", family), 40, 0, 0
    rounds = play(of.table, matches, 1, [f"net:{path}@-1..1"], rounds=12, keep_deals=500, keep_moves=500)
    for number in range(matches):
        session: Any = of.session
        for index in range(rounds.lengths[number]):
            session = session.deal(rounds.deal_of(number, index), RoundSetup(0 if index == 0 else None))
            for _, action in rounds.moves[number, index, : rounds.decisions[number, index]].tolist():
                chances = stated(bot, session.view(session.to_act))
                asked, surprises = asked + 1, surprises + (action != max(chances, key=chances.__getitem__))
                session = session.apply(action)
    assert asked > 2 * matches
    assert surprises <= asked / 50


class Drawn:
    """The random numbers of the compiled bots of Thorin's game, for the same bots in Python."""

    def __init__(self, seed: int, match: int) -> None:
        self.stream = np.zeros(1, np.uint64)
        begin(self.stream, seed_of(seed), match, CHOICES)

    def randint(self, low: int, high: int) -> int:
        return low + int(below(self.stream, high - low + 1))

    def random(self) -> float:
        return random_float(self.stream)

    def gauss(self, mean: float, deviation: float) -> float:
        radius = sqrt(-2.0 * log(1.0 - self.random()))
        return mean + deviation * (radius * cos(2.0 * pi * self.random()))


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"jokers": 2, "take_top": True}),
        (3, {"jokers": 1, "passes": 1, "duplicate": "any"}),
        (5, {"jokers": 2, "or_better": "words"}),
        (6, {}),
    ],
    ids=str,
)
@np.errstate(over="ignore")  # a stream's numbers wrap around
def test_a_compiled_bot_of_thorins_game_plays_as_it_does_in_python(seats: int, options: dict[str, object]) -> None:
    of, matches = setting("thorin", seats, options), 5
    lineup = ("bluffer", "binomial", "bluffer", "beginner")[:seats]
    bots: Any = [catalogue.load(name, of.family) for name in lineup]
    assert set(of.table.kernel.policies) == {*LINEUP, *network_bots("thorin")}
    rounds = play(of.table, matches, 3, lineup, keep_deals=500, keep_moves=500)
    for number in range(matches):
        session: Any = of.session
        drawn: Any = Drawn(3, number)
        for index in range(rounds.lengths[number]):
            session = session.deal(rounds.deal_of(number, index), RoundSetup(0 if index == 0 else None))
            for seat, action in rounds.moves[number, index, : rounds.decisions[number, index]].tolist():
                bot = bots[min(seat, len(bots) - 1)]
                assert session.write(bot(session.view(seat), drawn)) == session.write(action)
                session = session.apply(action)
        assert session.winner == rounds.winners[number]
