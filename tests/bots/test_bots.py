"""What holds for every bot of the catalogue, at any table."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots import catalogue
from liarspoker.bots.catalogue import BotRow
from liarspoker.bots.protocol import Listener, Mixer
from liarspoker.core import catalogue as games
from liarspoker.core.errors import LEGAL
from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.bots import Bluffer
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.session import DigitSession
from tests.bots.tables import dealt, in_play, new_hand, with_other_numbers
from tests.effort import one_in

NAMES = [row.name for row in catalogue.bots()]
EVERY_BOT = pytest.mark.parametrize("name", NAMES)
SEEDS = st.integers(0, 2**32)


def play(session: DigitSession, name: str, seed: int) -> int:
    """What a bot does at a table."""
    return catalogue.load(name, "digits")(session.view(session.to_act), Random(seed))


@EVERY_BOT
@given(session=in_play(), seed=SEEDS)
def test_whatever_was_bid_a_bot_plays_a_listed_legal_action(name: str, session: DigitSession, seed: int) -> None:
    action = play(session, name, seed)
    assert session.refusal(action) == LEGAL
    assert action in session.legal().claims or action in session.legal().answers


@one_in(2)
@given(session=dealt(), seed=SEEDS)
def test_bots_that_do_not_play_at_random_end_every_hand(session: DigitSession, seed: int) -> None:
    chance = Random(seed)
    bots = [catalogue.load(chance.choice(NAMES[1:]), "digits") for _ in range(session.seats)]
    while session.in_play:
        assert session.to_act is not None
        session = session.apply(bots[session.to_act](session.view(session.to_act), chance))
    assert sum(session.score) == 0


@EVERY_BOT
@given(session=in_play(), seed=SEEDS, other=SEEDS)
def test_a_bot_does_the_same_whatever_the_others_hold(name: str, session: DigitSession, seed: int, other: int) -> None:
    assert session.to_act is not None
    elsewhere = with_other_numbers(session, session.to_act, other)
    assert play(elsewhere, name, seed) == play(session, name, seed)


@EVERY_BOT
@given(session=in_play(), between=in_play(), seed=SEEDS)
def test_a_bot_keeps_nothing_from_other_tables(
    name: str, session: DigitSession, between: DigitSession, seed: int
) -> None:
    first = play(session, name, seed)
    play(between, name, seed)
    assert play(session, name, seed) == first


@pytest.mark.parametrize("name", ["beginner", "binomial"])
@given(session=in_play(), seed=SEEDS, other=SEEDS)
def test_an_honest_bot_leaves_nothing_to_chance(name: str, session: DigitSession, seed: int, other: int) -> None:
    assert play(session, name, seed) == play(session, name, other)


def test_uniform_play_takes_every_action_about_equally_often() -> None:
    session = new_hand("slips", 2, 1, DigitOptions(hand_size=2, symbols=2)).apply(3)
    view, chance = session.view(1), Random(1)
    taken = Counter(catalogue.load("uniform", "digits")(view, chance) for _ in range(5000))
    assert set(taken) == {4, 5, 6, 7, CHALLENGE}
    assert all(900 < often < 1100 for often in taken.values())


@EVERY_BOT
@given(session=in_play(), seed=SEEDS)
def test_a_bot_tells_the_chances_of_legal_actions_and_plays_none_but_them(
    name: str, session: DigitSession, seed: int
) -> None:
    bot = mixer(name)
    told = dict(bot.chances(session.view(session.to_act)))
    assert len(told) == len(bot.chances(session.view(session.to_act)))
    assert set(told) <= set(session.legal().actions)
    assert sum(told.values()) == pytest.approx(1, abs=1e-12)
    assert min(told.values()) >= 0
    assert told[play(session, name, seed)] > 0


@pytest.mark.parametrize("moves", [(), (3,), (3, 4), (3, CHALLENGE)])
@pytest.mark.parametrize("name", ["uniform", "bluffer"])
def test_a_bot_plays_as_often_as_it_tells(name: str, moves: tuple[int, ...]) -> None:
    session = new_hand("salomon-1986", 2, 7, DigitOptions(hand_size=3, symbols=4))
    for move in moves:
        session = session.apply(move)
    view, chance, draws = session.view(session.to_act), Random(1), 4000
    taken = Counter(mixer(name)(view, chance) for _ in range(draws))
    for action, told in mixer(name).chances(view):
        assert abs(taken[action] - draws * told) <= 4 * (draws * told * (1 - told)) ** 0.5 + 1e-6


@EVERY_BOT
@given(session=in_play(), seed=SEEDS)
def test_a_bot_that_heard_the_same_where_the_auction_stands_the_same_plays_the_same(
    name: str, session: DigitSession, seed: int
) -> None:
    """Whatever the moves were, that is; here they are some of those that were made, in any order."""
    bot = catalogue.load(name, "digits")
    assert isinstance(bot, Listener)
    view = session.view(session.to_act)
    chance = Random(seed)
    for _ in range(5):
        moves = tuple(chance.sample(view.moves, chance.randrange(len(view.moves) + 1)))
        other = replace(view, moves=moves)
        if bot.heard(other) == bot.heard(view) and other.legal == view.legal:  # a loose order forbids old bids
            assert bot.chances(other) == bot.chances(view)
    assert (bot.heard(view) is None) == (name != "bluffer")


def mixer(name: str) -> Mixer:
    bot = catalogue.load(name, "digits")
    assert isinstance(bot, Mixer)
    return bot


def test_a_bot_refuses_to_play_for_nobody() -> None:
    session = new_hand("slips", 2, 1)
    for name in NAMES[1:]:
        with pytest.raises(ValueError, match="nobody"):
            catalogue.load(name, "digits")(session.view(None), Random(1))


def test_the_bluffer_differs_by_its_settings_alone() -> None:
    assert Bluffer() == catalogue.load("bluffer", "digits")
    assert Bluffer(trust=0.9) != Bluffer()


def test_a_bot_says_which_games_it_plays() -> None:
    assert all(row.plays(game) for row in catalogue.bots() for game in games.games())
    assert not any(BotRow("deep-thought", "Deep Thought", "It is nowhere.").plays(game) for game in games.games())


def test_an_unknown_bot_is_told_with_those_there_are() -> None:
    with pytest.raises(catalogue.UnknownBot, match=r"'deep-thought'.*uniform, beginner, binomial, bluffer"):
        catalogue.load("deep-thought", "digits")


@pytest.mark.parametrize(
    "place", ["no_such_module:bot", "tests.bots.sample_bots:nobody", "tests.bots.sample_bots:NOT_A_BOT", ":bot"]
)
def test_a_place_without_a_bot_is_refused_by_name(place: str) -> None:
    with pytest.raises(catalogue.UnknownBot, match=f"^{place}: "):
        catalogue.at(place)


def test_names_are_never_taken_for_places() -> None:
    with pytest.raises(catalogue.UnknownBot, match="there is no bot"):
        catalogue.load("tests.bots.sample_bots:cheat", "digits")


def test_listing_the_bots_loads_none_and_a_bot_loads_no_numpy() -> None:
    code = (
        "import sys; from liarspoker.bots import catalogue as c;"
        "assert not [m for m in sys.modules if m.startswith('liarspoker.games.digits')];"
        "c.load('bluffer', 'digits'); assert not {'numpy', 'numba', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
