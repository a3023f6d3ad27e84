"""Highlights: the best bluff, the highest win and the longest streak."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import read_joined_cards
from liarspoker.core.session import RoundSetup, Session
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.tables.bluffs import Bluff
from liarspoker.tables.settings import table_rules
from liarspoker.tables.view import public
from tests.tables.hidden_variants import vary_hidden_state
from tests.tables.play import GAMES, new_table
from tests.tables.random_walks import RandomWalk, random_walks


def played(game: str, session: Session, *actions: str) -> Callable[[bool], Bluff | None]:
    """Return the best bluff of a round, given whether all hands may be used."""
    for text in actions:
        session = session.apply(session.read(text))
    assert not session.in_play
    return lambda revealed: table_rules(game).bluff(session, revealed)


def digits(reveal: str, *actions: str, game_id: str = "dollar-bill") -> Callable[[bool], Bluff | None]:
    game = catalogue.load(game_id)
    session = game.session(3, game.options({"reveal": reveal}))
    dealt = session.deal(DigitDeal(("33300000", "34000000", "56000000")), RoundSetup(0))
    return played(game_id, dealt, *actions)


def test_a_bluff_is_outbid_and_above_the_number_of_its_digit() -> None:
    bluff = digits("counts", "5x3", "6x4", "8x3", "challenge", "challenge")
    assert bluff(False) == Bluff(0, 1, "5 threes", "there were 4")  # the count shows threes only
    assert bluff(True) == Bluff(1, 5, "6 fours", "there was 1")
    assert digits("full", "5x3", "6x4", "8x3", "challenge", "challenge")(False) == bluff(True)
    assert digits("counts", "4x3", "8x3", "challenge", "challenge")(True) is None


def test_a_bid_that_everyone_challenged_before_a_rebid_is_no_bluff() -> None:
    actions = ("7x9", "challenge", "challenge", "8x9", "challenge", "challenge")
    assert digits("full", *actions, game_id="salomon-1986")(True) is None


def test_a_bluff_of_queen_anne_has_missing_cards() -> None:
    session = catalogue.load("queen-annes").session(2)
    hands = tuple(read_joined_cards(text) for text in ("2c3c4c5c6d", "7h8h9hTdJs"))
    dealt = session.deal(QueenAnnesDeal(hands), RoundSetup(0))
    bluff = played("queen-annes", dealt, "claim three A", "claim four K", "challenge")
    assert bluff(False) == bluff(True) == Bluff(0, 3, "three aces", "3 cards were missing")


def test_a_bluff_of_thorin_is_known_only_when_all_hands_are_revealed() -> None:
    session = catalogue.load("thorin").session(3)
    session = session.deal(ThorinDeal(deck=read_joined_cards("KcKd7h5s2s9h")), RoundSetup(0))
    bluff = played("thorin", session, "declare three", "take", "discard 2s", "declare full-house", "challenge")
    assert bluff(False) is None
    found = bluff(True)
    assert found is not None
    assert (found.seat, found.claim_words, found.truth_words[:28]) == (
        0,
        "three of a kind",
        "the hand was a pair of kings",
    )


@given(random_walks(), st.integers(0, 2**32))
def test_what_is_shown_does_not_depend_on_hidden_hands(walk: RandomWalk, seed: int) -> None:
    chance = Random(seed)
    rules = table_rules(walk.table.settings.game)
    for moment in walk.moments:
        before, table = moment.before, moment.after
        if table.rounds_played == before.rounds_played or table.sitting is None:
            continue
        other = vary_hidden_state(table, None, chance)
        assert other.sitting is not None
        shown = rules.bluff(table.sitting.session, False)
        assert rules.bluff(other.sitting.session, False) == shown


@pytest.mark.parametrize("game", GAMES)
def test_what_is_shown_does_not_depend_on_hidden_hands_in_any_game(game: str) -> None:
    table, chance, rules = new_table(game, 3, 4), Random(4), table_rules(game)
    for _ in range(12):
        if table.table.match is None and table.table.rounds_played and catalogue.preset(game).has_winner:
            break
        table.play_round()
        other = vary_hidden_state(table.table, None, chance).sitting
        assert other is not None
        assert rules.bluff(other.session, False) == rules.bluff(table.session, False)


@given(random_walks())
def test_highlights_are_public_after_the_end_only(walk: RandomWalk) -> None:
    for table in (walk.table, *(moment.after for moment in walk.moments)):
        view = public(table).highlights
        assert (view is not None) == (table.stage == "ended" and table.rounds_played > 0)
        if view is not None and table.settings.audit == "leaves":
            assert view.bluff == table.highlights.shown_bluff


@pytest.mark.parametrize("game", ["dollar-bill", "thorin"])
def test_streaks_and_wins_follow_from_the_score_sheet(game: str) -> None:
    table = new_table(game, 3, seed=3, rounds=12)
    while table.table.stage != "ended" and table.table.rounds_played < 12:
        table.play_round()
    if table.table.stage != "ended":
        table.do("user-0", "end")
    sheet = public(table.table).sheet
    view = public(table.table).highlights
    assert view is not None
    wins = [won for line in sheet for won in line.units.values() if won > 0]
    assert (view.best_round.units if view.best_round else 0) == max(wins, default=0)
    longest = 0
    for user in table.table.names:
        run = 0
        for line in sheet:
            run = run + 1 if line.units.get(user, 0) > 0 else 0
            longest = max(longest, run)
    assert (view.streak.rounds if view.streak else 0) == longest
