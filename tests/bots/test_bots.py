"""Properties of every bot of the catalogue, at any table of a digit game."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from liarspoker.bots import catalogue
from liarspoker.bots.catalogue import BotRow
from liarspoker.bots.protocol import Bot, HistoryBot, MixedBot
from liarspoker.core import catalogue as games
from liarspoker.core.errors import LEGAL
from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.bots import Bluffer
from liarspoker.games.digits.options import DigitOptions
from liarspoker.language import LANGUAGES, speaking
from tests.bots.tables import dealt, mid_hand, new_hand, with_other_numbers
from tests.effort import one_in
from tests.rules.digits.plays import chances

NAMES = [row.name for row in catalogue.bots()]


def bot_of(name: str) -> Bot:
    return catalogue.load(name, "digits")


@pytest.mark.parametrize("name", NAMES)
@given(chance=chances)
def test_a_bot_plays_a_legal_action_from_its_view_alone_and_states_its_probability(name: str, chance: Random) -> None:
    session, seed, bot = mid_hand(chance), chance.randrange(2**32), bot_of(name)
    assert session.to_act is not None
    view, legal = session.view(session.to_act), session.legal()
    action = bot(view, Random(seed))
    assert session.refusal(action) == LEGAL
    assert action in legal.claims or action in legal.answers
    # The bot's action doesn't depend on the others' hands, or on other tables that it has played.
    elsewhere = with_other_numbers(session, session.to_act, chance.randrange(2**32))
    assert bot(elsewhere.view(session.to_act), Random(seed)) == action
    between = mid_hand(chance)
    bot(between.view(between.to_act), Random(seed))
    assert bot(view, Random(seed)) == action
    if name in ("beginner", "binomial"):  # honest bots never randomize
        assert bot(view, chance) == action
    assert isinstance(bot, MixedBot)
    stated = dict(bot.action_probabilities(view))
    assert len(stated) == len(bot.action_probabilities(view))
    assert set(stated) <= set(legal.actions)
    assert sum(stated.values()) == pytest.approx(1, abs=1e-12)
    assert min(stated.values()) >= 0
    assert stated[action] > 0


@pytest.mark.parametrize("name", NAMES)
@one_in(2)
@given(chance=chances)
def test_a_bot_plays_the_same_with_the_same_history_key_and_auction(name: str, chance: Random) -> None:
    """The moves may be any of those that were made, in any order."""
    session, bot = mid_hand(chance), bot_of(name)
    assert isinstance(bot, HistoryBot)
    view = session.view(session.to_act)
    for _ in range(5):
        moves = tuple(chance.sample(view.moves, chance.randrange(len(view.moves) + 1)))
        other = replace(view, moves=moves)
        # Under the loose order, other moves make other bids illegal.
        if bot.history_key(other) == bot.history_key(view) and other.legal == view.legal:
            assert bot.action_probabilities(other) == bot.action_probabilities(view)
    assert (bot.history_key(view) is None) == (name in ("uniform", "beginner", "binomial"))


@one_in(2)
@given(chances)
def test_all_bots_except_uniform_end_every_hand(chance: Random) -> None:
    session = dealt(chance)
    bots = [bot_of(chance.choice(NAMES[1:])) for _ in range(session.seats)]
    while session.in_play:
        assert session.to_act is not None
        session = session.apply(bots[session.to_act](session.view(session.to_act), chance))
    assert sum(session.score) == 0


def test_uniform_play_chooses_all_actions_about_equally_often() -> None:
    session = new_hand("slips", 2, 1, DigitOptions(hand_size=2, symbols=2)).apply(3)
    view, chance, bot = session.view(1), Random(1), bot_of("uniform")
    taken = Counter(bot(view, chance) for _ in range(5000))
    assert set(taken) == {4, 5, 6, 7, CHALLENGE}
    assert all(900 < often < 1100 for often in taken.values())


@pytest.mark.parametrize("moves", [(), (3,), (3, 4), (3, CHALLENGE)])
@pytest.mark.parametrize("name", ["uniform", "bluffer"])
def test_a_bot_plays_each_action_as_often_as_it_states(name: str, moves: tuple[int, ...]) -> None:
    session = new_hand("salomon-1986", 2, 7, DigitOptions(hand_size=3, symbols=4))
    for move in moves:
        session = session.apply(move)
    view, chance, draws, bot = session.view(session.to_act), Random(1), 4000, bot_of(name)
    taken = Counter(bot(view, chance) for _ in range(draws))
    assert isinstance(bot, MixedBot)
    for action, stated in bot.action_probabilities(view):
        assert abs(taken[action] - draws * stated) <= 4 * (draws * stated * (1 - stated)) ** 0.5 + 1e-6


def test_a_bot_rejects_the_view_of_a_spectator() -> None:
    for name in NAMES[1:]:
        with pytest.raises(ValueError, match="view of a seat"):
            bot_of(name)(new_hand("slips", 2, 1).view(None), Random(1))


def test_bluffers_differ_only_by_their_settings() -> None:
    assert Bluffer() == bot_of("bluffer")
    assert Bluffer(trust=0.9) != Bluffer()


def test_the_catalogue_says_which_games_a_bot_plays() -> None:
    for row in catalogue.bots():
        played = {game.family for game in games.games() if row.plays(game)}
        assert played == {"digits", "queen_annes", "thorin"}, row.name
    assert not any(BotRow("deep-thought", "Deep Thought", "It is nowhere.").plays(game) for game in games.games())


def test_an_unknown_bot_is_rejected_with_a_list_of_the_known_ones() -> None:
    with pytest.raises(catalogue.UnknownBot, match=r"'deep-thought'.*uniform, pip, beginner, .*bluffer"):
        bot_of("deep-thought")
    with pytest.raises(catalogue.UnknownBot, match="there is no bot"):
        bot_of("tests.bots.sample_bots:cheat")  # the catalogue accepts no module paths


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Calculator", "there is no bot 'Calculator'; did you mean binomial?"),
        ("calculator", "there is no bot 'calculator'; did you mean binomial?"),
        ("Bluffer", "there is no bot 'Bluffer'; did you mean bluffer?"),
        ("RANDOM", "there is no bot 'RANDOM'; did you mean uniform?"),
        ("champoin", f"there is no bot 'champoin'; the catalogue has {', '.join(NAMES)}; did you mean champion?"),
        ("Calculators", f"there is no bot 'Calculators'; the catalogue has {', '.join(NAMES)}; did you mean binomial?"),
        ("nobody", f"there is no bot 'nobody'; the catalogue has {', '.join(NAMES)}"),
    ],
)
def test_the_bot_that_is_meant_is_suggested_by_its_name_or_its_title(name: str, message: str) -> None:
    with pytest.raises(catalogue.UnknownBot) as refused:
        catalogue.row(name)
    assert str(refused.value) == message


def test_a_bot_is_suggested_by_its_title_in_the_language_of_the_user() -> None:
    for code in LANGUAGES:
        with speaking(code):
            for name in NAMES:
                with pytest.raises(catalogue.UnknownBot, match=rf"{name}\?$"):
                    catalogue.row(catalogue.title_of(name).upper())


@pytest.mark.parametrize(
    "place", ["no_such_module:bot", "tests.bots.sample_bots:nobody", "tests.bots.sample_bots:NOT_A_BOT", ":bot"]
)
def test_a_place_without_a_bot_is_rejected_with_its_name(place: str) -> None:
    with pytest.raises(catalogue.UnknownBot, match=f"^{place}: "):
        catalogue.at(place)


def test_a_failing_import_is_not_taken_for_a_family_without_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "liarspoker.games.queen_annes.network_bot", raising=False)
    monkeypatch.setitem(sys.modules, "liarspoker.games.cards.network_bot", None)  # importing it fails
    with pytest.raises(ModuleNotFoundError, match="cards"):
        catalogue.at("net:any.safetensors", "queen_annes")


def test_listing_the_bots_imports_none_and_a_bot_does_not_import_numpy() -> None:
    code = (
        "import sys; from liarspoker.bots import catalogue as c;"
        "assert not [m for m in sys.modules if m.startswith('liarspoker.games.digits')];"
        "c.load('bluffer', 'digits'); assert not {'numpy', 'numba', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
