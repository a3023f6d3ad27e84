"""The built-in bots at the card games: always legal, always finite, and each level stronger than the one before."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from liarspoker.bots import catalogue as bots
from liarspoker.bots.contest import Contest, totals
from liarspoker.bots.network import Style
from liarspoker.bots.tally import WinTally
from liarspoker.core import catalogue
from liarspoker.core.errors import LEGAL
from liarspoker.engine.table import Table
from tests.effort import effort, one_in
from tests.rules.cards.matches import chances

GAMES = [row.id for row in catalogue.games() if row.has_winner]
LEVELS = [row.name for row in bots.bots() if row.plays(catalogue.preset("thorin"))]
CHANGES: dict[str, list[dict[str, object]]] = {
    "thorin": [{}, {"jokers": 2}, {"passes": 1}, {"jokers": 1, "duplicate": "any"}, {"dealers_choice": True}],
    "queen-annes": [{}, {"jokers": 2}, {"wild_ranks": "2"}, {"flush_order": "suit_first"}, {"wheel": False}],
    "queen-annes-indian": [{}, {"jokers": 1}, {"next_opener": "winner"}],
    "queen-annes-stud": [{}, {"stud_deal_to": "everyone"}, {"stud_everyone_lost": "forgive"}, {"stud_exit_losses": 5}],
}
PAIRS = [("uniform", "beginner"), ("beginner", "binomial"), ("binomial", "bluffer")]


def play_match(game_id: str, lineup: list[str], changes: dict[str, object], chance: Random) -> None:
    """Play a whole match between the bots of the line-up; every action is checked before it is played."""
    game: Any = catalogue.load(game_id)
    players = [bots.load(name, game.preset.family) for name in lineup]
    session = game.session(len(lineup), game.options(changes))
    while session.winner is None:
        session = session.deal(session.chance_spec().draw(chance.randrange))
        while session.in_play:
            seat, seed = session.to_act, chance.randrange(2**32)
            view = session.view(seat)
            action = players[seat](view, Random(seed))
            assert session.refusal(action) == LEGAL
            if chance.random() < 0.1:
                assert players[seat](view, Random(seed)) == action
            session = session.apply(action)
    assert session.alive == (session.winner,)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_plays_every_option_to_the_end_with_legal_actions(game: str) -> None:
    for level in LEVELS:
        play_match(game, [level] * 2, {}, Random(level))
    for seed, changes in enumerate(CHANGES[game]):
        play_match(game, LEVELS[seed % 3 :: 3], changes, Random(seed))


@pytest.mark.parametrize("game", GAMES)
@one_in(4)
@given(chance=chances)
def test_a_match_between_bots_of_any_levels_ends(game: str, chance: Random) -> None:
    play_match(game, [chance.choice(LEVELS) for _ in range(chance.randint(2, 5))], {}, chance)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("weaker", "better"), PAIRS[: effort(2, quick=2, soak=3)])
def test_a_stronger_bot_wins_more_than_its_share_among_weaker_ones(game: str, weaker: str, better: str) -> None:
    few = 100 if game == "thorin" else 40
    matches = effort(few, quick=few, soak=4 * few)
    *_, total = totals(Contest(game, (better, weaker, weaker), matches, seed=1), jobs=1)
    assert isinstance(total, WinTally)
    rate, half = total.win_rate(0)
    assert half is not None
    assert rate - half > 1 / 3


@pytest.mark.parametrize(
    ("game", "seats", "changes"),
    [("queen-annes", 6, {}), ("queen-annes", 3, {"who_may_challenge": "anyone"}), ("thorin", 6, {})],
)
def test_the_champion_plays_as_the_bluffer_where_it_is_not_trained(
    game: str, seats: int, changes: dict[str, object]
) -> None:
    loaded: Any = catalogue.load(game)
    champion, bluffer = (bots.load(name, loaded.preset.family) for name in ("champion", "bluffer"))
    session: Any = loaded.session(seats, loaded.options(changes))
    session = session.deal(session.chance_spec().draw(Random(1).randrange))
    while session.in_play:
        view = session.view(session.to_act)
        action = champion(view, Random(2))
        assert action == bluffer(view, Random(2))
        session = session.apply(action)
    table = Table.of(game, seats, changes)
    assert table.kernel.policy("champion", table.rules).choose is table.kernel.policy("bluffer", table.rules).choose


@pytest.mark.parametrize("game", GAMES)
def test_who_doubts_challenges_more_often_and_who_believes_less(game: str) -> None:
    loaded: Any = catalogue.load(game)
    session = loaded.session(3, loaded.options({}))
    session = session.deal(session.chance_spec().draw(Random(3).randrange))
    champion: Any = bots.load("champion", loaded.preset.family)
    while "challenge" not in map(session.write, session.legal().answers):
        session = session.apply(champion(session.view(session.to_act), Random(1)))
    view, often = session.view(session.to_act), []
    for doubt in (-2.0, 0.0, 2.0):
        chances = replace(champion, styles=(Style(0.4, doubt=doubt),)).probabilities(view)
        often.append(sum(likely for action, likely in chances if session.write(action) == "challenge"))
    assert often[0] < often[1] < often[2]
