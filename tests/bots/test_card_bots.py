"""The light bots at the card games: always legal, always to an end, and each level above the one before."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots import catalogue as bots
from liarspoker.bots.contest import Contest
from liarspoker.bots.processes import totals
from liarspoker.bots.tally import WinTally
from liarspoker.core import catalogue
from liarspoker.core.errors import LEGAL
from tests.effort import effort

GAMES = [row.id for row in catalogue.games() if row.has_winner]
LEVELS = [row.name for row in bots.bots()]
CHANGES: dict[str, list[dict[str, object]]] = {
    "thorin": [{}, {"jokers": 2}, {"passes": 1}, {"jokers": 1, "duplicate": "any"}, {"dealers_choice": True}],
    "queen-annes": [{}, {"jokers": 2}, {"wild_ranks": "2"}, {"flush_order": "suit_first"}, {"wheel": False}],
    "queen-annes-indian": [{}, {"jokers": 1}, {"next_opener": "winner"}],
    "queen-annes-stud": [{}, {"stud_deal_to": "everyone"}, {"stud_everyone_lost": "forgive"}, {"stud_exit_losses": 5}],
}


def played(game_id: str, lineup: list[str], changes: dict[str, object], seed: int) -> Any:
    """A whole match between the bots of the lineup; every action is looked at before it is played."""
    game: Any = catalogue.load(game_id)
    chance = Random(seed)
    players = [bots.load(name, game.row.family) for name in lineup]
    session = game.session(len(lineup), game.options(changes))
    while session.winner is None:
        session = session.deal(session.chance_spec().draw(chance.randrange))
        while session.in_play:
            seat = session.to_act
            action = players[seat](session.view(seat), chance)
            assert session.refusal(action) == LEGAL
            session = session.apply(action)
    return session


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game", "number"), [(game, number) for game in GAMES for number in range(len(CHANGES[game]))])
def test_a_bot_plays_every_option_to_the_end_and_never_breaks_a_rule(game: str, number: int, level: str) -> None:
    session = played(game, [level] * 3, CHANGES[game][number], seed=number)
    assert session.winner in session.alive


@pytest.mark.parametrize("game", GAMES)
@given(lineup=st.lists(st.sampled_from(LEVELS), min_size=2, max_size=5), seed=st.integers(0, 999))
def test_bots_of_any_levels_end_a_match_together(game: str, lineup: list[str], seed: int) -> None:
    assert len(played(game, lineup, {}, seed).alive) == 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_the_same_chance_give_the_same_action(game: str, level: str) -> None:
    found: Any = catalogue.load(game)
    bot = bots.load(level, found.row.family)
    session = found.session(3).deal(found.session(3).chance_spec().draw(Random(5).randrange))
    for seed in range(5):
        view = session.view(session.to_act)
        assert bot(view, Random(seed)) == bot(view, Random(seed))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("weaker", "better"), [("uniform", "beginner"), ("beginner", "binomial")])
def test_one_of_the_better_wins_more_than_its_share_among_the_weaker(game: str, weaker: str, better: str) -> None:
    *_, total = totals(Contest(game, (better, weaker, weaker), 400 if game == "thorin" else 100, seed=1), jobs=1)
    assert isinstance(total, WinTally)
    rate, half = total.win_rate(0)
    assert half is not None
    assert rate - half > 1 / 3


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("game", effort(GAMES[:1], quick=GAMES[:1], soak=GAMES))
def test_the_bluffer_wins_more_than_its_share_among_calculators(game: str) -> None:
    *_, total = totals(Contest(game, ("bluffer", "binomial", "binomial"), 300, seed=1), jobs=1)
    assert isinstance(total, WinTally)
    rate, half = total.win_rate(0)
    assert half is not None
    assert rate - half > 1 / 3
